/* SPDX-License-Identifier: MIT */
/*
 * Posting signals: from the wish to a pending bit and a woken thread.
 *
 * Entry points: signal_send_task, _process, _pgrp, signal_force*,
 * signal_kill_process, and the pending tests that sleeping code asks.
 *
 * Locks: siglock of the receiver's process; tasklist_lock around the walk of
 * a group.  Callable from hard interrupts, never from the overflow interrupt.
 *
 * Must never: look at permissions; that is the system calls' part.
 */
#include <kernel/pid.h>
#include <kernel/ptrace.h>
#include <kernel/sched.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <kernel/trace_hooks.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/string.h>

#include "internal.h"

static u64 handler_of(struct task *t, int sig)
{
	return user_addr(t->proc->sighand->action[sig - 1].handler);
}

/* Would delivery do nothing?  force: a kernel-only signal to init counts. */
static bool is_ignored(struct task *t, int sig, bool force)
{
	u64 handler = handler_of(t, sig);

	if ((t->blocked.bits | t->real_blocked.bits) & SIGMASK(sig))
		return false;
	if (t->ptrace && sig != SIGKILL)
		return false;
	if ((t->proc->sig_flags & PROC_UNKILLABLE) && handler == SIG_DFL &&
	    !(force && sig_in(sig, SIGS_KERNEL_ONLY)))
		return true;
	return handler == SIG_IGN ||
	       (handler == SIG_DFL && sig_in(sig, SIGS_IGNORE));
}

void signal_wake_locked(struct task *t, bool fatal)
{
	u32 mask = TASK_INTERRUPTIBLE;

	if (fatal)
		mask |= TASK_KILLABLE | TASK_STOPPED | TASK_TRACED;
	fetch_or_acq_rel(&t->ti.flags, TIF_SIGPENDING);
	if (!wake_up_task(t, mask) && t != current)
		task_kick(t);
}

bool signal_recalc_locked(struct task *t)
{
	u64 pending = t->pending.set.bits | t->proc->pending.set.bits;

	if ((pending & ~t->blocked.bits) || (t->jobctl & JOBCTL_PENDING) ||
	    (t->proc->sig_flags &
	     (PROC_TELL_STOPPED | PROC_TELL_CONTINUED))) {
		task_set_flag(t, TIF_SIGPENDING);
		return true;
	}
	return false;
}

void signal_recalc(struct task *t)
{
	if (!signal_recalc_locked(t) && t == current)
		task_clear_flag(t, TIF_SIGPENDING);
}

/*
 * SIGCONT: nobody has to stop any more, and who has stopped goes on.  Even an
 * ignored or blocked one does that.
 */
static void undo_stop_locked(struct process *p)
{
	struct task *t;
	u32 why = 0;

	sigqueue_drop(&p->pending, SIGS_STOP);
	if (p->sig_flags & PROC_STOPPED)
		why = PROC_TELL_CONTINUED;
	else if (p->stop_count)
		why = PROC_TELL_STOPPED;
	list_for_each_entry(t, &p->threads, thread_link) {
		sigqueue_drop(&t->pending, SIGS_STOP);
		t->jobctl &= ~(JOBCTL_STOP_PENDING | JOBCTL_STOP_CONSUME |
			       JOBCTL_STOP_DEQUEUED);
		if (!(t->ptrace & PT_SEIZED)) {
			wake_up_task(t, TASK_STOPPED);
		} else {
			t->jobctl |= JOBCTL_TRAP_STOP;
			signal_wake_locked(t, false);
			if (t->ptrace & PT_LISTENING)
				wake_up_task(t, TASK_TRACED);
		}
	}
	if (!why)
		return;
	/* The first thread to pass signal delivery tells the parent. */
	p->sig_flags |= why | PROC_CONTINUED;
	p->sig_flags &= ~(PROC_STOPPED | PROC_STOP_WAITED);
	p->stop_count = 0;
	p->group_exit_code = 0;
	list_for_each_entry(t, &p->threads, thread_link)
		fetch_or_acq_rel(&t->ti.flags, TIF_SIGPENDING);
}

/* Side effects of sig on the process; false: nothing is to be queued. */
static bool prepare_locked(struct task *t, int sig, bool force)
{
	struct process *p = t->proc;
	struct task *each;

	/* Dying already. */
	if (p->sig_flags & PROC_GROUP_EXIT)
		return false;
	if (sig_in(sig, SIGS_STOP)) {
		sigqueue_drop(&p->pending, SIGMASK(SIGCONT));
		list_for_each_entry(each, &p->threads, thread_link)
			sigqueue_drop(&each->pending, SIGMASK(SIGCONT));
	} else if (sig == SIGCONT) {
		undo_stop_locked(p);
	}
	return !is_ignored(t, sig, force);
}

