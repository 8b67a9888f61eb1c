/* SPDX-License-Identifier: MIT */
/*
 * Hardware breakpoints and watchpoints of a CPU.
 *
 * Every CPU has a few slots of either kind.  What is installed stays with the
 * CPU until it is removed; that it belongs to a task is the caller's affair.
 * After a hit the machine gets past the instruction by itself: breakpoints of
 * that level are off until it has been executed.
 */
#ifndef SONDE_ARCH_DEBUG_H
#define SONDE_ARCH_DEBUG_H

#include <kernel/static_key.h>
#include <lib/types.h>

struct pt_regs;
struct task;

/* As parsed: [I] while installed, but slot: [N] of the CPU it is on. */
struct arch_breakpoint {
	u64 addr;	/* what the address register holds */
	u32 control;	/* and the control register, enabled */
	bool exec;	/* which kind of slot */
	bool kernel;	/* hit by the kernel, not by user code */
	bool guarded;	/* to ask for it takes rights over the kernel */
	s32 slot;	/* -1: not installed */
};

/* How many slots of a kind a CPU has; the same on all.  After boot. */
u32 arch_debug_slots(bool exec);

/*
 * Translate what HW_BREAKPOINT_* type, address and length ask for.  Returns 0
 * or -EINVAL; for_task: an address of the kernel is not allowed.  Pure.
 */
int arch_debug_parse(struct arch_breakpoint *bp, u64 addr, u64 len, u32 type,
		     bool for_task);

/* Reset the slots of this CPU.  Masked. */
void arch_debug_init_cpu(void);

/* Take a slot of this CPU, or give it back.  0 or -ENOSPC.  Masked. */
int arch_debug_install(struct arch_breakpoint *bp);
void arch_debug_remove(struct arch_breakpoint *bp);

/*
 * Set once at boot: called at every hit, with everything masked, before the
 * instruction executes.
 */
extern void (*arch_debug_hit)(struct arch_breakpoint *bp,
			      struct pt_regs *regs);

/* On while breakpoints exist: a step past one follows its task. */
DECLARE_STATIC_KEY(arch_debug_key);
void arch_debug_switch_body(struct task *prev, struct task *next);

/* prev leaves this CPU for next.  Masked. */
static inline void arch_debug_switch(struct task *prev, struct task *next)
{
	if (static_branch(arch_debug_key))
		arch_debug_switch_body(prev, next);
}

#endif /* SONDE_ARCH_DEBUG_H */
