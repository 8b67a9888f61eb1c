/* SPDX-License-Identifier: MIT */
/*
 * Job control: stopping a process as a whole, going on, and telling the
 * parent.
 *
 * A stop signal that one thread takes makes every thread of the process stop;
 * the last one to do so completes the stop and tells the parent.  SIGCONT
 * (send.c) undoes all of it at the moment it is posted.
 *
 * Locks: siglock for the counts; tasklist_lock around telling the parent, so
 * that it does not go away.
 */
#include <kernel/pid.h>
#include <kernel/process.h>
#include <kernel/ptrace.h>
#include <kernel/sched.h>
#include <kernel/time.h>
#include <kernel/uaccess.h>
#include <lib/string.h>

#include "internal.h"

/* A member with a parent in another group of the same session holds it. */
bool pgrp_would_orphan_locked(struct pid *pgrp, struct process *except)
{
	struct process *p;

	list_for_each_entry(p, &pgrp->members[PID_PGRP], pgrp_link) {
		struct process *parent = p->parent;

		if (p == except || !parent || parent->pid->nr == 1 ||
		    !READ_ONCE(p->nr_live))
			continue;
		if (parent->pgrp != pgrp && parent->session == p->session)
			return false;
	}
	return true;
}

bool pgrp_is_orphaned_locked(struct pid *pgrp)
{
	return pgrp_would_orphan_locked(pgrp, NULL);
}

bool pgrp_has_stopped_locked(struct pid *pgrp)
{
	struct process *p;

	list_for_each_entry(p, &pgrp->members[PID_PGRP], pgrp_link) {
		if (READ_ONCE(p->sig_flags) & PROC_STOPPED)
			return true;
	}
	return false;
}

/*
 * SIGCHLD and a wake-up for who waits: the tracer of t, or the parent of its
 * process.  tasklist_lock held, no siglock.
 */
void signal_tell_parent(struct task *t, int why, bool tracer)
{
	struct process *parent = tracer ? t->tracer->proc : t->proc->parent;
	struct sigaction_k *act;
	struct task_usage usage;
	struct siginfo info;

	task_usage(t, &usage);
	memset(&info, 0, sizeof(info));
	info.si_signo = SIGCHLD;
	info.si_code = why;
	info.si_pid = tracer ? task_tid(t) : task_tgid(t);
	reclaim_read_lock();
	info.si_uid = reclaim_deref(t->cred)->uid;
	reclaim_read_unlock();
	info.si_utime = (s64)(usage.utime_ns / (NSEC_PER_SEC / USER_HZ));
	info.si_stime = (s64)(usage.stime_ns / (NSEC_PER_SEC / USER_HZ));
	if (why == CLD_CONTINUED)
		info.si_status = SIGCONT;
	else if (why == CLD_STOPPED)
		info.si_status = t->proc->stop_sig & 0x7f;
	else
		info.si_status = t->exit_code & 0x7f;

	act = &parent->sighand->action[SIGCHLD - 1];
	if (user_addr(act->handler) != SIG_IGN &&
	    !(act->flags & SA_NOCLDSTOP))
		signal_send_process(parent, SIGCHLD, &info);
	wake_up_all(&parent->child_wait);
}

void jobctl_clear_locked(struct task *t, u32 mask)
{
	if (mask & JOBCTL_STOP_PENDING)
		mask |= JOBCTL_STOP_CONSUME | JOBCTL_STOP_DEQUEUED;
	t->jobctl &= ~mask;
}

/* t has stopped, or goes: true when that completes the stop. */
bool jobctl_participate_locked(struct task *t)
{
	struct process *p = t->proc;
	bool counted = t->jobctl & JOBCTL_STOP_CONSUME;

	jobctl_clear_locked(t, JOBCTL_STOP_PENDING);
	if (!counted || !p->stop_count)
		return false;
	if (--p->stop_count || (p->sig_flags & PROC_STOPPED))
		return false;
	p->sig_flags |= PROC_STOPPED;
	p->sig_flags &= ~(PROC_CONTINUED | PROC_STOP_WAITED);
	return true;
}

static void start_stop_locked(int sig)
{
	struct process *p = current->proc;
	struct task *t;

	if (!(p->sig_flags & PROC_STOPPED))
		p->stop_sig = sig;
	p->stop_count = 0;
	list_for_each_entry(t, &p->threads, thread_link) {
		if (t != current && ((t->flags & TASK_EXITING) ||
				     READ_ONCE(t->state) == TASK_STOPPED))
			continue;
		t->jobctl = (t->jobctl & ~JOBCTL_STOP_SIG) | (u32)sig |
			    JOBCTL_STOP_PENDING | JOBCTL_STOP_CONSUME;
		p->stop_count++;
		if (t != current)
			signal_wake_locked(t, false);
	}
}

/*
 * Take part in a stop that sig begins, or (sig 0) in one that is pending.
 * siglock held; true: it was released, and much later things may differ.
 */
bool jobctl_stop_locked(int sig)
{
	struct process *p = current->proc;
	bool complete;

	if (!(current->jobctl & JOBCTL_STOP_PENDING)) {
		if (!(current->jobctl & JOBCTL_STOP_DEQUEUED) ||
		    (p->sig_flags & PROC_GROUP_EXIT) || p->exec_task)
			return false;
		start_stop_locked(sig);
	}
	if (is_traced(current)) {
		current->jobctl |= JOBCTL_TRAP_STOP;
		ptrace_group_stop();
		return true;
	}
	complete = jobctl_participate_locked(current);
	set_current_state(TASK_STOPPED);
	siglock_irq_release(p);
	if (complete) {
		unsigned long flags = spin_lock_irqsave(&tasklist_lock);

		signal_tell_parent(current, CLD_STOPPED, false);
		spin_unlock_irqrestore(&tasklist_lock, flags);
	}
	schedule();
	return true;
}
