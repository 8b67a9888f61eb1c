/* SPDX-License-Identifier: MIT */
/*
 * wait4 and waitid.
 *
 * A waiter looks through the children and the tracees of its process under
 * tasklist_lock for something to report, and sleeps on child_wait when there
 * is none.  A dead child is claimed by moving exit_state from ZOMBIE to DEAD
 * under the lock, then freed without it.
 */
#include <kernel/pid.h>
#include <kernel/pidfd.h>
#include <kernel/ptrace.h>
#include <kernel/syscall.h>
#include <kernel/trace_hooks.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/string.h>
#include <linux/resource.h>
#include <linux/wait.h>

#include "../signal/internal.h"
#include "internal.h"

struct wait_request {
	u32 flags;		/* W* */
	enum { WAIT_ANY, WAIT_PID, WAIT_PGRP } kind;
	struct pid *pid;	/* WAIT_PID and WAIT_PGRP */
	bool want_usage;

	bool eligible;		/* there is somebody to wait for */
	/* The answer: */
	s32 nr;			/* 0: nothing yet */
	u32 uid;
	s32 status;		/* as wait4 shows it */
	s32 code;		/* CLD_* */
	s32 info_status;	/* si_status */
	struct user_rusage usage;
	struct task *reap;
};

static bool matches(const struct wait_request *w, struct task *t, bool tracee)
{
	struct process *p = t->proc;
	u32 flags = w->flags;

	if (w->kind == WAIT_PID &&
	    (tracee ? t->pid : p->pid) != w->pid)
		return false;
	if (w->kind == WAIT_PGRP && p->pgrp != w->pid)
		return false;
	/* A tracer sees all its tracees; a parent, by the exit signal. */
	if (tracee || (flags & __WALL))
		return true;
	return (p->exit_signal != SIGCHLD) == !!(flags & __WCLONE);
}

static void answer(struct wait_request *w, struct task *t, bool tracee)
{
	w->nr = tracee ? task_tid(t) : task_tgid(t);
	reclaim_read_lock();
	w->uid = reclaim_deref(t->cred)->uid;
	reclaim_read_unlock();
	if (w->want_usage)
		usage_of_dead(t->proc, &w->usage);
}

static void answer_exit(struct wait_request *w, struct task *t, bool tracee)
{
	struct process *p = t->proc;
	s32 status = p->leader == t ? process_status(p) : t->exit_code;

	answer(w, t, tracee);
	w->status = status;
	if (status & 0x7f) {
		w->code = status & 0x80 ? CLD_DUMPED : CLD_KILLED;
		w->info_status = status & 0x7f;
	} else {
		w->code = CLD_EXITED;
		w->info_status = status >> 8;
	}
}

/* A dead child of ours that nobody else traces. */
static bool try_zombie(struct wait_request *w, struct process *child)
{
	struct task *leader = child->leader;

	if (!(w->flags & WEXITED) || !process_is_dead_locked(child))
		return false;
	if (leader->tracer)
		return false;
	answer_exit(w, leader, false);
	if (!(w->flags & WNOWAIT)) {
		leader->exit_state = TASK_DEAD;
		usage_fold_child_locked(current->proc, child);
		w->reap = leader;
	}
	return true;
}

static bool try_stopped(struct wait_request *w, struct process *child)
{
	bool found = false;

	if (!(w->flags & WSTOPPED) || is_traced(child->leader))
		return false;
	spin_lock(&child->siglock);
	if ((child->sig_flags & PROC_STOPPED) &&
	    !(child->sig_flags & PROC_STOP_WAITED)) {
		found = true;
		w->info_status = child->stop_sig;
		if (!(w->flags & WNOWAIT))
			child->sig_flags |= PROC_STOP_WAITED;
	}
	spin_unlock(&child->siglock);
	if (!found)
		return false;
	w->status = (w->info_status << 8) | 0x7f;
	w->code = CLD_STOPPED;
	answer(w, child->leader, false);
	return true;
}

