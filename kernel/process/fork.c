/* SPDX-License-Identifier: MIT */
/*
 * Making a task from current: process_clone().
 *
 * A child is built in private, one resource after the other, each with what
 * undoes it; then it is published under tasklist_lock, and from there on
 * nothing fails.  The system calls that lead here are in clone.c.
 *
 * Locks: siglock of current's process for what is copied from it;
 * tasklist_lock and siglock for the publication, so that a signal to the
 * group either finds the new thread or stops its creation.
 */
#include <arch/thread.h>
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/mm.h>
#include <kernel/perf_event.h>
#include <kernel/probe_hooks.h>
#include <kernel/recent.h>
#include <kernel/pidfd.h>
#include <kernel/posix.h>
#include <kernel/ptrace.h>
#include <kernel/time.h>
#include <kernel/trace_hooks.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/string.h>
#include <linux/ptrace.h>
#include <linux/resource.h>
#include <linux/sched.h>

#include "../signal/internal.h"
#include "internal.h"

#define CLONE_NAMESPACES                                                    \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |      \
	 CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWTIME)

static int check_flags(const struct clone_args_k *args)
{
	u64 f = args->flags;

	if ((f & CLONE_FS) && (f & (CLONE_NEWNS | CLONE_NEWUSER)))
		return -EINVAL;
	if ((f & CLONE_THREAD) && !(f & CLONE_SIGHAND))
		return -EINVAL;
	if ((f & CLONE_SIGHAND) && !(f & CLONE_VM))
		return -EINVAL;
	if ((f & CLONE_PARENT) &&
	    (current->proc->sig_flags & PROC_UNKILLABLE))
		return -EINVAL;
	if ((f & CLONE_THREAD) && (f & (CLONE_NEWUSER | CLONE_NEWPID)))
		return -EINVAL;
	if ((f & CLONE_PIDFD) && (f & (CLONE_DETACHED | CLONE_THREAD)))
		return -EINVAL;
	if ((f & CLONE_PIDFD) && (f & CLONE_PARENT_SETTID) &&
	    args->pidfd == args->parent_tid)
		return -EINVAL;
	if (f & CLONE_NAMESPACES) {
		/* None of them exists, as in a Linux built without. */
		if (!(f & CLONE_NEWUSER) && !capable(CAP_SYS_ADMIN))
			return -EPERM;
		return -EINVAL;
	}
	return 0;
}

static int check_limits(void)
{
	const struct cred *c = current->cred;
	int ret = 0;

	if (READ_ONCE(c->user->nproc) >= rlimit_cur(current, RLIMIT_NPROC) &&
	    c->user != &root_user && !cred_has(c, CAP_SYS_RESOURCE) &&
	    !cred_has(c, CAP_SYS_ADMIN))
		return -EAGAIN;
	if (READ_ONCE(threads_count) >= (u32)READ_ONCE(threads_max))
		return -EAGAIN;
	if (signal_pending(current)) {
		/* First the signal, then the fork. */
		unsigned long flags =
			spin_lock_irqsave(&current->proc->siglock);

		signal_recalc(current);
		if (signal_pending(current))
			ret = -ERESTARTNOINTR;
		spin_unlock_irqrestore(&current->proc->siglock, flags);
	}
	return ret;
}

/* The child's own first step: its number goes where clone said. */
static void write_child_tid(struct task_work *work)
{
	u32 tid = (u32)task_tid(current);

	/* A bad address is the caller's loss, as in Linux. */
	if (put_user(tid, current->set_child_tid))
		current->set_child_tid = NULL;
}

static void copy_identity(struct task *child, const struct clone_args_k *args)
{
	const struct task *from = current;

	memcpy(child->comm, from->comm, sizeof(child->comm));
	child->flags = TASK_FORKNOEXEC;
	child->cred = cred_get(from->cred);
	child->personality = from->personality;
	child->no_new_privs = from->no_new_privs;
	child->timer_slack_ns = from->timer_slack_ns;
	child->ioprio = from->ioprio;
	child->blocked = from->blocked;
	child->start_ns = time_mono_ns();
	child->acct_last_ns = child->start_ns;
	if ((args->flags & (CLONE_VM | CLONE_VFORK)) != CLONE_VM)
		child->altstack = from->altstack;
	else
		child->altstack.flags = SS_DISABLE;
	rseq_fork(child, args->flags);
	if (args->flags & CLONE_CHILD_CLEARTID)
		child->clear_child_tid = (u32 __user *)args->child_tid;
}

