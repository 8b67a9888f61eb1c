/* SPDX-License-Identifier: MIT */
/*
 * Sampling rates: frequency mode and throttling.
 *
 * Entry points: perf_freq_overflow and perf_freq_throttle (each overflow),
 * perf_freq_tick (each perf tick, for active events).  Everything runs on the
 * event's CPU, masked, and touches only that event.  Rates are measured
 * against the event's running time, so an event that shares its counter or its
 * task's CPU still gets its samples per second of running.
 */
#include "internal.h"
#include "period.h"

static u64 running_now(struct perf_event *e)
{
	u64 enabled, running;

	perf_event_times(e, perf_ctx_time_now(e->ctx), &enabled, &running);
	return running;
}

/* count events happened in ns: move the period towards what freq asks for. */
static void adjust(struct perf_event *e, u64 ns, u64 count, bool counting)
{
	struct perf_counter *c = &e->c;
	struct perf_pmu *pmu = c->pmu;
	u64 ideal = perf_period_ideal(e->attr.sample_freq, ns, count);

	c->period = perf_period_step(c->period, ideal);
	/* The running interval dates from a much longer period: cut it. */
	if (load_relaxed(&c->left) > (s64)(8 * c->period)) {
		if (counting)
			pmu->ops.stop(c, PERF_EF_UPDATE);
		store_relaxed(&c->left, 0);
		if (counting)
			pmu->ops.start(c, PERF_EF_RELOAD);
	}
}

void perf_freq_start(struct perf_event *e)
{
	e->freq_count = perf_counter_count(&e->c);
	e->freq_tick_stamp = e->running;
	e->freq_stamp = 0;
}

void perf_freq_overflow(struct perf_event *e)
{
	u64 now = running_now(e), delta = now - e->freq_stamp;

	/* Far apart, one interval says little: the tick looks after those. */
	if (e->freq_stamp && delta && delta < 2 * TICK_NS)
		adjust(e, delta, e->c.last_period, true);
	e->freq_stamp = now;
}

static void tick_freq(struct perf_event *e)
{
	struct perf_pmu *pmu = e->c.pmu;
	u64 now, count, ns, delta;

	pmu->ops.stop(&e->c, PERF_EF_UPDATE);
	now = running_now(e);
	ns = now - e->freq_tick_stamp;
	count = perf_counter_count(&e->c);
	delta = count - e->freq_count;
	e->freq_tick_stamp = now;
	e->freq_count = count;
	if (delta && ns)
		adjust(e, ns, delta, false);
	pmu->ops.start(&e->c, delta ? PERF_EF_RELOAD : 0);
}

void perf_freq_tick(struct perf_ctx *ctx, u64 now)
{
	struct perf_event *e;

	if (!ctx->nr_active)
		return;
	list_for_each_entry(e, &ctx->events, ctx_link) {
		bool throttled = e->interrupts == PERF_THROTTLED;

		if (e->state != PERF_ACTIVE || !e->c.sampling)
			continue;
		if (throttled)
			perf_freq_unthrottle(e);
		if (e->attr.freq)
			tick_freq(e);
		else if (throttled)
			e->c.pmu->ops.start(&e->c, 0);
	}
}

/*
 * Count an overflow in its window of one tick.  True: too many (and stop was
 * set), the event rests until the next tick.
 */
bool perf_freq_throttle(struct perf_event *e, u64 now, bool stop)
{
	struct perf_cpu *here = this_cpu_ptr(perf_cpu);

	if (e->interrupts == PERF_THROTTLED)
		return true;
	if (now >= e->window_end) {
		/* Windows follow the grid of the tick. */
		e->window_end = (now / TICK_NS + 1) * TICK_NS;
		e->interrupts = 1;
		return false;
	}
	if (++e->interrupts < READ_ONCE(perf_max_per_tick) || !stop)
		return false;
	e->interrupts = PERF_THROTTLED;
	fetch_add_relaxed(&here->nr_throttled, 1);
	irq_work_queue(&here->tick_work);
	perf_output_throttle(e, true);
	return true;
}

void perf_freq_unthrottle(struct perf_event *e)
{
	e->interrupts = 0;
	perf_output_throttle(e, false);
}
