/* SPDX-License-Identifier: MIT */
/*
 * Run queues and the switch.
 *
 * schedule_now() is the one place where a CPU changes its task: it accounts
 * the running one, takes it off its queue if it sleeps, picks the next (RT
 * first, then fair, then pulls from another CPU, then idle) and switches.
 * rq->lock is held across the switch and released by the next task in
 * sched_finish_switch().  A task that may not stay on this CPU is taken off
 * its queue and pushed away once its stack is free.
 *
 * Entry points: schedule(), preempt_schedule*(), sched_yield_cpu(), and the
 * queue operations of internal.h.  Nothing here may sleep but by switching;
 * nobody is woken with rq->lock held.
 */
#include <arch/debug.h>
#include <arch/irq.h>
#include <arch/mmu.h>
#include <arch/regs.h>
#include <arch/thread.h>
#include <kernel/panic.h>
#include <kernel/perf_event.h>
#include <kernel/recent.h>
#include <kernel/reclaim.h>
#include <kernel/trace_hooks.h>

#include "internal.h"

enum switch_kind {
	SWITCH_ASKED,		/* schedule(): sleeps if its state says so */
	SWITCH_PREEMPT,
	SWITCH_YIELD,
};

DEFINE_PER_CPU(struct rq, sched_rq) = {
	.lock = SPINLOCK_INIT(LOCK_RANK_RQ),
};

/* Ask for a switch on rq's CPU.  rq->lock held, or curr known to stay. */
void rq_resched(struct rq *rq)
{
	struct task *curr = rq->curr;

	if (READ_ONCE(curr->ti.flags) & TIF_NEED_RESCHED)
		return;
	fetch_or_relaxed(&curr->ti.flags, TIF_NEED_RESCHED);
	if (rq->cpu == cpu_id())
		WRITE_ONCE(curr->ti.resched_not_needed, 0);
	else
		arch_ipi_send_cpu(rq->cpu, ARCH_IPI_RESCHED);
}

void rq_update_curr(struct rq *rq, u64 now)
{
	struct task *curr = rq->curr;
	u64 delta = now - curr->se.exec_start;

	if (curr == rq->idle || (s64)delta <= 0)
		return;
	curr->se.exec_start = now;
	WRITE_ONCE(curr->se.sum_exec_ns, curr->se.sum_exec_ns + delta);
	if (unlikely(se_is_rt(&curr->se))) {
		rq->rt_used_ns += delta;
		trace_sched_stat_runtime(curr, delta, 0);
		return;
	}
	curr->se.vruntime += fair_virtual(delta, curr->se.weight);
	trace_sched_stat_runtime(curr, delta, curr->se.vruntime);
	fair_update_min(rq);
}

static void rq_insert(struct rq *rq, struct task *t, bool head)
{
	if (unlikely(se_is_rt(&t->se)))
		rt_insert(rq, t, head);
	else
		fair_insert(rq, t);
}

void rq_enqueue(struct rq *rq, struct task *t)
{
	WRITE_ONCE(t->se.on_rq, 1);
	WRITE_ONCE(rq->nr_running, rq->nr_running + 1);
	rq_insert(rq, t, false);
}

/*
 * Running or waiting: take t off the CPU's count and out of its list.  on_rq
 * is what the task is from now on: 0 asleep, ON_RQ_PUSH on its way to another
 * queue.  Never the one before the other: a waker looks without rq->lock, and
 * who takes a moving task for a sleeping one makes it run on two CPUs.
 */
void rq_dequeue(struct rq *rq, struct task *t, u8 on_rq)
{
	if (t->se.queued) {
		if (unlikely(se_is_rt(&t->se)))
			rt_remove(rq, t);
		else
			fair_remove(rq, t);
	}
	WRITE_ONCE(t->se.on_rq, on_rq);
	WRITE_ONCE(rq->nr_running, rq->nr_running - 1);
}

void rq_check_preempt(struct rq *rq, struct task *t)
{
	struct task *curr = rq->curr;
	bool yes;

	if (curr == rq->idle)
		yes = true;
	else if (se_is_rt(&t->se))
		yes = se_rt_prio(&t->se) > se_rt_prio(&curr->se);
	else
		yes = !se_is_rt(&curr->se) && fair_should_preempt(rq, t);
	if (yes)
		rq_resched(rq);
}

static struct task *pick_waiting(struct rq *rq)
{
	struct task *t = rt_first(rq);

	if (unlikely(t)) {
		rt_remove(rq, t);
		return t;
	}
	t = fair_first(rq);
	if (t)
		fair_remove(rq, t);
	return t;
}

/*
 * prev stays runnable.  It keeps the CPU without a trip through the tree when
 * nobody is better; a yielding one goes behind the others first.
 */
static struct task *pick_over(struct rq *rq, struct task *prev,
			      enum switch_kind kind)
{
	bool tail = kind == SWITCH_YIELD;
	struct task *best;

