/* SPDX-License-Identifier: MIT */
/*
 * What the layers below the scheduler ask of it: task states, giving up the
 * CPU, and waking a task that is known by pointer only.  <kernel/sched.h>
 * includes this; locks, interrupts and time include only this.
 */
#ifndef SONDE_KERNEL_SCHED_BASE_H
#define SONDE_KERNEL_SCHED_BASE_H

#include <lib/types.h>

struct pt_regs;
struct task;

/* task->state */
#define TASK_RUNNING	     0u
#define TASK_INTERRUPTIBLE   1u
#define TASK_UNINTERRUPTIBLE 2u
#define TASK_KILLABLE	     4u	/* uninterruptible but for fatal signals */
#define TASK_STOPPED	     8u
#define TASK_TRACED	     16u
#define TASK_ZOMBIE	     32u	/* task->exit_state */
#define TASK_DEAD	     64u	/* its last switch; see schedule() */
#define TASK_NEW	     128u
#define TASK_SLEEPING	     (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE | \
			      TASK_KILLABLE)

/*
 * Give up the CPU.  The caller set its state first (set_current_state) when
 * it means to sleep.  Task context, no spin lock held.  A task whose state is
 * TASK_DEAD never returns: the task that runs next drops one reference of it
 * (task_put) once its stack is no longer in use.
 */
void schedule(void);

/* Set current's state, ordered before what is read after it. */
void set_current_state(u32 state);

/* Make t runnable if its state is in mask.  True if it was woken.  Any
 * context but the overflow interrupt; no lock above WAITQ rank held. */
bool wake_up_task(struct task *t, u32 mask);

/* Would a sleep in this state be broken by a signal of current? */
bool signal_pending_state(u32 state);

/*
 * Arch entry, at the end of an interrupt that hit the kernel, ordinary
 * interrupts masked, when thread_info.preempt is zero: switch, and return
 * with interrupts masked.
 */
void preempt_schedule_irq(void);

/* The tick reached this CPU; regs are what it interrupted.  Hard interrupt.
 * False when the CPU is idle. */
bool sched_tick(struct pt_regs *regs);

#endif /* SONDE_KERNEL_SCHED_BASE_H */
