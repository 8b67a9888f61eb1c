/* SPDX-License-Identifier: MIT */
/*
 * The end of a thread, and of a process with its last thread.
 *
 * Entry points: task_exit() and process_exit_group(), which do not return;
 * exit_release_mm(), which exec shares.
 *
 * Order: no more signals; stop timers; leave the address space (robust
 * futexes, clear_child_tid, vfork parent); files; terminal; perf; then, under
 * tasklist_lock, children get a new parent and the parent or tracer is told.
 * What is left is a zombie that reap.c frees.
 *
 * Must never: sleep after exit_state is set.
 */
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/futex.h>
#include <kernel/mm.h>
#include <kernel/panic.h>
#include <kernel/perf_event.h>
#include <kernel/trace_hooks.h>
#include <kernel/recent.h>
#include <kernel/posix.h>
#include <kernel/ptrace.h>
#include <kernel/syscall.h>
#include <kernel/time.h>
#include <kernel/tty.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <linux/ptrace.h>

#include "../signal/internal.h"
#include "internal.h"

/*
 * From here on nobody chooses this thread for a signal; what was shared and
 * chosen for it is offered to the others; a stop does not wait for it.
 */
static void leave_signals(void)
{
	struct process *p = current->proc;
	bool complete = false;
	struct task *t;
	u64 shared;

	spin_lock_irq(&p->siglock);
	current->flags |= TASK_EXITING;
	shared = p->pending.set.bits & ~current->blocked.bits;
	if (shared && !(p->sig_flags & PROC_GROUP_EXIT)) {
		list_for_each_entry(t, &p->threads, thread_link) {
			if (!(t->flags & TASK_EXITING) &&
			    (shared & ~t->blocked.bits))
				signal_wake_locked(t, false);
		}
	}
	if (current->jobctl & JOBCTL_STOP_PENDING)
		complete = jobctl_participate_locked(current);
	spin_unlock_irq(&p->siglock);
	if (complete) {
		unsigned long flags = spin_lock_irqsave(&tasklist_lock);

		signal_tell_parent(current, CLD_STOPPED, false);
		spin_unlock_irqrestore(&tasklist_lock, flags);
	}
}

void exit_vfork_done(void)
{
	struct completion *done;
	unsigned long flags;

	if (!READ_ONCE(current->vfork_done))
		return;
	flags = spin_lock_irqsave(&tasklist_lock);
	done = current->vfork_done;
	current->vfork_done = NULL;
	if (done)
		complete(done);
	spin_unlock_irqrestore(&tasklist_lock, flags);
}

/* What a space is owed before its task leaves it; exit and exec. */
void exit_release_mm(void)
{
	u32 __user *tid = current->clear_child_tid;
	struct mm *mm = current->mm;

	/* Who begins to wait for a lock of ours sees us exit, or is seen. */
	arch_smp_mb();
	if (current->robust_list || READ_ONCE(current->pi_waiters))
		futex_exit_robust(current);
	if (tid) {
		/* Nobody else lives there: nobody can be waiting. */
		if (mm && ref_read(&mm->users) > 1 && !put_user(0u, tid))
			futex_wake(tid, true, 1, ~0u);
		current->clear_child_tid = NULL;
	}
}

static void leave_mm(void)
{
	struct mm *mm = current->mm;
	struct process *p = current->proc;
	struct mm_usage usage;

	exit_release_mm();
	if (mm) {
		mm_usage(mm, &usage);
		spin_lock_irq(&p->siglock);
		if (usage.rss_peak > p->maxrss_pages)
			p->maxrss_pages = usage.rss_peak;
		spin_unlock_irq(&p->siglock);
		mm_activate(NULL);
	}
	exit_vfork_done();
	if (mm)
		mm_put(mm);
}

static void leave_files(void)
{
	struct files *files = current->files;
	struct fs_ctx *fs = current->fs;
	unsigned long flags = spin_lock_irqsave(&current->wake_lock);

	current->files = NULL;
	current->fs = NULL;
	spin_unlock_irqrestore(&current->wake_lock, flags);
	if (files)
		files_put(files);
	if (fs)
		fs_ctx_put(fs);
}

/* Who adopts: the nearest ancestor that asked, else process 1. */
static struct process *find_reaper(struct process *p)
{
	struct process *r;

	for (r = p->parent; r && r->pid->nr > 1; r = r->parent) {
		if (r->subreaper && READ_ONCE(r->nr_live))
			return r;
	}
	return r && r->pid->nr == 1 ? r : NULL;
}

/*
 * The group loses its last tie to the session when `leaving` is gone (or when
 * its parent is): stopped members would stay so for ever.
 */
