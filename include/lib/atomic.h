/* SPDX-License-Identifier: MIT */
/*
 * Atomic integers and words, on the compiler's __atomic builtins.
 *
 * The order is in the name: plain names of void operations (atomic_add,
 * atomic_inc) and atomic_read/atomic_set order nothing; _acquire, _release and
 * _acq_rel say what they do; operations that return a value are acq_rel unless
 * their name says otherwise. Full barriers between different locations are
 * <arch/barrier.h>. No library call is ever emitted for these widths.
 */
#ifndef SONDE_LIB_ATOMIC_H
#define SONDE_LIB_ATOMIC_H

#include <lib/types.h>

struct atomic {
	int v;
};

struct atomic64 {
	s64 v;
};

#define ATOMIC_INIT(n)                                                         \
	{                                                                      \
		(n)                                                            \
	}

/* Any naturally aligned scalar or pointer. */
#define load_relaxed(p)	      __atomic_load_n(p, __ATOMIC_RELAXED)
#define load_acquire(p)	      __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define store_relaxed(p, val) __atomic_store_n(p, val, __ATOMIC_RELAXED)
#define store_release(p, val) __atomic_store_n(p, val, __ATOMIC_RELEASE)
#define xchg_relaxed(p, val)  __atomic_exchange_n(p, val, __ATOMIC_RELAXED)
#define xchg_acquire(p, val)  __atomic_exchange_n(p, val, __ATOMIC_ACQUIRE)
#define xchg_release(p, val)  __atomic_exchange_n(p, val, __ATOMIC_RELEASE)
#define xchg_acq_rel(p, val)  __atomic_exchange_n(p, val, __ATOMIC_ACQ_REL)

/*
 * Compare and swap: *(old) is what is expected, and is replaced by what was
 * found when the swap fails. True when it happened.
 */
#define __try_cmpxchg(p, old, val, ok, fail)                                   \
	__atomic_compare_exchange_n(p, old, val, false, ok, fail)