static bool wants(int sig, struct task *t)
{
	u32 state = READ_ONCE(t->state);

	if (sigset_has(&t->blocked, sig) || (t->flags & TASK_EXITING))
		return false;
	if (sig == SIGKILL)
		return true;
	if (state & (TASK_STOPPED | TASK_TRACED))
		return false;
	return t == current || !signal_pending(t);
}

void signal_zap_others_locked(struct process *p, s32 code)
{
	struct task *t;

	p->sig_flags |= PROC_GROUP_EXIT;
	p->group_exit_code = code;
	p->stop_count = 0;
	list_for_each_entry(t, &p->threads, thread_link) {
		t->jobctl &= ~(JOBCTL_PENDING | JOBCTL_STOP_CONSUME);
		if (t == current || (t->flags & TASK_EXITING))
			continue;
		sigset_add(&t->pending.set, SIGKILL);
		signal_wake_locked(t, true);
	}
}

/* Every thread, current too where it belongs to p. */
static void signal_kill_locked(struct process *p, int sig)
{
	signal_zap_others_locked(p, sig);
	if (current->proc == p && !(current->flags & TASK_EXITING)) {
		sigset_add(&current->pending.set, SIGKILL);
		signal_wake_locked(current, true);
	}
}

/* A thread for the pending signal; a fatal one starts the group exit. */
static void complete_locked(struct task *t, int sig, bool group)
{
	struct process *p = t->proc;
	struct task *target = NULL, *each;

	if (wants(sig, t)) {
		target = t;
	} else if (group) {
		list_for_each_entry(each, &p->threads, thread_link) {
			if (wants(sig, each)) {
				target = each;
				break;
			}
		}
	}
	if (!target)
		return;
	if (handler_of(target, sig) == SIG_DFL &&
	    !sig_in(sig, SIGS_IGNORE | SIGS_STOP) &&
	    !(p->sig_flags & (PROC_GROUP_EXIT | PROC_UNKILLABLE)) &&
	    !sigset_has(&target->real_blocked, sig) &&
	    (sig == SIGKILL || !target->ptrace)) {
		signal_kill_locked(p, sig);
		return;
	}
	signal_wake_locked(target, sig == SIGKILL);
}

static void fill_info(struct siginfo *to, int sig, const struct siginfo *info)
{
	if (info) {
		*to = *info;
		to->si_signo = sig;
		return;
	}
	memset(to, 0, sizeof(*to));
	to->si_signo = sig;
	to->si_code = SI_KERNEL;
}

static void post_locked(struct task *t, struct sigqueue *q, int sig,
			bool group)
{
	sigset_add(&q->set, sig);
	if (!list_empty(&t->proc->signal_wait.waiters))
		wake_up_all(&t->proc->signal_wait);
	complete_locked(t, sig, group);
}

/* What came of a signal, as the tracepoint tells it. */
enum generated {
	DELIVERED, IGNORED, ALREADY_PENDING, OVERFLOW_FAIL, LOSE_INFO,
};

static enum generated queue_locked(struct task *t, struct sigqueue *q, int sig,
				   const struct siginfo *info)
{
	struct sigqueue_entry *e;

	if (sig == SIGKILL || (t->flags & TASK_KTHREAD))
		return DELIVERED;
	e = sigqueue_alloc(t, sig < SIGRTMIN && (!info || info->si_code >= 0));
	if (e) {
		fill_info(&e->info, sig, info);
		e->queue = q;
		list_add_tail(&e->link, &q->list);
		q->nr++;
		return DELIVERED;
	}
	if (sig >= SIGRTMIN && info && info->si_code != SI_USER)
		return OVERFLOW_FAIL;
	return LOSE_INFO;
}

int signal_send_locked(struct task *t, int sig, const struct siginfo *info,
		       bool group, bool force)
{
	struct sigqueue *q = group ? &t->proc->pending : &t->pending;
	bool from_kernel = !info || info->si_code == SI_KERNEL;
	enum generated what = IGNORED;

	/* A zombie takes every signal, and does not mind. */
	if (t->exit_state)
		return 0;
	if (!prepare_locked(t, sig, force || from_kernel))
		goto out;
	what = ALREADY_PENDING;
	if (sig < SIGRTMIN && sigset_has(&q->set, sig))
		goto out;
	what = queue_locked(t, q, sig, info);
	if (what != OVERFLOW_FAIL)
		post_locked(t, q, sig, group);
out:
	trace_signal_generate(sig, info, t, group, (int)what);
	return what == OVERFLOW_FAIL ? -EAGAIN : 0;
}

/* A posix timer's entry: see signal_send_timer. */
int signal_post_entry_locked(struct task *t, struct sigqueue *q,
			     struct sigqueue_entry *e, bool group)
{
	int sig = e->info.si_signo;

