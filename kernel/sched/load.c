/* SPDX-License-Identifier: MIT */
/*
 * Which CPU: placement of woken tasks, pulling when a CPU runs dry, periodic
 * balance, and the load averages.
 *
 * A waker claims an idle CPU by clearing its bit in sched_idle_mask, so that
 * two wakers do not choose the same one; the CPU sets it again when it goes
 * idle.  Pulling holds the puller's rq->lock and only tries the other's, so
 * no order between them is needed.  Counts of other CPUs are read unlocked:
 * they are hints.
 */
#include <arch/irq.h>
#include <kernel/panic.h>

#include "internal.h"

#define BALANCE_TICKS 16	/* between periodic pulls */
#define KICK_TICKS    4		/* between kicks of an idle CPU */

struct cpumask sched_idle_mask;
struct cpumask sched_active_mask;

static bool can_run_on(const struct task *t, u32 cpu)
{
	return task_allowed_on(t, cpu) && cpumask_test(&sched_active_mask, cpu);
}

static bool claim_idle(u32 cpu)
{
	return bitmap_test(sched_idle_mask.bits, cpu) &&
	       bitmap_test_and_clear_atomic(sched_idle_mask.bits, cpu);
}

static u32 claim_any_idle(const struct task *t)
{
	u64 found;
	u32 i, bit;

	for (i = 0; i < CPUMASK_WORDS; i++) {
		found = READ_ONCE(sched_idle_mask.bits[i]) &
			t->se.allowed.bits[i] & sched_active_mask.bits[i];
		for (; found; found &= found - 1) {
			bit = i * 64 + (u32)bit_lowest(found);
			if (claim_idle(bit))
				return bit;
		}
	}
	return NR_CPUS;
}

static u32 load_of(u32 cpu)
{
	return READ_ONCE(rq_of(cpu)->nr_running);
}

/* The allowed CPU with the fewest tasks; any active one if none is allowed. */
static u32 least_loaded(struct task *t)
{
	u32 cpu, best = NR_CPUS;

	for_each_cpu(cpu, &sched_active_mask) {
		if (task_allowed_on(t, cpu) &&
		    (best == NR_CPUS || load_of(cpu) < load_of(best)))
			best = cpu;
	}
	if (best < NR_CPUS)
		return best;
	/* Its last CPU went offline: the mask is void, as on Linux. */
	bitmap_fill(t->se.allowed.bits, NR_CPUS);
	return (u32)bitmap_find_first(sched_active_mask.bits, NR_CPUS);
}

/* A FIFO or RR task goes where it runs at once. */
static u32 rt_target(struct task *t, u32 prev)
{
	u32 cpu, prio, best = prev, lowest = RT_PRIOS;

	for_each_cpu(cpu, &sched_active_mask) {
		if (!task_allowed_on(t, cpu))
			continue;
		prio = se_rt_prio(&READ_ONCE(rq_of(cpu)->curr)->se);
		if (prio < lowest || (prio == lowest && cpu == prev)) {
			lowest = prio;
			best = cpu;
		}
	}
	return best;
}

/* wake_lock held, interrupts off, t off every queue. */
u32 sched_select_cpu(struct task *t)
{
	u32 prev = t->ti.cpu, me = cpu_id(), cpu;
	bool prev_ok = can_run_on(t, prev);

	if (current->se.sync >= SYNC_SURE && !in_interrupt() &&
	    load_of(me) == 1 && can_run_on(t, me) && !se_is_rt(&t->se))
		return me;
	if (prev_ok && claim_idle(prev))
		return prev;
	if (me != prev && can_run_on(t, me) && claim_idle(me))
		return me;
	cpu = claim_any_idle(t);
	if (cpu < NR_CPUS)
		return cpu;
	if (unlikely(!prev_ok))
		return least_loaded(t);
	if (unlikely(se_is_rt(&t->se)))
		return rt_target(t, prev);
	if (me != prev && load_of(me) + 1 < load_of(prev) && can_run_on(t, me))
		return me;
	return prev;
}

/* t was taken off its CPU's queue (ON_RQ_PUSH) and is off the CPU by now. */
void sched_push_away(struct task *t)
{
	unsigned long flags = spin_lock_irqsave(&t->wake_lock);

	task_set_cpu(t, sched_select_cpu(t));
	task_activate(t, time_mono_ns());
	spin_unlock_irqrestore(&t->wake_lock, flags);
}

static struct task *movable_task(struct rq *from, u32 cpu)
{
	struct rb_node *node;
	struct task *t;
	u32 prio;

