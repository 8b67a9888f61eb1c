/* SPDX-License-Identifier: MIT */
/*
 * Period arithmetic and counter folding.
 *
 * Entry points: perf_period_* (pure) and the backends' perf_pmu_fold and
 * perf_pmu_set_period, which touch only the counter they are given.  No
 * locks: the caller keeps the overflow interrupt out between reading the
 * hardware and folding it; other CPUs read count and left at any time.
 */
#include "period.h"

#include <kernel/perf_pmu.h>
#include <lib/atomic.h>
#include <lib/math64.h>

#define NS_PER_S 1000000000ull

u64 perf_period_ideal(u64 freq, u64 ns, u64 count)
{
	u64 per_sec, ideal;

	if (!ns || !freq)
		return 1;
	per_sec = mul_u64_u64_div_u64(count, NS_PER_S, ns);
	ideal = per_sec / freq;
	return ideal ? ideal : 1;
}

u64 perf_period_step(u64 period, u64 ideal)
{
	s64 delta = (s64)(ideal - period);
	u64 next;

	/* An eighth of the way, rounded so that it gets there. */
	delta = (delta + 7) / 8;
	next = period + (u64)delta;
	return next ? next : 1;
}

u64 perf_period_expire(s64 *left, u64 period)
{
	u64 over, nr;

	if (*left < 0)
		return 0;
	over = (u64)*left;
	nr = over / period + 1;
	*left = (s64)(over - nr * period);
	return nr;
}

u64 perf_pmu_fold(struct perf_counter *c, u64 now, u32 width)
{
	u64 prev = xchg_relaxed(&c->prev, now), delta;
	u32 shift = 64 - width;

	delta = ((now << shift) - (prev << shift)) >> shift;
	fetch_add_relaxed(&c->count, delta);
	fetch_add_relaxed(&c->left, -(s64)delta);
	return delta;
}

u64 perf_pmu_set_period(struct perf_counter *c, u64 max, bool *wrapped)
{
	s64 left = load_relaxed(&c->left);
	s64 period = (s64)c->period;
	bool ended = false;

	/* Far behind: give up the periods that were missed. */
	if (unlikely(left <= -period)) {
		left = period;
		ended = true;
	} else if (unlikely(left <= 0)) {
		left += period;
		ended = true;
	}
	if (ended) {
		store_relaxed(&c->left, left);
		c->last_period = c->period;
	}
	if (wrapped)
		*wrapped = ended;
	return (u64)left > max ? max : (u64)left;
}