	if (unlikely(se_is_rt(&prev->se))) {
		if (prev->se.policy == SCHED_RR && !prev->se.slice_ns) {
			prev->se.slice_ns = RR_SLICE_NS;
			tail = true;
		}
		rt_insert(rq, prev, !tail);
		return pick_waiting(rq);
	}
	best = rt_first(rq);
	if (unlikely(best)) {
		fair_insert(rq, prev);
		rt_remove(rq, best);
		return best;
	}
	best = fair_first(rq);
	if (!best)
		return prev;
	if (!tail && !fair_before(best->se.vruntime, prev->se.vruntime))
		return prev;
	fair_remove(rq, best);
	fair_insert(rq, prev);
	return best;
}

/*
 * A task that sleeps soon after it woke another hands its CPU over: next time
 * the one it wakes stays here rather than start an idle CPU.
 */
static void note_sync(struct sched_entity *se, u64 now)
{
	if (now - se->wake_ns < SYNC_WAKE_NS)
		se->sync += se->sync < SYNC_MAX;
	else
		se->sync -= se->sync > 0;
	se->wake_ns = 0;
}

/* prev leaves the queue to sleep, unless a signal already broke that. */
static bool put_to_sleep(struct rq *rq, struct task *prev, u32 state)
{
	if (prev->se.wake_ns)
		note_sync(&prev->se, prev->se.exec_start);

	if (unlikely(signal_pending_state(state))) {
		WRITE_ONCE(prev->state, TASK_RUNNING);
		return false;
	}
	if (state & (TASK_UNINTERRUPTIBLE | TASK_KILLABLE)) {
		prev->se.in_load = 1;
		WRITE_ONCE(rq->nr_blocked, rq->nr_blocked + 1);
	}
	rq_dequeue(rq, prev, 0);
	return true;
}

static struct task *pick_next(struct rq *rq, struct task *prev,
			      enum switch_kind kind)
{
	u32 state = READ_ONCE(prev->state);
	struct task *next;

	if (prev != rq->idle) {
		if (kind != SWITCH_ASKED || state == TASK_RUNNING ||
		    !put_to_sleep(rq, prev, state)) {
			if (likely(task_allowed_on(prev, rq->cpu) &&
				   cpumask_test(&sched_active_mask, rq->cpu)))
				return pick_over(rq, prev, kind);
			rq_dequeue(rq, prev, ON_RQ_PUSH);
			rq->push = prev;
		}
	}
	next = pick_waiting(rq);
	if (!next && sched_pull(rq, 2))
		next = pick_waiting(rq);
	return next ? next : rq->idle;
}

/*
 * A user critical section (rseq) that was interrupted, rather than left by a
 * system call, has to be looked at before prev returns to it.
 */
static inline void rseq_note_switch(struct task *prev)
{
	if (prev->rseq && regs_syscall_nr(task_pt_regs(prev)) < 0)
		fetch_or_relaxed(&prev->ti.flags, TIF_NOTIFY_RESUME);
}

static void switch_idle(struct rq *rq, struct task *prev, struct task *next,
			u64 now)
{
	if (prev == rq->idle) {
		account_idle_end(rq, now);
		bitmap_clear_atomic(sched_idle_mask.bits, rq->cpu);
		tick_kick();
	}
	if (next == rq->idle) {
		WRITE_ONCE(rq->idle_since, now);
		bitmap_set_atomic(sched_idle_mask.bits, rq->cpu);
	}
}

/* rq->lock held, interrupts masked; returns on another stack or much later. */
static void switch_to(struct rq *rq, struct task *prev, struct task *next,
		      u64 now)
{
	bool stays = prev->se.on_rq;

	if (stays)
		prev->se.nivcsw++;
	else
		prev->se.nvcsw++;
	WRITE_ONCE(rq->switches, rq->switches + 1);
	if (unlikely(prev == rq->idle || next == rq->idle))
		switch_idle(rq, prev, next, now);
	rseq_note_switch(prev);
	recent_note(RECENT_SWITCH, (u32)task_tid(prev), (u64)task_tid(next));
	perf_task_sched_out(prev, next, stays);
	arch_debug_switch(prev, next);
	WRITE_ONCE(rq->curr, next);
	arch_smp_mb();		/* before next's accesses: membarrier(2) */
	next->se.exec_start = now;
	ASSERT(!next->on_cpu);
	next->on_cpu = 1;
	if (next->mm != prev->active_mm)
		arch_mm_switch(prev->active_mm, next->mm);
	next->active_mm = next->mm;
	sched_finish_switch(arch_switch_to(prev, next));
}

/* First code on the stack of the task that runs now; prev ran before. */
void sched_finish_switch(struct task *prev)
{
	struct rq *rq = this_cpu_ptr(sched_rq);
	struct task *push = rq->push;
	/* Off its queue too: one that is preempted on its way here runs on. */
	bool dead = prev->state == TASK_DEAD && !prev->se.on_rq;

	perf_task_sched_in(prev, current);
	rq->push = NULL;
	store_release(&prev->on_cpu, 0);
	lockrank_release(&rq->lock);
	store_release(&rq->lock.locked, 0);
	preempt_enable_no_resched();
	arch_irq_enable();
	if (unlikely(push))
		sched_push_away(push);
	if (unlikely(dead))
		task_put(prev);
}

