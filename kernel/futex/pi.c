/* SPDX-License-Identifier: MIT */
/*
 * Priority-inheriting futexes: LOCK_PI, TRYLOCK_PI, UNLOCK_PI.
 *
 * The word holds the owner's thread number.  A locker that finds another's
 * sets FUTEX_WAITERS, queues in the bucket and lends its FIFO priority to the
 * owner, and on to whomever that one waits for.  Unlocking hands the word to
 * the waiter of the highest priority.  When an owner dies, the kernel hands
 * over in its name with FUTEX_OWNER_DIED set.
 *
 * pi_lock (above the bucket locks) guards the list of all PI waiters, from
 * which a task's lent priority is recomputed.  Such waits are few; nothing
 * else pays for them.
 */
#include <kernel/panic.h>
#include <kernel/pid.h>
#include <kernel/sched.h>
#include <kernel/time.h>
#include <lib/err.h>

#include "internal.h"

#define PI_CHAIN_MAX 32

static struct spinlock pi_lock = SPINLOCK_INIT(LOCK_RANK_FUTEX_PI);
static struct list_head pi_waiters = LIST_HEAD_INIT(pi_waiters); /* [pi_lock] */

static u8 task_prio(const struct task *t)
{
	return t->se.rt_prio > t->se.boost ? t->se.rt_prio : t->se.boost;
}

/* [pi_lock] What t waits for, if anything. */
static struct futex_waiter *pi_wait_of(const struct task *t)
{
	struct futex_waiter *w;

	list_for_each_entry(w, &pi_waiters, pi_link) {
		if (w->task == t)
			return w;
	}
	return NULL;
}

/* [pi_lock] Lend t the best priority of those who wait for it, and so on. */
static void pi_propagate(struct task *t)
{
	struct futex_waiter *w;
	u32 depth;
	u8 best;

	for (depth = 0; t && depth < PI_CHAIN_MAX; depth++) {
		best = 0;
		list_for_each_entry(w, &pi_waiters, pi_link) {
			if (w->owner == t && task_prio(w->task) > best)
				best = task_prio(w->task);
		}
		sched_set_boost(t, best);
		w = pi_wait_of(t);
		t = w ? w->owner : NULL;
	}
}

/* [pi_lock] Would waiting for owner close a circle through me? */
static bool pi_is_cycle(struct task *owner, const struct task *me)
{
	struct futex_waiter *w;
	u32 depth;

	for (depth = 0; owner && depth < PI_CHAIN_MAX; depth++) {
		if (owner == me)
			return true;
		w = pi_wait_of(owner);
		owner = w ? w->owner : NULL;
	}
	return false;
}

/*
 * Takes over the caller's reference to owner, unless it fails.  An owner that
 * has begun to exit sees this waiter, or is seen exiting here: -EBUSY.
 */
int futex_pi_attach(struct futex_waiter *w, struct task *owner)
{
	int ret = 0;

	spin_lock(&pi_lock);
	fetch_add_relaxed(&owner->pi_waiters, 1);
	arch_smp_mb();
	if (READ_ONCE(owner->flags) & TASK_EXITING)
		ret = -EBUSY;
	else if (pi_is_cycle(owner, w->task))
		ret = -EDEADLK;
	if (ret) {
		fetch_add_relaxed(&owner->pi_waiters, (u32)-1);
	} else {
		w->owner = owner;
		list_add_tail(&w->pi_link, &pi_waiters);
		pi_propagate(owner);
	}
	spin_unlock(&pi_lock);
	return ret;
}

void futex_pi_detach(struct futex_waiter *w)
{
	struct task *owner = w->owner;

	spin_lock(&pi_lock);
	list_del(&w->pi_link);
	fetch_add_relaxed(&owner->pi_waiters, (u32)-1);
	pi_propagate(owner);
	spin_unlock(&pi_lock);
	task_put(owner);
}

/* [bucket lock] The waiter for key that is served next; *more: others too. */
static struct futex_waiter *pi_top(struct futex_bucket *b,
				   const struct futex_key *key, bool *more)
{
	struct futex_waiter *w, *top = NULL;

	*more = false;
	list_for_each_entry(w, &b->waiters, link) {
		if (!w->pi || !futex_key_same(&w->key, key))
			continue;
		if (top)
			*more = true;
		if (!top || task_prio(w->task) > task_prio(top->task))
			top = w;
	}
	return top;
}

