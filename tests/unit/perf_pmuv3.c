// SPDX-License-Identifier: MIT
/*
 * PMUv3: allocation, 32- and 64-bit counters, pairs, overflow, user access.
 */
#include "../../arch/arm64/perf/pmuv3.h"

#include <arch/impl/pmuv3_regs.h>
#include <arch/regs.h>
#include <kernel/time.h>
#include <lib/err.h>
#include <lib/ktest.h>

#include "host.h"

struct fake_pmu fake_pmu;
unsigned long host_irqs_off;
struct task *host_current;
struct thread_info;
static bool user_access;
static u32 samples, periods;
static u64 last_period;

/* --- what the backend asks of the engine ------------------------------- */

u64 time_mono_ns(void)
{
	return 0;
}

bool perf_pmu_overflow(struct perf_counter *c, struct perf_sample *s,
		       struct pt_regs *regs)
{
	samples++;
	last_period = s->period;
	return samples == periods;
}

void perf_pmu_update_userpage(struct perf_counter *c)
{
}

bool perf_pmu_user_access(void)
{
	return user_access;
}

void perf_pmu_interrupt_took(u64 ns)
{
}

int pmuv3_probe(const struct perf_pmu_desc *desc)
{
	return 0;
}

void pmuv3_irq_online(struct perf_pmu *pmu, bool on)
{
}

/* --- a PMU and its counters -------------------------------------------- */

static struct pmuv3 priv;
static const struct perf_pmu_desc desc = { .name = "t" };
static struct perf_pmu pmu = { .desc = &desc, .type = 8, .cpus = 1,
			       .priv = &priv };
static struct perf_event_attr attrs[10];
static struct perf_counter counters[10];
static u32 made;

static void setup(u32 nr, u32 version)
{
	memset(&fake_pmu, 0, sizeof(fake_pmu));
	memset(&priv, 0, sizeof(priv));
	memset(counters, 0, sizeof(counters));
	fake_pmu.pmcr = nr << PMCR_N_SHIFT;
	fake_pmu.version = version;
	fake_pmu.pmceid = 1ull << 0x11 | 1ull << 0x08;
	made = samples = 0;
	periods = ~0u;
	user_access = false;
	pmuv3_ops.cpu_online(&pmu, 0);
}

static struct perf_counter *make(struct perf_event_attr a, int *err)
{
	struct perf_counter *c = &counters[made];

	attrs[made] = a;
	made++;
	c->attr = &attrs[made - 1];
	c->pmu = &pmu;
	c->cpu = -1;
	c->task = (void *)&pmu;
	c->idx = -1;
	c->sampling = a.sample_period != 0;
	c->period = c->last_period = a.sample_period;
	c->left = (s64)a.sample_period;
	c->state = PERF_CNT_STOPPED;
	*err = pmuv3_ops.event_init(c);
	return c;
}

#define MAKE(...) make((struct perf_event_attr){ __VA_ARGS__ }, &err)
#define RAW(...)  MAKE(.type = PERF_TYPE_RAW, __VA_ARGS__)

KTEST(maps)
{
	int err;

	setup(6, 4);
	MAKE(.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES);
	KT_EXPECT_EQ(err, 0);
	KT_EXPECT_EQ(counters[0].config_base & 0xffff, 0x11);
	MAKE(.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CACHE_MISSES);
	KT_EXPECT_EQ(err, -ENOENT);
	MAKE(.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_MAX);
	KT_EXPECT_EQ(err, -EINVAL);
	MAKE(.type = PERF_TYPE_HW_CACHE, .config = 7);
	KT_EXPECT_EQ(err, -EINVAL);
	MAKE(.type = PERF_TYPE_HW_CACHE, .config = 0x100);
	KT_EXPECT_EQ(err, -ENOENT);
	RAW(.config = 0xfffff);
	KT_EXPECT_EQ(err, 0);
	KT_EXPECT_EQ(counters[5].config_base & 0xffff, 0xffff);
	RAW(.exclude_idle = 1);
	KT_EXPECT_EQ(err, -EOPNOTSUPP);
	RAW(.sample_type = PERF_SAMPLE_BRANCH_STACK);
	KT_EXPECT_EQ(err, -EOPNOTSUPP);
	RAW(.config = 8, .exclude_kernel = 1, .exclude_hv = 1);
	KT_EXPECT_EQ(counters[8].config_base, PMEVTYPER_P | 8);
}

