/* SPDX-License-Identifier: MIT */
/*
 * What a thread or a process has used: times, switches, faults.
 *
 * Live threads are read as they run; what exited threads used was folded
 * into the process under siglock when they went.
 */
#include <kernel/lock.h>
#include <kernel/sched.h>
#include <kernel/task.h>
#include <lib/minmax.h>
#include <lib/string.h>

void task_usage(struct task *t, struct task_usage *out)
{
	memset(out, 0, sizeof(*out));
	sched_task_times(t, &out->utime_ns, &out->stime_ns);
	out->nvcsw = READ_ONCE(t->se.nvcsw);
	out->nivcsw = READ_ONCE(t->se.nivcsw);
	out->min_flt = READ_ONCE(t->min_flt);
	out->maj_flt = READ_ONCE(t->maj_flt);
}

static void usage_add(struct task_usage *sum, const struct task_usage *more)
{
	sum->utime_ns += more->utime_ns;
	sum->stime_ns += more->stime_ns;
	sum->nvcsw += more->nvcsw;
	sum->nivcsw += more->nivcsw;
	sum->min_flt += more->min_flt;
	sum->maj_flt += more->maj_flt;
}

/* siglock held: threads that fold themselves do it under it, once. */
static void process_usage_locked(struct process *p, struct task_usage *out)
{
	struct task_usage one;
	struct task *t;

	memset(out, 0, sizeof(*out));
	out->utime_ns = p->utime_ns;
	out->stime_ns = p->stime_ns;
	out->nvcsw = p->nvcsw;
	out->nivcsw = p->nivcsw;
	out->min_flt = p->min_flt;
	out->maj_flt = p->maj_flt;
	out->maxrss_pages = p->maxrss_pages;
	list_for_each_entry(t, &p->threads, thread_link) {
		task_usage(t, &one);
		usage_add(out, &one);
	}
}

void process_usage(struct process *p, struct task_usage *out)
{
	unsigned long flags = spin_lock_irqsave(&p->siglock);

	process_usage_locked(p, out);
	spin_unlock_irqrestore(&p->siglock, flags);
}