#define try_cmpxchg_relaxed(p, old, val)                                       \
	__try_cmpxchg(p, old, val, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
#define try_cmpxchg_acquire(p, old, val)                                       \
	__try_cmpxchg(p, old, val, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)
#define try_cmpxchg_release(p, old, val)                                       \
	__try_cmpxchg(p, old, val, __ATOMIC_RELEASE, __ATOMIC_RELAXED)
#define try_cmpxchg_acq_rel(p, old, val)                                       \
	__try_cmpxchg(p, old, val, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)

#define fetch_add_relaxed(p, n) __atomic_fetch_add(p, n, __ATOMIC_RELAXED)
#define fetch_add_acq_rel(p, n) __atomic_fetch_add(p, n, __ATOMIC_ACQ_REL)
#define fetch_or_relaxed(p, n)	__atomic_fetch_or(p, n, __ATOMIC_RELAXED)
#define fetch_or_acq_rel(p, n)	__atomic_fetch_or(p, n, __ATOMIC_ACQ_REL)
#define fetch_and_relaxed(p, n) __atomic_fetch_and(p, n, __ATOMIC_RELAXED)
#define fetch_and_acq_rel(p, n) __atomic_fetch_and(p, n, __ATOMIC_ACQ_REL)

/* The same set of inlines for both widths. */
#define DEFINE_ATOMIC_OPS(name, obj, type)                                     \
	static inline type name##_read(const struct obj *a)                    \
	{                                                                      \
		return load_relaxed(&a->v);                                    \
	}                                                                      \
	static inline type name##_read_acquire(const struct obj *a)            \
	{                                                                      \
		return load_acquire(&a->v);                                    \
	}                                                                      \
	static inline void name##_set(struct obj *a, type n)                   \
	{                                                                      \
		store_relaxed(&a->v, n);                                       \
	}                                                                      \
	static inline void name##_set_release(struct obj *a, type n)           \
	{                                                                      \
		store_release(&a->v, n);                                       \
	}                                                                      \
	static inline void name##_add(struct obj *a, type n)                   \
	{                                                                      \
		(void)fetch_add_relaxed(&a->v, n);                             \
	}                                                                      \
	static inline void name##_sub(struct obj *a, type n)                   \
	{                                                                      \
		(void)fetch_add_relaxed(&a->v, -n);                            \
	}                                                                      \
	static inline void name##_inc(struct obj *a)                           \
	{                                                                      \
		(void)fetch_add_relaxed(&a->v, 1);                             \
	}                                                                      \
	static inline void name##_dec(struct obj *a)                           \
	{                                                                      \
		(void)fetch_add_relaxed(&a->v, -1);                            \
	}                                                                      \
	static inline void name##_or(struct obj *a, type n)                    \
	{                                                                      \
		(void)fetch_or_relaxed(&a->v, n);                              \
	}                                                                      \
	static inline void name##_and(struct obj *a, type n)                   \
	{                                                                      \
		(void)fetch_and_relaxed(&a->v, n);                             \
	}                                                                      \
	static inline type name##_fetch_add(struct obj *a, type n)             \
	{                                                                      \
		return fetch_add_acq_rel(&a->v, n);                            \
	}                                                                      \
	static inline type name##_fetch_add_relaxed(struct obj *a, type n)     \
	{                                                                      \
		return fetch_add_relaxed(&a->v, n);                            \
	}                                                                      \
	static inline type name##_fetch_or(struct obj *a, type n)              \
	{                                                                      \
		return fetch_or_acq_rel(&a->v, n);                             \
	}                                                                      \
	static inline type name##_fetch_and(struct obj *a, type n)             \
	{                                                                      \
		return fetch_and_acq_rel(&a->v, n);                            \
	}                                                                      \
	static inline type name##_add_return(struct obj *a, type n)            \
	{                                                                      \
		return __atomic_add_fetch(&a->v, n, __ATOMIC_ACQ_REL);         \
	}                                                                      \
	static inline type name##_sub_return(struct obj *a, type n)            \
	{                                                                      \
		return __atomic_sub_fetch(&a->v, n, __ATOMIC_ACQ_REL);         \
	}                                                                      \
	static inline type name##_inc_return(struct obj *a)                    \
	{                                                                      \
		return name##_add_return(a, 1);                                \
	}                                                                      \
	static inline type name##_dec_return(struct obj *a)                    \
	{                                                                      \
		return name##_sub_return(a, 1);                                \
	}                                                                      \
	static inline bool name##_dec_and_test(struct obj *a)                  \
	{                                                                      \
		return name##_sub_return(a, 1) == 0;                           \
	}                                                                      \
	static inline type name##_xchg(struct obj *a, type n)                  \
	{                                                                      \
		return xchg_acq_rel(&a->v, n);                                 \
	}                                                                      \
	static inline bool name##_try_cmpxchg(struct obj *a, type *old,        \
					      type n)                          \
	{                                                                      \
		return try_cmpxchg_acq_rel(&a->v, old, n);                     \
	}                                                                      \
	static inline bool name##_try_cmpxchg_relaxed(struct obj *a,           \
						      type *old, type n)       \
	{                                                                      \
		return try_cmpxchg_relaxed(&a->v, old, n);                     \
	}                                                                      \
	static inline bool name##_try_cmpxchg_acquire(struct obj *a,           \
						      type *old, type n)       \
	{                                                                      \
		return try_cmpxchg_acquire(&a->v, old, n);                     \
	}                                                                      \
	/* Adds n unless the value is u; true when it was added. */            \
	static inline bool name##_add_unless(struct obj *a, type n, type u)    \
	{                                                                      \
		type old = name##_read(a);                                     \
                                                                               \
		do {                                                           \
			if (old == u)                                          \
				return false;                                  \
		} while (!name##_try_cmpxchg(a, &old, old + n));               \
		return true;                                                   \
	}

DEFINE_ATOMIC_OPS(atomic, atomic, int)
DEFINE_ATOMIC_OPS(atomic64, atomic64, s64)

#endif /* SONDE_LIB_ATOMIC_H */
