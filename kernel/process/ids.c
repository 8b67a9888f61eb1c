/* SPDX-License-Identifier: MIT */
/*
 * Numbers of threads, processes, groups and sessions: the get* calls,
 * setpgid and setsid.
 *
 * Locks: tasklist_lock for the tree.
 */
#include <kernel/pid.h>
#include <kernel/syscall.h>
#include <lib/err.h>

#include "internal.h"

SYSCALL0(getpid)
{
	return task_tgid(current);
}

SYSCALL0(gettid)
{
	return task_tid(current);
}

SYSCALL0(getppid)
{
	s32 nr;

	/* The parent may change, but is not freed under a reader. */
	reclaim_read_lock();
	nr = READ_ONCE(current->proc->parent)->pid->nr;
	reclaim_read_unlock();
	return nr;
}

/* The number of the group or session of a process; pid 0: of current. */
static s32 number_of(s32 pid, bool session)
{
	s32 nr = -ESRCH;
	unsigned long flags;
	struct task *t;

	if (!pid)
		t = task_get(current);
	else
		t = task_find_get(pid);
	if (!t)
		return -ESRCH;
	flags = spin_lock_irqsave(&tasklist_lock);
	if (t->proc->pgrp)
		nr = session ? t->proc->session->nr : t->proc->pgrp->nr;
	spin_unlock_irqrestore(&tasklist_lock, flags);
	task_put(t);
	return nr;
}

SYSCALL1(getpgid, s32, pid)
{
	return number_of(pid, false);
}

SYSCALL1(getsid, s32, pid)
{
	return number_of(pid, true);
}

/* Into which group?  NULL with *err set when it may not be. */
static struct pid *target_group_locked(struct process *p, s32 pgid, int *err)
{
	struct process *member;
	struct pid *pgrp;

	if (pgid == p->pid->nr)
		return p->pid;
	*err = -EPERM;
	pgrp = pid_find(pgid);
	if (!pgrp)
		return NULL;
	list_for_each_entry(member, &pgrp->members[PID_PGRP], pgrp_link) {
		if (member->session == current->proc->session)
			return pgrp;
	}
	return NULL;
}

static int set_group_locked(struct process *p, s32 pgid)
{
	struct process *own = current->proc;
	struct pid *pgrp;
	int err = 0;

	if (p->parent == own) {
		if (p->session != own->session)
			return -EPERM;
		if (p->did_exec)
			return -EACCES;
	} else if (p != own) {
		return -ESRCH;
	}
	if (p->is_session_leader)
		return -EPERM;
	pgrp = target_group_locked(p, pgid, &err);
	if (!pgrp)
		return err;
	process_set_pgrp_locked(p, pgrp);
	return 0;
}

SYSCALL2(setpgid, s32, pid, s32, pgid)
{
	struct process *own = current->proc;
	unsigned long flags;
	struct pid *found;
	int err = -ESRCH;

	if (!pid)
		pid = own->pid->nr;
	if (!pgid)
		pgid = pid;
	if (pgid < 0)
		return -EINVAL;
	flags = spin_lock_irqsave(&tasklist_lock);
	found = pid_find(pid);
	if (found && found->proc)
		err = set_group_locked(found->proc, pgid);
	else if (found && found->task)
		err = -EINVAL;
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return err;
}

SYSCALL0(setsid)
{
	struct process *p = current->proc;
	s32 ret = -EPERM;
	unsigned long flags;

	flags = spin_lock_irqsave(&tasklist_lock);
	if (p->is_session_leader || !list_empty(&p->pid->members[PID_PGRP]))
		goto unlock;
	process_set_session_locked(p, p->pid);
	process_set_pgrp_locked(p, p->pid);
	p->is_session_leader = true;
	spin_lock(&p->siglock);
	p->tty = NULL;
	spin_unlock(&p->siglock);
	ret = p->pid->nr;
unlock:
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return ret;
}
