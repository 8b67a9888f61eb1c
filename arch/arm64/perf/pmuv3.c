/* SPDX-License-Identifier: MIT */
/*
 * Backend for the ARMv8 performance monitors.
 *
 * Counters 0..30 count events, 31 is the cycle counter.  The cycle counter is
 * used with all its 64 bits; the others have 32, or 64 from PMUv3p5 on, and a
 * 64-bit event on 32-bit counters takes an even/odd pair with CHAIN on the
 * odd one.  Everything but event_init and group_valid runs on the CPU
 * concerned with everything masked, so there is no lock: registers and struct
 * pmuv3_cpu belong to their CPU.  Registers are touched by the accessors of
 * <arch/impl/pmuv3_regs.h> alone.
 */
#include "pmuv3.h"

#include <arch/impl/pmuv3_regs.h>
#include <arch/irq.h>
#include <arch/irqflags.h>
#include <kernel/cpu.h>
#include <kernel/time.h>
#include <lib/bits.h>
#include <lib/err.h>

#define CYCLE_BIT     BIT32(PMUV3_CYCLE)
#define NR_COUNTERS   32
#define PERIOD_MAX_32 0x7fffffffull
#define PERIOD_MAX_64 0x7fffffffffffffffull

/* attr.config1 */
#define CONFIG1_LONG  1u
#define CONFIG1_RDPMC 2u

/* perf_counter.hw_flags */
#define HW_LONG	 1u	/* 64 bits wanted */
#define HW_RDPMC 2u	/* user code may read it */

/* Own CPU, everything masked. */
struct pmuv3_cpu {
	u32 used;				/* counters taken */
	u32 user;				/* of these, readable by EL0 */
	bool user_open;				/* EL0 access is on */
	struct perf_counter *counter[NR_COUNTERS];
};

static DEFINE_PER_CPU(struct pmuv3_cpu, pmuv3_cpu);

static struct pmuv3 *pmuv3_of(const struct perf_counter *c)
{
	return c->pmu->priv;
}

static u32 event_number(const struct perf_counter *c)
{
	return c->config_base & PMEVTYPER_EVENT;
}

/* A pair of 32-bit counters is needed to make 64 bits. */
static bool needs_chain(const struct perf_counter *c)
{
	return (c->hw_flags & HW_LONG) && !pmuv3_of(c)->long_counters;
}

static bool is_chained(const struct perf_counter *c)
{
	return c->idx != PMUV3_CYCLE && needs_chain(c);
}

/* Bits of c's counter that count. */
static u32 width(const struct perf_counter *c)
{
	return c->idx == PMUV3_CYCLE || (c->hw_flags & HW_LONG) ? 64 : 32;
}

static u32 mask_of(const struct perf_counter *c)
{
	u32 mask = BIT32(c->idx);

	return is_chained(c) ? mask | mask >> 1 : mask;
}

/* --- allocation -------------------------------------------------------- */

/* A counter for c out of those not in used; -EAGAIN when there is none. */
static int allocate(const struct perf_counter *c, u32 *used)
{
	u32 i, nr = pmuv3_of(c)->counters;
	bool user_long = (c->hw_flags & (HW_LONG | HW_RDPMC)) ==
			 (HW_LONG | HW_RDPMC);

	if (event_number(c) == PMUV3_EVENT_CYCLES) {
		if (!(*used & CYCLE_BIT)) {
			*used |= CYCLE_BIT;
			return PMUV3_CYCLE;
		}
		/* User code reads one register: a pair is no use to it. */
		if (user_long && !pmuv3_of(c)->long_counters)
			return -EAGAIN;
	}
	if (needs_chain(c)) {
		for (i = 0; i + 1 < nr; i += 2)
			if (!(*used >> i & 3)) {
				*used |= 3u << i;
				return (int)i + 1;
			}
		return -EAGAIN;
	}
	for (i = 0; i < nr; i++)
		if (!(*used >> i & 1)) {
			*used |= 1u << i;
			return (int)i;
		}
	return -EAGAIN;
}

