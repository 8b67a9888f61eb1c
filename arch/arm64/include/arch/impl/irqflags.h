/* SPDX-License-Identifier: MIT */
/*
 * The two interrupt masks of arm64; contract in <arch/irqflags.h>.
 *
 * Both are DAIF.I and DAIF.F.  When the overflow interrupt becomes a
 * pseudo-NMI, only arch_irq_save, _restore, _enable, _disable and
 * arch_irqs_disabled change, to the GIC priority mask; the _all pair stays.
 */
#ifndef SONDE_ARM64_IRQFLAGS_H
#define SONDE_ARM64_IRQFLAGS_H

#include <lib/compiler.h>
#include <lib/types.h>

#define ARM64_DAIF_I (1ul << 7)
#define ARM64_DAIF_F (1ul << 6)

static __always_inline unsigned long arch_irq_save_all(void)
{
	unsigned long flags;

	__asm__ __volatile__("mrs %0, daif\n\tmsr daifset, #3"
			     : "=r"(flags)
			     :
			     : "memory");
	return flags;
}

static __always_inline void arch_irq_restore_all(unsigned long flags)
{
	__asm__ __volatile__("msr daif, %0" : : "r"(flags) : "memory");
}

static __always_inline unsigned long arch_irq_save(void)
{
	return arch_irq_save_all();
}

static __always_inline void arch_irq_restore(unsigned long flags)
{
	arch_irq_restore_all(flags);
}

static __always_inline void arch_irq_enable(void)
{
	__asm__ __volatile__("msr daifclr, #3" ::: "memory");
}

static __always_inline void arch_irq_disable(void)
{
	__asm__ __volatile__("msr daifset, #3" ::: "memory");
}

static __always_inline bool arch_irqs_disabled(void)
{
	unsigned long flags;

	__asm__ __volatile__("mrs %0, daif" : "=r"(flags) : : "memory");
	return flags & ARM64_DAIF_I;
}

#endif /* SONDE_ARM64_IRQFLAGS_H */
