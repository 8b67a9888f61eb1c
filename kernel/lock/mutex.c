/* SPDX-License-Identifier: MIT */
/*
 * Mutexes: sleeping locks with one owner.
 *
 * The owner word holds the owning task and two flags.  Taking a free mutex
 * and releasing one that nobody waits for is one compare-and-swap.  While
 * there are waiters (bit 0) the release goes through wait_lock, wakes the
 * first and lets whoever is fastest take the mutex; a waiter that was woken
 * in vain asks for the next release to hand over to it (bit 1), so that none
 * starves.
 *
 * wait_lock guards the list and is taken with interrupts off, as every lock
 * of its rank.  Task context only; never from an interrupt.
 */
#include <kernel/lock.h>
#include <kernel/lockrank.h>
#include <kernel/panic.h>
#include <kernel/sched_base.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>
#include <lib/minmax.h>

#define MUTEX_WAITERS 1ul
#define MUTEX_HANDOFF 2ul
#define MUTEX_FLAGS   3ul

struct mutex_waiter {
	struct list_head link;	/* [wait_lock] */
	struct task *task;	/* [I] */
};

void mutex_init_named(struct mutex *lock, enum lock_rank rank,
		      const char *name)
{
	lock->owner = 0;
	spin_init(&lock->wait_lock, LOCK_RANK_WAITQ);
	list_init(&lock->waiters);
	lock->rank = (u16)rank;
	lock->name = name;
}

static unsigned long mutex_me(void)
{
	return (unsigned long)arch_current();
}

static bool mutex_take_free(struct mutex *lock)
{
	unsigned long old = 0;

	return try_cmpxchg_acquire(&lock->owner, &old, mutex_me());
}

/*
 * [wait_lock] Take the mutex, or leave the given flags on the owner's word so
 * that its release looks at the list.
 */
static bool mutex_take_or_flag(struct mutex *lock, unsigned long flags)
{
	unsigned long old = load_relaxed(&lock->owner);
	unsigned long owner;

	for (;;) {
		owner = old & ~MUTEX_FLAGS;
		if (owner == mutex_me())
			return true;	/* it was handed over */
		if (!owner) {
			if (try_cmpxchg_acquire(&lock->owner, &old,
						mutex_me() | MUTEX_WAITERS))
				return true;
		} else if (try_cmpxchg_relaxed(&lock->owner, &old,
					       old | flags)) {
			return false;
		}
	}
}

static void mutex_drop_waiter(struct mutex *lock, struct mutex_waiter *w)
{
	list_del(&w->link);
	if (list_empty(&lock->waiters))
		fetch_and_relaxed(&lock->owner, ~MUTEX_FLAGS);
}

static int mutex_lock_slow(struct mutex *lock, u32 state)
{
	struct mutex_waiter w = { .task = arch_current() };
	unsigned long want = MUTEX_WAITERS;
	unsigned long flags;
	int ret = 0;

	trace_contention_begin(lock, TRACE_LOCK_MUTEX);
	flags = spin_lock_irqsave(&lock->wait_lock);
	list_add_tail(&w.link, &lock->waiters);
	for (;;) {
		if (mutex_take_or_flag(lock, want))
			break;
		if (signal_pending_state(state)) {
			ret = -EINTR;
			break;
		}
		set_current_state(state);
		spin_unlock_irqrestore(&lock->wait_lock, flags);
		schedule();
		flags = spin_lock_irqsave(&lock->wait_lock);
		if (list_is_first(&w.link, &lock->waiters))
			want |= MUTEX_HANDOFF;
	}
	set_current_state(TASK_RUNNING);
	mutex_drop_waiter(lock, &w);
	spin_unlock_irqrestore(&lock->wait_lock, flags);
	trace_contention_end(lock, ret);
	return ret;
}

void mutex_lock(struct mutex *lock)
{
	might_sleep();
	lockrank_sleep_acquire(lock, lock->rank, lock->name, LOCK_CALLER);
	if (unlikely(!mutex_take_free(lock)))
		mutex_lock_slow(lock, TASK_UNINTERRUPTIBLE);
}

int mutex_lock_killable(struct mutex *lock)
{
	int ret = 0;

	might_sleep();
	lockrank_sleep_acquire(lock, lock->rank, lock->name, LOCK_CALLER);
	if (unlikely(!mutex_take_free(lock)))
		ret = mutex_lock_slow(lock, TASK_KILLABLE);
	if (unlikely(ret))
		lockrank_sleep_release(lock, lock->rank);
	return ret;
}

bool mutex_trylock(struct mutex *lock)
{
	if (!mutex_take_free(lock))
		return false;
	lockrank_sleep_acquired(lock, lock->rank, lock->name, LOCK_CALLER);
	return true;
}

static void mutex_unlock_slow(struct mutex *lock)
{
	unsigned long flags = spin_lock_irqsave(&lock->wait_lock);
	unsigned long word = load_relaxed(&lock->owner);
	struct mutex_waiter *first =
		list_first_entry_or_null(&lock->waiters, struct mutex_waiter,
					 link);
	unsigned long next;

	/* Flags change only under wait_lock; the owner is this task. */
	if (!first)
		next = 0;
	else if (word & MUTEX_HANDOFF)
		next = (unsigned long)first->task | MUTEX_WAITERS;
	else
		next = MUTEX_WAITERS;
	store_release(&lock->owner, next);
	if (first)
		wake_up_task(first->task, TASK_SLEEPING);
	spin_unlock_irqrestore(&lock->wait_lock, flags);
}

void mutex_unlock(struct mutex *lock)
{
	unsigned long old = mutex_me();

	ASSERT(mutex_is_locked_by_me(lock));
	lockrank_sleep_release(lock, lock->rank);
	if (unlikely(!try_cmpxchg_release(&lock->owner, &old, 0)))
		mutex_unlock_slow(lock);
}

bool mutex_is_locked_by_me(const struct mutex *lock)
{
	return (load_relaxed(&lock->owner) & ~MUTEX_FLAGS) == mutex_me();
}

void mutex_lock_two(struct mutex *a, struct mutex *b)
{
	if (a > b)
		swap(a, b);
	mutex_lock(a);
	if (a != b)
		mutex_lock(b);
}

void mutex_unlock_two(struct mutex *a, struct mutex *b)
{
	if (a != b)
		mutex_unlock(a > b ? a : b);
	mutex_unlock(a > b ? b : a);
}