static bool try_continued(struct wait_request *w, struct process *child)
{
	bool found = false;

	if (!(w->flags & WCONTINUED))
		return false;
	spin_lock(&child->siglock);
	if (child->sig_flags & PROC_CONTINUED) {
		found = true;
		if (!(w->flags & WNOWAIT))
			child->sig_flags &= ~PROC_CONTINUED;
	}
	spin_unlock(&child->siglock);
	if (!found)
		return false;
	w->status = 0xffff;
	w->info_status = SIGCONT;
	w->code = CLD_CONTINUED;
	answer(w, child->leader, false);
	return true;
}

static bool try_child(struct wait_request *w, struct process *child)
{
	if (child->leader->exit_state == TASK_DEAD)
		return false;
	w->eligible = true;
	return try_zombie(w, child) || try_stopped(w, child) ||
	       try_continued(w, child);
}

/* A thread that is dead, seen by its tracer.  A leader that is a child of
 * somebody else goes on to its parent as a zombie. */
static bool try_tracee_zombie(struct wait_request *w, struct task *t)
{
	struct process *p = t->proc;
	bool whole = p->leader == t;

	if (t->exit_state != TASK_ZOMBIE || !(w->flags & WEXITED))
		return false;
	if (whole && p->nr_threads != 1)
		return false;
	answer_exit(w, t, true);
	if (w->flags & WNOWAIT)
		return true;
	ptrace_unlink_locked(t);
	if (whole && p->parent != current->proc) {
		if (!process_notify_parent_locked(t, p->exit_signal))
			return true;
	} else if (whole) {
		usage_fold_child_locked(current->proc, p);
	}
	t->exit_state = TASK_DEAD;
	w->reap = t;
	return true;
}

static bool try_tracee_stop(struct wait_request *w, struct task *t)
{
	bool found = false;

	/* A group stop is reported on request, the other stops always. */
	spin_lock(&t->proc->siglock);
	if ((t->jobctl & JOBCTL_TRACED) && !(t->ptrace & PT_REPORTED) &&
	    READ_ONCE(t->state) == TASK_TRACED) {
		found = true;
		w->info_status = t->exit_code;
		if (!(w->flags & WNOWAIT))
			t->ptrace |= PT_REPORTED;
	}
	spin_unlock(&t->proc->siglock);
	if (!found)
		return false;
	w->status = (w->info_status << 8) | 0x7f;
	w->code = CLD_TRAPPED;
	answer(w, t, true);
	return true;
}

static bool try_tracee(struct wait_request *w, struct task *t)
{
	if (t->exit_state == TASK_DEAD)
		return false;
	w->eligible = true;
	return try_tracee_zombie(w, t) || try_tracee_stop(w, t);
}

/* One look at everybody; true: there is an answer. */
static bool scan(struct wait_request *w)
{
	struct process *own = current->proc, *child;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	bool found = false;
	struct task *t;

	w->eligible = false;
	list_for_each_entry(child, &own->children, sibling) {
		if (matches(w, child->leader, false) && try_child(w, child)) {
			found = true;
			goto unlock;
		}
	}
	list_for_each_entry(t, &own->tracees, tracer_link) {
		if ((w->flags & __WNOTHREAD) && t->tracer != current)
			continue;
		if (matches(w, t, true) && try_tracee(w, t)) {
			found = true;
			goto unlock;
		}
	}
unlock:
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return found;
}

/* The number that is reported (0 with WNOHANG) or a negative errno. */
static s32 do_wait(struct wait_request *w)
{
	struct wait_queue *wq = &current->proc->child_wait;
	struct wait_node node = { 0 };
	s32 ret;

	trace_sched_process_wait(w->pid ? w->pid->nr : 0);
	for (;;) {
		wait_prepare(wq, &node, TASK_INTERRUPTIBLE);
		ret = -ECHILD;
		if (scan(w)) {
			ret = w->nr;
			break;
		}
		if (!w->eligible)
			break;
		ret = 0;
		if (w->flags & WNOHANG)
			break;
		ret = -ERESTARTSYS;
		if (signal_pending(current))
			break;
		schedule();
	}
	wait_finish(wq, &node);
	if (w->reap)
		process_reap(w->reap);
	return ret;
}

