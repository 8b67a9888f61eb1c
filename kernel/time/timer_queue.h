/* SPDX-License-Identifier: MIT */
/*
 * The queue of timers, pure: ordered by expiry, equal ones in the order in
 * which they were started.  The caller locks.
 */
#ifndef SONDE_KERNEL_TIMER_QUEUE_H
#define SONDE_KERNEL_TIMER_QUEUE_H

#include <kernel/time.h>
#include <lib/rbtree.h>

static inline bool timer_before(const struct rb_node *a,
				const struct rb_node *b)
{
	return rb_entry(a, struct timer, node)->expires <
	       rb_entry(b, struct timer, node)->expires;
}

static inline void timer_queue_add(struct rb_root *queue, struct timer *t)
{
	rb_add(queue, &t->node, timer_before);
	t->queued = 1;
}

static inline void timer_queue_remove(struct rb_root *queue, struct timer *t)
{
	rb_erase(queue, &t->node);
	t->queued = 0;
}

static inline struct timer *timer_queue_first(const struct rb_root *queue)
{
	return rb_entry_safe(rb_first(queue), struct timer, node);
}

/* Periods of t that have passed at now; its expiry moves behind now. */
static inline u64 timer_queue_forward(struct timer *t, u64 now, u64 period_ns)
{
	u64 periods;

	if (now < t->expires)
		return 0;
	periods = (now - t->expires) / period_ns + 1;
	t->expires += periods * period_ns;
	return periods;
}

#endif /* SONDE_KERNEL_TIMER_QUEUE_H */
