/* SPDX-License-Identifier: MIT */
/*
 * Clocks that count run time: of the calling thread or process, or of another
 * one named by a negative clock id.
 *
 * An id holds ~pid in its upper bits, one bit for "thread", and which time is
 * meant: all, user only, or the scheduler's own.  A thread's clock is only for
 * its own process, as on Linux.
 */
#include <kernel/pid.h>
#include <lib/err.h>
#include <linux/time.h>

#include "internal.h"

bool clock_is_cpu(s32 id)
{
	return id < 0 || id == CLOCK_PROCESS_CPUTIME_ID ||
	       id == CLOCK_THREAD_CPUTIME_ID;
}

static u64 pick_time(u32 which, u64 user, u64 sys)
{
	return which == CPUCLOCK_VIRT ? user : user + sys;
}

static u64 thread_time(struct task *t, u32 which)
{
	u64 user, sys;

	if (which == CPUCLOCK_SCHED)
		return sched_runtime_ns(t);
	sched_task_times(t, &user, &sys);
	return pick_time(which, user, sys);
}

static u64 process_time(struct process *p, u32 which)
{
	struct task_usage u;

	process_usage(p, &u);
	return pick_time(which, u.utime_ns, u.stime_ns);
}

static int read_thread(s32 tid, u32 which, u64 *ns)
{
	struct task *t = tid ? task_find_get(tid) : task_get(current);
	int ret = 0;

	if (!t)
		return -EINVAL;
	if (t->proc != current->proc)
		ret = -EINVAL;
	else if (ns)
		*ns = thread_time(t, which);
	task_put(t);
	return ret;
}

static int read_process(s32 tgid, u32 which, u64 *ns)
{
	struct process *p = tgid ? process_find_get(tgid) :
				   process_get(current->proc);

	if (!p)
		return -EINVAL;
	if (ns)
		*ns = process_time(p, which);
	process_put(p);
	return 0;
}

/* ns NULL: only whether there is such a clock. */
int cpu_clock_read(s32 id, u64 *ns)
{
	u32 which = (u32)id & CPUCLOCK_CLOCK_MASK;
	s32 pid = ~(id >> 3);

	if (id == CLOCK_THREAD_CPUTIME_ID)
		return read_thread(0, CPUCLOCK_SCHED, ns);
	if (id == CLOCK_PROCESS_CPUTIME_ID)
		return read_process(0, CPUCLOCK_SCHED, ns);
	if (which == CLOCKFD || pid < 0)
		return -EINVAL;
	if (id & CPUCLOCK_PERTHREAD_MASK)
		return read_thread(pid, which, ns);
	return read_process(pid, which, ns);
}

int cpu_clock_check(s32 id)
{
	return cpu_clock_read(id, NULL);
}
