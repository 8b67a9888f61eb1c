/* SPDX-License-Identifier: MIT */
/*
 * What probes need to know of an instruction set: may an instruction be
 * probed, and how is its effect had elsewhere.
 *
 * <arch/impl/probes.h>: ARCH_PROBE_INSN_SIZE, the breakpoint instructions
 * ARCH_KPROBE_BREAK (kernel), ARCH_UPROBE_BREAK (user), ARCH_UPROBE_STEPPED
 * (behind an instruction in a user slot), and the inline
 *
 *   bool arch_kprobe_in_slot(u64 pc)    is pc in a slot of the kernel?
 *   u64 arch_probe_register(regs, n)    register n, 0 if there is none
 *   u64 arch_probe_state(regs)          the processor state
 *   u32 arch_probe_argument(n)          register of a call's argument n, up
 *                                       to ARCH_PROBE_ARGUMENTS of them
 *   int arch_probe_register_number(name)    -1: there is none
 *
 * and ARCH_PROBE_RETURN_REGISTER.
 */
#ifndef SONDE_ARCH_PROBES_H
#define SONDE_ARCH_PROBES_H

#include <lib/types.h>

struct arch_text_word;
struct pt_regs;

#include <arch/impl/probes.h>

enum arch_probe_kind {
	ARCH_PROBE_REJECT,	/* its effect cannot be had elsewhere */
	ARCH_PROBE_SIMULATE,	/* depends on where it is */
	ARCH_PROBE_STEP,	/* does the same anywhere */
};

/* Pure. */
enum arch_probe_kind arch_probe_classify(u32 insn);

/*
 * Is code[n] inside a sequence from an exclusive load to its store, which an
 * exception in the middle would undo for ever?  code[0] is the first
 * instruction of the function.  Pure.
 */
bool arch_probe_in_exclusive(const u32 *code, size_t n);

/*
 * Do what insn, which is of kind SIMULATE and stands at pc, would do to regs,
 * the program counter included.  read fetches from the space that regs ran
 * in: 0 or a negative errno, which is returned with regs unchanged.
 */
int arch_probe_simulate(u32 insn, u64 pc, struct pt_regs *regs,
			int (*read)(void *to, u64 addr, size_t size));

/*
 * A copy of insn, which stands at pc, in executable memory of the kernel;
 * behind it execution goes on after pc.  0: no memory.  Task context.
 */
u64 arch_kprobe_slot_get(u32 insn, u64 pc);
/* Nobody is in there any more. */
void arch_kprobe_slot_put(u64 slot);
/* Whose copy is in the slot that pc is in?  Any context. */
u64 arch_kprobe_slot_origin(u64 pc);

/*
 * Change instructions of kernel text that other CPUs may be executing: live
 * where the architecture allows that for all, else with the others parked.
 * 0 or -EINVAL, as there.  Text mutex.
 */
int arch_kprobe_write(const struct arch_text_word *words, u32 n);

/*
 * The frame has just entered a function: it shall return to trampoline.
 * Returns where it would have returned to.
 */
u64 arch_probe_return_address(const struct pt_regs *regs);
void arch_probe_set_return_address(struct pt_regs *regs, u64 to);
/* Where a kretprobed function returns to; calls kretprobe_returned(). */
void arch_kretprobe_trampoline(void);

#endif /* SONDE_ARCH_PROBES_H */
