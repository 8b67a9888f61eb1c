/* SPDX-License-Identifier: MIT */
/*
 * What sampling needs from an architecture.  All of it is called from the
 * overflow interrupt: no lock, no allocation, no fault served.
 * <arch/impl/perf.h> supplies:
 *
 *   ARCH_PERF_REGS_VALID          mask of registers that attr may ask for
 *   ARCH_PERF_REGS_EXTENDED       mask of those that only some PMUs sample
 *   void arch_perf_fetch_regs(struct pt_regs *regs)
 *        make regs describe the caller well enough for ip, sp, fp and mode
 *        (inline: the frame is the caller's own)
 */
#ifndef SONDE_ARCH_PERF_H
#define SONDE_ARCH_PERF_H

#include <lib/types.h>

struct pt_regs;
struct task;

#include <arch/impl/perf.h>

/* Value of register nr (bit nr of the mask) in regs; 0 when it has none. */
u64 arch_perf_reg_value(const struct pt_regs *regs, u32 nr);

/* PERF_SAMPLE_REGS_ABI_* of task's user registers. */
u32 arch_perf_reg_abi(const struct task *task);

/*
 * Chain of user return addresses by frame pointers, the interrupted pc first:
 * at most max of them into pc.  Returns how many.  current's address space is
 * active; memory is read only by arch_copy_user_nofault.  The kernel chain is
 * arch_stack_walk's.
 */
u32 arch_perf_user_chain(const struct pt_regs *regs, u64 *pc, u32 max);

/* Largest user stack address + 1 that a stack dump from sp may reach. */
u64 arch_perf_user_stack_limit(const struct task *task);

/*
 * Which bits of arch_clock_read() user code can read for itself; 0 when it
 * cannot.
 */
u64 arch_perf_clock_mask(void);

#endif /* SONDE_ARCH_PERF_H */
