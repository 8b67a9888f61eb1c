/* SPDX-License-Identifier: MIT */
/*
 * Preemption control and the inline half of spin locks; included by
 * <kernel/lock.h> only through that header's end.
 *
 * preempt_disable nests; preempt_enable reschedules when it reaches zero and
 * one is wanted.  Both any context.
 */
#ifndef SONDE_KERNEL_LOCK_INLINE_H
#define SONDE_KERNEL_LOCK_INLINE_H

#include <arch/barrier.h>
#include <arch/irqflags.h>
#include <arch/percpu.h>
#include <kernel/lock.h>
#include <kernel/thread_info.h>
#include <lib/atomic.h>
#include <lib/compiler.h>

struct spinlock;

static __always_inline struct thread_info *current_info(void)
{
	return (struct thread_info *)arch_current();
}

static __always_inline void preempt_disable(void)
{
	struct thread_info *ti = current_info();

	WRITE_ONCE(ti->preempt_count, READ_ONCE(ti->preempt_count) + 1);
	barrier();
}

static __always_inline void preempt_enable_no_resched(void)
{
	struct thread_info *ti = current_info();

	barrier();
	WRITE_ONCE(ti->preempt_count, READ_ONCE(ti->preempt_count) - 1);
}

/* Slow path: count is zero and a reschedule is wanted. */
void preempt_schedule(void);

static __always_inline void preempt_enable(void)
{
	preempt_enable_no_resched();
	if (unlikely(READ_ONCE(current_info()->preempt) == 0))
		preempt_schedule();
}

static __always_inline bool in_interrupt(void)
{
	return READ_ONCE(current_info()->preempt_count) & (IRQ_MASK);
}

static __always_inline bool in_nmi(void)
{
	return READ_ONCE(current_info()->preempt_count) & NMI_MASK;
}

/* Contended path and the rank checker's entry (debug) live in lock/spin.c. */
void spin_lock_slow(struct spinlock *lock);
#ifdef CONFIG_DEBUG_LOCK_RANK
void lockrank_acquire(struct spinlock *lock);
/* After a try: order cannot deadlock there, so it is only noted. */
void lockrank_acquired(struct spinlock *lock);
void lockrank_release(struct spinlock *lock);
#else
static inline void lockrank_acquire(struct spinlock *lock)
{
}
static inline void lockrank_acquired(struct spinlock *lock)
{
}
static inline void lockrank_release(struct spinlock *lock)
{
}
#endif

static __always_inline bool spin_try_raw(struct spinlock *lock)
{
	return !__atomic_exchange_n(&lock->locked, 1, __ATOMIC_ACQUIRE);
}

static __always_inline void spin_lock(struct spinlock *lock)
{
	preempt_disable();
	lockrank_acquire(lock);
	if (unlikely(!spin_try_raw(lock)))
		spin_lock_slow(lock);
}

static __always_inline bool spin_trylock(struct spinlock *lock)
{
	preempt_disable();
	if (spin_try_raw(lock)) {
		lockrank_acquired(lock);
		return true;
	}
	preempt_enable();
	return false;
}

static __always_inline void spin_unlock(struct spinlock *lock)
{
	lockrank_release(lock);
	__atomic_store_n(&lock->locked, 0, __ATOMIC_RELEASE);
	preempt_enable();
}

static __always_inline unsigned long spin_lock_irqsave(struct spinlock *lock)
{
	unsigned long flags = arch_irq_save();

	spin_lock(lock);
	return flags;
}

static __always_inline void spin_unlock_irqrestore(struct spinlock *lock,
						   unsigned long flags)
{
	lockrank_release(lock);
	__atomic_store_n(&lock->locked, 0, __ATOMIC_RELEASE);
	arch_irq_restore(flags);
	preempt_enable();
}

/* Where ordinary interrupts are known to be on. */
static __always_inline void spin_lock_irq(struct spinlock *lock)
{
	arch_irq_disable();
	spin_lock(lock);
}

static __always_inline void spin_unlock_irq(struct spinlock *lock)
{
	lockrank_release(lock);
	__atomic_store_n(&lock->locked, 0, __ATOMIC_RELEASE);
	arch_irq_enable();
	preempt_enable();
}

static __always_inline bool spin_is_locked(const struct spinlock *lock)
{
	return READ_ONCE(lock->locked);
}

#endif /* SONDE_KERNEL_LOCK_INLINE_H */
