/* SPDX-License-Identifier: MIT */
/*
 * Resource limits: prlimit64, getrlimit, setrlimit.
 *
 * Locks: siglock of the process whose limits are read or changed.
 */
#include <kernel/pid.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <linux/resource.h>

#include "internal.h"

#define NR_OPEN_LIMIT (1u << 20)	/* fs.nr_open */

static int change(struct process *p, u32 which, const struct rlimit *next,
		  struct rlimit *old)
{
	struct rlimit *slot = &p->rlim[which];
	unsigned long flags;
	int err = 0;

	if (next) {
		if (next->cur > next->max)
			return -EINVAL;
		if (which == RLIMIT_NOFILE && next->max > NR_OPEN_LIMIT)
			return -EPERM;
	}
	flags = spin_lock_irqsave(&p->siglock);
	if (old)
		*old = *slot;
	if (next && next->max > slot->max &&
	    !cred_has(current->cred, CAP_SYS_RESOURCE))
		err = -EPERM;
	else if (next)
		*slot = *next;
	spin_unlock_irqrestore(&p->siglock, flags);
	if (!err && next && which == RLIMIT_CPU && process_cpu_limit_changed)
		process_cpu_limit_changed(p);
	return err;
}

void (*process_cpu_limit_changed)(struct process *p);

/* Another process: all its ids are ours, or CAP_SYS_RESOURCE. */
static int may_change(struct task *t)
{
	const struct cred *own = current->cred, *theirs;
	bool same;

	if (t->proc == current->proc)
		return 0;
	theirs = task_cred_get(t);
	same = own->uid == theirs->euid && own->uid == theirs->suid &&
	       own->uid == theirs->uid && own->gid == theirs->egid &&
	       own->gid == theirs->sgid && own->gid == theirs->gid;
	cred_put(theirs);
	return same || capable(CAP_SYS_RESOURCE) ? 0 : -EPERM;
}

SYSCALL4(prlimit64, s32, pid, u32, which, const struct rlimit __user *, unew,
	 struct rlimit __user *, uold)
{
	struct rlimit next, old;
	struct task *t;
	int err;

	if (which >= RLIM_NLIMITS)
		return -EINVAL;
	if (unew && copy_from_user(&next, unew, sizeof(next)))
		return -EFAULT;
	t = pid ? task_find_get(pid) : task_get(current);
	if (!t)
		return -ESRCH;
	err = may_change(t);
	if (!err)
		err = change(t->proc, which, unew ? &next : NULL, &old);
	task_put(t);
	if (!err && uold)
		err = copy_to_user(uold, &old, sizeof(old));
	return err;
}

SYSCALL2(getrlimit, u32, which, struct rlimit __user *, uold)
{
	struct rlimit old;
	int err;

	if (which >= RLIM_NLIMITS)
		return -EINVAL;
	err = change(current->proc, which, NULL, &old);
	return err ? err : copy_to_user(uold, &old, sizeof(old));
}

SYSCALL2(setrlimit, u32, which, const struct rlimit __user *, unew)
{
	struct rlimit next;

	if (copy_from_user(&next, unew, sizeof(next)))
		return -EFAULT;
	if (which >= RLIM_NLIMITS)
		return -EINVAL;
	return change(current->proc, which, &next, NULL);
}
