/* SPDX-License-Identifier: MIT */
/*
 * Waking and requeueing.
 *
 * Waiters are woken in the order in which they came, under the bucket's lock:
 * a woken task cannot be freed before the lock is released, because it goes
 * only after a grace period and the lock keeps preemption off.
 */
#include <kernel/sched.h>
#include <lib/err.h>

#include "internal.h"

void futex_wake_waiter(struct futex_waiter *w)
{
	struct task *t = w->task;

	list_del(&w->link);
	store_release(&w->bucket, NULL);	/* w is its owner's from here */
	wake_up_task(t, TASK_SLEEPING);
}

/* [bucket lock] -EINVAL when a PI waiter is met. */
static long wake_locked(struct futex_bucket *b, const struct futex_key *key,
			u32 nr, u32 bitset)
{
	struct futex_waiter *w, *next;
	long woken = 0;

	list_for_each_entry_safe(w, next, &b->waiters, link) {
		if (!futex_key_same(&w->key, key))
			continue;
		if (w->pi || w->to_pi)
			return -EINVAL;
		if (!(w->bitset & bitset))
			continue;
		futex_wake_waiter(w);
		if (++woken >= nr)
			break;
	}
	return woken;
}

long futex_wake_flags(u32 __user *uaddr, u32 flags, u32 nr, u32 bitset)
{
	struct futex_bucket *b;
	struct futex_key key;
	long ret;

	if (!bitset)
		return -EINVAL;
	ret = futex_key(uaddr, flags, &key);
	if (ret)
		return ret;
	b = futex_bucket(&key);
	/*
	 * Always: between comparing the word and queueing, a waiter is in no
	 * list and only the lock tells of it.
	 */
	spin_lock(&b->lock);
	ret = wake_locked(b, &key, nr, bitset);
	spin_unlock(&b->lock);
	return ret;
}

int futex_wake(u32 __user *uaddr, bool shared, u32 nr, u32 bitset)
{
	return (int)futex_wake_flags(uaddr, shared ? FUTEX_SHARED : 0, nr,
				     bitset);
}

/* [both locks] Wake the first nr_wake, move up to nr_requeue of the others. */
static long requeue_locked(struct futex_bucket *from, struct futex_bucket *to,
			   const struct futex_key *key,
			   const struct futex_key *key2, s32 nr_wake,
			   s32 nr_requeue)
{
	struct futex_waiter *w, *next;
	s32 done = 0;

	list_for_each_entry_safe(w, next, &from->waiters, link) {
		if (done - nr_wake >= nr_requeue)
			break;
		if (!futex_key_same(&w->key, key))
			continue;
		if (w->pi || w->to_pi)
			return -EINVAL;
		if (++done <= nr_wake) {
			futex_wake_waiter(w);
			continue;
		}
		w->key = *key2;
		if (from != to) {
			list_move_tail(&w->link, &to->waiters);
			store_release(&w->bucket, to);
		}
	}
	return done;
}

long futex_requeue(u32 __user *uaddr, u32 flags, u32 __user *uaddr2,
		   s32 nr_wake, s32 nr_requeue, const u32 *cmp)
{
	struct futex_bucket *b, *b2;
	struct futex_key key, key2;
	u32 seen;
	long ret;

	if (nr_wake < 0 || nr_requeue < 0)
		return -EINVAL;
	for (;;) {
		ret = futex_key(uaddr, flags, &key);
		if (!ret)
			ret = futex_key(uaddr2, flags, &key2);
		if (ret)
			return ret;
		b = futex_bucket(&key);
		b2 = futex_bucket(&key2);
		spin_lock_two(&b->lock, &b2->lock);
		if (!cmp || !futex_peek(&seen, uaddr))
			break;
		spin_unlock_two(&b->lock, &b2->lock);
		ret = get_user(seen, uaddr);
		if (ret)
			return ret;
	}
	if (cmp && seen != *cmp)
		ret = -EAGAIN;
	else
		ret = requeue_locked(b, b2, &key, &key2, nr_wake, nr_requeue);
	spin_unlock_two(&b->lock, &b2->lock);
	return ret;
}

/* The comparison that an encoded FUTEX_WAKE_OP makes with the old value. */
static int wake_op_compare(u32 op, u32 old)
{
	s32 arg = (s32)(op << 20) >> 20;

	switch (op >> 24 & 0xf) {
	case FUTEX_OP_CMP_EQ:
		return (s32)old == arg;
	case FUTEX_OP_CMP_NE:
		return (s32)old != arg;
	case FUTEX_OP_CMP_LT:
		return (s32)old < arg;
	case FUTEX_OP_CMP_GE:
		return (s32)old >= arg;
	case FUTEX_OP_CMP_LE:
		return (s32)old <= arg;
	case FUTEX_OP_CMP_GT:
		return (s32)old > arg;
	}
	return -ENOSYS;
}

static int wake_op_apply(u32 __user *uaddr, u32 op, u32 *old)
{
	u32 what = op >> 28 & 7;
	s32 arg = (s32)(op << 8) >> 20;
	int ret;

	if (op >> 28 & FUTEX_OP_OPARG_SHIFT)
		arg = (s32)(1u << (arg & 31));
	if (what > FUTEX_OP_XOR)
		return -ENOSYS;
	if (!access_ok(uaddr, sizeof(*uaddr)))
		return -EFAULT;
	current->faults_disabled++;
	ret = arch_user_atomic_op32(uaddr, (int)what, (u32)arg, old);
	current->faults_disabled--;
	return ret;
}

long futex_wake_op(u32 __user *uaddr, u32 flags, u32 __user *uaddr2,
		   s32 nr_wake, s32 nr_wake2, u32 op)
{
	struct futex_bucket *b, *b2;
	struct futex_key key, key2;
	long ret, more;
	u32 old;
	int cmp;

	for (;;) {
		ret = futex_key(uaddr, flags, &key);
		if (!ret)
			ret = futex_key(uaddr2, flags, &key2);
		if (ret)
			return ret;
		b = futex_bucket(&key);
		b2 = futex_bucket(&key2);
		spin_lock_two(&b->lock, &b2->lock);
		ret = wake_op_apply(uaddr2, op, &old);
		if (ret != -EFAULT)
			break;
		spin_unlock_two(&b->lock, &b2->lock);
		ret = futex_fault_in(uaddr2);
		if (ret)
			return ret;
	}
	if (ret)
		goto unlock;
	ret = wake_locked(b, &key, (u32)nr_wake, FUTEX_BITSET_MATCH_ANY);
	cmp = wake_op_compare(op, old);
	if (cmp < 0)
		ret = cmp;
	if (ret >= 0 && cmp > 0) {
		more = wake_locked(b2, &key2, (u32)nr_wake2,
				   FUTEX_BITSET_MATCH_ANY);
		ret = more < 0 ? more : ret + more;
	}
unlock:
	spin_unlock_two(&b->lock, &b2->lock);
	return ret;
}