	for (prio = RT_PRIOS; prio-- > 1;) {
		if (!(from->rt_bits[prio / 64] >> prio % 64 & 1))
			continue;
		list_for_each_entry(t, &from->rt[prio], se.rt_link) {
			if (task_allowed_on(t, cpu))
				return t;
		}
	}
	for (node = rb_first(&from->fair); node; node = rb_next(node)) {
		t = rb_entry(node, struct task, se.node);
		if (task_allowed_on(t, cpu))
			return t;
	}
	return NULL;
}

/*
 * rq->lock held: take one waiting task from the CPU with the most, if that
 * has at least min_busiest.  True if something came.
 */
bool sched_pull(struct rq *rq, u32 min_busiest)
{
	u32 cpu, load, most = min_busiest - 1;
	struct rq *from = NULL;
	struct task *t;

	if (unlikely(!cpumask_test(&sched_active_mask, rq->cpu)))
		return false;
	for_each_cpu(cpu, &sched_active_mask) {
		load = load_of(cpu);
		if (load > most && cpu != rq->cpu) {
			most = load;
			from = rq_of(cpu);
		}
	}
	if (likely(!from) || !spin_trylock(&from->lock))
		return false;
	t = movable_task(from, rq->cpu);
	if (t) {
		rq_dequeue(from, t, ON_RQ_PUSH);
		task_set_cpu(t, rq->cpu);
		rq_enqueue(rq, t);
	}
	spin_unlock(&from->lock);
	return t;
}

/* This CPU has more than it can run: let an idle one look around. */
static void kick_idle_cpu(void)
{
	u32 cpu = (u32)bitmap_find_first(sched_idle_mask.bits, NR_CPUS);
	struct task *idle;

	if (cpu >= NR_CPUS || !claim_idle(cpu))
		return;
	idle = rq_of(cpu)->idle;
	fetch_or_relaxed(&idle->ti.flags, TIF_NEED_RESCHED);
	arch_ipi_send_cpu(cpu, ARCH_IPI_RESCHED);
}

void sched_tick_balance(struct rq *rq)
{
	struct task *next;

	rq->ticks++;
	if (rq->nr_running > 1 && rq->ticks % KICK_TICKS == 0)
		kick_idle_cpu();
	if (rq->ticks % BALANCE_TICKS)
		return;
	if (sched_pull(rq, rq->nr_running + 2)) {
		next = rt_first(rq);
		if (next)
			rq_check_preempt(rq, next);
	}
}

/*
 * Load averages: every five seconds, in 1/2048, the three exponential means
 * over 1, 5 and 15 minutes (2048 * e^(-5/60), e^(-5/300), e^(-5/900)).
 */
#define LOAD_PERIOD_NS (5 * NSEC_PER_SEC)

static const u32 load_decay[3] = { 1884, 2014, 2037 };
static u64 load_average[3];		/* [timer fn] read anywhere */
static struct timer load_timer;

static void load_sample(struct timer *t)
{
	s64 active = 0;
	u32 cpu, i;

	for_each_possible_cpu(cpu)
		active += (s64)load_of(cpu) + READ_ONCE(rq_of(cpu)->nr_blocked);
	if (active < 0)
		active = 0;
	for (i = 0; i < 3; i++) {
		u64 next = load_average[i] * load_decay[i] +
			   (u64)active * 2048 * (2048 - load_decay[i]);

		/* Round up while it grows, so that it reaches its limit. */
		if ((u64)active * 2048 >= load_average[i])
			next += 2047;
		WRITE_ONCE(load_average[i], next / 2048);
	}
	timer_forward(t, time_mono_ns(), LOAD_PERIOD_NS);
	timer_start(t, t->expires);
}

void sched_load_average(u64 out[3])
{
	u32 i;

	for (i = 0; i < 3; i++)
		out[i] = READ_ONCE(load_average[i]);
}

void sched_load_start(void)
{
	timer_init(&load_timer, load_sample);
	timer_start(&load_timer, time_mono_ns() + LOAD_PERIOD_NS);
}

/* CPUs that run a task of mm at this moment. */
void sched_cpus_of_mm(const struct mm *mm, struct cpumask *out)
{
	u32 cpu;

	bitmap_zero(out->bits, NR_CPUS);
	preempt_disable();		/* a task found is not freed */
	for_each_online_cpu(cpu) {
		if (READ_ONCE(READ_ONCE(rq_of(cpu)->curr)->mm) == mm)
			bitmap_set(out->bits, cpu);
	}
	preempt_enable();
}
