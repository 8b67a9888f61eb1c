/* SPDX-License-Identifier: MIT */
/*
 * Spin locks: the contended path and pairs of one rank.
 *
 * Owns nothing but the waiting.  The uncontended path is inline in
 * <kernel/lock_inline.h>.  A waiter only reads until it sees the lock free
 * and hints the CPU in between, because the holder may be a virtual CPU that
 * is not running at the moment.  Must never sleep, allocate or print.
 */
#include <kernel/lock.h>
#include <kernel/trace_hooks.h>

void spin_init_named(struct spinlock *lock, enum lock_rank rank,
		     const char *name)
{
	lock->locked = 0;
#ifdef CONFIG_DEBUG_LOCK_RANK
	lock->rank = (u16)rank;
	lock->owner_cpu = -1;
	lock->name = name;
#endif
}

void spin_lock_slow(struct spinlock *lock)
{
	trace_contention_begin(lock, TRACE_LOCK_SPIN);
	do {
		while (READ_ONCE(lock->locked))
			arch_cpu_relax();
	} while (!spin_try_raw(lock));
	trace_contention_end(lock, 0);
}

/* The lower address is taken first, so that two pairs cannot cross. */
void spin_lock_two(struct spinlock *a, struct spinlock *b)
{
	if (a == b) {
		spin_lock(a);
	} else if (a < b) {
		spin_lock(a);
		spin_lock(b);
	} else {
		spin_lock(b);
		spin_lock(a);
	}
}

void spin_unlock_two(struct spinlock *a, struct spinlock *b)
{
	if (a != b)
		spin_unlock(a > b ? a : b);
	spin_unlock(a > b ? b : a);
}
