/* SPDX-License-Identifier: MIT */
/*
 * Waiting on a futex.
 *
 * The word is compared under the bucket's lock with the waiter about to be
 * queued, so that a wake after the comparison finds it.  A relative wait that
 * a signal breaks is resumed through restart_syscall with its deadline.
 */
#include <kernel/sched.h>
#include <kernel/time.h>
#include <lib/err.h>

#include "internal.h"

void futex_queue(struct futex_bucket *b, struct futex_waiter *w)
{
	w->bucket = b;
	list_add_tail(&w->link, &b->waiters);
}

bool futex_unqueue(struct futex_waiter *w)
{
	struct futex_bucket *b;

	while ((b = load_acquire(&w->bucket))) {
		spin_lock(&b->lock);
		if (w->bucket == b) {
			list_del(&w->link);
			w->bucket = NULL;
			spin_unlock(&b->lock);
			return true;
		}
		spin_unlock(&b->lock);	/* it was requeued meanwhile */
	}
	return false;
}

int futex_wait_queue(u32 __user *uaddr, u32 flags, u32 val,
		     struct futex_waiter *w)
{
	struct futex_bucket *b;
	u32 seen;
	int ret;

	for (;;) {
		ret = futex_key(uaddr, flags, &w->key);
		if (ret)
			return ret;
		b = futex_bucket(&w->key);
		spin_lock(&b->lock);
		ret = futex_peek(&seen, uaddr);
		if (!ret)
			break;
		spin_unlock(&b->lock);
		ret = get_user(seen, uaddr);
		if (ret)
			return ret;
	}
	if (seen != val) {
		spin_unlock(&b->lock);
		return -EAGAIN;
	}
	futex_queue(b, w);
	set_current_state(TASK_INTERRUPTIBLE);
	spin_unlock(&b->lock);
	return 0;
}

static long futex_wait_restart(struct restart_block *rb)
{
	u32 __user *uaddr = user_ptr(rb->arg[0]);

	return futex_wait(uaddr, (u32)rb->arg[1], (u32)rb->arg[2], rb->arg[3],
			  (u32)rb->arg[4], true);
}

long futex_wait(u32 __user *uaddr, u32 flags, u32 val, u64 deadline,
		u32 bitset, bool restartable)
{
	struct futex_waiter w = { .task = current, .bitset = bitset };
	struct restart_block *rb = &current->restart;
	bool in_time = true;
	int ret;

	if (!bitset)
		return -EINVAL;
	for (;;) {
		ret = futex_wait_queue(uaddr, flags, val, &w);
		if (ret)
			return ret;
		if (load_acquire(&w.bucket))
			in_time = schedule_until(deadline);
		WRITE_ONCE(current->state, TASK_RUNNING);
		if (!futex_unqueue(&w))
			return 0;
		if (!in_time)
			return -ETIMEDOUT;
		if (signal_pending(current))
			break;
	}
	if (deadline == ~0ull || !restartable)
		return -ERESTARTSYS;
	rb->fn = futex_wait_restart;
	rb->arg[0] = user_addr(uaddr);
	rb->arg[1] = flags;
	rb->arg[2] = val;
	rb->arg[3] = deadline;
	rb->arg[4] = bitset;
	return -ERESTART_RESTARTBLOCK;
}
