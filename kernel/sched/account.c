/* SPDX-License-Identifier: MIT */
/*
 * Where the time went.
 *
 * Run time is exact, taken at each switch.  Its division into user and system
 * time follows what the tick interrupts; answers are made never to go back,
 * as a reader that subtracts two of them expects.  Idle time is exact, the
 * other times of a CPU are sampled by the tick.
 */
#include <arch/regs.h>
#include <kernel/irq.h>
#include <lib/math64.h>

#include "internal.h"

void account_tick(struct rq *rq, struct task *t, struct pt_regs *regs)
{
	struct sched_cpu_times *times = &rq->times;
	u64 *slot;

	if (t == rq->idle)
		return;
	if (regs && regs_user_mode(regs)) {
		WRITE_ONCE(t->utime_ns, t->utime_ns + TICK_NS);
		slot = t->se.nice > 0 ? &times->nice_ns : &times->user_ns;
	} else {
		WRITE_ONCE(t->stime_ns, t->stime_ns + TICK_NS);
		slot = &times->system_ns;
	}
	WRITE_ONCE(*slot, *slot + TICK_NS);
}

void account_idle_end(struct rq *rq, u64 now)
{
	u64 since = rq->idle_since;

	if (!since)
		return;
	WRITE_ONCE(rq->idle_since, 0);
	WRITE_ONCE(rq->times.idle_ns, rq->times.idle_ns + now - since);
}

bool sched_tick(struct pt_regs *regs)
{
	struct rq *rq = this_cpu_ptr(sched_rq);
	struct task *curr, *first;
	u64 now;
	bool busy;

	spin_lock(&rq->lock);
	curr = rq->curr;
	busy = curr != rq->idle;
	now = time_mono_ns();
	rq_update_curr(rq, now);
	account_tick(rq, curr, regs);
	if (busy) {
		rt_tick_throttle(rq, now);
		first = fair_first(rq);
		if (unlikely(se_is_rt(&curr->se)))
			rt_tick(rq, curr);
		else if (first && fair_before(first->se.vruntime,
					      curr->se.vruntime))
			rq_resched(rq);
		sched_tick_balance(rq);
	}
	spin_unlock(&rq->lock);
	return busy;
}

void sched_cpu_times(u32 cpu, struct sched_cpu_times *out)
{
	struct rq *rq = rq_of(cpu);
	unsigned long flags = spin_lock_irqsave(&rq->lock);

	*out = rq->times;
	if (rq->idle_since)
		out->idle_ns += time_mono_ns() - rq->idle_since;
	spin_unlock_irqrestore(&rq->lock, flags);
}

u64 sched_switch_count(void)
{
	u64 sum = 0;
	u32 cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(rq_of(cpu)->switches);
	return sum;
}

u32 sched_nr_running(void)
{
	u32 sum = 0, cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(rq_of(cpu)->nr_running);
	return sum;
}

/* The running slice included; wake_lock and rq->lock held. */
static u64 runtime_locked(struct rq *rq, struct task *t)
{
	u64 now;

	if (rq->curr != t)
		return t->se.sum_exec_ns;
	now = time_mono_ns();
	return t->se.sum_exec_ns +
	       (now > t->se.exec_start ? now - t->se.exec_start : 0);
}

u64 sched_runtime_ns(struct task *t)
{
	unsigned long flags;
	struct rq *rq;
	u64 ns;

	if (t == current) {
		/* Nobody else accounts it while this CPU is kept. */
		flags = arch_irq_save();
		ns = t->se.sum_exec_ns + (time_mono_ns() - t->se.exec_start);
		arch_irq_restore(flags);
		return ns;
	}
	rq = task_rq_lock(t, &flags);
	ns = runtime_locked(rq, t);
	task_rq_unlock(rq, t, flags);
	return ns;
}

void sched_split_times(u64 run_ns, u64 user_ticks_ns, u64 sys_ticks_ns,
		       u64 *user, u64 *sys)
{
	if (!sys_ticks_ns)
		*user = run_ns;
	else if (!user_ticks_ns)
		*user = 0;
	else
		*user = mul_u64_u64_div_u64(run_ns, user_ticks_ns,
					    user_ticks_ns + sys_ticks_ns);
	*sys = run_ns - *user;
}

void sched_task_times(struct task *t, u64 *user_ns, u64 *sys_ns)
{
	struct sched_entity *se = &t->se;
	unsigned long flags;
	struct rq *rq;
	u64 run, user, sys;

	rq = task_rq_lock(t, &flags);
	run = runtime_locked(rq, t);
	sched_split_times(run, t->utime_ns, t->stime_ns, &user, &sys);
	if (sys < se->shown_sys) {
		sys = se->shown_sys;
		user = run - sys;
	}
	if (user < se->shown_user) {
		user = se->shown_user;
		sys = run - user;
	}
	se->shown_user = user;
	se->shown_sys = sys;
	task_rq_unlock(rq, t, flags);
	*user_ns = user;
	*sys_ns = sys;
}

bool sched_is_running(const struct task *t)
{
	return READ_ONCE(t->on_cpu);
}

bool sched_in_switch(void)
{
	return READ_ONCE(this_cpu_ptr(sched_rq)->curr) != current;
}