	if (t->exit_state || !prepare_locked(t, sig, false))
		return -1;
	if (!list_empty(&e->link))
		return 1;
	e->queue = q;
	list_add_tail(&e->link, &q->list);
	q->nr++;
	post_locked(t, q, sig, group);
	return 0;
}

int signal_send_task(struct task *t, int sig, const struct siginfo *info)
{
	unsigned long flags = spin_lock_irqsave(&t->proc->siglock);
	int ret = signal_send_locked(t, sig, info, false, false);

	spin_unlock_irqrestore(&t->proc->siglock, flags);
	return ret;
}

/* The thread that stands for p: siglock held.  NULL: all are gone. */
static struct task *representative(struct process *p)
{
	struct task *t;

	list_for_each_entry(t, &p->threads, thread_link) {
		if (!t->exit_state)
			return t;
	}
	return NULL;
}

int signal_send_process(struct process *p, int sig, const struct siginfo *info)
{
	unsigned long flags = spin_lock_irqsave(&p->siglock);
	struct task *t = representative(p);
	int ret = 0;

	if (t)
		ret = signal_send_locked(t, sig, info, true, false);
	spin_unlock_irqrestore(&p->siglock, flags);
	return ret;
}

int signal_send_pgrp(struct pid *pgrp, int sig, const struct siginfo *info)
{
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	struct process *p;
	int ret = -ESRCH, one;

	list_for_each_entry(p, &pgrp->members[PID_PGRP], pgrp_link) {
		one = signal_send_process(p, sig, info);
		if (ret == -ESRCH || !one)
			ret = one;
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return ret;
}

/*
 * A signal that current cannot go on without: if it is blocked or ignored,
 * the default action is put back, and even init dies of it.
 */
void signal_force_info(const struct siginfo *info)
{
	struct process *p = current->proc;
	struct sigaction_k *act;
	unsigned long flags;
	int sig = info->si_signo;
	bool blocked;

	flags = spin_lock_irqsave(&p->siglock);
	act = &p->sighand->action[sig - 1];
	blocked = sigset_has(&current->blocked, sig);
	if (blocked || user_addr(act->handler) == SIG_IGN) {
		act->handler = user_ptr(SIG_DFL);
		if (blocked) {
			sigset_del(&current->blocked, sig);
			signal_recalc_locked(current);
		}
	}
	if (user_addr(act->handler) == SIG_DFL && !current->ptrace)
		p->sig_flags &= ~PROC_UNKILLABLE;
	signal_send_locked(current, sig, info, false, true);
	spin_unlock_irqrestore(&p->siglock, flags);
}

void signal_force(int sig, int code, u64 addr)
{
	struct siginfo info;

	memset(&info, 0, sizeof(info));
	info.si_signo = sig;
	info.si_code = code;
	info.si_addr = addr;
	signal_force_info(&info);
}

void signal_kill_process(struct process *p, int sig)
{
	unsigned long flags = spin_lock_irqsave(&p->siglock);

	if (!(p->sig_flags & PROC_GROUP_EXIT))
		signal_kill_locked(p, sig);
	spin_unlock_irqrestore(&p->siglock, flags);
}

bool signal_pending(const struct task *t)
{
	return READ_ONCE(t->ti.flags) & TIF_SIGPENDING;
}

bool fatal_signal_pending(const struct task *t)
{
	return signal_pending(t) &&
	       (READ_ONCE(t->pending.set.bits) & SIGMASK(SIGKILL));
}

bool signal_pending_state(u32 state)
{
	if (likely(!signal_pending(current)))
		return false;
	if (state & TASK_INTERRUPTIBLE)
		return true;
	return (state & (TASK_KILLABLE | TASK_STOPPED | TASK_TRACED)) &&
	       fatal_signal_pending(current);
}

int signal_dequeue_locked(struct task *t, u64 mask, struct siginfo *info)
{
	int sig = sigqueue_take(&t->pending, mask, info);

	if (!sig)
		sig = sigqueue_take(&t->proc->pending, mask, info);
	if (sig && sig_in(sig, SIGS_STOP))
		t->jobctl |= JOBCTL_STOP_DEQUEUED;
	signal_recalc(t);
	return sig;
}

bool signal_is_pending(const struct sigset *set)
{
	u64 pending = READ_ONCE(current->pending.set.bits) |
		      READ_ONCE(current->proc->pending.set.bits);

	return pending & set->bits;
}

int signal_take(const struct sigset *set, struct siginfo *out)
{
	struct process *p = current->proc;
	unsigned long flags = spin_lock_irqsave(&p->siglock);
	int sig = signal_dequeue_locked(current, set->bits &
					~SIGS_KERNEL_ONLY, out);

	spin_unlock_irqrestore(&p->siglock, flags);
	return sig;
}
