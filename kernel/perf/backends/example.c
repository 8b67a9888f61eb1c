/* SPDX-License-Identifier: MIT */
/*
 * The smallest complete PMU: `example/ticks/` counts the beats of a timer that
 * runs on a CPU only while somebody there counts them.
 *
 * docs/perf/add-a-backend.md walks through this file.  The state is one struct
 * beat per CPU, changed on its own CPU with everything masked: no lock.  What
 * is on the list counts, so there is nothing to start or stop beyond that.
 */
#include <arch/irqflags.h>
#include <kernel/irq.h>
#include <kernel/percpu.h>
#include <kernel/perf_pmu.h>
#include <kernel/time.h>
#include <lib/err.h>

#define BEAT_NS	     NSEC_PER_MSEC
#define CONFIG_TICKS 1 /* attr.config, "event" in sysfs */

/* Own CPU, everything masked. */
struct beat {
	struct timer timer;
	struct list_head counters;
};

static DEFINE_PER_CPU(struct beat, beat);

static void beat_fired(struct timer *timer)
{
	struct beat *b = container_of(timer, struct beat, timer);
	unsigned long flags = arch_irq_save_all();
	u64 nr = timer_forward(timer, time_mono_ns(), BEAT_NS);
	struct perf_sample sample;
	struct perf_counter *c;

	list_for_each_entry(c, &b->counters, link) {
		if (!perf_pmu_regs_wanted(c, irq_regs()))
			continue;
		perf_sample_init(&sample, 0, 0);
		perf_pmu_sw_count(c, nr, &sample, irq_regs());
	}
	if (!list_empty(&b->counters))
		timer_start(timer, timer->expires);
	arch_irq_restore_all(flags);
}

static void example_cpu_online(struct perf_pmu *pmu, u32 cpu)
{
	list_init(&this_cpu_ptr(beat)->counters);
	timer_init(&this_cpu_ptr(beat)->timer, beat_fired);
}

static int example_event_init(struct perf_counter *c)
{
	if (c->attr->type != c->pmu->type)
		return -ENOENT;
	return c->attr->config == CONFIG_TICKS ? 0 : -EINVAL;
}

static int example_add(struct perf_counter *c, u32 flags)
{
	struct beat *b = this_cpu_ptr(beat);
	u64 now = time_mono_ns();

	/* On a grid, so that whoever comes and goes still meets every beat. */
	if (list_empty(&b->counters))
		timer_start(&b->timer, now - now % BEAT_NS + BEAT_NS);
	list_add_tail(&c->link, &b->counters);
	if (c->sampling)
		perf_pmu_sw_start(c);
	return 0;
}

static void example_del(struct perf_counter *c, u32 flags)
{
	list_del_init(&c->link);
	if (list_empty(&this_cpu_ptr(beat)->counters))
		timer_cancel(&this_cpu_ptr(beat)->timer);
}

static const struct perf_pmu_ops example_ops = {
	.cpu_online = example_cpu_online, .event_init = example_event_init,
	.add = example_add, .del = example_del,
};

static const struct perf_pmu_string example_format[] = {
	{ "event", "config:0-7" }, { NULL, NULL },
};
static const struct perf_pmu_string example_events[] = {
	{ "ticks", "event=0x01" }, { NULL, NULL },
};
static const struct perf_pmu_desc example_desc = {
	.name = "example", .type = PERF_PMU_NEXT_TYPE,
	.caps = PERF_PMU_SOFTWARE, .ops = &example_ops,
	.format = example_format, .events = example_events,
};
PERF_PMU_REGISTER(example_desc);
