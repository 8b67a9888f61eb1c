/* SPDX-License-Identifier: MIT */
/*
 * The arithmetic of the fair class, pure: weights of nice levels, weighted
 * run time, comparison of wrapping virtual times, placement.
 *
 * One nice level is a factor of 1.25 in weight around 1024 for nice 0, so that
 * a task one level nicer than its only rival gets about ten percent less.
 */
#ifndef SONDE_KERNEL_SCHED_FAIR_MATH_H
#define SONDE_KERNEL_SCHED_FAIR_MATH_H

#include <lib/types.h>

#define FAIR_WEIGHT_0	 1024u
#define FAIR_WEIGHT_IDLE 3u		/* SCHED_IDLE */
#define FAIR_CREDIT_NS	 3000000ull	/* what a sleeper may be behind */
#define FAIR_WAKE_GRAN_NS 1000000ull	/* lead that a waker keeps */

extern const u32 fair_nice_weight[40];

static inline u32 fair_weight(s32 nice)
{
	return fair_nice_weight[nice + 20];
}

/* Real run time to virtual: heavier tasks age more slowly. */
static inline u64 fair_virtual(u64 delta_ns, u32 weight)
{
	if (weight == FAIR_WEIGHT_0)
		return delta_ns;
	return delta_ns * FAIR_WEIGHT_0 / weight;
}

/* Virtual times may wrap; they are never more than half the range apart. */
static inline bool fair_before(u64 a, u64 b)
{
	return (s64)(a - b) < 0;
}

static inline u64 fair_max(u64 a, u64 b)
{
	return fair_before(a, b) ? b : a;
}

/* Where a task that slept comes in: little credit, never into the past. */
static inline u64 fair_place(u64 own, u64 min)
{
	return fair_max(own, min - FAIR_CREDIT_NS);
}

#endif /* SONDE_KERNEL_SCHED_FAIR_MATH_H */
