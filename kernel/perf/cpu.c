/* SPDX-License-Identifier: MIT */
/*
 * Per-CPU perf state: the rotation timer, the tick, CPUs coming and going.
 *
 * Both timers run only while somebody needs them: rotation while a group did
 * not fit, the tick while frequency events count or an event is throttled.
 * They fire on their own CPU in hard-interrupt context.
 */
#include "internal.h"

#include <kernel/cpu.h>

DEFINE_PER_CPU(struct perf_cpu, perf_cpu);

/* The PMU that takes turns on cpu says how long one is. */
static u64 turn_ns(u32 cpu)
{
	struct perf_pmu *pmu;

	list_for_each_entry(pmu, &perf_pmus, link)
		if (!(pmu->caps & PERF_PMU_SOFTWARE) &&
		    perf_pmu_has_cpu(pmu, cpu))
			return READ_ONCE(pmu->mux_ms) * NSEC_PER_MSEC;
	return TICK_NS;
}

void perf_cpu_arm_mux(struct perf_cpu *here)
{
	if (here->mux_armed || !here->online)
		return;
	here->mux_armed = true;
	timer_start(&here->mux,
		    time_mono_ns() + turn_ns((u32)here->ctx.cpu));
}

static void mux_fired(struct timer *t)
{
	struct perf_cpu *here = container_of(t, struct perf_cpu, mux);
	unsigned long flags = arch_irq_save_all();
	struct perf_ctx *task_ctx = here->task_ctx;

	perf_cpu_lock(here);
	here->mux_armed = false;
	/* Whatever still does not fit arms the timer again. */
	if (here->ctx.rotate || (task_ctx && task_ctx->rotate))
		perf_sched_rotate(here);
	perf_cpu_unlock_both(here, task_ctx);
	arch_irq_restore_all(flags);
}

/* On the grid of the windows in which overflows are counted (freq.c). */
void perf_cpu_arm_tick(struct perf_cpu *here)
{
	if (here->tick_armed || !here->online)
		return;
	here->tick_armed = true;
	timer_start(&here->tick, (time_mono_ns() / TICK_NS + 1) * TICK_NS);
}

/* An event was throttled, possibly in the overflow interrupt. */
static void tick_wanted(struct irq_work *work)
{
	struct perf_cpu *here = container_of(work, struct perf_cpu, tick_work);
	unsigned long flags = arch_irq_save_all();

	perf_cpu_arm_tick(here);
	arch_irq_restore_all(flags);
}

static void tick_fired(struct timer *t)
{
	struct perf_cpu *here = container_of(t, struct perf_cpu, tick);
	unsigned long flags = arch_irq_save_all();
	struct perf_ctx *task_ctx = here->task_ctx;
	u64 now = time_mono_ns();

	perf_cpu_lock(here);
	here->tick_armed = false;
	store_relaxed(&here->nr_throttled, 0);
	perf_pmus_disable();
	perf_freq_tick(&here->ctx, now);
	if (task_ctx)
		perf_freq_tick(task_ctx, now);
	perf_pmus_enable();
	if (here->nr_tick || load_relaxed(&here->nr_throttled))
		perf_cpu_arm_tick(here);
	perf_cpu_unlock_both(here, task_ctx);
	arch_irq_restore_all(flags);
}

/* All CPUs' state, before any of them is online for perf. */
void perf_cpus_init(void)
{
	u32 cpu;

	for_each_possible_cpu(cpu) {
		struct perf_cpu *pc = per_cpu_ptr(perf_cpu, cpu);

		perf_ctx_init(&pc->ctx, NULL, (s32)cpu,
			      LOCK_RANK_PERF_CPU_CTX);
		timer_init(&pc->mux, mux_fired);
		timer_init(&pc->tick, tick_fired);
		irq_work_init(&pc->tick_work, tick_wanted);
	}
}

void perf_cpu_online(u32 cpu)
{
	unsigned long flags = arch_irq_save_all();
	struct perf_cpu *here = per_cpu_ptr(perf_cpu, cpu);
	struct perf_pmu *pmu;

	list_for_each_entry(pmu, &perf_pmus, link)
		if (perf_pmu_has_cpu(pmu, cpu))
			pmu->ops.cpu_online(pmu, cpu);
	spin_lock(&here->ctx.lock);
	here->online = true;
	here->ctx.stamp = time_mono_ns();
	WRITE_ONCE(here->ctx.active, true);
	spin_unlock(&here->ctx.lock);
	arch_irq_restore_all(flags);
}

/* Events of a CPU that leaves are frozen for good, as on Linux. */
void perf_cpu_offline(u32 cpu)
{
	unsigned long flags = arch_irq_save_all();
	struct perf_cpu *here = per_cpu_ptr(perf_cpu, cpu);
	struct perf_event *e, *next;
	struct perf_pmu *pmu;

	perf_cpu_lock(here);
	perf_ctx_update_time(&here->ctx);
	list_for_each_entry_safe(e, next, &here->ctx.events, ctx_link) {
		perf_sched_event_out(e, &here->ctx, here);
		if (e->state > PERF_OFF)
			perf_event_set_state(e, PERF_OFF);
		perf_group_split(e);
		perf_group_detach(e);
	}
	WRITE_ONCE(here->ctx.active, false);
	here->online = false;
	perf_cpu_unlock_both(here, here->task_ctx);
	timer_cancel(&here->mux);
	timer_cancel(&here->tick);
	here->mux_armed = here->tick_armed = false;
	list_for_each_entry(pmu, &perf_pmus, link)
		if (perf_pmu_has_cpu(pmu, cpu))
			pmu->ops.cpu_offline(pmu, cpu);
	arch_irq_restore_all(flags);
}