SYSCALL4(wait4, s32, upid, s32 __user *, ustatus, u32, options,
	 struct user_rusage __user *, uusage)
{
	struct wait_request w = { .flags = options | WEXITED };
	s32 ret;

	if (options & ~(WNOHANG | WUNTRACED | WCONTINUED | __WNOTHREAD |
			__WCLONE | __WALL))
		return -EINVAL;
	if (upid == S32_MIN)
		return -ESRCH;
	if (upid == 0) {
		w.kind = WAIT_PGRP;
		w.pid = process_pgrp_get(current->proc);
	} else if (upid != -1) {
		w.kind = upid > 0 ? WAIT_PID : WAIT_PGRP;
		w.pid = pid_find_get(upid > 0 ? upid : -upid);
		if (!w.pid)
			return -ECHILD;
	}
	w.want_usage = uusage;
	ret = do_wait(&w);
	pid_put(w.pid);
	if (ret <= 0)
		return ret;
	if (ustatus && put_user(w.status, ustatus))
		return -EFAULT;
	if (uusage && copy_to_user(uusage, &w.usage, sizeof(w.usage)))
		return -EFAULT;
	return ret;
}

static int waitid_target(struct wait_request *w, int which, s32 id)
{
	struct pid *pid = NULL;

	switch (which) {
	case P_ALL:
		w->kind = WAIT_ANY;
		return 0;
	case P_PID:
		if (id <= 0)
			return -EINVAL;
		w->kind = WAIT_PID;
		pid = pid_find_get(id);
		break;
	case P_PGID:
		if (id < 0)
			return -EINVAL;
		w->kind = WAIT_PGRP;
		pid = id ? pid_find_get(id) :
			   process_pgrp_get(current->proc);
		break;
	case P_PIDFD:
		if (id < 0)
			return -EINVAL;
		w->kind = WAIT_PID;
		pid = pidfd_get_pid(id);
		if (IS_ERR(pid))
			return (int)PTR_ERR(pid);
		break;
	default:
		return -EINVAL;
	}
	if (!pid)
		return -ECHILD;
	w->pid = pid;
	return 0;
}

SYSCALL5(waitid, int, which, s32, id, struct siginfo __user *, uinfo, u32,
	 options, struct user_rusage __user *, uusage)
{
	struct wait_request w = { .flags = options };
	struct siginfo info;
	bool nonblock = false;
	s32 ret;

	if (options & ~(WNOHANG | WNOWAIT | WEXITED | WSTOPPED | WCONTINUED |
			__WNOTHREAD | __WCLONE | __WALL))
		return -EINVAL;
	if (!(options & (WEXITED | WSTOPPED | WCONTINUED)))
		return -EINVAL;
	ret = waitid_target(&w, which, id);
	if (ret)
		return ret;
	if (which == P_PIDFD && pidfd_is_nonblock(id)) {
		nonblock = !(options & WNOHANG);
		w.flags |= WNOHANG;
	}
	w.want_usage = uusage;
	ret = do_wait(&w);
	pid_put(w.pid);
	if (ret == 0 && nonblock)
		return -EAGAIN;
	if (ret < 0)
		return ret;
	memset(&info, 0, sizeof(info));
	if (ret > 0) {
		info.si_signo = SIGCHLD;
		info.si_code = w.code;
		info.si_pid = w.nr;
		info.si_uid = w.uid;
		info.si_status = w.info_status;
		if (uusage && copy_to_user(uusage, &w.usage, sizeof(w.usage)))
			return -EFAULT;
	}
	/* Of siginfo, Linux writes just what it has to say. */
	if (uinfo && copy_to_user(uinfo, &info, OFFSET_OF(struct siginfo,
							  si_utime)))
		return -EFAULT;
	return 0;
}
