/* SPDX-License-Identifier: MIT */
/*
 * The two interrupt masks of x86_64; contract in <arch/irqflags.h>.  Both are
 * RFLAGS.IF: the overflow interrupt is a real NMI there and no mask stops it,
 * so "all" is as much as can be masked.
 */
#ifndef SONDE_X86_IRQFLAGS_H
#define SONDE_X86_IRQFLAGS_H

#include <lib/compiler.h>
#include <lib/types.h>

#define X86_RFLAGS_IF (1ul << 9)

static __always_inline unsigned long x86_read_flags(void)
{
	unsigned long flags;

	__asm__ __volatile__("pushfq\n\tpopq %0" : "=r"(flags) : : "memory");
	return flags;
}

static __always_inline void arch_irq_enable(void)
{
	__asm__ __volatile__("sti" ::: "memory");
}

static __always_inline void arch_irq_disable(void)
{
	__asm__ __volatile__("cli" ::: "memory");
}

static __always_inline bool arch_irqs_disabled(void)
{
	return !(x86_read_flags() & X86_RFLAGS_IF);
}

static __always_inline unsigned long arch_irq_save(void)
{
	unsigned long flags = x86_read_flags();

	arch_irq_disable();
	return flags;
}

static __always_inline void arch_irq_restore(unsigned long flags)
{
	if (flags & X86_RFLAGS_IF)
		arch_irq_enable();
	else
		arch_irq_disable();
}

static __always_inline unsigned long arch_irq_save_all(void)
{
	return arch_irq_save();
}

static __always_inline void arch_irq_restore_all(unsigned long flags)
{
	arch_irq_restore(flags);
}

#endif /* SONDE_X86_IRQFLAGS_H */
