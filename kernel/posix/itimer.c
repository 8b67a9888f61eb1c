/* SPDX-License-Identifier: MIT */
/*
 * Interval timers, and the life of a process's timers as a whole.
 *
 * ITIMER_REAL is a kernel timer that posts SIGALRM and starts its next period
 * itself, not faster than ITIMER_MIN_NS, so that a tiny interval cannot keep a
 * CPU in interrupts.  The two others are in cpu_timer.c.
 */
#include <kernel/page.h>
#include <kernel/posix.h>
#include <kernel/syscall.h>
#include <kernel/timespec.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>

#include "internal.h"

#define ITIMER_MIN_NS (100 * NSEC_PER_USEC)

static void itimer_real_fn(struct timer *t)
{
	struct proc_timers *pt = container_of(t, struct proc_timers, real);
	unsigned long flags;
	u64 interval;

	trace_itimer_expire(ITIMER_REAL, pt->proc->pid->nr, 0);
	signal_send_process(pt->proc, SIGALRM, NULL);
	flags = spin_lock_irqsave(&pt->lock);
	interval = pt->real_interval;
	if (interval && !t->queued) {
		if (interval < ITIMER_MIN_NS)
			interval = ITIMER_MIN_NS;
		timer_forward(t, time_mono_ns(), interval);
		timer_start(t, t->expires);
	}
	spin_unlock_irqrestore(&pt->lock, flags);
}

struct proc_timers *proc_timers_get(struct process *p)
{
	struct proc_timers *pt = load_acquire(&p->timers), *old = NULL;

	if (pt)
		return pt;
	pt = kzalloc(sizeof(*pt), GFP_KERNEL);
	if (!pt)
		return NULL;
	spin_init(&pt->lock, LOCK_RANK_TIMERS);
	list_init(&pt->timers);
	pt->proc = p;
	timer_init(&pt->real, itimer_real_fn);
	if (!try_cmpxchg_acq_rel(&p->timers, &old, pt)) {
		kfree(pt);
		pt = old;
	}
	return pt;
}

void proc_timers_exit(struct process *p)
{
	struct proc_timers *pt = p->timers;

	if (!pt)
		return;
	WRITE_ONCE(pt->real_interval, 0);
	timer_cancel_sync(&pt->real);
	proc_timers_exec(p);
	p->timers = NULL;
	kfree(pt);
}

static int timeval_to_ns(const struct kernel_timeval *tv, u64 *ns)
{
	if (tv->tv_sec < 0 || (u64)tv->tv_usec >= 1000000)
		return -EINVAL;
	if ((u64)tv->tv_sec >= (u64)S64_MAX / NSEC_PER_SEC)
		*ns = (u64)S64_MAX;
	else
		*ns = (u64)tv->tv_sec * NSEC_PER_SEC +
		      (u64)tv->tv_usec * NSEC_PER_USEC;
	return 0;
}

/* Left until expires: never zero while it is armed. */
static u64 left_until(u64 expires, u64 now)
{
	if (!expires)
		return 0;
	return expires > now + NSEC_PER_USEC ? expires - now : NSEC_PER_USEC;
}

/* Process time that ITIMER_VIRTUAL or ITIMER_PROF measures. */
static u64 cpu_time(int which)
{
	struct task_usage u;

	process_usage(current->proc, &u);
	return which == ITIMER_VIRTUAL ? u.utime_ns : u.utime_ns + u.stime_ns;
}

static void itimer_get(struct proc_timers *pt, int which, u64 *value,
		       u64 *interval)
{
	u64 now = which == ITIMER_REAL ? time_mono_ns() : cpu_time(which);
	unsigned long flags = spin_lock_irqsave(&pt->lock);

	if (which == ITIMER_REAL) {
		*value = 0;
		if (pt->real.queued)
			*value = left_until(pt->real.expires, now);
		*interval = pt->real_interval;
	} else {
		*value = left_until(pt->cpu[which - 1].expires, now);
		*interval = pt->cpu[which - 1].interval;
	}
	spin_unlock_irqrestore(&pt->lock, flags);
}

static void itimer_set_real(struct proc_timers *pt, u64 value, u64 interval)
{
	unsigned long flags = spin_lock_irqsave(&pt->lock);

	pt->real_interval = 0;
	spin_unlock_irqrestore(&pt->lock, flags);
	timer_cancel_sync(&pt->real);
	flags = spin_lock_irqsave(&pt->lock);
	if (value) {
		pt->real_interval = interval;
		timer_start(&pt->real, time_deadline(value));
	}
	trace_itimer_state(ITIMER_REAL, 0, value, interval);
	spin_unlock_irqrestore(&pt->lock, flags);
}

static void itimer_set_cpu(struct proc_timers *pt, int which, u64 value,
			   u64 interval)
{
	struct cpu_itimer *it = &pt->cpu[which - 1];
	u64 now = cpu_time(which);
	unsigned long flags = spin_lock_irqsave(&pt->lock);

	cpu_timers_armed(pt, !!value - !!it->expires);
	it->expires = value ? now + value : 0;
	it->interval = value ? interval : 0;
	trace_itimer_state(which, it->expires, value, interval);
	spin_unlock_irqrestore(&pt->lock, flags);
}

static int itimer_to_user(void __user *out, u64 value, u64 interval)
{
	struct kernel_itimerval itv = {
		.it_value = ns_to_timeval(value),
		.it_interval = ns_to_timeval(interval),
	};

	return copy_to_user(out, &itv, sizeof(itv));
}

SYSCALL2(getitimer, int, which, void __user *, out)
{
	struct proc_timers *pt = current->proc->timers;
	u64 value = 0, interval = 0;

	if (which < ITIMER_REAL || which > ITIMER_PROF)
		return -EINVAL;
	if (pt)
		itimer_get(pt, which, &value, &interval);
	return itimer_to_user(out, value, interval);
}

SYSCALL3(setitimer, int, which, const void __user *, in, void __user *, out)
{
	u64 value = 0, interval = 0, old_value, old_interval;
	struct kernel_itimerval itv;
	struct proc_timers *pt;

	if (in) {
		if (copy_from_user(&itv, in, sizeof(itv)))
			return -EFAULT;
		if (timeval_to_ns(&itv.it_value, &value) ||
		    timeval_to_ns(&itv.it_interval, &interval))
			return -EINVAL;
	}
	if (which < ITIMER_REAL || which > ITIMER_PROF)
		return -EINVAL;
	pt = proc_timers_get(current->proc);
	if (!pt)
		return -ENOMEM;
	itimer_get(pt, which, &old_value, &old_interval);
	if (which == ITIMER_REAL)
		itimer_set_real(pt, value, interval);
	else
		itimer_set_cpu(pt, which, value, interval);
	return out ? itimer_to_user(out, old_value, old_interval) : 0;
}
