/* SPDX-License-Identifier: MIT */
/*
 * The knobs of /proc/sys/kernel/perf_*, the rights they express, and the
 * limit on time spent in overflow interrupts.
 *
 * Entry points: perf_allow_* (door), perf_pmu_interrupt_took (overflow
 * interrupt), perf_limits_update (door, after a knob was written).  Knobs are
 * plain words, read without a lock.
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/printk.h>
#include <lib/err.h>
#include <lib/minmax.h>

#define DEFAULT_RATE	100000u
#define LEN_SAMPLES	128u

u32 perf_mlock_kb = 512 + 4;
u32 perf_max_rate = DEFAULT_RATE;
u32 perf_cpu_percent = 25;
u32 perf_max_stack = PERF_MAX_STACK_DEPTH;
u32 perf_max_contexts = PERF_MAX_CONTEXTS_PER_STACK;
u32 perf_user_access;

u32 perf_max_per_tick = DIV_ROUND_UP(DEFAULT_RATE, HZ);
static u32 allowed_ns = NSEC_PER_SEC / DEFAULT_RATE * 25 / 100;
static struct irq_work report_work;
static u64 reported_len;

bool perf_capable(void)
{
	return capable(CAP_PERFMON) || capable(CAP_SYS_ADMIN);
}

int perf_allow_kernel(void)
{
	return perf_paranoid > 1 && !perf_capable() ? -EACCES : 0;
}

int perf_allow_cpu(void)
{
	return perf_paranoid > 0 && !perf_capable() ? -EACCES : 0;
}

int perf_pmu_allow_records(void)
{
	return perf_paranoid > -1 && !perf_capable() ? -EPERM : 0;
}

bool perf_pmu_user_access(void)
{
	return READ_ONCE(perf_user_access);
}

/* After perf_max_rate or perf_cpu_percent changed. */
void perf_limits_update(void)
{
	u64 period_ns = NSEC_PER_SEC / perf_max_rate;
	u32 ns = (u32)(period_ns * perf_cpu_percent / 100);

	WRITE_ONCE(perf_max_per_tick, DIV_ROUND_UP(perf_max_rate, HZ));
	/* 0 and 100 percent both mean: no limit on time. */
	if (perf_cpu_percent == 0 || perf_cpu_percent == 100)
		WRITE_ONCE(allowed_ns, 0);
	else
		WRITE_ONCE(allowed_ns, ns ? ns : 1);
}

static void report(struct irq_work *work)
{
	pr_info("perf: interrupt took too long (%llu ns), lowering "
		"kernel.perf_event_max_sample_rate to %u\n",
		READ_ONCE(reported_len), READ_ONCE(perf_max_rate));
}

/*
 * A running average over about 128 interrupts.  When it exceeds what the
 * percentage allows at the present rate, the rate comes down to what the
 * average (and a quarter more) affords.
 */
void perf_pmu_interrupt_took(u64 ns)
{
	u64 *len = &this_cpu_ptr(perf_cpu)->irq_len;
	u32 limit = READ_ONCE(allowed_ns);
	u64 avg, most;

	if (!limit)
		return;
	*len += ns - *len / LEN_SAMPLES;
	avg = *len / LEN_SAMPLES;
	if (likely(avg <= limit))
		return;

	avg += avg / 4;
	most = TICK_NS / 100 * perf_cpu_percent / avg;
	if (!most)
		most = 1;
	WRITE_ONCE(allowed_ns, (u32)avg);
	WRITE_ONCE(perf_max_per_tick, (u32)most);
	WRITE_ONCE(perf_max_rate, (u32)most * HZ);
	WRITE_ONCE(reported_len, avg);
	irq_work_queue(&report_work);
}

void perf_limits_init(void)
{
	irq_work_init(&report_work, report);
}
