/* SPDX-License-Identifier: MIT */
/*
 * nanosleep and clock_nanosleep.
 *
 * A relative sleep that a signal breaks reports what is left and, when no
 * handler ran, goes on to the same deadline through restart_syscall.  An
 * absolute one is simply made again.  A wall-clock deadline is looked at again
 * after each wake, so that setting the clock moves it.
 *
 * Nobody wakes a sleeper on a run-time clock: it looks again as soon as the
 * time could have been used up, which its threads do at most once per CPU, and
 * not more often than the tick.
 */
#include <kernel/cpu.h>
#include <kernel/pid.h>
#include <kernel/sched.h>
#include <kernel/syscall.h>
#include <kernel/timespec.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "internal.h"

static long sleep_relative(u64 deadline, void __user *rem);

static long sleep_restart(struct restart_block *rb)
{
	return sleep_relative(rb->arg[0], user_ptr(rb->arg[1]));
}

static long sleep_relative(u64 deadline, void __user *rem)
{
	struct restart_block *rb = &current->restart;
	u64 now;

	if (!time_sleep_until(deadline, true))
		return 0;
	now = time_mono_ns();
	if (now >= deadline)
		return 0;
	if (rem && timespec_to_user(rem, deadline - now))
		return -EFAULT;
	rb->fn = sleep_restart;
	rb->arg[0] = deadline;
	rb->arg[1] = user_addr(rem);
	return -ERESTART_RESTARTBLOCK;
}

struct wall_sleeper {
	struct clock_watch watch;
	struct task *task;
};

static void wall_clock_set(struct clock_watch *w)
{
	wake_up_task(container_of(w, struct wall_sleeper, watch)->task,
		     TASK_SLEEPING);
}

/* Until the wall clock reads when, however it gets there. */
static long sleep_wall(u64 when)
{
	struct wall_sleeper s = { .watch.fn = wall_clock_set,
				  .task = current };
	long ret = 0;
	u64 deadline;

	clock_watch_add(&s.watch);
	for (;;) {
		/* A set after this wakes, whatever was computed before it. */
		set_current_state(TASK_INTERRUPTIBLE);
		deadline = time_real_to_mono(when);
		if (time_mono_ns() >= deadline)
			break;
		if (signal_pending_state(TASK_INTERRUPTIBLE)) {
			ret = -ERESTARTNOHAND;
			break;
		}
		schedule_until(deadline);
	}
	WRITE_ONCE(current->state, TASK_RUNNING);
	clock_watch_del(&s.watch);
	return ret;
}

static long sleep_absolute(u64 when, bool real)
{
	if (real)
		return sleep_wall(when);
	return time_sleep_until(when, true) ? -ERESTARTNOHAND : 0;
}

/* A sleeper's own run time does not go on. */
static bool is_own_thread(s32 id)
{
	s32 tid = ~(id >> 3);

	return id < 0 && (id & CPUCLOCK_PERTHREAD_MASK) &&
	       (!tid || tid == task_tid(current));
}

/* Until the run-time clock id reads deadline. */
static long sleep_on_cpu_clock(s32 id, u64 deadline, bool absolute,
			       void __user *rem);

static long sleep_cpu_restart(struct restart_block *rb)
{
	return sleep_on_cpu_clock((s32)rb->arg[2], rb->arg[0], false,
				  user_ptr(rb->arg[1]));
}

static long sleep_on_cpu_clock(s32 id, u64 deadline, bool absolute,
			       void __user *rem)
{
	struct restart_block *rb = &current->restart;
	u64 now, wait;
	int ret;

	for (;;) {
		ret = cpu_clock_read(id, &now);
		if (ret || now >= deadline)
			return ret;
		wait = max((deadline - now) / nr_cpu_ids, (u64)TICK_NS);
		if (time_sleep_until(time_deadline(wait), true))
			break;
	}
	if (absolute)
		return -ERESTARTNOHAND;
	if (rem && timespec_to_user(rem, deadline - now))
		return -EFAULT;
	rb->fn = sleep_cpu_restart;
	rb->arg[0] = deadline;
	rb->arg[1] = user_addr(rem);
	rb->arg[2] = (u64)id;
	return -ERESTART_RESTARTBLOCK;
}

SYSCALL2(nanosleep, const void __user *, req, void __user *, rem)
{
	u64 ns;
	int ret = timespec_from_user(req, &ns);

	return ret ? ret : sleep_relative(time_deadline(ns), rem);
}

SYSCALL4(clock_nanosleep, s32, id, int, flags, const void __user *, req,
	 void __user *, rem)
{
	bool real = id == CLOCK_REALTIME || id == CLOCK_REALTIME_ALARM ||
		    id == CLOCK_TAI;
	u64 ns, now;
	int ret;

	if (id == CLOCK_THREAD_CPUTIME_ID || id == CLOCK_MONOTONIC_RAW ||
	    id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE)
		return -EOPNOTSUPP;
	if (!real && !clock_is_cpu(id) && id != CLOCK_MONOTONIC &&
	    id != CLOCK_BOOTTIME &&
	    id != CLOCK_BOOTTIME_ALARM)
		return -EINVAL;
	ret = timespec_from_user(req, &ns);
	if (ret)
		return ret;
	if (clock_is_cpu(id)) {
		if (is_own_thread(id))
			return -EINVAL;
		ret = cpu_clock_read(id, &now);
		if (ret)
			return ret;
		if (!(flags & TIMER_ABSTIME))
			ns = ns > (u64)S64_MAX - now ? (u64)S64_MAX : ns + now;
		return sleep_on_cpu_clock(id, ns, flags & TIMER_ABSTIME, rem);
	}
	if (flags & TIMER_ABSTIME)
		return sleep_absolute(ns, real);
	return sleep_relative(time_deadline(ns), rem);
}