static int pmuv3_group_valid(struct perf_pmu *pmu, struct perf_counter **c,
			     u32 nr)
{
	u32 i, used = 0;

	for (i = 0; i < nr; i++) {
		if (c[i]->pmu->caps & PERF_PMU_SOFTWARE)
			continue;
		if (c[i]->pmu != pmu || allocate(c[i], &used) < 0)
			return -EINVAL;
	}
	return 0;
}

/* --- one counter ------------------------------------------------------- */

static u64 read_hw(const struct perf_counter *c)
{
	u32 idx = (u32)c->idx;
	u64 hi, lo;

	if (idx == PMUV3_CYCLE)
		return pmuv3_read_cycles();
	if (!is_chained(c))
		return pmuv3_read_counter(idx);
	/* The low half may carry between the two reads. */
	do {
		hi = pmuv3_read_counter(idx);
		lo = pmuv3_read_counter(idx - 1);
	} while (hi != pmuv3_read_counter(idx));
	return hi << 32 | lo;
}

static void write_hw(const struct perf_counter *c, u64 v)
{
	u32 idx = (u32)c->idx;

	if (idx == PMUV3_CYCLE) {
		pmuv3_write_cycles(v);
	} else if (is_chained(c)) {
		pmuv3_write_counter(idx, v >> 32);
		pmuv3_write_counter(idx - 1, v & 0xffffffff);
	} else if (c->hw_flags & HW_LONG) {
		pmuv3_write_counter(idx, v);
	} else {
		/* With 64-bit counters, overflow has to come at 32 bits. */
		v &= 0xffffffff;
		if (pmuv3_of(c)->long_counters)
			v |= 0xffffffffull << 32;
		pmuv3_write_counter(idx, v);
	}
}

static void write_type(const struct perf_counter *c)
{
	u32 idx = (u32)c->idx, filter = (u32)c->config_base & ~PMEVTYPER_EVENT;

	if (idx == PMUV3_CYCLE) {
		pmuv3_write_cycle_filter(filter);
	} else if (is_chained(c)) {
		pmuv3_write_type(idx - 1, (u32)c->config_base);
		/* The upper half counts carries, whoever caused them. */
		pmuv3_write_type(idx, PMUV3_EVENT_CHAIN | PMEVTYPER_NSH);
	} else {
		pmuv3_write_type(idx, (u32)c->config_base);
	}
}

static void pmuv3_read(struct perf_counter *c)
{
	if (!(c->state & PERF_CNT_STOPPED))
		perf_pmu_fold(c, read_hw(c), width(c));
}

/* Load the counter for the rest of its period; true when one has ended. */
static bool load_period(struct perf_counter *c)
{
	bool ended;
	u64 left;

	left = perf_pmu_set_period(
		c, width(c) == 64 ? PERIOD_MAX_64 : PERIOD_MAX_32, &ended);
	__atomic_store_n(&c->prev, 0 - left, __ATOMIC_RELAXED);
	write_hw(c, 0 - left);
	return ended;
}

static void pmuv3_start(struct perf_counter *c, u32 flags)
{
	u32 mask = mask_of(c);

	c->state = 0;
	load_period(c);
	write_type(c);
	pmuv3_enable_irqs(BIT32(c->idx));
	pmuv3_enable_counters(mask);
	perf_pmu_update_userpage(c);
}

static void pmuv3_stop(struct perf_counter *c, u32 flags)
{
	u32 mask = mask_of(c);

	if (c->state & PERF_CNT_STOPPED)
		return;
	pmuv3_disable_counters(mask);
	pmuv3_disable_irqs(mask);
	pmuv3_read(c);
	c->state = PERF_CNT_STOPPED | PERF_CNT_UPTODATE;
}

