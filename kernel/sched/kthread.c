/* SPDX-License-Identifier: MIT */
/*
 * Kernel threads: a task of the task core, a stack that starts in a function,
 * and optionally one CPU.  A thread whose function returns has ended its use
 * to the kernel and must not: functions of kernel threads loop, or become a
 * user process (init).
 */
#include <arch/thread.h>
#include <lib/err.h>

#include "internal.h"

struct task *kthread_create(void (*fn)(void *), void *arg, const char *name,
			    s32 cpu)
{
	struct task *t = task_create_kernel(name);

	if (IS_ERR(t))
		return t;
	sched_fork(t);
	t->se.policy = SCHED_NORMAL;
	t->se.rt_prio = 0;
	t->se.nice = 0;
	t->se.weight = FAIR_WEIGHT_0;
	t->se.reset_on_fork = false;
	if (cpu < 0) {
		bitmap_fill(t->se.allowed.bits, NR_CPUS);
	} else {
		bitmap_zero(t->se.allowed.bits, NR_CPUS);
		bitmap_set(t->se.allowed.bits, (u32)cpu);
	}
	arch_thread_init(t, fn, arg);
	sched_wake_new(t);
	return t;
}
