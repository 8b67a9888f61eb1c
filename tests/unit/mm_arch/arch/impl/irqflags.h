/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: no interrupts. */
#include <lib/types.h>
static inline unsigned long arch_irq_save(void)
{
	return 0;
}
static inline void arch_irq_restore(unsigned long flags)
{
}
static inline void arch_irq_enable(void)
{
}
static inline void arch_irq_disable(void)
{
}
static inline bool arch_irqs_disabled(void)
{
	return false;
}