static int pmuv3_add(struct perf_counter *c, u32 flags)
{
	struct pmuv3_cpu *cpu = this_cpu_ptr(pmuv3_cpu);
	int idx = allocate(c, &cpu->used);

	if (idx < 0)
		return idx;
	c->idx = idx;
	cpu->counter[idx] = c;
	if (c->hw_flags & HW_RDPMC)
		cpu->user |= mask_of(c);
	c->state = PERF_CNT_STOPPED | PERF_CNT_UPTODATE;
	if (flags & PERF_EF_START)
		pmuv3_start(c, PERF_EF_RELOAD);
	return 0;
}

static void pmuv3_del(struct perf_counter *c, u32 flags)
{
	struct pmuv3_cpu *cpu = this_cpu_ptr(pmuv3_cpu);

	pmuv3_stop(c, PERF_EF_UPDATE);
	cpu->used &= ~mask_of(c);
	cpu->user &= ~mask_of(c);
	cpu->counter[c->idx] = NULL;
	c->idx = -1;
}

/* --- the whole PMU ----------------------------------------------------- */

/*
 * User code sees all counters or none, so those that are not its own are
 * cleared before the door opens.
 */
static void open_to_user(struct pmuv3_cpu *cpu, const struct pmuv3 *pmu)
{
	u32 i;

	for (i = 0; i < pmu->counters; i++)
		if (!(cpu->used >> i & 1))
			pmuv3_write_counter(i, 0);
	if (!(cpu->used & CYCLE_BIT))
		pmuv3_write_cycles(0);
	pmuv3_write_userenr(PMUSERENR_ER | PMUSERENR_CR);
	cpu->user_open = true;
}

static void pmuv3_pmu_enable(struct perf_pmu *pmu)
{
	struct pmuv3_cpu *cpu = this_cpu_ptr(pmuv3_cpu);
	bool wanted = unlikely(cpu->user) && perf_pmu_user_access();

	if (unlikely(wanted && !cpu->user_open)) {
		open_to_user(cpu, pmu->priv);
	} else if (unlikely(!wanted && cpu->user_open)) {
		pmuv3_write_userenr(0);
		cpu->user_open = false;
	}
	if (cpu->used)
		pmuv3_write_pmcr(pmuv3_read_pmcr() | PMCR_E);
}

static void pmuv3_pmu_disable(struct perf_pmu *pmu)
{
	pmuv3_write_pmcr(pmuv3_read_pmcr() & ~PMCR_E);
	arch_isb();
}

static void overflowed(struct perf_counter *c, struct pt_regs *regs, u64 now)
{
	struct perf_sample sample;

	pmuv3_read(c);
	perf_sample_init(&sample, 0, c->last_period);
	sample.time = now;
	/* A wrap in the middle of a long period only reloads. */
	if (!load_period(c) || !c->sampling)
		return;
	if (perf_pmu_overflow(c, &sample, regs))
		pmuv3_stop(c, 0);
}

/* The overflow interrupt.  Flags are cleared before counters are loaded. */
void pmuv3_interrupt(struct pt_regs *regs)
{
	struct pmuv3_cpu *cpu = this_cpu_ptr(pmuv3_cpu);
	unsigned long flags = arch_irq_save_all();
	u64 start = time_mono_ns();
	u32 mask = pmuv3_take_overflows() & cpu->used;
	u32 bit, pmcr;

	if (mask) {
		pmcr = pmuv3_read_pmcr();
		pmuv3_write_pmcr(pmcr & ~PMCR_E);
		for (; mask; mask &= mask - 1) {
			struct perf_counter *c;

			bit = (u32)__builtin_ctz(mask);
			c = cpu->counter[bit];
			if (c && !(c->state & PERF_CNT_STOPPED))
				overflowed(c, regs, start);
		}
		pmuv3_write_pmcr(pmcr);
		perf_pmu_interrupt_took(time_mono_ns() - start);
	}
	arch_irq_restore_all(flags);
}

