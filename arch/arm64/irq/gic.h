/* SPDX-License-Identifier: MIT */
/*
 * Between irq.c and the two interrupt controllers: the operations of one, and
 * the distributor registers that they have in common.  Private to this
 * directory.
 */
#ifndef SONDE_ARM64_GIC_H
#define SONDE_ARM64_GIC_H

#include <lib/fdt.h>
#include <lib/types.h>

#define GIC_SPURIOUS 1020	/* and above: nothing pending */
#define GIC_SGI_END  16
#define GIC_PPI_END  32

/* Distributor. */
#define GICD_CTLR	0x000
#define GICD_TYPER	0x004
#define GICD_IGROUPR	0x080
#define GICD_ISENABLER	0x100
#define GICD_ICENABLER	0x180
#define GICD_ICPENDR	0x280
#define GICD_ICACTIVER	0x380
#define GICD_IPRIORITYR 0x400
#define GICD_ITARGETSR	0x800
#define GICD_ICFGR	0xc00
#define GICD_SGIR	0xf00
#define GICD_IROUTER	0x6000

/*
 * Priorities: lower values are more urgent.  Where an EL3 halves what the
 * other side sees of the distributor alone, of both it and the mask, or of
 * neither (GIC architecture 4.8.1, 4.8.6; by GICD_CTLR.DS and SCR_EL3.FIQ),
 * the order below is the same: 0x20 becomes 0x90 and 0xa0 becomes 0xd0.
 */
#define GIC_PRIO_NMI	  0x20
#define GIC_PRIO_ORDINARY 0xa0
#define GIC_PMR_RAISED	  0xa0	/* only what is more urgent comes */
#define GIC_PMR_OPEN	  0xf0

struct gic_ops {
	/* [boot CPU] find and start the distributor */
	int (*init)(const struct fdt *fdt, int node);
	/* [each CPU, interrupts masked] its own part */
	void (*init_cpu)(void);
	/* [hard interrupt] the most urgent one, acknowledged; and its end */
	u32 (*ack)(void);
	void (*eoi)(u32 ack);
	void (*unmask)(u32 irq, bool edge);
	void (*mask)(u32 irq);
	/* [any] software interrupt sgi to a logical CPU */
	void (*send)(u32 cpu, u32 sgi);
	/* [each CPU, interrupts masked] pseudo-NMI priority, or NULL */
	int (*set_nmi)(u32 irq, bool on);
	/* [boot CPU] can interrupts be masked by priority?  Or NULL */
	bool (*priority_works)(void);
	u32 nr_irqs;		/* [I] after init */
};

extern struct gic_ops gicv2_ops, gicv3_ops;

/* Maps the index-th register block of the controller; NULL: none. */
void __iomem *gic_map(const struct fdt *fdt, int node, int index);
/* Both generations: configure trigger, then set one bit of a bank. */
void gic_set_trigger(void __iomem *base, u32 irq, bool edge);
void gic_set_bit(void __iomem *bank, u32 irq);
/* All SPIs: group 1, ordinary priority, disabled, inactive. */
void gic_reset_spis(void __iomem *dist, u32 nr_irqs);

/* priority.c: decide once; begin on this CPU. */
void arm64_priority_start(const struct gic_ops *gic);
void arm64_priority_start_cpu(void);
/* [interrupt entry] refuse what is ordinary until this CPU unmasks. */
void arm64_irq_raise(void);

#endif /* SONDE_ARM64_GIC_H */
