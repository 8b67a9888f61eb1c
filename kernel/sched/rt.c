/* SPDX-License-Identifier: MIT */
/*
 * The FIFO and round-robin class: one list per priority, 99 the highest.
 *
 * A task that is preempted goes back to the head of its list, one that
 * yielded or used up its quantum to the tail.  A lent priority (boost) counts
 * like an own one.  All RT tasks together have 95 percent of each second while
 * a fair task waits, so that a runaway one cannot take the machine.  Every
 * function: rq->lock held, interrupts off.
 */
#include "internal.h"

void rt_init(struct rq *rq)
{
	u32 i;

	for (i = 0; i < RT_PRIOS; i++)
		list_init(&rq->rt[i]);
}

void rt_insert(struct rq *rq, struct task *t, bool head)
{
	u32 prio = se_rt_prio(&t->se);

	if (head)
		list_add(&t->se.rt_link, &rq->rt[prio]);
	else
		list_add_tail(&t->se.rt_link, &rq->rt[prio]);
	rq->rt_bits[prio / 64] |= 1ull << prio % 64;
	t->se.queued = 1;
}

void rt_remove(struct rq *rq, struct task *t)
{
	u32 prio = se_rt_prio(&t->se);

	list_del(&t->se.rt_link);
	if (list_empty(&rq->rt[prio]))
		rq->rt_bits[prio / 64] &= ~(1ull << prio % 64);
	t->se.queued = 0;
}

struct task *rt_first(struct rq *rq)
{
	u32 prio;

	if (likely(!(rq->rt_bits[0] | rq->rt_bits[1])))
		return NULL;
	if (unlikely(rq->rt_throttled && !rb_empty(&rq->fair)))
		return NULL;
	if (rq->rt_bits[1])
		prio = 64 + (u32)bit_highest(rq->rt_bits[1]);
	else
		prio = (u32)bit_highest(rq->rt_bits[0]);
	return list_first_entry(&rq->rt[prio], struct task, se.rt_link);
}

/* t runs.  Its quantum matters only while another of its priority waits. */
void rt_tick(struct rq *rq, struct task *t)
{
	if (t->se.policy != SCHED_RR)
		return;
	if (t->se.slice_ns > TICK_NS) {
		t->se.slice_ns -= TICK_NS;
		return;
	}
	/* The switch sees the empty quantum and puts t at the tail. */
	t->se.slice_ns = 0;
	if (!list_empty(&rq->rt[se_rt_prio(&t->se)]))
		rq_resched(rq);
	else
		t->se.slice_ns = RR_SLICE_NS;
}

/* Every tick of a busy CPU. */
void rt_tick_throttle(struct rq *rq, u64 now)
{
	if (now - rq->rt_period_start >= RT_PERIOD_NS) {
		rq->rt_period_start = now;
		rq->rt_used_ns = 0;
		if (rq->rt_throttled) {
			rq->rt_throttled = false;
			rq_resched(rq);
		}
	} else if (unlikely(rq->rt_used_ns > RT_QUOTA_NS) &&
		   !rq->rt_throttled) {
		rq->rt_throttled = true;
		rq_resched(rq);
	}
}
