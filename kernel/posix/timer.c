/* SPDX-License-Identifier: MIT */
/*
 * POSIX timers: timer_create and its family.
 *
 * A timer on a wall or monotonic clock is one kernel timer; one on a clock of
 * run time is looked at by the tick (cpu_timer.c).  A periodic timer that has
 * posted its signal starts anew when the signal is delivered, which bounds its
 * rate and counts overruns; one whose signal is ignored starts anew at once.
 *
 * A k_itimer is referenced by its list and by whoever is firing it.  Deletion
 * marks it dead under the lock, stops its kernel timer, takes back a queued
 * signal, and drops the list's reference.
 */
#include <kernel/init.h>
#include <kernel/page.h>
#include <kernel/pid.h>
#include <kernel/posix.h>
#include <kernel/syscall.h>
#include <kernel/timespec.h>
#include <lib/err.h>

#include "internal.h"

static bool clock_is_real(s32 clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_ALARM ||
	       clock == CLOCK_TAI;
}

/*
 * A relative timer of a wall clock runs on the monotonic one: setting the wall
 * clock moves only those that are absolute.
 */
static u64 clock_now(s32 clock, bool wall)
{
	u64 ns = 0;

	if (clock_is_cpu(clock)) {
		(void)cpu_clock_read(clock, &ns);
		return ns;
	}
	return wall ? time_real_ns() : time_mono_ns();
}

static u64 kt_now(const struct k_itimer *kt)
{
	return clock_now(kt->clock, kt->wall);
}

void k_itimer_put(struct k_itimer *kt)
{
	if (!ref_put(&kt->refs))
		return;
	if (kt->target)
		task_put(kt->target);
	kfree(kt);
}

/* [L] Start the kernel timer of a timer that is not on a run-time clock. */
static void kt_start_locked(struct k_itimer *kt)
{
	if (!clock_is_cpu(kt->clock))
		timer_start(&kt->timer, kt->wall ?
						time_real_to_mono(kt->expires) :
						kt->expires);
}

/* The wall clock was set: an absolute timer is due at another time. */
static void kt_clock_set(struct clock_watch *w)
{
	struct k_itimer *kt = container_of(w, struct k_itimer, watch);
	struct proc_timers *pt = kt->proc->timers;
	unsigned long flags = spin_lock_irqsave(&pt->lock);

	if (kt->wall && kt->timer.queued && !kt->dead)
		kt_start_locked(kt);
	spin_unlock_irqrestore(&pt->lock, flags);
}

/* [L] Move expires past now; how many periods were missed beyond one. */
static u32 kt_forward_locked(struct k_itimer *kt, u64 now)
{
	u64 periods;

	if (!kt->interval || now < kt->expires)
		return 0;
	periods = (now - kt->expires) / kt->interval + 1;
	kt->expires += periods * kt->interval;
	return periods - 1 > INT_MAX ? INT_MAX : (u32)(periods - 1);
}

/* [L] The next period begins. */
static void kt_rearm_locked(struct k_itimer *kt, u64 now)
{
	u32 missed = kt_forward_locked(kt, now);

	kt->overrun = missed > INT_MAX - kt->overrun ? INT_MAX :
						       kt->overrun + missed;
	kt_start_locked(kt);
}

void k_itimer_fire(struct k_itimer *kt)
{
	struct proc_timers *pt = kt->proc->timers;
	struct task *t = kt->target ? kt->target : kt->proc->leader;
	unsigned long flags;
	int ret = -1;

	if (kt->notify != SIGEV_NONE)
		ret = signal_send_timer(t, &kt->entry, !kt->target);
	flags = spin_lock_irqsave(&pt->lock);
	if (ret == 1 && kt->overrun < INT_MAX)
		kt->overrun++;
	if (ret < 0 && kt->interval && !kt->dead && kt->expires)
		kt_rearm_locked(kt, kt_now(kt));
	spin_unlock_irqrestore(&pt->lock, flags);
}

static void kt_timer_fn(struct timer *t)
{
	k_itimer_fire(container_of(t, struct k_itimer, timer));
}

/* siglock held: the signal is about to be delivered. */
static void kt_dequeued(struct k_itimer *kt, struct siginfo *info)
{
	struct proc_timers *pt = kt->proc->timers;
	unsigned long flags = spin_lock_irqsave(&pt->lock);

	if (kt->interval && kt->expires && !kt->dead && !kt->timer.queued) {
		/* The run time of the process is read under siglock: not
		 * here.  The tick rearms timers on it. */
		if (!clock_is_cpu(kt->clock))
			kt_rearm_locked(kt, kt_now(kt));
	}
	kt->last_overrun = kt->overrun;
	kt->overrun = 0;
	info->si_overrun = (s32)kt->last_overrun;
	spin_unlock_irqrestore(&pt->lock, flags);
}

