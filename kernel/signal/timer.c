/* SPDX-License-Identifier: MIT */
/*
 * Signals of POSIX timers, whose queue entry is allocated with the timer and
 * is never queued twice: a second expiry counts as an overrun instead.
 *
 * Locks: siglock of the receiver's process.
 */
#include <kernel/signal.h>
#include <kernel/task.h>
#include <lib/err.h>

#include "internal.h"

void (*signal_timer_dequeued)(struct k_itimer *timer, struct siginfo *info);

int signal_send_timer(struct task *t, struct sigqueue_entry *entry, bool group)
{
	struct process *p = t->proc;
	struct sigqueue *q = group ? &p->pending : &t->pending;
	unsigned long flags = spin_lock_irqsave(&p->siglock);
	int ret = signal_post_entry_locked(t, q, entry, group);

	spin_unlock_irqrestore(&p->siglock, flags);
	return ret;
}

void signal_timer_cancel(struct process *p, struct sigqueue_entry *entry)
{
	unsigned long flags = spin_lock_irqsave(&p->siglock);
	bool only = true;
	struct sigqueue_entry *e;
	struct sigqueue *q;
	struct task *t;

	if (list_empty(&entry->link))
		goto unlock;
	q = entry->queue;
	list_del_init(&entry->link);
	q->nr--;
	list_for_each_entry(e, &q->list, link)
		only &= e->info.si_signo != entry->info.si_signo;
	if (only)
		sigset_del(&q->set, entry->info.si_signo);
	list_for_each_entry(t, &p->threads, thread_link)
		signal_recalc(t);
unlock:
	spin_unlock_irqrestore(&p->siglock, flags);
}