KTEST(cycles_take_the_cycle_counter_first)
{
	struct perf_counter *a, *b;
	int err;

	setup(2, 4);
	a = RAW(.config = 0x11);
	b = RAW(.config = 0x11);
	KT_EXPECT_EQ(pmuv3_ops.add(a, PERF_EF_START), 0);
	KT_EXPECT_EQ(a->idx, 31);
	KT_EXPECT_EQ(pmuv3_ops.add(b, PERF_EF_START), 0);
	KT_EXPECT_EQ(b->idx, 0);
	KT_EXPECT_EQ(fake_pmu.enabled, 1u << 31 | 1);
	fake_pmu.value[31] += 1000;
	fake_pmu.value[0] += 10;
	pmuv3_ops.read(a);
	pmuv3_ops.read(b);
	KT_EXPECT_EQ(a->count, 1000);
	KT_EXPECT_EQ(b->count, 10);
	pmuv3_ops.del(a, 0);
	pmuv3_ops.del(b, 0);
	KT_EXPECT_EQ(fake_pmu.enabled, 0);
	KT_EXPECT_EQ(fake_pmu.irqs, 0);
}

KTEST(groups_that_cannot_fit)
{
	struct perf_counter *list[8];
	int err;
	u32 i;

	setup(6, 4);
	for (i = 0; i < 8; i++)
		list[i] = RAW(.config = 0x11);
	KT_EXPECT_EQ(pmuv3_ops.group_valid(&pmu, list, 7), 0);
	KT_EXPECT_EQ(pmuv3_ops.group_valid(&pmu, list, 8), -EINVAL);
}

KTEST(counting_folds_across_the_wrap)
{
	struct perf_counter *c;
	int err;

	setup(6, 4);
	c = RAW(.config = 8);
	pmuv3_ops.add(c, PERF_EF_START);
	KT_EXPECT_EQ(fake_pmu.value[0], 0x80000001);
	fake_pmu.value[0] = 5;
	fake_pmu.overflow = 1;
	pmuv3_interrupt(NULL);
	KT_EXPECT_EQ(c->count, 0x80000004);
	KT_EXPECT_EQ(samples, 0);
	fake_pmu.value[0] += 7;
	pmuv3_ops.read(c);
	KT_EXPECT_EQ(c->count, 0x8000000b);
	pmuv3_ops.del(c, 0);
}

KTEST(samples_at_the_period)
{
	struct perf_counter *c;
	int err;

	setup(6, 4);
	c = RAW(.config = 8, .sample_period = 1000);
	pmuv3_ops.add(c, PERF_EF_START);
	KT_EXPECT_EQ((u32)fake_pmu.value[0], (u32)-1000);
	/* Twenty events came in before the interrupt did. */
	fake_pmu.value[0] = 20;
	fake_pmu.overflow = 1;
	pmuv3_interrupt(NULL);
	KT_EXPECT_EQ(samples, 1);
	KT_EXPECT_EQ(last_period, 1000);
	KT_EXPECT_EQ(c->count, 1020);
	KT_EXPECT_EQ((u32)fake_pmu.value[0], (u32)-980);
	/* Nothing pending: nothing happens. */
	pmuv3_interrupt(NULL);
	KT_EXPECT_EQ(samples, 1);
	/* Told to stop: the counter rests but is kept. */
	periods = 2;
	fake_pmu.value[0] = 0;
	fake_pmu.overflow = 1;
	pmuv3_interrupt(NULL);
	KT_EXPECT(c->state & PERF_CNT_STOPPED);
	KT_EXPECT_EQ(fake_pmu.enabled, 0);
	pmuv3_ops.del(c, 0);
}

