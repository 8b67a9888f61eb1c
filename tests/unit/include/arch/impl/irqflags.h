/* SPDX-License-Identifier: MIT */
/* The host as an architecture, for tests of code above the arch contract. */
#ifndef SONDE_UNIT_ARCH_IRQFLAGS_H
#define SONDE_UNIT_ARCH_IRQFLAGS_H

#include <lib/types.h>

/* One thread: masks only have to nest. */
extern unsigned long host_irqs_off;

static inline unsigned long arch_irq_save_all(void)
{
	unsigned long flags = host_irqs_off;

	host_irqs_off = 1;
	return flags;
}
static inline void arch_irq_restore_all(unsigned long flags)
{
	host_irqs_off = flags;
}
static inline unsigned long arch_irq_save(void)
{
	return arch_irq_save_all();
}
static inline void arch_irq_restore(unsigned long flags)
{
	host_irqs_off = flags;
}
static inline void arch_irq_enable(void)
{
	host_irqs_off = 0;
}
static inline void arch_irq_disable(void)
{
	host_irqs_off = 1;
}
static inline bool arch_irqs_disabled(void)
{
	return host_irqs_off;
}

#endif