/* Interrupts on or off at entry, on at return. */
static void schedule_now(enum switch_kind kind)
{
	struct task *prev = current, *next;
	struct rq *rq;
	u64 now;

	arch_irq_disable();
	reclaim_quiescent();
	rq = this_cpu_ptr(sched_rq);
	spin_lock(&rq->lock);
	now = time_mono_ns();
	rq_update_curr(rq, now);
	next = pick_next(rq, prev, kind);
	if (READ_ONCE(prev->ti.flags) & TIF_NEED_RESCHED)
		fetch_and_relaxed(&prev->ti.flags, ~TIF_NEED_RESCHED);
	WRITE_ONCE(prev->ti.resched_not_needed, 1);
	if (likely(next != prev)) {
		trace_sched_switch(kind == SWITCH_PREEMPT, prev, next,
				   prev->se.on_rq ? TASK_RUNNING : prev->state);
		if (static_branch(sched_stats_key))
			sched_stats_switch(rq, prev, next, now);
		switch_to(rq, prev, next, now);
		return;
	}
	if (prev == rq->idle)
		bitmap_set_atomic(sched_idle_mask.bits, rq->cpu);
	lockrank_release(&rq->lock);
	store_release(&rq->lock.locked, 0);
	preempt_enable_no_resched();
	arch_irq_enable();
}

void schedule(void)
{
	might_sleep();
	schedule_now(SWITCH_ASKED);
}

void sched_yield_cpu(void)
{
	schedule_now(SWITCH_YIELD);
}

void sched_idle_switch(void)
{
	schedule_now(SWITCH_ASKED);
}

/*
 * A switch ends with interrupts on, and one that was waiting comes in at once.
 * It must not preempt in its turn, on top of this frame: where each switch
 * makes the next interrupt, as with a busy PMU, the stack would not last.
 * What it asks for is seen by the loop.
 */
void preempt_schedule(void)
{
	if (arch_irqs_disabled())
		return;
	do {
		preempt_disable();
		schedule_now(SWITCH_PREEMPT);
		preempt_enable_no_resched();
	} while (need_resched());
}

void preempt_schedule_irq(void)
{
	do {
		preempt_disable();
		schedule_now(SWITCH_PREEMPT);
		arch_irq_disable();
		preempt_enable_no_resched();
	} while (need_resched());
}

void sched_exit(struct task *task)
{
	unsigned long flags = arch_irq_save();
	struct rq *rq = this_cpu_ptr(sched_rq);

	ASSERT(task == current);
	spin_lock(&rq->lock);
	rq_update_curr(rq, time_mono_ns());
	spin_unlock(&rq->lock);
	arch_irq_restore(flags);
}

void sched_init_cpu(u32 cpu)
{
	struct rq *rq = rq_of(cpu);

	rq->cpu = cpu;
	rb_init(&rq->fair);
	rt_init(rq);
}

static void idle_entity(struct task *idle)
{
	struct sched_entity *se = &idle->se;

	rb_node_clear(&se->node);
	list_init(&se->rt_link);
	se->weight = FAIR_WEIGHT_IDLE;
	bitmap_fill(se->allowed.bits, NR_CPUS);
}

struct task *sched_idle_task(u32 cpu)
{
	return READ_ONCE(rq_of(cpu)->idle);
}

void sched_set_idle(u32 cpu, struct task *idle)
{
	struct rq *rq = rq_of(cpu);

	idle_entity(idle);
	idle->state = TASK_RUNNING;
	idle->on_cpu = 1;
	idle->flags |= TASK_IDLE | TASK_KTHREAD;
	idle->ti.cpu = cpu;
	idle->ti.preempt_count = PREEMPT_OFFSET;
	idle->ti.resched_not_needed = 1;
	rq->idle = idle;
	rq->curr = idle;
}

/* This CPU begins in its idle task, interrupts masked: it may be given work. */
void sched_cpu_starts(void)
{
	struct rq *rq = this_cpu_ptr(sched_rq);

	WRITE_ONCE(rq->idle_since, time_mono_ns());
	bitmap_set_atomic(sched_active_mask.bits, rq->cpu);
	bitmap_set_atomic(sched_idle_mask.bits, rq->cpu);
}

void sched_start(void)
{
	sched_load_start();
	sched_cpu_starts();
	arch_irq_enable();
	cpu_idle_loop();
}

void sched_init(void)
{
	u32 cpu;

	for_each_possible_cpu(cpu)
		sched_init_cpu(cpu);
	sched_set_idle(cpu_id(), &init_task);
	bitmap_set(sched_active_mask.bits, cpu_id());
}