static int copy_files(struct task *child, u64 flags)
{
	if (flags & CLONE_FILES) {
		files_get(current->files);
		child->files = current->files;
	} else {
		struct files *files = files_copy(current->files);

		if (IS_ERR(files))
			return PTR_ERR(files);
		child->files = files;
	}
	if (flags & CLONE_FS) {
		ref_get(&current->fs->refs);
		child->fs = current->fs;
		return 0;
	}
	child->fs = fs_ctx_copy(current->fs);
	return child->fs ? 0 : -ENOMEM;
}

static int copy_mm(struct task *child, u64 flags)
{
	struct mm *mm = current->mm;

	if (flags & CLONE_VM) {
		mm_get(mm);
	} else {
		mm = mm_fork(mm);
		if (IS_ERR(mm))
			return PTR_ERR(mm);
	}
	child->mm = mm;
	child->active_mm = mm;
	return uprobe_forked(child, flags);
}

/* Handlers mean nothing in another program; what is ignored stays so. */
void sighand_reset(struct sighand *sh)
{
	for (u32 i = 0; i < NSIG; i++) {
		struct sigaction_k *act = &sh->action[i];

		if (user_addr(act->handler) != SIG_IGN)
			act->handler = user_ptr(SIG_DFL);
		act->flags = 0;
		act->restorer = NULL;
		act->mask.bits = 0;
	}
}

static int copy_process(struct task *child, const struct clone_args_k *args)
{
	struct process *from = current->proc, *p;
	struct sighand *sh;

	if (args->flags & CLONE_THREAD) {
		child->proc = process_get(from);
		return 0;
	}
	p = process_alloc();
	if (!p)
		return -ENOMEM;
	child->proc = p;
	if (args->flags & CLONE_SIGHAND) {
		ref_get(&from->sighand->refs);
		p->sighand = from->sighand;
	} else {
		sh = sighand_alloc();
		if (!sh)
			return -ENOMEM;
		p->sighand = sh;
	}
	spin_lock_irq(&from->siglock);
	if (!(args->flags & CLONE_SIGHAND))
		memcpy(p->sighand->action, from->sighand->action,
		       sizeof(p->sighand->action));
	memcpy(p->rlim, from->rlim, sizeof(p->rlim));
	spin_unlock_irq(&from->siglock);
	if (args->flags & CLONE_CLEAR_SIGHAND)
		sighand_reset(p->sighand);
	p->leader = child;
	p->start_ns = child->start_ns;
	p->oom_score_adj = READ_ONCE(from->oom_score_adj);
	return 0;
}

static int make_pidfd(struct task *child, const struct clone_args_k *args,
		      struct file **out)
{
	struct file *file;
	int fd;

