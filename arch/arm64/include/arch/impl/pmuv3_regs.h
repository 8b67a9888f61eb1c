/* SPDX-License-Identifier: MIT */
/*
 * Registers of the ARMv8 performance monitors (PMUv3): accessors and fields,
 * nothing else, so that a host test can put an array in their place.
 */
#ifndef SONDE_ARM64_PMUV3_REGS_H
#define SONDE_ARM64_PMUV3_REGS_H

#include <arch/barrier.h>
#include <arch/impl/sysreg.h>
#include <lib/types.h>

#define PMCR_E	     (1u << 0)	/* enable */
#define PMCR_P	     (1u << 1)	/* reset event counters */
#define PMCR_C	     (1u << 2)	/* reset cycle counter */
#define PMCR_LC	     (1u << 6)	/* cycle counter overflows at 64 bits */
#define PMCR_LP	     (1u << 7)	/* the others do, too */
#define PMCR_N_SHIFT 11
#define PMCR_N_MASK  0x1fu

#define PMEVTYPER_P	   (1u << 31)	/* not EL1 */
#define PMEVTYPER_U	   (1u << 30)	/* not EL0 */
#define PMEVTYPER_NSH	   (1u << 27)	/* EL2 too */
#define PMEVTYPER_EVENT	   0xffffu

#define PMUSERENR_EN (1u << 0)
#define PMUSERENR_CR (1u << 2)	/* cycle counter readable */
#define PMUSERENR_ER (1u << 3)	/* event counters readable */

#define PMUV3_CYCLE 31		/* index of the cycle counter */

/* PMUVer of ID_AA64DFR0_EL1: 0 none, 0xf not this architecture. */
static inline u32 pmuv3_version(void)
{
	return (u32)(read_sysreg(id_aa64dfr0_el1) >> 8) & 0xf;
}

static inline u64 pmuv3_pmceid(void)
{
	u64 lo = read_sysreg(pmceid0_el0), hi = read_sysreg(pmceid1_el0);

	return (lo & 0xffffffff) | (hi & 0xffffffff) << 32;
}

static inline u32 pmuv3_read_pmcr(void)
{
	return (u32)read_sysreg(pmcr_el0);
}

static inline void pmuv3_write_pmcr(u32 v)
{
	arch_isb();
	write_sysreg(v, pmcr_el0);
}

static inline void pmuv3_enable_counters(u32 mask)
{
	arch_isb();
	write_sysreg(mask, pmcntenset_el0);
}

static inline void pmuv3_disable_counters(u32 mask)
{
	write_sysreg(mask, pmcntenclr_el0);
	arch_isb();
}

static inline void pmuv3_enable_irqs(u32 mask)
{
	write_sysreg(mask, pmintenset_el1);
}

static inline void pmuv3_disable_irqs(u32 mask)
{
	write_sysreg(mask, pmintenclr_el1);
	arch_isb();
	/* An overflow that is pending must not fire for the next owner. */
	write_sysreg(mask, pmovsclr_el0);
	arch_isb();
}

/* Which counters have overflowed; clears them. */
static inline u32 pmuv3_take_overflows(void)
{
	u32 mask = (u32)read_sysreg(pmovsclr_el0);

	write_sysreg(mask, pmovsclr_el0);
	return mask;
}

static inline void pmuv3_write_userenr(u32 v)
{
	write_sysreg(v, pmuserenr_el0);
}

static inline u64 pmuv3_read_cycles(void)
{
	return read_sysreg(pmccntr_el0);
}

static inline void pmuv3_write_cycles(u64 v)
{
	write_sysreg(v, pmccntr_el0);
}

static inline void pmuv3_write_cycle_filter(u32 v)
{
	write_sysreg(v, pmccfiltr_el0);
}

/* Each event counter is a register of its own name. */
#define PMUV3_EACH(op)							\
	op(0) op(1) op(2) op(3) op(4) op(5) op(6) op(7) op(8) op(9)	\
	op(10) op(11) op(12) op(13) op(14) op(15) op(16) op(17) op(18)	\
	op(19) op(20) op(21) op(22) op(23) op(24) op(25) op(26) op(27)	\
	op(28) op(29) op(30)

static inline u64 pmuv3_read_counter(u32 n)
{
	switch (n) {
#define PMUV3_READ(i)							\
	case i:								\
		return read_sysreg(pmevcntr##i##_el0);
	PMUV3_EACH(PMUV3_READ)
#undef PMUV3_READ
	default:
		return 0;
	}
}

static inline void pmuv3_write_counter(u32 n, u64 v)
{
	switch (n) {
#define PMUV3_WRITE(i)							\
	case i:								\
		write_sysreg(v, pmevcntr##i##_el0);			\
		break;
	PMUV3_EACH(PMUV3_WRITE)
#undef PMUV3_WRITE
	default:
		break;
	}
}

static inline void pmuv3_write_type(u32 n, u32 v)
{
	switch (n) {
#define PMUV3_TYPE(i)							\
	case i:								\
		write_sysreg(v, pmevtyper##i##_el0);			\
		break;
	PMUV3_EACH(PMUV3_TYPE)
#undef PMUV3_TYPE
	default:
		break;
	}
}

#endif /* SONDE_ARM64_PMUV3_REGS_H */
