/* SPDX-License-Identifier: MIT */
/*
 * The lock checker's side for sleeping locks and for reports; the spin-lock
 * side is declared in <kernel/lock_inline.h>. Everything is empty unless
 * CONFIG_DEBUG_LOCK_RANK.
 *
 * A violation panics: order, a lock taken twice, two of one rank against the
 * address rule, a sleeping lock taken under a spin lock, a spin lock taken
 * with interrupts on whose rank an interrupt takes too, a release of what is
 * not held, a return to user mode with anything held.
 */
#ifndef SONDE_KERNEL_LOCKRANK_H
#define SONDE_KERNEL_LOCKRANK_H

#include <lib/types.h>

/* More sleeping locks than this are never held at once. */
#define LOCKRANK_DEPTH 16

/* What a task holds; part of its thread_info in the debug config. */
struct lockrank_held {
	u32 count; /* own task only, like all below */
	struct {
		const void *lock;
		const char *name;
		const void *where; /* who took it */
		u16 rank;
	} locks[LOCKRANK_DEPTH];
};

#ifdef CONFIG_DEBUG_LOCK_RANK
/* In a function that takes a lock: the address that it will return to. */
#define LOCK_CALLER __builtin_return_address(0)

/* Before waiting for the lock; task context. */
void lockrank_sleep_acquire(const void *lock, u16 rank, const char *name,
			    const void *where);
/* After a try succeeded: order cannot deadlock and is not checked. */
void lockrank_sleep_acquired(const void *lock, u16 rank, const char *name,
			     const void *where);
void lockrank_sleep_release(const void *lock, u16 rank);

/* Prints what this CPU and the current task hold. Any context. */
void lockrank_show(void);

/* How many spin locks this CPU holds. */
u32 lockrank_spin_depth(void);

struct pt_regs;
/* Called by entry assembly on the way to user mode, everything masked. */
void lockrank_user_exit(struct pt_regs *regs);
#else
#define LOCK_CALLER NULL

static inline void lockrank_sleep_acquire(const void *lock, u16 rank,
					  const char *name, const void *where)
{
}

static inline void lockrank_sleep_acquired(const void *lock, u16 rank,
					   const char *name, const void *where)
{
}

static inline void lockrank_sleep_release(const void *lock, u16 rank)
{
}

static inline void lockrank_show(void)
{
}

static inline u32 lockrank_spin_depth(void)
{
	return 0;
}
#endif

#endif /* SONDE_KERNEL_LOCKRANK_H */
