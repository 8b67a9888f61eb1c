/* SPDX-License-Identifier: MIT */
/*
 * The two interrupt masks.
 *
 * "Ordinary" interrupts are everything but the counter-overflow interrupt
 * when pseudo-NMI is active; "all" masks that one too (DAIF on arm64, IF on
 * x86_64).  Without pseudo-NMI the two coincide.  Masks nest in any order,
 * but a context that masked everything does not enable the ordinary ones.
 *
 *   unsigned long arch_irq_save(void)        mask ordinary, return old state
 *   void arch_irq_restore(unsigned long)
 *   void arch_irq_enable(void) / arch_irq_disable(void)
 *   bool arch_irqs_disabled(void)            ordinary interrupts masked here?
 *   unsigned long arch_irq_save_all(void)    mask everything maskable
 *   void arch_irq_restore_all(unsigned long)
 *
 * All are compiler barriers.  Any context.
 */
#ifndef SONDE_ARCH_IRQFLAGS_H
#define SONDE_ARCH_IRQFLAGS_H

#include <arch/impl/irqflags.h>

#endif /* SONDE_ARCH_IRQFLAGS_H */