/* [bucket lock] top owns the lock now; those left wait for it. */
static void pi_hand_over(struct futex_bucket *b, struct futex_waiter *top)
{
	struct task *heir = top->task, *old;
	struct futex_waiter *w;

	list_del(&top->link);
	futex_pi_detach(top);
	list_for_each_entry(w, &b->waiters, link) {
		if (!w->pi || !futex_key_same(&w->key, &top->key))
			continue;
		spin_lock(&pi_lock);
		old = w->owner;
		w->owner = task_get(heir);
		fetch_add_relaxed(&heir->pi_waiters, 1);
		fetch_add_relaxed(&old->pi_waiters, (u32)-1);
		pi_propagate(old);
		pi_propagate(heir);
		spin_unlock(&pi_lock);
		task_put(old);
	}
	store_release(&top->bucket, NULL);
	wake_up_task(heir, TASK_SLEEPING);
}

/*
 * [bucket lock] owner does not run user code (any more).  -EBUSY: its death
 * will change the word, look again later.
 */
static int pi_owner_gone(u32 __user *uaddr, u32 val, struct task *owner)
{
	u32 seen;

	if (!(READ_ONCE(owner->flags) & TASK_EXITING))
		return -EPERM;		/* a kernel thread */
	if (READ_ONCE(owner->mm))
		return -EBUSY;
	arch_smp_mb();
	if (futex_peek(&seen, uaddr))
		return -EFAULT;
	return seen == val ? -ESRCH : FUTEX_CHANGED;
}

int futex_pi_try(u32 __user *uaddr, struct futex_bucket *b,
		 const struct futex_key *key, struct task *who, bool more,
		 struct task **owner)
{
	u32 me = (u32)task_tid(who), val, seen, want;
	bool others;
	int ret;

	if (futex_peek(&val, uaddr))
		return -EFAULT;
	if ((val & FUTEX_TID_MASK) == me)
		return -EDEADLK;
	if (!(val & FUTEX_TID_MASK)) {
		want = (val & FUTEX_OWNER_DIED) | me;
		if (more || pi_top(b, key, &others))
			want |= FUTEX_WAITERS;
		ret = futex_swap(uaddr, val, want, &seen);
		return ret ? ret : seen == val ? 0 : FUTEX_CHANGED;
	}
	if (!owner)
		return -EAGAIN;
	if (!(val & FUTEX_WAITERS)) {
		ret = futex_swap(uaddr, val, val | FUTEX_WAITERS, &seen);
		if (ret || seen != val)
			return ret ? ret : FUTEX_CHANGED;
		val |= FUTEX_WAITERS;
	}
	*owner = task_find_get((s32)(val & FUTEX_TID_MASK));
	if (!*owner)
		return -ESRCH;
	if (READ_ONCE((*owner)->mm) &&
	    !(READ_ONCE((*owner)->flags) & TASK_EXITING))
		return FUTEX_HELD;
	ret = pi_owner_gone(uaddr, val, *owner);
	task_put(*owner);
	return ret;
}

/* [bucket lock, released] Sleep until the lock is handed over. */
static long pi_sleep(struct futex_bucket *b, struct futex_waiter *w,
		     u64 deadline)
{
	bool in_time;

	futex_queue(b, w);
	for (;;) {
		set_current_state(TASK_INTERRUPTIBLE);
		spin_unlock(&b->lock);
		in_time = true;
		if (load_acquire(&w->bucket))
			in_time = schedule_until(deadline);
		WRITE_ONCE(current->state, TASK_RUNNING);
		spin_lock(&b->lock);
		if (!w->bucket)
			break;
		if (in_time && !signal_pending(current))
			continue;
		list_del(&w->link);
		w->bucket = NULL;
		futex_pi_detach(w);
		spin_unlock(&b->lock);
		return in_time ? -ERESTARTNOINTR : -ETIMEDOUT;
	}
	spin_unlock(&b->lock);
	return 0;
}

int futex_pi_pause(void)
{
	u64 until = time_mono_ns() + NSEC_PER_MSEC;

	return time_sleep_until(until, true) ? -ERESTARTNOINTR : 0;
}

long futex_lock_pi(u32 __user *uaddr, u32 flags, u64 deadline, bool try)
{
	struct futex_waiter w = { .task = current, .pi = true,
				  .bitset = FUTEX_BITSET_MATCH_ANY,
				  .uaddr = uaddr };
	struct task *owner = NULL;
	struct futex_bucket *b;
	int ret;

	for (;;) {
		ret = futex_key(uaddr, flags, &w.key);
		if (ret)
			return ret;
		b = futex_bucket(&w.key);
		spin_lock(&b->lock);
		ret = futex_pi_try(uaddr, b, &w.key, current, false,
				   try ? NULL : &owner);
		if (ret == FUTEX_HELD) {
			ret = futex_pi_attach(&w, owner);
			if (!ret)
				return pi_sleep(b, &w, deadline);
			task_put(owner);
		}
		spin_unlock(&b->lock);
		if (ret == -EFAULT)
			ret = futex_fault_in(uaddr);
		else if (ret == -EBUSY)
			ret = futex_pi_pause();
		else if (ret == FUTEX_CHANGED)
			continue;
		else
			return ret;
		if (ret)
			return ret;
	}
}

