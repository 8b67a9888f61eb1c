/* SPDX-License-Identifier: MIT */
/*
 * Resource usage as user space sees it: getrusage, and the part of wait that
 * adds a child's usage to its parent.
 *
 * Locks: siglock of the process whose sums change.
 */
#include <kernel/mm.h>
#include <kernel/syscall.h>
#include <kernel/time.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/resource.h>

#include "internal.h"

static void split_ns(u64 ns, s64 *sec, s64 *usec)
{
	*sec = (s64)(ns / NSEC_PER_SEC);
	*usec = (s64)(ns % NSEC_PER_SEC / NSEC_PER_USEC);
}

void usage_to_user(struct user_rusage *out, const struct task_usage *in)
{
	memset(out, 0, sizeof(*out));
	split_ns(in->utime_ns, &out->ru_utime_sec, &out->ru_utime_usec);
	split_ns(in->stime_ns, &out->ru_stime_sec, &out->ru_stime_usec);
	out->ru_maxrss = (s64)(in->maxrss_pages * (PAGE_SIZE / 1024));
	out->ru_minflt = (s64)in->min_flt;
	out->ru_majflt = (s64)in->maj_flt;
	out->ru_nvcsw = (s64)in->nvcsw;
	out->ru_nivcsw = (s64)in->nivcsw;
}

static void children_locked(struct process *p, struct task_usage *out)
{
	out->utime_ns = p->cutime_ns;
	out->stime_ns = p->cstime_ns;
	out->nvcsw = p->cnvcsw;
	out->nivcsw = p->cnivcsw;
	out->min_flt = p->cmin_flt;
	out->maj_flt = p->cmaj_flt;
	out->maxrss_pages = p->cmaxrss_pages;
}

static void children_usage(struct process *p, struct task_usage *out)
{
	unsigned long flags = spin_lock_irqsave(&p->siglock);

	children_locked(p, out);
	spin_unlock_irqrestore(&p->siglock, flags);
}

static void add(struct task_usage *sum, const struct task_usage *more)
{
	sum->utime_ns += more->utime_ns;
	sum->stime_ns += more->stime_ns;
	sum->nvcsw += more->nvcsw;
	sum->nivcsw += more->nivcsw;
	sum->min_flt += more->min_flt;
	sum->maj_flt += more->maj_flt;
	sum->maxrss_pages = max(sum->maxrss_pages, more->maxrss_pages);
}

static void both_usage(struct process *p, struct task_usage *out)
{
	struct task_usage children;

	process_usage(p, out);
	children_usage(p, &children);
	add(out, &children);
}

void usage_of_dead(struct process *p, struct user_rusage *out)
{
	struct task_usage usage;

	both_usage(p, &usage);
	usage_to_user(out, &usage);
}

/* tasklist_lock held: the child was claimed by the caller. */
void usage_fold_child_locked(struct process *parent, struct process *child)
{
	struct task_usage usage;

	both_usage(child, &usage);
	spin_lock(&parent->siglock);
	parent->cutime_ns += usage.utime_ns;
	parent->cstime_ns += usage.stime_ns;
	parent->cnvcsw += usage.nvcsw;
	parent->cnivcsw += usage.nivcsw;
	parent->cmin_flt += usage.min_flt;
	parent->cmaj_flt += usage.maj_flt;
	parent->cmaxrss_pages = max(parent->cmaxrss_pages,
				    usage.maxrss_pages);
	spin_unlock(&parent->siglock);
}

static void add_peak(struct task_usage *usage)
{
	struct mm_usage mm;

	if (!current->mm)
		return;
	mm_usage(current->mm, &mm);
	usage->maxrss_pages = max(usage->maxrss_pages, mm.rss_peak);
}

SYSCALL2(getrusage, int, who, struct user_rusage __user *, uout)
{
	struct task_usage usage;
	struct user_rusage out;

	memset(&usage, 0, sizeof(usage));
	switch (who) {
	case RUSAGE_SELF:
		process_usage(current->proc, &usage);
		add_peak(&usage);
		break;
	case RUSAGE_THREAD:
		task_usage(current, &usage);
		usage.maxrss_pages = current->proc->maxrss_pages;
		add_peak(&usage);
		break;
	case RUSAGE_CHILDREN:
		children_usage(current->proc, &usage);
		break;
	default:
		return -EINVAL;
	}
	usage_to_user(&out, &usage);
	return copy_to_user(uout, &out, sizeof(out));
}
