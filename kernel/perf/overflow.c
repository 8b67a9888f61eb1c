/* SPDX-License-Identifier: MIT */
/*
 * What happens when a period ends.
 *
 * Entry points: perf_pmu_overflow (backends' interrupts) and
 * perf_pmu_sw_count (events that are counted by calls).  May run in the
 * overflow interrupt: no lock, no allocation, no wake-up; what needs those is
 * left to the event's irq_work.
 */
#include "internal.h"
#include "period.h"

#include <arch/regs.h>
#include <linux/signal.h>

static bool spend_limit(struct perf_event *e)
{
	if (!load_relaxed(&e->limit))
		return false;
	return fetch_add_relaxed(&e->limit, -1) == 1;
}

/* True: stop counting.  throttle: may this overflow be one too many? */
static bool overflow(struct perf_event *e, struct perf_sample *s,
		     struct pt_regs *regs, bool throttle)
{
	struct perf_event *to = e->parent ? e->parent : e;
	u32 kill = POLL_IN;
	bool stop;

	if (unlikely(!e->c.sampling))
		return false;
	if (!s->time)
		s->time = time_mono_ns();
	stop = perf_freq_throttle(e, s->time, throttle);
	if (e->attr.freq)
		perf_freq_overflow(e);
	if (unlikely(spend_limit(e))) {
		kill = POLL_HUP;
		store_relaxed(&e->want_disable, 1);
		perf_event_queue_work(e);
		stop = true;
	}
	if (unlikely(e->attr.sigtrap))
		perf_event_signal(e, s->addr);
	perf_output_sample(e, s, regs);
	if (unlikely(!list_empty(&to->fasync.entries))) {
		store_relaxed(&to->want_kill, kill);
		store_release(&to->want_wakeup, 1);
		perf_event_queue_work(to);
	}
	return stop;
}

bool perf_pmu_overflow(struct perf_counter *c, struct perf_sample *sample,
		       struct pt_regs *regs)
{
	return overflow(perf_event_of(c), sample, regs, true);
}

static void sw_overflow(struct perf_event *e, u64 nr, struct perf_sample *s,
			struct pt_regs *regs)
{
	bool throttle = false;

	if (!nr)
		nr = perf_period_expire(&e->c.left, e->c.period);
	if (e->interrupts == PERF_THROTTLED)
		return;
	for (; nr; nr--) {
		/* Several at once: the later ones count against the limit. */
		if (overflow(e, s, regs, throttle))
			break;
		throttle = true;
	}
}

/* Preemption off; the event's CPU. */
void perf_pmu_sw_count(struct perf_counter *c, u64 nr, struct perf_sample *s,
		       struct pt_regs *regs)
{
	struct perf_event *e = perf_event_of(c);

	perf_counter_add(c, nr);
	if (!regs || !c->sampling)
		return;
	/* A sample that carries its period needs no remainder. */
	if ((e->attr.sample_type & PERF_SAMPLE_PERIOD) && !e->attr.freq) {
		s->period = nr;
		sw_overflow(e, 1, s, regs);
		return;
	}
	s->period = c->last_period;
	if (nr == 1 && c->period == 1 && !e->attr.freq) {
		sw_overflow(e, 1, s, regs);
		return;
	}
	c->left += (s64)nr;
	if (c->left >= 0)
		sw_overflow(e, 0, s, regs);
}

/* Software counters run upwards from minus the period. */
void perf_pmu_sw_start(struct perf_counter *c)
{
	c->last_period = c->period;
	perf_period_expire(&c->left, c->period);
}

bool perf_pmu_regs_wanted(const struct perf_counter *c, struct pt_regs *regs)
{
	return regs_user_mode(regs) ? !c->attr->exclude_user :
				      !c->attr->exclude_kernel;
}

u64 perf_pmu_context_time(const struct perf_counter *c)
{
	return perf_ctx_time_now(
		container_of(c, const struct perf_event, c)->ctx);
}
