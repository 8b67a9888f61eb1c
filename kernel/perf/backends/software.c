/* SPDX-License-Identifier: MIT */
/*
 * Software events: faults, switches, migrations, dummy.
 *
 * Entry point: perf_sw_event_body (the facade's slow path).  Active events
 * hang on a list per CPU and event id, so a fault costs only those who want
 * faults.  Lists change on their own CPU with everything masked and are walked
 * there with preemption off and interrupts masked: no lock.
 */
#include <arch/irqflags.h>
#include <arch/perf.h>
#include <arch/regs.h>
#include <kernel/cpu.h>
#include <kernel/lock.h>
#include <kernel/perf_event.h>
#include <kernel/perf_pmu.h>
#include <lib/err.h>

#define LEVELS 4

struct sw_cpu {
	struct list_head events[PERF_COUNT_SW_MAX];
	u8 inside[LEVELS];
	bool ready;
};

static DEFINE_PER_CPU(struct sw_cpu, sw_cpu);

static u32 level(void)
{
	return in_nmi() ? 3 : in_interrupt() ? 2 : 0;
}

static void sw_deliver(struct sw_cpu *sw, u32 id, u64 nr, struct pt_regs *regs,
		       u64 addr)
{
	struct perf_counter *c, *next;
	struct perf_sample sample;
	bool user = regs_user_mode(regs);

	list_for_each_entry_safe(c, next, &sw->events[id], link) {
		if ((c->state & PERF_CNT_STOPPED) ||
		    (user ? c->attr->exclude_user : c->attr->exclude_kernel))
			continue;
		if (!c->sampling) {
			perf_counter_add(c, nr);
			continue;
		}
		perf_sample_init(&sample, addr, 0);
		perf_pmu_sw_count(c, nr, &sample, regs);
	}
}

void perf_sw_event_body(u32 id, u64 nr, struct pt_regs *regs, u64 addr)
{
	struct pt_regs here;
	struct sw_cpu *sw;
	unsigned long flags;
	u32 l;

	preempt_disable();
	flags = arch_irq_save_all();
	sw = this_cpu_ptr(sw_cpu);
	l = level();
	if (sw->ready && !list_empty(&sw->events[id]) && !sw->inside[l] &&
	    !perf_pmu_in_work()) {
		/* A sample that faults must not sample its own fault. */
		sw->inside[l] = 1;
		if (!regs) {
			arch_perf_fetch_regs(&here);
			regs = &here;
		}
		sw_deliver(sw, id, nr, regs, addr);
		sw->inside[l] = 0;
	}
	arch_irq_restore_all(flags);
	preempt_enable();
}

static int sw_event_init(struct perf_counter *c)
{
	u64 id = c->attr->config;

	if (c->attr->type != PERF_TYPE_SOFTWARE)
		return -ENOENT;
	if (c->attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return -EOPNOTSUPP;
	/* The clocks have a PMU of their own. */
	if (id == PERF_COUNT_SW_CPU_CLOCK || id == PERF_COUNT_SW_TASK_CLOCK ||
	    id >= PERF_COUNT_SW_MAX)
		return -ENOENT;
	__atomic_fetch_add(&perf_sw_wanted[id], 1, __ATOMIC_RELAXED);
	return 0;
}

static void sw_event_destroy(struct perf_counter *c)
{
	__atomic_fetch_sub(&perf_sw_wanted[c->attr->config], 1,
			   __ATOMIC_RELAXED);
}

static int sw_add(struct perf_counter *c, u32 flags)
{
	struct sw_cpu *sw = this_cpu_ptr(sw_cpu);

	if (c->sampling)
		perf_pmu_sw_start(c);
	c->state = flags & PERF_EF_START ? 0 : PERF_CNT_STOPPED;
	list_add_tail(&c->link, &sw->events[c->attr->config]);
	return 0;
}

static void sw_del(struct perf_counter *c, u32 flags)
{
	list_del_init(&c->link);
}

static void sw_start(struct perf_counter *c, u32 flags)
{
	c->state = 0;
}

static void sw_stop(struct perf_counter *c, u32 flags)
{
	c->state = PERF_CNT_STOPPED;
}

static void sw_cpu_online(struct perf_pmu *pmu, u32 cpu)
{
	struct sw_cpu *sw = per_cpu_ptr(sw_cpu, cpu);
	u32 i;

	if (sw->ready)
		return;
	for (i = 0; i < PERF_COUNT_SW_MAX; i++)
		list_init(&sw->events[i]);
	sw->ready = true;
}

static const struct perf_pmu_ops sw_ops = {
	.cpu_online = sw_cpu_online,
	.event_init = sw_event_init,
	.event_destroy = sw_event_destroy,
	.add = sw_add,
	.del = sw_del,
	.start = sw_start,
	.stop = sw_stop,
};

static const struct perf_pmu_desc sw_desc = {
	.name = "software",
	.type = PERF_TYPE_SOFTWARE,
	.caps = PERF_PMU_SOFTWARE | PERF_PMU_SAFE_CLOCKS,
	.ops = &sw_ops,
};
PERF_PMU_REGISTER(sw_desc);
