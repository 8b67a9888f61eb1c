/* SPDX-License-Identifier: MIT */
/*
 * A task's machine state and the switch.  <arch/impl/thread.h> defines
 *
 *   struct arch_thread   callee-saved registers, TLS, FP/SIMD state, fault
 *                        address and code for signals
 *   ARCH_STACK_SIZE      bytes of a kernel stack (a guard page below it)
 *   ARCH_STACK_ALIGN     what a stack's lowest address is a multiple of
 *
 * and this header declares what arch code implements.
 */
#ifndef SONDE_ARCH_THREAD_H
#define SONDE_ARCH_THREAD_H

#include <lib/types.h>

struct pt_regs;
struct task;

#include <arch/impl/thread.h>

/*
 * Switch stacks and callee-saved registers from prev to next, FP/SIMD and TLS
 * included; sets arch_current.  Returns, on prev's stack and much later, the
 * task that ran just before prev runs again.  Caller: scheduler, run-queue
 * lock held, ordinary interrupts masked.  The address space was switched
 * before by arch_mm_switch.
 */
struct task *arch_switch_to(struct task *prev, struct task *next);

/*
 * Make a new task's first switch enter fn(arg) on its kernel stack with
 * sched_finish_switch() called before it.  If fn returns, the task goes to
 * user mode through its task_pt_regs().  Task context; child not yet visible.
 */
void arch_thread_init(struct task *child, void (*fn)(void *), void *arg);

/*
 * Copy the parent's user frame, TLS and FP state to the child: it returns 0
 * from its call; a non-zero sp replaces the stack pointer; tls is set when
 * set_tls.  Task context of the parent, child not yet visible.
 */
void arch_thread_fork(struct task *child, u64 sp, bool set_tls, u64 tls);

/*
 * execve: reset user registers, FP/SIMD and TLS of current and aim at pc/sp.
 */
void arch_thread_exec(struct pt_regs *regs, u64 pc, u64 sp);

/* Release what arch_thread_init/fork allocated.  Task context, task dead. */
void arch_thread_free(struct task *task);

/*
 * Interrupt-safe stack walk of a kernel context, newest first.  Calls
 * store(cookie, pc) until it returns false or the chain ends; never faults;
 * accepts any instruction of entry and switch.  regs NULL: start at the
 * caller.  task non-NULL and not current: walk a sleeping task.
 */
void arch_stack_walk(const struct pt_regs *regs, const struct task *task,
		     bool (*store)(void *cookie, u64 pc), void *cookie);

/* Print a register frame.  Any context. */
void arch_show_regs(const struct pt_regs *regs);

#endif /* SONDE_ARCH_THREAD_H */