KTEST(long_events_pair_up)
{
	struct perf_counter *c, *d;
	int err;

	setup(5, 4);
	c = RAW(.config = 8, .config1 = 1);
	d = RAW(.config = 9);
	pmuv3_ops.add(d, PERF_EF_START);
	KT_EXPECT_EQ(d->idx, 0);
	pmuv3_ops.add(c, PERF_EF_START);
	KT_EXPECT_EQ(c->idx, 3);
	KT_EXPECT_EQ(fake_pmu.type[3] & 0xffff, 0x1e);
	KT_EXPECT_EQ(fake_pmu.type[2] & 0xffff, 8);
	KT_EXPECT_EQ(fake_pmu.enabled, 0xd);
	/* Only the upper half interrupts. */
	KT_EXPECT_EQ(fake_pmu.irqs, 0x9);
	fake_pmu.value[2] = 3;
	fake_pmu.value[3] = 0x80000001;
	pmuv3_ops.read(c);
	KT_EXPECT_EQ(c->count, 0x100000002);
	pmuv3_ops.del(c, 0);
	pmuv3_ops.del(d, 0);
	/* Two pairs in five counters, not three. */
	KT_EXPECT_EQ(pmuv3_ops.add(c, 0), 0);
	d = RAW(.config = 8, .config1 = 1);
	KT_EXPECT_EQ(pmuv3_ops.add(d, 0), 0);
	KT_EXPECT_EQ(pmuv3_ops.add(RAW(.config = 8, .config1 = 1), 0), -EAGAIN);
	pmuv3_ops.del(c, 0);
	pmuv3_ops.del(d, 0);
}

KTEST(wide_counters)
{
	struct perf_counter *c, *d;
	int err;

	setup(4, 6);
	KT_EXPECT(fake_pmu.pmcr & PMCR_LP);
	c = RAW(.config = 8, .config1 = 1);
	d = RAW(.config = 8);
	pmuv3_ops.add(c, PERF_EF_START);
	pmuv3_ops.add(d, PERF_EF_START);
	KT_EXPECT_EQ(c->idx, 0);
	KT_EXPECT_EQ(d->idx, 1);
	KT_EXPECT_EQ(fake_pmu.value[0], 0x8000000000000001ull);
	/* A 32-bit event overflows where 32 bits would. */
	KT_EXPECT_EQ(fake_pmu.value[1], 0xffffffff80000001ull);
	pmuv3_ops.del(c, 0);
	pmuv3_ops.del(d, 0);
}

KTEST(user_access_is_per_event)
{
	struct perf_counter *c;
	int err;

	setup(4, 4);
	c = RAW(.config = 0x11, .config1 = 3);
	KT_EXPECT_EQ(err, 0);
	RAW(.config = 8, .config1 = 3);
	KT_EXPECT_EQ(err, -EOPNOTSUPP);
	pmuv3_ops.add(c, PERF_EF_START);
	KT_EXPECT_EQ(pmuv3_ops.user_index(c), 0);
	pmuv3_ops.pmu_enable(&pmu);
	user_access = true;
	KT_EXPECT_EQ(pmuv3_ops.user_index(c), 32);
	KT_EXPECT_EQ(pmuv3_ops.user_width(c), 64);
	fake_pmu.value[2] = 0x5ec7e7;
	pmuv3_ops.pmu_enable(&pmu);
	KT_EXPECT(fake_pmu.userenr != 0);
	KT_EXPECT_EQ(fake_pmu.value[2], 0);
	pmuv3_ops.del(c, 0);
	pmuv3_ops.pmu_enable(&pmu);
	KT_EXPECT_EQ(fake_pmu.userenr, 0);
}
