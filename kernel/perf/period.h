/* SPDX-License-Identifier: MIT */
/*
 * Arithmetic of counts and periods.  Pure.
 */
#ifndef SONDE_PERF_PERIOD_H
#define SONDE_PERF_PERIOD_H

#include <lib/types.h>

struct perf_counter;

/*
 * The period that would give freq samples a second, when count events took
 * ns nanoseconds.  At least 1, saturates instead of overflowing.
 */
u64 perf_period_ideal(u64 freq, u64 ns, u64 count);

/* One step of the low-pass filter from period towards ideal; at least 1. */
u64 perf_period_step(u64 period, u64 ideal);

/*
 * Software counting: left has reached zero or more.  Returns how many periods
 * ended and moves left back below zero.
 */
u64 perf_period_expire(s64 *left, u64 period);

#endif /* SONDE_PERF_PERIOD_H */
