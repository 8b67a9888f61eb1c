/* SPDX-License-Identifier: MIT */
/*
 * Changing a task's policy, priority, nice level, lent priority and affinity.
 *
 * Each change takes wake_lock and the run queue, takes the task out of its
 * list, changes it and puts it back, so that a list never holds a task under
 * a key that is not its own any more.  Whether the caller may do it was
 * decided before.  Task context.
 */
#include <kernel/panic.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>

#include "internal.h"

struct attr_change {
	u8 policy;
	u8 rt_prio;
	u8 boost;
	s8 nice;
};

static void unlist(struct rq *rq, struct task *t)
{
	if (se_is_rt(&t->se))
		rt_remove(rq, t);
	else
		fair_remove(rq, t);
}

static void apply(struct rq *rq, struct sched_entity *se,
		  const struct attr_change *to)
{
	bool was_rt = se_is_rt(se);

	se->policy = to->policy;
	se->rt_prio = to->rt_prio;
	se->boost = to->boost;
	se->nice = to->nice;
	se->weight = to->policy == SCHED_IDLE ? FAIR_WEIGHT_IDLE :
						fair_weight(to->nice);
	if (se_is_rt(se) && !was_rt)
		se->slice_ns = RR_SLICE_NS;
	if (!se_is_rt(se) && was_rt)
		se->vruntime = fair_max(se->vruntime, rq->min_vruntime);
}

static void change_locked(struct rq *rq, struct task *t,
			  const struct attr_change *to)
{
	bool queued;

	rq_update_curr(rq, time_mono_ns());
	queued = t->se.queued;
	if (queued)
		unlist(rq, t);
	apply(rq, &t->se, to);
	if (queued) {
		if (se_is_rt(&t->se))
			rt_insert(rq, t, false);
		else
			fair_insert(rq, t);
		rq_check_preempt(rq, t);
	} else if (rq->curr == t) {
		/* Somebody who waits may be better now. */
		rq_resched(rq);
	}
}

void sched_set_policy(struct task *t, u8 policy, u8 rt_prio, s8 nice)
{
	struct attr_change to = { .policy = policy, .rt_prio = rt_prio,
				  .nice = nice };
	unsigned long flags;
	struct rq *rq = task_rq_lock(t, &flags);

	to.boost = t->se.boost;
	change_locked(rq, t, &to);
	task_rq_unlock(rq, t, flags);
}

void sched_set_nice(struct task *t, s8 nice)
{
	struct attr_change to = { .nice = nice };
	unsigned long flags;
	struct rq *rq = task_rq_lock(t, &flags);

	to.policy = t->se.policy;
	to.rt_prio = t->se.rt_prio;
	to.boost = t->se.boost;
	change_locked(rq, t, &to);
	task_rq_unlock(rq, t, flags);
}

void sched_set_boost(struct task *t, u8 rt_prio)
{
	struct attr_change to = { .boost = rt_prio };
	unsigned long flags;
	struct rq *rq = task_rq_lock(t, &flags);

	if (t->se.boost != rt_prio) {
		trace_sched_pi_setprio(t, rt_prio);
		to.policy = t->se.policy;
		to.rt_prio = t->se.rt_prio;
		to.nice = t->se.nice;
		change_locked(rq, t, &to);
	}
	task_rq_unlock(rq, t, flags);
}

/* Wait until a task that runs where it may not has left that CPU. */
static void wait_moved(struct task *t)
{
	while (sched_is_running(t) &&
	       !task_allowed_on(t, READ_ONCE(t->ti.cpu)))
		time_sleep_until(time_mono_ns() + 50 * NSEC_PER_USEC, false);
}

int sched_set_affinity(struct task *t, const struct cpumask *mask)
{
	struct cpumask allowed;
	unsigned long flags;
	bool push = false;
	struct rq *rq;

	bitmap_and(allowed.bits, mask->bits, cpu_possible_mask.bits, NR_CPUS);
	if (!bitmap_intersects(allowed.bits, sched_active_mask.bits, NR_CPUS))
		return -EINVAL;
	rq = task_rq_lock(t, &flags);
	t->se.allowed = allowed;
	if (t->se.on_rq == 1 && !task_allowed_on(t, rq->cpu)) {
		if (rq->curr == t) {
			rq_resched(rq);
		} else {
			rq_dequeue(rq, t, ON_RQ_PUSH);
			push = true;
		}
	}
	task_rq_unlock(rq, t, flags);
	if (push)
		sched_push_away(t);
	if (t != current)
		wait_moved(t);
	return 0;
}
