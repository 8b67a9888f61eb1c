/* SPDX-License-Identifier: MIT */
/*
 * From a plain futex to a PI lock: WAIT_REQUEUE_PI and CMP_REQUEUE_PI, from
 * which condition variables over PI mutexes are made.
 *
 * A waiter names the lock beforehand and is woken owning it.  The requeuer
 * takes the lock in the name of the best waiter or, where it is held, makes
 * waiters of the lock out of them; whoever unlocks it then hands it over as
 * to any other.  Such a waiter is never woken by a plain wake (EINVAL).
 *
 * Locks: both buckets, by address; under them pi_lock through futex_pi_*.
 */
#include <kernel/sched.h>
#include <lib/err.h>

#include "internal.h"

/* The waiter's bucket, locked; NULL when w was woken. */
static struct futex_bucket *lock_waiter(struct futex_waiter *w)
{
	struct futex_bucket *b;

	while ((b = load_acquire(&w->bucket))) {
		spin_lock(&b->lock);
		if (w->bucket == b)
			return b;
		spin_unlock(&b->lock);	/* it was requeued meanwhile */
	}
	return NULL;
}

/* Sleep until the lock is mine: 0.  Else why not, and w is off its list. */
static long wait_for_lock(struct futex_waiter *w, u64 deadline)
{
	struct futex_bucket *b;
	bool in_time = true;
	long ret;

	for (;;) {
		if (load_acquire(&w->bucket))
			in_time = schedule_until(deadline);
		WRITE_ONCE(current->state, TASK_RUNNING);
		b = lock_waiter(w);
		if (!b)
			return 0;
		if (!in_time || signal_pending(current))
			break;
		set_current_state(TASK_INTERRUPTIBLE);
		spin_unlock(&b->lock);
	}
	/* Once moved there is no way back: the word has changed by then. */
	ret = !in_time ? -ETIMEDOUT : w->pi ? -EAGAIN : -ERESTARTNOINTR;
	list_del(&w->link);
	w->bucket = NULL;
	if (w->pi)
		futex_pi_detach(w);
	spin_unlock(&b->lock);
	return ret;
}

long futex_wait_requeue_pi(u32 __user *uaddr, u32 flags, u32 val, u64 deadline,
			   u32 __user *uaddr2)
{
	struct futex_waiter w = { .task = current, .to_pi = true,
				  .bitset = FUTEX_BITSET_MATCH_ANY,
				  .uaddr = uaddr2 };
	int ret;

	if (uaddr == uaddr2)
		return -EINVAL;
	ret = futex_key(uaddr2, flags, &w.pi_key);
	if (!ret)
		ret = futex_key(uaddr, flags, &w.key);
	if (ret)
		return ret;
	if (futex_key_same(&w.key, &w.pi_key))
		return -EINVAL;
	ret = futex_wait_queue(uaddr, flags, val, &w);
	return ret ? ret : wait_for_lock(&w, deadline);
}

/* [bucket lock] The waiter for key of the highest priority, or NULL. */
static struct futex_waiter *best_waiter(struct futex_bucket *b,
					const struct futex_key *key)
{
	struct futex_waiter *w, *best = NULL;

	list_for_each_entry(w, &b->waiters, link) {
		if (futex_key_same(&w->key, key) &&
		    (!best || w->task->se.rt_prio > best->task->se.rt_prio))
			best = w;
	}
	return best;
}

/* [both locks] w becomes a waiter of the lock that owner holds. */
static int move_waiter(struct futex_waiter *w, struct futex_bucket *to,
		       struct task *owner)
{
	struct futex_key old = w->key;
	int ret;

	w->key = w->pi_key;	/* a dying owner looks it up once attached */
	ret = futex_pi_attach(w, owner);
	if (ret) {
		w->key = old;
		task_put(owner);
		return ret;
	}
	w->pi = true;
	w->to_pi = false;
	if (w->bucket != to) {
		list_move_tail(&w->link, &to->waiters);
		store_release(&w->bucket, to);
	}
	return 0;
}

struct requeue {
	u32 __user *uaddr2;
	struct futex_key key, key2;
	struct futex_bucket *from, *to;
	bool more;		/* the first that gets the lock sets WAITERS */
	bool faulted;		/* -EFAULT is of uaddr2's word, in its swap */
	s64 left;		/* waiters that may still be served */
	long done;		/* ... that were */
};

/* [both locks] 0 when all was done, else as futex_pi_try. */
static int requeue_locked(struct requeue *rq)
{
	struct futex_waiter *w;
	struct task *owner;
	int ret;

	while (rq->left > 0 && (w = best_waiter(rq->from, &rq->key))) {
		if (!w->to_pi || !futex_key_same(&w->pi_key, &rq->key2))
			return -EINVAL;
		ret = futex_pi_try(rq->uaddr2, rq->to, &rq->key2, w->task,
				   rq->more, &owner);
		if (ret == FUTEX_HELD)
			ret = move_waiter(w, rq->to, owner);
		else if (!ret)
			futex_wake_waiter(w);
		rq->faulted = ret == -EFAULT;
		if (ret)
			return ret;
		rq->left--;
		rq->done++;
	}
	return 0;
}

/* One round: 0, or why it stopped; the word is compared in the first only. */
static int requeue_round(struct requeue *rq, u32 __user *uaddr, u32 flags,
			 u32 cmp)
{
	u32 seen = cmp;
	int ret;

	ret = futex_key(uaddr, flags, &rq->key);
	if (!ret)
		ret = futex_key(rq->uaddr2, flags, &rq->key2);
	if (ret)
		return ret;
	if (futex_key_same(&rq->key, &rq->key2))
		return -EINVAL;
	rq->from = futex_bucket(&rq->key);
	rq->to = futex_bucket(&rq->key2);
	for (;;) {
		spin_lock_two(&rq->from->lock, &rq->to->lock);
		if (rq->done || !futex_peek(&seen, uaddr))
			break;
		spin_unlock_two(&rq->from->lock, &rq->to->lock);
		if (get_user(seen, uaddr))
			return -EFAULT;
	}
	ret = seen == cmp ? requeue_locked(rq) : -EAGAIN;
	spin_unlock_two(&rq->from->lock, &rq->to->lock);
	return ret;
}

long futex_requeue_pi(u32 __user *uaddr, u32 flags, u32 __user *uaddr2,
		      s32 nr_wake, s32 nr_requeue, u32 cmp)
{
	struct requeue rq = { .uaddr2 = uaddr2, .more = nr_requeue > 0,
			      .left = (s64)nr_wake + nr_requeue };
	int ret;

	if (nr_wake != 1 || nr_requeue < 0 || uaddr == uaddr2)
		return -EINVAL;
	for (;;) {
		rq.faulted = false;
		ret = requeue_round(&rq, uaddr, flags, cmp);
		if (ret == -EFAULT && rq.faulted)
			ret = futex_fault_in(uaddr2);
		else if (ret == -EBUSY)
			ret = futex_pi_pause();
		else if (ret == FUTEX_CHANGED)
			continue;
		else
			return ret ? ret : rq.done;
		if (ret)
			return ret;
	}
}
