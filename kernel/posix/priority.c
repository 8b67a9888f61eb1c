/* SPDX-License-Identifier: MIT */
/*
 * Nice levels of a thread, a process group or a user: setpriority and
 * getpriority.
 *
 * Groups and users are walked under tasklist_lock, which keeps every thread
 * on the way in place; changing one takes only locks above it.
 */
#include <kernel/cred.h>
#include <kernel/pid.h>
#include <kernel/sched.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <linux/resource.h>

#include "priority.h"

struct priority_walk {
	int (*fn)(struct task *t, struct priority_walk *walk);
	s32 nice;		/* to set, or the best found */
	int error;		/* -ESRCH until a thread was met */
};

bool same_owner(struct task *t)
{
	const struct cred *theirs = task_cred_get(t);
	u32 euid = current_cred()->euid;
	bool same = euid == theirs->uid || euid == theirs->euid;

	cred_put(theirs);
	return same;
}

bool nice_is_permitted(struct task *t, s32 nice)
{
	return 20 - nice <= (s64)min_t(u64, rlimit_cur(t, RLIMIT_NICE), 40) ||
	       capable(CAP_SYS_NICE);
}

static int set_one(struct task *t, struct priority_walk *walk)
{
	if (!same_owner(t) && !capable(CAP_SYS_NICE))
		return -EPERM;
	if (walk->nice < t->se.nice && !nice_is_permitted(t, walk->nice))
		return -EACCES;
	sched_set_nice(t, (s8)walk->nice);
	return 0;
}

static int get_one(struct task *t, struct priority_walk *walk)
{
	if (t->se.nice < walk->nice)
		walk->nice = t->se.nice;
	return 0;
}

/* Linux keeps the last error, and no error before the first thread. */
static void visit(struct task *t, struct priority_walk *walk)
{
	int ret = walk->fn(t, walk);

	if (ret || walk->error == -ESRCH)
		walk->error = ret;
}

static void visit_process(struct process *p, struct priority_walk *walk)
{
	struct task *t;

	list_for_each_entry(t, &p->threads, thread_link)
		visit(t, walk);
}

static void walk_group(s32 who, struct priority_walk *walk)
{
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	struct pid *pgrp = who ? pid_find(who) : current->proc->pgrp;
	struct process *p;

	if (pgrp) {
		list_for_each_entry(p, &pgrp->members[PID_PGRP], pgrp_link)
			visit_process(p, walk);
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
}

static void walk_user(u32 who, struct priority_walk *walk)
{
	u32 uid = who ? who : current_cred()->uid;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	const struct cred *cred;
	struct process *p;
	struct task *t;
	bool match;

	list_for_each_entry(p, &all_processes, all_link) {
		list_for_each_entry(t, &p->threads, thread_link) {
			cred = task_cred_get(t);
			match = cred->uid == uid;
			cred_put(cred);
			if (match)
				visit(t, walk);
		}
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
}

static int walk_priorities(int which, s32 who, struct priority_walk *walk)
{
	struct task *t;

	walk->error = -ESRCH;
	switch (which) {
	case PRIO_PROCESS:
		t = who ? task_find_get(who) : task_get(current);
		if (t) {
			visit(t, walk);
			task_put(t);
		}
		break;
	case PRIO_PGRP:
		walk_group(who, walk);
		break;
	case PRIO_USER:
		walk_user((u32)who, walk);
		break;
	default:
		return -EINVAL;
	}
	return walk->error;
}

SYSCALL3(setpriority, int, which, s32, who, int, nice)
{
	struct priority_walk walk = { .fn = set_one,
				      .nice = clamp(nice, -20, 19) };

	return walk_priorities(which, who, &walk);
}

/* 20 - nice, so that no answer looks like an error. */
SYSCALL2(getpriority, int, which, s32, who)
{
	struct priority_walk walk = { .fn = get_one, .nice = 20 };
	int ret = walk_priorities(which, who, &walk);

	return ret ? ret : 20 - walk.nice;
}
