/* SPDX-License-Identifier: MIT */
/*
 * Reference counts that saturate instead of wrapping.
 *
 * An object starts with ref_init(&o->ref) = 1. ref_get() needs a reference
 * already held; ref_get_unless_zero() is for lookups that may race with the
 * last put. ref_put() returns true to the one who must free. A count that is
 * abused (overflow, get from zero, put below zero) sticks at REF_SATURATED:
 * the object leaks, which is harmless, rather than being freed under someone.
 */
#ifndef SONDE_LIB_REF_H
#define SONDE_LIB_REF_H

#include <lib/atomic.h>

struct ref {
	struct atomic count;
};

/* In the middle of the negative range, so that racing steps stay negative. */
#define REF_SATURATED (INT_MIN / 2)

#define REF_INIT(n)                                                            \
	{                                                                      \
		ATOMIC_INIT(n)                                                 \
	}

static inline void ref_init(struct ref *ref)
{
	atomic_set(&ref->count, 1);
}

static inline void ref_set(struct ref *ref, int n)
{
	atomic_set(&ref->count, n);
}

static inline int ref_read(const struct ref *ref)
{
	return atomic_read(&ref->count);
}

static inline void ref_get_many(struct ref *ref, int n)
{
	int old = atomic_fetch_add_relaxed(&ref->count, n);

	if (unlikely(old <= 0 || old > INT_MAX - n))
		atomic_set(&ref->count, REF_SATURATED);
}

static inline void ref_get(struct ref *ref)
{
	ref_get_many(ref, 1);
}

static inline bool __must_check ref_get_unless_zero(struct ref *ref)
{
	int old = atomic_read(&ref->count);

	do {
		if (old == 0)
			return false;
		if (unlikely(old < 0 || old == INT_MAX)) {
			atomic_set(&ref->count, REF_SATURATED);
			return true;
		}
	} while (!atomic_try_cmpxchg_acquire(&ref->count, &old, old + 1));
	return true;
}

/* True when this was the last of n references: the caller frees. */
static inline bool __must_check ref_put_many(struct ref *ref, int n)
{
	int old = __atomic_fetch_sub(&ref->count.v, n, __ATOMIC_RELEASE);

	if (old == n) {
		/* Everyone's last use happens before the free. */
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		return true;
	}
	if (unlikely(old < n))
		atomic_set(&ref->count, REF_SATURATED);
	return false;
}

static inline bool __must_check ref_put(struct ref *ref)
{
	return ref_put_many(ref, 1);
}

/*
 * Drops a reference unless it is the last; true when dropped. For objects
 * whose last put must happen under a lock.
 */
static inline bool __must_check ref_put_unless_last(struct ref *ref)
{
	int old = atomic_read(&ref->count);

	do {
		if (unlikely(old <= 0))
			return true;
		if (old == 1)
			return false;
	} while (!__try_cmpxchg(&ref->count.v, &old, old - 1, __ATOMIC_RELEASE,
				__ATOMIC_RELAXED));
	return true;
}

#endif /* SONDE_LIB_REF_H */
