/* SPDX-License-Identifier: MIT */
/*
 * Freeing what lock-free readers may still see.
 *
 * A reader runs with preemption off (reclaim_read_lock); an object that was
 * unlinked goes to reclaim_after() and fn(node) runs in task context once
 * every CPU has passed a switch, idle or user mode.  Batched; there is no
 * second scheme.
 */
#ifndef SONDE_KERNEL_RECLAIM_H
#define SONDE_KERNEL_RECLAIM_H

#include <kernel/lock.h>
#include <kernel/percpu.h>

struct reclaim_node {
	struct reclaim_node *next;
	void (*fn)(struct reclaim_node *node);
};

static inline void reclaim_read_lock(void)
{
	preempt_disable();
}
static inline void reclaim_read_unlock(void)
{
	preempt_enable();
}

/* Any context but the overflow interrupt. */
void reclaim_after(struct reclaim_node *node,
		   void (*fn)(struct reclaim_node *node));
/* Wait for a full grace period.  Task context. */
void reclaim_sync(void);
/*
 * Quiescent state of this CPU.  reclaim_quiescent: the scheduler, interrupts
 * masked, no lock held.  reclaim_quiescent_irq: the end of an interrupt that
 * hit preemptible code.  Both cost one load while nobody waits.  The idle
 * loop brackets its sleep, interrupts masked, with idle_enter and idle_exit;
 * where idle_enter is false, a grace period waits for this CPU: no sleep now.
 */
void reclaim_quiescent_slow(void);
DECLARE_PER_CPU(u8, reclaim_wanted);	/* [a] a grace period asks this CPU */

static inline void reclaim_quiescent(void)
{
	if (unlikely(READ_ONCE(this_cpu(reclaim_wanted))))
		reclaim_quiescent_slow();
}
static inline void reclaim_quiescent_irq(void)
{
	reclaim_quiescent();
}
bool reclaim_idle_enter(void);
void reclaim_idle_exit(void);
/* The tick and idle: start what was collected.  Interrupts masked. */
void reclaim_kick(void);
void reclaim_init(void);

#define reclaim_deref(p)     __atomic_load_n(&(p), __ATOMIC_ACQUIRE)
#define reclaim_assign(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELEASE)

#endif /* SONDE_KERNEL_RECLAIM_H */