static void probe_registers(struct pmuv3 *pmu)
{
	pmu->counters = pmuv3_read_pmcr() >> PMCR_N_SHIFT & PMCR_N_MASK;
	pmu->pmceid = pmuv3_pmceid();
	pmu->long_counters = pmuv3_version() >= 6;
	__atomic_store_n(&pmu->probed, true, __ATOMIC_RELEASE);
}

static void pmuv3_cpu_online(struct perf_pmu *pmu, u32 cpu)
{
	struct pmuv3 *p = pmu->priv;
	u32 pmcr = PMCR_P | PMCR_C | PMCR_LC;

	if (!p->probed)
		probe_registers(p);
	pmuv3_disable_counters(~0u);
	pmuv3_disable_irqs(~0u);
	pmuv3_write_userenr(0);
	if (p->long_counters)
		pmcr |= PMCR_LP;
	pmuv3_write_pmcr(pmcr);
	pmuv3_irq_online(pmu, true);
}

static void pmuv3_cpu_offline(struct perf_pmu *pmu, u32 cpu)
{
	pmuv3_disable_counters(~0u);
	pmuv3_disable_irqs(~0u);
	pmuv3_irq_online(pmu, false);
}

static int pmuv3_event_init(struct perf_counter *c)
{
	const struct perf_event_attr *attr = c->attr;
	struct pmuv3 *pmu = pmuv3_of(c);
	int event;

	if (c->cpu != -1 && !perf_pmu_has_cpu(c->pmu, (u32)c->cpu))
		return -ENOENT;
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return -EOPNOTSUPP;
	event = pmuv3_map_event(pmu, c);
	/* What user code could not read is refused before what is unknown. */
	if (attr->config1 & CONFIG1_LONG)
		c->hw_flags |= HW_LONG;
	if (attr->config1 & CONFIG1_RDPMC) {
		if (!c->task)
			return -EINVAL;
		if ((c->hw_flags & HW_LONG) && event != PMUV3_EVENT_CYCLES &&
		    !pmu->long_counters)
			return -EOPNOTSUPP;
		c->hw_flags |= HW_RDPMC;
	}
	if (event < 0)
		return event;
	if (attr->exclude_idle)
		return -EOPNOTSUPP;
	c->config_base = (u32)event;
	if (attr->exclude_kernel)
		c->config_base |= PMEVTYPER_P;
	if (attr->exclude_user)
		c->config_base |= PMEVTYPER_U;
	if (!attr->exclude_hv)
		c->config_base |= PMEVTYPER_NSH;
	if (!c->sampling) {
		/* Only to fold before the counter has gone round. */
		c->period = c->hw_flags & HW_LONG ? PERIOD_MAX_64 :
						    PERIOD_MAX_32;
		c->last_period = c->period;
		c->left = (s64)c->period;
	}
	return 0;
}

static u32 pmuv3_user_index(const struct perf_counter *c)
{
	if (!(c->hw_flags & HW_RDPMC) || !perf_pmu_user_access() || c->idx < 0)
		return 0;
	return (u32)c->idx + 1;
}

static u32 pmuv3_user_width(const struct perf_counter *c)
{
	/* Whether the sysctl lets anybody read now is user_index's matter. */
	if (!(c->hw_flags & HW_RDPMC))
		return 0;
	return c->hw_flags & HW_LONG ? 64 : 32;
}

const struct perf_pmu_ops pmuv3_ops = {
	.probe = pmuv3_probe,
	.cpu_online = pmuv3_cpu_online,
	.cpu_offline = pmuv3_cpu_offline,
	.event_init = pmuv3_event_init,
	.group_valid = pmuv3_group_valid,
	.add = pmuv3_add,
	.del = pmuv3_del,
	.start = pmuv3_start,
	.stop = pmuv3_stop,
	.read = pmuv3_read,
	.pmu_enable = pmuv3_pmu_enable,
	.pmu_disable = pmuv3_pmu_disable,
	.user_index = pmuv3_user_index,
	.user_width = pmuv3_user_width,
};