/* [bucket lock] Release in the name of from.  -EAGAIN, -EFAULT, -EPERM. */
static int pi_release(u32 __user *uaddr, struct futex_bucket *b,
		      const struct futex_key *key, u32 from, u32 died)
{
	struct futex_waiter *top;
	u32 val, seen, want;
	bool more;
	int ret;

	if (futex_peek(&val, uaddr))
		return -EFAULT;
	if ((val & FUTEX_TID_MASK) != from)
		return -EPERM;
	top = pi_top(b, key, &more);
	want = died;
	if (top)
		want |= (u32)task_tid(top->task) | (more ? FUTEX_WAITERS : 0);
	ret = futex_swap(uaddr, val, want, &seen);
	if (ret)
		return ret;
	if (seen != val)
		return -EAGAIN;
	if (top)
		pi_hand_over(b, top);
	return 0;
}

long futex_unlock_pi(u32 __user *uaddr, u32 flags)
{
	struct futex_bucket *b;
	struct futex_key key;
	u32 seen;
	int ret;

	for (;;) {
		/* Whose it is comes first, even at an address that has no
		 * key. */
		if (get_user(seen, uaddr))
			return -EFAULT;
		if ((seen & FUTEX_TID_MASK) != (u32)task_tid(current))
			return -EPERM;
		ret = futex_key(uaddr, flags, &key);
		if (ret)
			return ret;
		b = futex_bucket(&key);
		spin_lock(&b->lock);
		ret = pi_release(uaddr, b, &key, (u32)task_tid(current), 0);
		spin_unlock(&b->lock);
		if (ret == -EFAULT)
			ret = futex_fault_in(uaddr);
		else if (ret != -EAGAIN)
			return ret;
		else
			ret = 0;
		if (ret)
			return ret;
	}
}

/* A waiter for a lock of t, with its word; false when there is none. */
static bool pi_find_waiter(struct task *t, u32 __user **uaddr,
			   struct futex_key *key)
{
	struct futex_waiter *w;
	bool found = false;

	spin_lock(&pi_lock);
	list_for_each_entry(w, &pi_waiters, pi_link) {
		if (w->owner == t) {
			*uaddr = w->uaddr;
			*key = w->key;
			found = true;
			break;
		}
	}
	spin_unlock(&pi_lock);
	return found;
}

/*
 * t is current and dies; uaddr, in its space, holds a lock of its own.  True
 * if somebody waited, and has it now.
 */
bool futex_exit_pi_word(u32 __user *uaddr, struct task *t)
{
	struct futex_bucket *b;
	struct futex_key key;
	bool more, waited;
	u32 flags;
	int ret;

	/* The list does not say which kind of key the waiters used. */
	for (flags = 0; flags <= FUTEX_SHARED; flags++) {
		do {
			if (futex_key(uaddr, flags, &key))
				return false;
			b = futex_bucket(&key);
			spin_lock(&b->lock);
			ret = 0;
			waited = pi_top(b, &key, &more) != NULL;
			if (waited)
				ret = pi_release(uaddr, b, &key,
						 (u32)task_tid(t),
						 FUTEX_OWNER_DIED);
			spin_unlock(&b->lock);
			if (ret == -EFAULT)
				ret = futex_fault_in(uaddr) ? -EFAULT : -EAGAIN;
		} while (ret == -EAGAIN);
		if (waited && !ret)
			return true;
	}
	return false;
}

/*
 * t is current and dies (its space is still there): pass on what its robust
 * list did not name.
 */
void futex_exit_pi(struct task *t)
{
	struct futex_waiter *top;
	u32 __user *uaddr;
	struct futex_bucket *b;
	struct futex_key key;
	bool more;
	int ret;

	while (READ_ONCE(t->pi_waiters) && pi_find_waiter(t, &uaddr, &key)) {
		b = futex_bucket(&key);
		spin_lock(&b->lock);
		ret = pi_release(uaddr, b, &key, (u32)task_tid(t),
				 FUTEX_OWNER_DIED);
		if (ret == -EPERM) {
			/* User space lied about the owner: just let go. */
			top = pi_top(b, &key, &more);
			if (top)
				pi_hand_over(b, top);
			ret = 0;
		}
		spin_unlock(&b->lock);
		if (ret == -EFAULT && futex_fault_in(uaddr)) {
			spin_lock(&b->lock);
			top = pi_top(b, &key, &more);
			if (top)
				pi_hand_over(b, top);
			spin_unlock(&b->lock);
		}
	}
}
