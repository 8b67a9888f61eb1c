/* SPDX-License-Identifier: MIT */
/*
 * Barriers and hints of arm64; contract in <arch/barrier.h>.
 *
 * Barriers among CPUs are DMB of the inner shareable domain; barriers that
 * devices take part in are DSB of the full system.  Any context.
 */
#ifndef SONDE_ARM64_BARRIER_H
#define SONDE_ARM64_BARRIER_H

#include <lib/compiler.h>

#define arch_mb()      __asm__ __volatile__("dsb sy" ::: "memory")
#define arch_rmb()     __asm__ __volatile__("dsb ld" ::: "memory")
#define arch_wmb()     __asm__ __volatile__("dsb st" ::: "memory")
#define arch_smp_mb()  __asm__ __volatile__("dmb ish" ::: "memory")
#define arch_smp_rmb() __asm__ __volatile__("dmb ishld" ::: "memory")
#define arch_smp_wmb() __asm__ __volatile__("dmb ishst" ::: "memory")
#define arch_isb()     __asm__ __volatile__("isb" ::: "memory")

static inline void arch_cpu_relax(void)
{
	__asm__ __volatile__("yield" ::: "memory");
}

void arch_cpu_idle(void);	/* irq/priority.c */

static inline void __noreturn arch_cpu_halt(void)
{
	for (;;)
		__asm__ __volatile__("msr daifset, #15\n\twfi" ::: "memory");
}

#endif /* SONDE_ARM64_BARRIER_H */
