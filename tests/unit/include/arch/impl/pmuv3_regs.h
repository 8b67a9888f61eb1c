/* SPDX-License-Identifier: MIT */
/*
 * The performance monitors as an array: what the accessors of the real
 * <arch/impl/pmuv3_regs.h> would do, without a CPU.
 */
#ifndef SONDE_UNIT_ARCH_PMUV3_REGS_H
#define SONDE_UNIT_ARCH_PMUV3_REGS_H

#include <arch/barrier.h>
#include <lib/types.h>

#define PMCR_E	     (1u << 0)
#define PMCR_P	     (1u << 1)
#define PMCR_C	     (1u << 2)
#define PMCR_LC	     (1u << 6)
#define PMCR_LP	     (1u << 7)
#define PMCR_N_SHIFT 11
#define PMCR_N_MASK  0x1fu

#define PMEVTYPER_P	   (1u << 31)
#define PMEVTYPER_U	   (1u << 30)
#define PMEVTYPER_NSH	   (1u << 27)
#define PMEVTYPER_EVENT	   0xffffu

#define PMUSERENR_CR (1u << 2)
#define PMUSERENR_ER (1u << 3)

#define PMUV3_CYCLE 31

struct fake_pmu {
	u32 pmcr, enabled, irqs, overflow, userenr, version;
	u32 type[32];		/* [31]: the cycle counter's filter */
	u64 value[32], pmceid;
	u32 writes;
};
extern struct fake_pmu fake_pmu;

static inline u32 pmuv3_version(void)
{
	return fake_pmu.version;
}
static inline u64 pmuv3_pmceid(void)
{
	return fake_pmu.pmceid;
}
static inline u32 pmuv3_read_pmcr(void)
{
	return fake_pmu.pmcr;
}
static inline void pmuv3_write_pmcr(u32 v)
{
	u32 n = fake_pmu.pmcr & PMCR_N_MASK << PMCR_N_SHIFT;

	fake_pmu.pmcr = (v & ~(PMCR_P | PMCR_C |
			       PMCR_N_MASK << PMCR_N_SHIFT)) | n;
	fake_pmu.writes++;
}
static inline void pmuv3_enable_counters(u32 mask)
{
	fake_pmu.enabled |= mask;
}
static inline void pmuv3_disable_counters(u32 mask)
{
	fake_pmu.enabled &= ~mask;
}
static inline void pmuv3_enable_irqs(u32 mask)
{
	fake_pmu.irqs |= mask;
}
static inline void pmuv3_disable_irqs(u32 mask)
{
	fake_pmu.irqs &= ~mask;
	fake_pmu.overflow &= ~mask;
}
static inline u32 pmuv3_take_overflows(void)
{
	u32 mask = fake_pmu.overflow;

	fake_pmu.overflow = 0;
	return mask;
}
static inline void pmuv3_write_userenr(u32 v)
{
	fake_pmu.userenr = v;
}
static inline u64 pmuv3_read_cycles(void)
{
	return fake_pmu.value[31];
}
static inline void pmuv3_write_cycles(u64 v)
{
	fake_pmu.value[31] = v;
}
static inline void pmuv3_write_cycle_filter(u32 v)
{
	fake_pmu.type[31] = v;
}
static inline u64 pmuv3_read_counter(u32 n)
{
	return fake_pmu.value[n];
}
static inline void pmuv3_write_counter(u32 n, u64 v)
{
	/* Registers of 32 bits before version 6. */
	fake_pmu.value[n] = fake_pmu.version >= 6 ? v : (u32)v;
}
static inline void pmuv3_write_type(u32 n, u32 v)
{
	fake_pmu.type[n] = v;
}

#endif