/* A referenced timer of current's process. */
static struct k_itimer *kt_find(s32 id)
{
	struct proc_timers *pt = current->proc->timers;
	struct k_itimer *kt, *found = NULL;
	unsigned long flags;

	if (!pt)
		return NULL;
	flags = spin_lock_irqsave(&pt->lock);
	list_for_each_entry(kt, &pt->timers, link) {
		if (kt->id == id) {
			ref_get(&kt->refs);
			found = kt;
			break;
		}
	}
	spin_unlock_irqrestore(&pt->lock, flags);
	return found;
}

static int check_clock(s32 clock)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_MONOTONIC:
	case CLOCK_BOOTTIME:
	case CLOCK_TAI:
		return 0;
	case CLOCK_REALTIME_ALARM:
	case CLOCK_BOOTTIME_ALARM:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_MONOTONIC_COARSE:
		return -EOPNOTSUPP;
	}
	return clock_is_cpu(clock) ? cpu_clock_check(clock) : -EINVAL;
}

static int check_event(struct k_itimer *kt, const struct kernel_sigevent *ev)
{
	kt->notify = ev->sigev_notify;
	if (ev->sigev_notify == SIGEV_NONE)
		return 0;
	if (ev->sigev_notify & ~SIGEV_THREAD_ID &&
	    ev->sigev_notify != SIGEV_THREAD)
		return -EINVAL;
	if (ev->sigev_signo <= 0 || ev->sigev_signo > NSIG)
		return -EINVAL;
	if (!(ev->sigev_notify & SIGEV_THREAD_ID))
		return 0;
	kt->target = task_find_get(ev->sigev_tid);
	if (!kt->target)
		return -EINVAL;
	return kt->target->proc == current->proc ? 0 : -EINVAL;
}

static struct k_itimer *kt_alloc(s32 clock)
{
	struct k_itimer *kt = kzalloc(sizeof(*kt), GFP_KERNEL);

	if (!kt)
		return NULL;
	ref_init(&kt->refs);
	kt->proc = current->proc;
	/* Whoever looks at it: the clock is its maker's. */
	kt->clock = clock != CLOCK_THREAD_CPUTIME_ID ?
			    clock :
			    (s32)(~(u32)task_tid(current) << 3 |
				  CPUCLOCK_PERTHREAD_MASK | CPUCLOCK_SCHED);
	timer_init(&kt->timer, kt_timer_fn);
	list_init(&kt->entry.link);
	kt->entry.timer = kt;
	return kt;
}

static void kt_publish(struct proc_timers *pt, struct k_itimer *kt)
{
	unsigned long flags;

	kt->watch.fn = kt_clock_set;
	if (clock_is_real(kt->clock))
		clock_watch_add(&kt->watch);
	flags = spin_lock_irqsave(&pt->lock);
	kt->id = pt->next_id;
	pt->next_id = pt->next_id == INT_MAX ? 0 : pt->next_id + 1;
	list_add_tail(&kt->link, &pt->timers);
	spin_unlock_irqrestore(&pt->lock, flags);
}

/* Off the list and silent; drops the list's reference. */
static void kt_delete(struct proc_timers *pt, struct k_itimer *kt)
{
	unsigned long flags = spin_lock_irqsave(&pt->lock);
	bool mine = !kt->dead;

	if (mine) {
		kt->dead = true;
		list_del(&kt->link);
		if (kt->expires && clock_is_cpu(kt->clock))
			cpu_timers_armed(pt, -1);
		kt->expires = 0;
	}
	spin_unlock_irqrestore(&pt->lock, flags);
	if (!mine)
		return;
	if (clock_is_real(kt->clock))
		clock_watch_del(&kt->watch);
	timer_cancel_sync(&kt->timer);
	signal_timer_cancel(kt->proc, &kt->entry);
	k_itimer_put(kt);
}

SYSCALL3(timer_create, s32, clock, const void __user *, event,
	 s32 __user *, id_out)
{
	struct kernel_sigevent ev = { .sigev_notify = SIGEV_SIGNAL,
				      .sigev_signo = SIGALRM };
	struct proc_timers *pt;
	struct k_itimer *kt;
	struct siginfo *info;
	int ret = check_clock(clock);

	if (!ret && event && copy_from_user(&ev, event, sizeof(ev)))
		ret = -EFAULT;
	if (ret)
		return ret;
	pt = proc_timers_get(current->proc);
	kt = pt ? kt_alloc(clock) : NULL;
	if (!kt)
		return -EAGAIN;
	ret = check_event(kt, &ev);
	if (ret) {
		k_itimer_put(kt);
		return ret;
	}
	kt_publish(pt, kt);
	info = &kt->entry.info;
	info->si_signo = ev.sigev_signo;
	info->si_code = SI_TIMER;
	info->si_timerid = kt->id;
	info->__timer_value = event ? ev.sigev_value : (u64)kt->id;
	if (put_user(kt->id, id_out)) {
		kt_delete(pt, kt);
		return -EFAULT;
	}
	return 0;
}

