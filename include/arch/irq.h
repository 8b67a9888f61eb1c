/* SPDX-License-Identifier: MIT */
/*
 * Interrupt controller and cross-CPU interrupts, seen from kernel/irq.
 * Interrupt numbers are the controller's (INTID on a GIC).
 */
#ifndef SONDE_ARCH_IRQ_H
#define SONDE_ARCH_IRQ_H

#include <lib/types.h>

enum arch_ipi {
	ARCH_IPI_RESCHED,	/* look at need_resched on the way out */
	ARCH_IPI_CALL,		/* run ipi_handle_calls() */
	ARCH_IPI_WORK,		/* run irq_work_run(), sent to self */
	ARCH_IPI_STOP,		/* panic: park */
	ARCH_IPI_BACKTRACE,	/* print this CPU's stack */
	ARCH_IPI_COUNT,
};

/* Find and start the controller from the device tree.  Boot CPU, once. */
int arch_irq_init(void);

/* This CPU's part (redistributor, CPU interface).  Interrupts masked. */
void arch_irq_init_cpu(void);

/* Highest interrupt number + 1. */
u32 arch_irq_count(void);
/* What /proc/interrupts calls the controller. */
const char *arch_irq_chip_name(void);

/*
 * Enable or disable one interrupt; per-CPU ones (PPI) act on this CPU.
 * trigger_edge as the device tree says.  Any context.
 */
void arch_irq_unmask(u32 irq, bool trigger_edge);
void arch_irq_mask(u32 irq);
bool arch_irq_is_percpu(u32 irq);

/*
 * The controller's number and trigger for an interrupt that the device tree
 * describes; 0 or -EINVAL.  After arch_irq_init.
 */
struct fdt_irq;
int arch_irq_from_fdt(const struct fdt_irq *desc, u32 *irq, bool *edge);

/*
 * Deliver this CPU's private irq through ordinary masking (pseudo-NMI), or
 * no more.  That CPU, interrupts masked.  -EOPNOTSUPP where all masking is the
 * processor's, as on a GICv2; -EINVAL for shared ones.
 */
int arch_irq_set_nmi(u32 irq, bool on);

/* Send kind to each CPU of mask (bitmap of NR_CPUS).  Any context. */
void arch_ipi_send(const unsigned long *mask, enum arch_ipi kind);
/* What clients of tracing know a kind by. */
const char *arch_ipi_reason(enum arch_ipi kind);
void arch_ipi_send_cpu(u32 cpu, enum arch_ipi kind);

#endif /* SONDE_ARCH_IRQ_H */
