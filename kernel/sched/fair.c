/* SPDX-License-Identifier: MIT */
/*
 * The fair class: runnable tasks ordered by weighted virtual run time.
 *
 * The tree holds the waiting tasks; the running one is outside and is put
 * back when it is switched away.  min_vruntime follows the least of them all
 * and never goes back; sleepers and newcomers are placed relative to it.
 * Every function: rq->lock held, interrupts off.
 */
#include "internal.h"

static bool fair_less(const struct rb_node *a, const struct rb_node *b)
{
	return fair_before(rb_entry(a, struct task, se.node)->se.vruntime,
			   rb_entry(b, struct task, se.node)->se.vruntime);
}

void fair_insert(struct rq *rq, struct task *t)
{
	rb_add(&rq->fair, &t->se.node, fair_less);
	t->se.queued = 1;
}

void fair_remove(struct rq *rq, struct task *t)
{
	rb_erase(&rq->fair, &t->se.node);
	t->se.queued = 0;
}

struct task *fair_first(struct rq *rq)
{
	struct rb_node *first = rb_first(&rq->fair);

	return first ? rb_entry(first, struct task, se.node) : NULL;
}

void fair_update_min(struct rq *rq)
{
	struct rb_node *first = rb_first(&rq->fair);
	struct task *curr = rq->curr;
	bool have = curr != rq->idle && !se_is_rt(&curr->se);
	u64 min = curr->se.vruntime;

	if (first) {
		u64 left = rb_entry(first, struct task, se.node)->se.vruntime;

		if (!have || fair_before(left, min))
			min = left;
	} else if (!have) {
		return;
	}
	if (fair_before(rq->min_vruntime, min))
		WRITE_ONCE(rq->min_vruntime, min);
}

void fair_place_woken(struct rq *rq, struct task *t)
{
	t->se.vruntime = fair_place(t->se.vruntime, rq->min_vruntime);
}

/* Both curr and t are fair. */
bool fair_should_preempt(struct rq *rq, struct task *t)
{
	const struct sched_entity *curr = &rq->curr->se;
	const struct sched_entity *se = &t->se;

	if (se->policy == SCHED_IDLE || se->policy == SCHED_BATCH)
		return false;
	if (curr->policy == SCHED_IDLE)
		return true;
	return (s64)(curr->vruntime - se->vruntime) >
	       (s64)fair_virtual(FAIR_WAKE_GRAN_NS, se->weight);
}