/* [L] What remains and the interval, at now on its clock. */
static void kt_get_locked(struct k_itimer *kt, struct kernel_itimerspec *out,
			  u64 now)
{
	u64 left = 0;

	if (kt->expires) {
		if (kt->interval && kt->notify == SIGEV_NONE)
			kt_forward_locked(kt, now);
		if (kt->expires > now)
			left = kt->expires - now;
		else if (kt->interval)
			left = kt->interval -
			       (now - kt->expires) % kt->interval;
		else if (kt->timer.queued || clock_is_cpu(kt->clock))
			left = 1;
		else if (kt->notify != SIGEV_NONE)
			left = 0;
	}
	out->it_value = ns_to_timespec(left);
	out->it_interval = ns_to_timespec(kt->interval);
}

SYSCALL2(timer_gettime, s32, id, void __user *, out)
{
	struct proc_timers *pt = current->proc->timers;
	struct kernel_itimerspec its;
	struct k_itimer *kt = kt_find(id);
	unsigned long flags;
	u64 now;

	if (!kt)
		return -EINVAL;
	now = kt_now(kt);
	flags = spin_lock_irqsave(&pt->lock);
	kt_get_locked(kt, &its, now);
	spin_unlock_irqrestore(&pt->lock, flags);
	k_itimer_put(kt);
	return copy_to_user(out, &its, sizeof(its));
}

static void kt_set(struct proc_timers *pt, struct k_itimer *kt, bool wall,
		   u64 expires, u64 interval, struct kernel_itimerspec *old)
{
	bool cpu = clock_is_cpu(kt->clock);
	unsigned long flags;
	u64 now;

	timer_cancel_sync(&kt->timer);
	signal_timer_cancel(kt->proc, &kt->entry);
	now = kt_now(kt);
	flags = spin_lock_irqsave(&pt->lock);
	kt_get_locked(kt, old, now);
	if (!kt->dead) {
		if (cpu)
			cpu_timers_armed(pt, !!expires - !!kt->expires);
		kt->wall = wall;
		kt->expires = expires;
		kt->interval = interval;
		kt->overrun = 0;
		kt->last_overrun = 0;
		if (expires && kt->notify != SIGEV_NONE)
			kt_start_locked(kt);
	}
	spin_unlock_irqrestore(&pt->lock, flags);
}

SYSCALL4(timer_settime, s32, id, int, how, const void __user *, new_value,
	 void __user *, old_value)
{
	struct kernel_itimerspec its, old;
	bool absolute = how & TIMER_ABSTIME;
	struct k_itimer *kt;
	u64 value, now;

	if (!new_value)
		return -EINVAL;
	if (copy_from_user(&its, new_value, sizeof(its)))
		return -EFAULT;
	if (!timespec_is_valid(&its.it_value) ||
	    !timespec_is_valid(&its.it_interval))
		return -EINVAL;
	kt = kt_find(id);
	if (!kt)
		return -EINVAL;
	value = timespec_to_ns(&its.it_value);
	now = clock_now(kt->clock, false);
	if (value && !absolute)
		value = value > (u64)S64_MAX - now ? (u64)S64_MAX : value + now;
	kt_set(current->proc->timers, kt, absolute && clock_is_real(kt->clock),
	       value, timespec_to_ns(&its.it_interval), &old);
	k_itimer_put(kt);
	if (old_value && copy_to_user(old_value, &old, sizeof(old)))
		return -EFAULT;
	return 0;
}

SYSCALL1(timer_getoverrun, s32, id)
{
	struct k_itimer *kt = kt_find(id);
	u32 overrun;

	if (!kt)
		return -EINVAL;
	overrun = READ_ONCE(kt->last_overrun);
	k_itimer_put(kt);
	return (long)overrun;
}

SYSCALL1(timer_delete, s32, id)
{
	struct k_itimer *kt = kt_find(id);

	if (!kt)
		return -EINVAL;
	kt_delete(current->proc->timers, kt);
	k_itimer_put(kt);
	return 0;
}

static struct k_itimer *kt_first(struct proc_timers *pt)
{
	unsigned long flags = spin_lock_irqsave(&pt->lock);
	struct k_itimer *kt = list_first_entry_or_null(&pt->timers,
						       struct k_itimer, link);

	if (kt)
		ref_get(&kt->refs);
	spin_unlock_irqrestore(&pt->lock, flags);
	return kt;
}

void proc_timers_exec(struct process *p)
{
	struct proc_timers *pt = p->timers;
	struct k_itimer *kt;

	if (!pt)
		return;
	while ((kt = kt_first(pt))) {
		kt_delete(pt, kt);
		k_itimer_put(kt);
	}
}

static int __init posix_timers_init(void)
{
	signal_timer_dequeued = kt_dequeued;
	return 0;
}
INITCALL(INIT_CORE, posix_timers_init);