static void kill_orphaned_locked(struct process *p, struct process *leaving)
{
	struct process *m;

	if (!pgrp_would_orphan_locked(p->pgrp, leaving) ||
	    !pgrp_has_stopped_locked(p->pgrp))
		return;
	list_for_each_entry(m, &p->pgrp->members[PID_PGRP], pgrp_link) {
		signal_send_process(m, SIGHUP, NULL);
		signal_send_process(m, SIGCONT, NULL);
	}
}

static void send_pdeath_locked(struct process *child)
{
	struct task *t;

	list_for_each_entry(t, &child->threads, thread_link) {
		if (t->pdeath_signal)
			signal_send_process(child, (int)t->pdeath_signal,
					    NULL);
	}
}

/* Children of a process that has no live thread left; the dead ones that
 * their new parent does not want are collected in *reap. */
static void give_away_children_locked(struct process *p,
				      struct list_head *reap)
{
	struct process *child, *n, *reaper = find_reaper(p);

	if (!reaper)
		return;
	list_for_each_entry_safe(child, n, &p->children, sibling) {
		bool other_group = child->pgrp != p->pgrp &&
				   child->session == p->session;

		child->parent = reaper;
		list_move_tail(&child->sibling, &reaper->children);
		child->exit_signal = SIGCHLD;
		send_pdeath_locked(child);
		if (process_is_dead_locked(child) && !child->leader->tracer &&
		    process_notify_parent_locked(child->leader, SIGCHLD)) {
			child->leader->exit_state = TASK_DEAD;
			list_add_tail(&child->leader->tracer_link, reap);
		}
		if (other_group)
			kill_orphaned_locked(child, NULL);
	}
}

/* Tell whom it concerns; true: nobody will wait for this thread. */
static bool notify_locked(struct process *p, bool last)
{
	struct task *t = current;
	bool autoreap;

	if (t->tracer) {
		bool whole = p->leader == t && p->nr_threads == 1;

		autoreap = process_notify_parent_locked(
			t, whole ? p->exit_signal : SIGCHLD);
	} else if (p->leader == t) {
		autoreap = p->nr_threads == 1 &&
			   process_notify_parent_locked(t, p->exit_signal);
	} else {
		autoreap = true;
	}
	t->exit_state = autoreap ? TASK_DEAD : TASK_ZOMBIE;
	if (p->exec_task && p->exec_task != t)
		wake_up_task(p->exec_task, TASK_KILLABLE);
	if (last || p->leader == t)
		wake_up_all(&p->pid->poll_wait);
	return autoreap;
}

static void leave_tree(bool last)
{
	struct process *p = current->proc;
	struct task *t, *n;
	unsigned long flags;
	LIST_HEAD(reap);
	bool autoreap;

	flags = spin_lock_irqsave(&tasklist_lock);
	ptrace_exit_tracer_locked(current);
	if (last) {
		give_away_children_locked(p, &reap);
		if (p->parent->pgrp != p->pgrp &&
		    p->parent->session == p->session)
			kill_orphaned_locked(p, p);
	}
	autoreap = notify_locked(p, last);
	spin_unlock_irqrestore(&tasklist_lock, flags);
	list_for_each_entry_safe(t, n, &reap, tracer_link) {
		list_del_init(&t->tracer_link);
		process_reap(t);
	}
	if (autoreap)
		process_reap(current);
}

void task_exit(s32 code)
{
	struct process *p = current->proc;
	bool last;

	if (ptrace_wants(current, PTRACE_EVENT_EXIT))
		ptrace_event(PTRACE_EVENT_EXIT, (u64)(u32)code);
	leave_signals();
	recent_event(RECENT_EXIT, (u32)task_tid(current), (u32)code);
	last = fetch_add_acq_rel(&p->nr_live, -1) == 1;
	if (last && p->pid->nr == 1)
		panic("Attempted to kill init! exitcode=0x%08x",
		      p->group_exit_code ? p->group_exit_code : code);
	current->exit_code = code;
	if (last)
		proc_timers_exit(p);
	leave_mm();
	trace_sched_process_exit(current);
	leave_files();
	if (last && p->is_session_leader)
		tty_session_exit(p);
	task_work_exit();
	perf_task_exit();
	leave_tree(last);
	sched_exit(current);
	set_current_state(TASK_DEAD);
	schedule();
	panic("a dead task was scheduled");
}

void process_exit_group(s32 code)
{
	struct process *p = current->proc;

	spin_lock_irq(&p->siglock);
	if (p->sig_flags & PROC_GROUP_EXIT)
		code = p->group_exit_code;
	else if (p->exec_task)
		code = 0;
	else
		signal_zap_others_locked(p, code);
	spin_unlock_irq(&p->siglock);
	task_exit(code);
}

SYSCALL1(exit, int, status)
{
	task_exit((status & 0xff) << 8);
}

SYSCALL1(exit_group, int, status)
{
	process_exit_group((status & 0xff) << 8);
}