	fd = fd_reserve(0, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return fd;
	file = pidfd_file(child->pid, O_RDWR | O_CLOEXEC);
	if (IS_ERR(file)) {
		fd_release(fd);
		return PTR_ERR(file);
	}
	if (put_user(fd, args->pidfd)) {
		file_put(file);
		fd_release(fd);
		return -EFAULT;
	}
	*out = file;
	return fd;
}

/* In a stop that is under way, a new thread takes part too. */
static void join_stop_locked(struct task *child)
{
	u32 how = JOBCTL_STOP_PENDING | JOBCTL_STOP_CONSUME;

	if (current->jobctl & JOBCTL_STOP_PENDING) {
		child->jobctl = how | (current->jobctl & JOBCTL_STOP_SIG);
		child->proc->stop_count++;
	}
	signal_recalc(child);
}

/* Make the child visible to everybody.  0, or -EINTR: current is dying. */
static int publish(struct task *child, const struct clone_args_k *args,
		   bool follow)
{
	struct process *own = current->proc, *p = child->proc;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	bool thread = args->flags & CLONE_THREAD;

	spin_lock(&own->siglock);
	if (fatal_signal_pending(current) || own->exec_task ||
	    (own->sig_flags & PROC_GROUP_EXIT)) {
		spin_unlock(&own->siglock);
		spin_unlock_irqrestore(&tasklist_lock, flags);
		return -EINTR;
	}
	if (thread) {
		process_add_thread_locked(own, child);
		join_stop_locked(child);
	} else {
		p->tty = own->tty;
	}
	spin_unlock(&own->siglock);
	if (!thread) {
		bool sibling = args->flags & CLONE_PARENT;

		p->exit_signal = sibling ? own->exit_signal :
					   args->exit_signal;
		process_link_locked(p, sibling ? own->parent : own, own->pgrp,
				    own->session);
		spin_lock(&p->siglock);
		process_add_thread_locked(p, child);
		spin_unlock(&p->siglock);
	}
	ptrace_attach_child_locked(child, follow);
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return 0;
}

/* What a child that was never published holds. */
static void discard(struct task *child)
{
	if (child->mm)
		mm_put(child->mm);
	child->mm = NULL;
	if (child->files)
		files_put(child->files);
	if (child->fs)
		fs_ctx_put(child->fs);
	if (child->pid) {
		unsigned long flags = spin_lock_irqsave(&tasklist_lock);

		pid_release_number(child->pid);
		spin_unlock_irqrestore(&tasklist_lock, flags);
	}
	if (child->cred)
		fetch_add_relaxed(&child->cred->user->nproc, -1);
	task_abandon(child);
}

static int build(struct task *child, const struct clone_args_k *args)
{
	int err;

	copy_identity(child, args);
	fetch_add_relaxed(&child->cred->user->nproc, 1);
	sched_fork(child);
	err = copy_files(child, args->flags);
	if (!err)
		err = copy_process(child, args);
	if (!err)
		err = copy_mm(child, args->flags);
	if (err)
		return err;
	/* It starts on its way to user mode, with a copy of our frame. */
	arch_thread_init(child, NULL, NULL);
	arch_thread_fork(child, args->stack, args->flags & CLONE_SETTLS,
			 args->tls);
	if (args->flags & CLONE_CHILD_SETTID) {
		child->set_child_tid = (u32 __user *)args->child_tid;
		child->start_work.fn = write_child_tid;
		child->works = &child->start_work;
		child->ti.flags |= TIF_NOTIFY_RESUME;
	}
	child->pid = pid_alloc();
	if (IS_ERR(child->pid)) {
		err = (int)PTR_ERR(child->pid);
		child->pid = NULL;
		return err;
	}
	if (!(args->flags & CLONE_THREAD))
		child->proc->pid = pid_get(child->pid);
	return perf_task_fork(child, args->flags);
}

static void wait_vfork(struct task *child, struct completion *done)
{
	if (wait_for_completion_killable(done)) {
		unsigned long flags = spin_lock_irqsave(&tasklist_lock);

		if (child->vfork_done == done)
			child->vfork_done = NULL;
		spin_unlock_irqrestore(&tasklist_lock, flags);
	}
}

static void start(struct task *child, const struct clone_args_k *args,
		  u32 event)
{
	s32 nr = child->pid->nr;
	struct completion done;

	if (args->flags & CLONE_VFORK) {
		completion_init(&done);
		child->vfork_done = &done;
		task_get(child);
	}
	recent_event(RECENT_FORK, (u32)task_tgid(current),
		     (u64)task_tid(child));
	sched_wake_new(child);
	if (event)
		ptrace_event(event, (u64)nr);
	if (args->flags & CLONE_VFORK) {
		wait_vfork(child, &done);
		task_put(child);
		if (ptrace_wants(current, PTRACE_EVENT_VFORK_DONE))
			ptrace_event(PTRACE_EVENT_VFORK_DONE, (u64)nr);
	}
}

s32 process_clone(const struct clone_args_k *args)
{
	struct file *pidfile = NULL;
	int err, pidfd = -1;
	struct task *child;
	u32 event;
	s32 nr;

	err = check_flags(args);
	if (!err)
		err = check_limits();
	if (err)
		return err;
	child = task_alloc();
	if (!child)
		return -ENOMEM;
	err = build(child, args);
	if (err)
		goto discard_child;
	if (args->flags & CLONE_PIDFD) {
		pidfd = make_pidfd(child, args, &pidfile);
		err = pidfd;
		if (pidfd < 0)
			goto discard_child;
	}
	event = ptrace_clone_event(args->flags, args->exit_signal);
	err = publish(child, args, event);
	if (err)
		goto drop_pidfd;

	nr = child->pid->nr;
	if (pidfile)
		fd_install(pidfd, pidfile);
	/* As in Linux, a bad address here is not an error. */
	if ((args->flags & CLONE_PARENT_SETTID) &&
	    put_user(nr, args->parent_tid))
		err = 0;
	perf_task_forked(child);
	trace_task_newtask(child, args->flags);
	trace_sched_process_fork(current, child);
	start(child, args, event);
	return nr;

drop_pidfd:
	if (pidfile) {
		file_put(pidfile);
		fd_release(pidfd);
	}
discard_child:
	discard(child);
	return err;
}
