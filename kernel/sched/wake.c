/* SPDX-License-Identifier: MIT */
/*
 * Waking tasks, new tasks, and moving them between queues.
 *
 * task->wake_lock makes wake-ups of one task take turns.  A task that is
 * still on its queue (it has set its state but not yet switched, or was
 * preempted in between) only gets its state back, under rq->lock, which the
 * switch also holds when it reads the state.  One that has left the queue is
 * put on the queue of the best CPU as soon as its old CPU is off its stack.
 */
#include <kernel/irq.h>
#include <kernel/panic.h>
#include <kernel/perf_event.h>
#include <kernel/trace_hooks.h>

#include "internal.h"

void set_current_state(u32 state)
{
	WRITE_ONCE(current->state, state);
	arch_smp_mb();
}

struct rq *task_rq_lock(struct task *t, unsigned long *flags)
{
	struct rq *rq;

	*flags = spin_lock_irqsave(&t->wake_lock);
	for (;;) {
		rq = rq_of(READ_ONCE(t->ti.cpu));
		spin_lock(&rq->lock);
		if (likely(rq->cpu == READ_ONCE(t->ti.cpu)))
			return rq;
		spin_unlock(&rq->lock);
	}
}

void task_rq_unlock(struct rq *rq, struct task *t, unsigned long flags)
{
	spin_unlock(&rq->lock);
	spin_unlock_irqrestore(&t->wake_lock, flags);
}

void task_set_cpu(struct task *t, u32 cpu)
{
	struct rq *from = rq_of(t->ti.cpu), *to = rq_of(cpu);

	if (from == to)
		return;
	if (t->state != TASK_NEW)
		trace_sched_migrate_task(t, cpu);
	/* Virtual time is relative to its queue. */
	t->se.vruntime += READ_ONCE(to->min_vruntime) -
			  READ_ONCE(from->min_vruntime);
	t->se.nr_migrations++;
	if (t->rseq)
		fetch_or_relaxed(&t->ti.flags, TIF_NOTIFY_RESUME);
	perf_task_migrated(t);
	WRITE_ONCE(t->ti.cpu, cpu);
}

void task_activate(struct task *t, u64 now)
{
	struct rq *rq = rq_of(t->ti.cpu);

	spin_lock(&rq->lock);
	ASSERT(t->se.on_rq != 1 && !t->se.queued);
	rq_update_curr(rq, now);
	if (t->se.in_load) {
		t->se.in_load = 0;
		WRITE_ONCE(rq->nr_blocked, rq->nr_blocked - 1);
	}
	if (static_branch(sched_stats_key))
		sched_stats_enqueue(t, now);
	if (!se_is_rt(&t->se))
		fair_place_woken(rq, t);
	rq_enqueue(rq, t);
	rq_check_preempt(rq, t);
	spin_unlock(&rq->lock);
}

/* t is on a queue: true if it still was once its queue is locked. */
static bool wake_queued(struct task *t)
{
	struct rq *rq;
	bool was;

	for (;;) {
		rq = rq_of(READ_ONCE(t->ti.cpu));
		spin_lock(&rq->lock);
		if (likely(rq->cpu == READ_ONCE(t->ti.cpu)))
			break;
		spin_unlock(&rq->lock);
	}
	was = t->se.on_rq;
	if (was) {
		WRITE_ONCE(t->state, TASK_RUNNING);
		trace_sched_wakeup(t);
	}
	spin_unlock(&rq->lock);
	return was;
}

bool wake_up_task(struct task *t, u32 mask)
{
	unsigned long flags = spin_lock_irqsave(&t->wake_lock);
	bool woke = false;
	u64 now;

	/* What the caller wrote before is seen by whoever sees no state. */
	arch_smp_mb();
	if (!(READ_ONCE(t->state) & mask))
		goto out;
	woke = true;
	trace_sched_waking(t);
	if (READ_ONCE(t->se.on_rq) && wake_queued(t))
		goto out;
	while (unlikely(load_acquire(&t->on_cpu)))
		arch_cpu_relax();
	WRITE_ONCE(t->state, TASK_RUNNING);
	task_set_cpu(t, sched_select_cpu(t));
	now = time_mono_ns();
	if (!in_interrupt())
		current->se.wake_ns = now;
	task_activate(t, now);
	trace_sched_wakeup(t);
out:
	spin_unlock_irqrestore(&t->wake_lock, flags);
	return woke;
}

static void entity_reset(struct sched_entity *se)
{
	rb_node_clear(&se->node);
	list_init(&se->rt_link);
	se->sum_exec_ns = 0;
	se->nvcsw = se->nivcsw = se->nr_migrations = 0;
	se->shown_user = se->shown_sys = 0;
	se->wake_ns = 0;
	se->sync = 0;
	se->on_rq = se->queued = se->in_load = 0;
	se->boost = 0;
	se->off_why = 0;
	se->slice_ns = RR_SLICE_NS;
}

void sched_fork(struct task *child)
{
	const struct sched_entity *from = &current->se;
	struct sched_entity *se = &child->se;

	*se = *from;
	entity_reset(se);
	if (current->flags & TASK_IDLE) {
		se->policy = SCHED_NORMAL;
		se->nice = 0;
		se->weight = FAIR_WEIGHT_0;
	}
	if (from->reset_on_fork) {
		se->reset_on_fork = false;
		if (se->rt_prio || se->nice < 0)
			se->nice = 0;
		if (se->rt_prio)
			se->policy = SCHED_NORMAL;
		se->rt_prio = 0;
		if (se->policy != SCHED_IDLE)
			se->weight = fair_weight(se->nice);
	}
	child->state = TASK_NEW;
	child->on_cpu = 0;
	child->active_mm = NULL;
	child->ti.cpu = cpu_id();
	/* As inside a switch: sched_finish_switch takes it back. */
	child->ti.preempt_count = PREEMPT_OFFSET;
	child->ti.resched_not_needed = 1;
	child->ti.flags &= ~(TIF_NEED_RESCHED | TIF_NOTIFY_RESUME);
}

void sched_wake_new(struct task *child)
{
	unsigned long flags = spin_lock_irqsave(&child->wake_lock);
	struct rq *rq;

	ASSERT(child->state == TASK_NEW);
	task_set_cpu(child, sched_select_cpu(child));
	WRITE_ONCE(child->state, TASK_RUNNING);
	/* A newcomer does not get ahead of those that already wait. */
	rq = rq_of(child->ti.cpu);
	child->se.vruntime = fair_max(child->se.vruntime,
				      READ_ONCE(rq->min_vruntime));
	trace_sched_wakeup_new(child);
	task_activate(child, time_mono_ns());
	spin_unlock_irqrestore(&child->wake_lock, flags);
}
