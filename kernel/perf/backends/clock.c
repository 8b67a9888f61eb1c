/* SPDX-License-Identifier: MIT */
/*
 * cpu-clock and task-clock: time as an event, sampled by timers.
 *
 * cpu-clock counts wall time while it is scheduled, task-clock the time of
 * its context; for a task the two advance alike.  Sampling uses one timer per
 * event, made at open, running while the event counts; it fires in ordinary
 * interrupt context on the event's CPU and samples what it interrupted.  A
 * frequency becomes a period in nanoseconds at open and is forgotten.
 */
#include <arch/irqflags.h>
#include <arch/regs.h>
#include <kernel/irq.h>
#include <kernel/page.h>
#include <kernel/perf_pmu.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/err.h>

/* Faster than this only burdens the machine. */
#define MIN_PERIOD_NS 10000

struct clock_timer {
	struct timer timer;
	struct perf_counter *counter;	/* [I] */
	bool live;			/* own CPU, masked */
};

static u64 clock_now(const struct perf_counter *c)
{
	return c->attr->config == PERF_COUNT_SW_TASK_CLOCK ?
		       perf_pmu_context_time(c) :
		       time_mono_ns();
}

static void clock_read(struct perf_counter *c)
{
	u64 now = clock_now(c);
	u64 prev = __atomic_exchange_n(&c->prev, now, __ATOMIC_RELAXED);

	perf_counter_add(c, now - prev);
}

static u64 clock_period(const struct perf_counter *c)
{
	return c->period < MIN_PERIOD_NS ? MIN_PERIOD_NS : c->period;
}

static void clock_fired(struct timer *timer)
{
	struct clock_timer *t = container_of(timer, struct clock_timer, timer);
	struct perf_counter *c = t->counter;
	struct pt_regs *regs = irq_regs();
	unsigned long flags = arch_irq_save_all();
	struct perf_sample sample;
	bool stop = false;

	if (!t->live)
		goto out;
	clock_read(c);
	if (regs && perf_pmu_regs_wanted(c, regs) &&
	    !(c->attr->exclude_idle && (current_task()->flags & TASK_IDLE))) {
		perf_sample_init(&sample, 0, c->last_period);
		stop = perf_pmu_overflow(c, &sample, regs);
	}
	if (stop) {
		t->live = false;
		goto out;
	}
	timer_forward(timer, time_mono_ns(), clock_period(c));
	timer_start(timer, timer->expires);
out:
	arch_irq_restore_all(flags);
}

static void timer_arm(struct perf_counter *c)
{
	struct clock_timer *t = c->priv;
	s64 left;

	if (!t)
		return;
	left = c->left;
	if (left == 0)
		left = (s64)clock_period(c);
	if (left < 0)
		left = MIN_PERIOD_NS;
	c->left = 0;
	c->last_period = c->period;
	t->live = true;
	timer_start(&t->timer, time_mono_ns() + (u64)left);
}

/* What is left of the period is kept for the next start. */
static void timer_disarm(struct perf_counter *c)
{
	struct clock_timer *t = c->priv;

	if (!t || !t->live)
		return;
	c->left = (s64)(t->timer.expires - time_mono_ns());
	t->live = false;
	timer_cancel(&t->timer);
}

static void clock_start(struct perf_counter *c, u32 flags)
{
	c->state = 0;
	__atomic_store_n(&c->prev, clock_now(c), __ATOMIC_RELAXED);
	timer_arm(c);
}

static void clock_stop(struct perf_counter *c, u32 flags)
{
	if (c->state & PERF_CNT_STOPPED)
		return;
	timer_disarm(c);
	clock_read(c);
	c->state = PERF_CNT_STOPPED | PERF_CNT_UPTODATE;
}

static int clock_add(struct perf_counter *c, u32 flags)
{
	if (flags & PERF_EF_START)
		clock_start(c, flags);
	return 0;
}

static void clock_del(struct perf_counter *c, u32 flags)
{
	clock_stop(c, PERF_EF_UPDATE);
}

/* Throttled events have no timer, but they count. */
static void clock_fold(struct perf_counter *c)
{
	if (!(c->state & PERF_CNT_STOPPED))
		clock_read(c);
}

static int clock_init(struct perf_counter *c, u64 id)
{
	/* The engine's copy of attr: ours to turn frequency into period. */
	struct perf_event_attr *attr = perf_pmu_attr(c);
	struct clock_timer *t;

	if (attr->type != PERF_TYPE_SOFTWARE || attr->config != id)
		return -ENOENT;
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return -EOPNOTSUPP;
	if (!c->sampling)
		return 0;
	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		return -ENOMEM;
	t->counter = c;
	timer_init(&t->timer, clock_fired);
	c->priv = t;
	if (attr->freq) {
		attr->sample_period = NSEC_PER_SEC / attr->sample_freq;
		attr->freq = 0;
		c->period = c->last_period = attr->sample_period;
		c->left = (s64)c->period;
	}
	return 0;
}

static int cpu_clock_init(struct perf_counter *c)
{
	return clock_init(c, PERF_COUNT_SW_CPU_CLOCK);
}

static int task_clock_init(struct perf_counter *c)
{
	return clock_init(c, PERF_COUNT_SW_TASK_CLOCK);
}

static void clock_destroy(struct perf_counter *c)
{
	struct clock_timer *t = c->priv;

	if (!t)
		return;
	timer_cancel_sync(&t->timer);
	kfree(t);
	c->priv = NULL;
}

#define CLOCK_OPS(init)							\
	{								\
		.event_init = init, .event_destroy = clock_destroy,	\
		.add = clock_add, .del = clock_del, .start = clock_start, \
		.stop = clock_stop, .read = clock_fold,			\
	}

static const struct perf_pmu_ops cpu_clock_ops = CLOCK_OPS(cpu_clock_init);
static const struct perf_pmu_ops task_clock_ops = CLOCK_OPS(task_clock_init);

/* Hidden: they have no type of their own, "software" stands for them. */
static const struct perf_pmu_desc cpu_clock_desc = {
	.name = "cpu_clock",
	.type = PERF_PMU_NO_TYPE,
	.caps = PERF_PMU_SOFTWARE | PERF_PMU_SAFE_CLOCKS,
	.ops = &cpu_clock_ops,
};
PERF_PMU_REGISTER(cpu_clock_desc);

static const struct perf_pmu_desc task_clock_desc = {
	.name = "task_clock",
	.type = PERF_PMU_NO_TYPE,
	.caps = PERF_PMU_SOFTWARE | PERF_PMU_SAFE_CLOCKS,
	.ops = &task_clock_ops,
};
PERF_PMU_REGISTER(task_clock_desc);
