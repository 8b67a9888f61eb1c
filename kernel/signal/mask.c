/* SPDX-License-Identifier: MIT */
/*
 * The set of blocked signals: rt_sigprocmask, rt_sigpending, rt_sigsuspend,
 * and the temporary masks of ppoll and its like.
 *
 * Locks: current's own mask is written under siglock, because senders read
 * it there.
 */
#include <kernel/sched.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>

#include "internal.h"

void signal_set_blocked(const struct sigset *set)
{
	struct process *p = current->proc;
	u64 bits = set->bits & ~SIGS_KERNEL_ONLY;
	u64 shared, newly;
	struct task *t;

	if (current->blocked.bits == bits)
		return;
	siglock_irq(p);
	/* A shared signal that was to be mine needs another taker now. */
	newly = bits & ~current->blocked.bits;
	shared = p->pending.set.bits & newly;
	current->blocked.bits = bits;
	if (shared && signal_pending(current)) {
		list_for_each_entry(t, &p->threads, thread_link) {
			if (t != current && !(t->flags & TASK_EXITING) &&
			    (shared & ~t->blocked.bits) && !signal_pending(t))
				signal_wake_locked(t, false);
		}
	}
	signal_recalc(current);
	siglock_irq_release(p);
}

SYSCALL4(rt_sigprocmask, int, how, const struct sigset __user *, uset,
	 struct sigset __user *, uold, size_t, size)
{
	struct sigset old = current->blocked, set;

	if (size != sizeof(struct sigset))
		return -EINVAL;
	if (uset) {
		if (get_user(set.bits, user_field(uset, bits)))
			return -EFAULT;
		switch (how) {
		case SIG_BLOCK:
			set.bits |= old.bits;
			break;
		case SIG_UNBLOCK:
			set.bits = old.bits & ~set.bits;
			break;
		case SIG_SETMASK:
			break;
		default:
			return -EINVAL;
		}
		signal_set_blocked(&set);
	}
	if (uold)
		return put_user(old.bits, user_field(uold, bits));
	return 0;
}

SYSCALL2(rt_sigpending, struct sigset __user *, uset, size_t, size)
{
	struct process *p = current->proc;
	struct sigset set;

	if (size > sizeof(set))
		return -EINVAL;
	siglock_irq(p);
	set.bits = (current->pending.set.bits | p->pending.set.bits) &
		   current->blocked.bits;
	siglock_irq_release(p);
	return copy_to_user(uset, &set, size);
}

SYSCALL2(rt_sigsuspend, const struct sigset __user *, uset, size_t, size)
{
	struct sigset set;

	if (size != sizeof(set))
		return -EINVAL;
	if (get_user(set.bits, user_field(uset, bits)))
		return -EFAULT;
	current->saved_sigmask = current->blocked;
	signal_set_blocked(&set);
	while (!signal_pending(current)) {
		set_current_state(TASK_INTERRUPTIBLE);
		if (!signal_pending(current))
			schedule();
		set_current_state(TASK_RUNNING);
	}
	task_set_flag(current, TIF_RESTORE_MASK);
	return -ERESTARTNOHAND;
}

int signal_set_user_mask(const struct sigset __user *mask, size_t size)
{
	struct sigset set;

	if (!mask)
		return 0;
	if (size != sizeof(set))
		return -EINVAL;
	if (get_user(set.bits, user_field(mask, bits)))
		return -EFAULT;
	current->saved_sigmask = current->blocked;
	task_set_flag(current, TIF_RESTORE_MASK);
	signal_set_blocked(&set);
	return 0;
}

void signal_restore_user_mask(bool interrupted)
{
	if (interrupted || !(current->ti.flags & TIF_RESTORE_MASK))
		return;
	task_clear_flag(current, TIF_RESTORE_MASK);
	signal_set_blocked(&current->saved_sigmask);
}
