/* SPDX-License-Identifier: MIT */
/*
 * Timers on run time: ITIMER_VIRTUAL, ITIMER_PROF, POSIX timers on run-time
 * clocks, and RLIMIT_CPU.
 *
 * The tick only asks whether the running process has any of them, and if so
 * queues its one piece of work; the comparison is made in task context before
 * the task returns to user mode.  So they are as exact as the tick.
 */
#include <kernel/init.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>
#include <linux/resource.h>
#include <linux/signal.h>
#include <linux/time.h>

#include "internal.h"

void cpu_timers_armed(struct proc_timers *pt, s32 change)
{
	fetch_add_relaxed(&pt->nr_cpu, (u32)change);
}

static bool cpu_itimer_due(struct proc_timers *pt, u32 which, u64 now)
{
	struct cpu_itimer *it = &pt->cpu[which];
	unsigned long flags = spin_lock_irqsave(&pt->lock);
	bool due = it->expires && now >= it->expires;

	if (due && it->interval) {
		it->expires += it->interval;
	} else if (due) {
		it->expires = 0;
		cpu_timers_armed(pt, -1);
	}
	spin_unlock_irqrestore(&pt->lock, flags);
	return due;
}

/* The next due POSIX timer, referenced, with its period begun. */
static struct k_itimer *cpu_timer_due(struct proc_timers *pt)
{
	struct k_itimer *kt, *found = NULL;
	unsigned long flags;
	s32 id = -1;
	u64 now;

	for (;;) {
		flags = spin_lock_irqsave(&pt->lock);
		found = NULL;
		list_for_each_entry(kt, &pt->timers, link) {
			if (kt->expires && kt->id > id &&
			    clock_is_cpu(kt->clock)) {
				found = kt;
				ref_get(&kt->refs);
				break;
			}
		}
		spin_unlock_irqrestore(&pt->lock, flags);
		if (!found)
			return NULL;
		id = found->id;
		if (cpu_clock_read(found->clock, &now))
			now = 0;
		flags = spin_lock_irqsave(&pt->lock);
		if (found->expires && now >= found->expires) {
			if (found->interval) {
				found->expires += found->interval;
			} else {
				found->expires = 0;
				cpu_timers_armed(pt, -1);
			}
			spin_unlock_irqrestore(&pt->lock, flags);
			return found;
		}
		spin_unlock_irqrestore(&pt->lock, flags);
		k_itimer_put(found);
	}
}

/* The soft limit says so once per second, the hard one ends it. */
static void check_rlimit(struct process *p, u64 total_ns)
{
	struct rlimit *lim = &p->rlim[RLIMIT_CPU];
	u64 seconds = total_ns / NSEC_PER_SEC;
	unsigned long flags = spin_lock_irqsave(&p->siglock);
	int sig = 0;

	if (lim->max != RLIM64_INFINITY && seconds >= lim->max) {
		sig = SIGKILL;
	} else if (lim->cur != RLIM64_INFINITY && seconds >= lim->cur) {
		sig = SIGXCPU;
		if (lim->cur < lim->max)
			lim->cur = seconds + 1;
	}
	spin_unlock_irqrestore(&p->siglock, flags);
	if (sig)
		signal_send_process(p, sig, NULL);
}

static void cpu_timers_work(struct task_work *work)
{
	struct process *p = container_of(work, struct process, cpu_work);
	struct proc_timers *pt = load_acquire(&p->timers);
	struct k_itimer *kt;
	struct task_usage u;

	store_release(&p->cpu_work_queued, 0);
	process_usage(p, &u);
	check_rlimit(p, u.utime_ns + u.stime_ns);
	if (!pt || !READ_ONCE(pt->nr_cpu))
		return;
	if (cpu_itimer_due(pt, 0, u.utime_ns)) {
		trace_itimer_expire(ITIMER_VIRTUAL, p->pid->nr, u.utime_ns);
		signal_send_process(p, SIGVTALRM, NULL);
	}
	if (cpu_itimer_due(pt, 1, u.utime_ns + u.stime_ns)) {
		trace_itimer_expire(ITIMER_PROF, p->pid->nr,
				    u.utime_ns + u.stime_ns);
		signal_send_process(p, SIGPROF, NULL);
	}
	while ((kt = cpu_timer_due(pt))) {
		k_itimer_fire(kt);
		k_itimer_put(kt);
	}
}

static void cpu_timers_tick(struct pt_regs *regs)
{
	struct task *t = current;
	struct process *p = t->proc;
	struct proc_timers *pt;

	if (!t->mm || !p || (t->flags & TASK_EXITING))
		return;
	pt = load_acquire(&p->timers);
	if (likely((!pt || !READ_ONCE(pt->nr_cpu)) &&
		   READ_ONCE(p->rlim[RLIMIT_CPU].cur) == RLIM64_INFINITY))
		return;
	if (__atomic_exchange_n(&p->cpu_work_queued, 1, __ATOMIC_ACQ_REL))
		return;
	p->cpu_work.fn = cpu_timers_work;
	if (!task_work_add(t, &p->cpu_work))
		store_release(&p->cpu_work_queued, 0);
}

static struct tick_subscriber cpu_timers_subscriber = {
	.fn = cpu_timers_tick,
};

static __init int cpu_timers_init(void)
{
	tick_subscribe(&cpu_timers_subscriber);
	return 0;
}
INITCALL(INIT_CORE, cpu_timers_init);
