/* SPDX-License-Identifier: MIT */
/*
 * GICv2: one distributor with banked private registers, and a memory-mapped
 * CPU interface.  Only irq.c calls in here, through gicv2_ops.
 *
 * A software interrupt is sent to interface numbers, which each CPU reads
 * from its own target register.  The acknowledge value carries the sender of
 * an SGI and is handed back whole.
 */
#include <arch/barrier.h>
#include <arch/io.h>
#include <kernel/cpu.h>
#include <lib/err.h>

#include "gic.h"

#define GICC_CTLR 0x00
#define GICC_PMR  0x04
#define GICC_IAR  0x0c
#define GICC_EOIR 0x10

static void __iomem *dist __ro_after_init;
static void __iomem *cpuif __ro_after_init;
static u8 target[CONFIG_NR_CPUS];	/* [own CPU at start] interface bit */

static int gicv2_init(const struct fdt *fdt, int node)
{
	u32 irq;

	dist = gic_map(fdt, node, 0);
	cpuif = gic_map(fdt, node, 1);
	if (!dist || !cpuif)
		return -ENODEV;
	gicv2_ops.nr_irqs = ((mmio_read32(dist + GICD_TYPER) & 31) + 1) * 32;
	if (gicv2_ops.nr_irqs > GIC_SPURIOUS)
		gicv2_ops.nr_irqs = GIC_SPURIOUS;
	mmio_write32(dist + GICD_CTLR, 0);
	gic_reset_spis(dist, gicv2_ops.nr_irqs);
	/* Shared interrupts go to the boot CPU. */
	for (irq = GIC_PPI_END; irq < gicv2_ops.nr_irqs; irq += 4)
		mmio_write32(dist + GICD_ITARGETSR + irq,
			     (mmio_read32(dist + GICD_ITARGETSR) & 0xff) *
				     0x01010101u);
	mmio_write32(dist + GICD_CTLR, 1);
	return 0;
}

static void gicv2_init_cpu(void)
{
	u32 irq;

	target[cpu_id()] = (u8)mmio_read32(dist + GICD_ITARGETSR);
	mmio_write32(dist + GICD_ICENABLER, ~0u);
	mmio_write32(dist + GICD_ICACTIVER, ~0u);
	for (irq = 0; irq < GIC_PPI_END; irq += 4)
		mmio_write32(dist + GICD_IPRIORITYR + irq,
			     GIC_PRIO_ORDINARY * 0x01010101u);
	mmio_write32(cpuif + GICC_PMR, GIC_PMR_OPEN);
	mmio_write32(cpuif + GICC_CTLR, 1);
}

static u32 gicv2_ack(void)
{
	return mmio_read32(cpuif + GICC_IAR);
}

static void gicv2_eoi(u32 ack)
{
	mmio_write32(cpuif + GICC_EOIR, ack);
}

static void gicv2_unmask(u32 irq, bool edge)
{
	if (irq >= GIC_SGI_END)
		gic_set_trigger(dist, irq, edge);
	gic_set_bit(dist + GICD_ISENABLER, irq);
}

static void gicv2_mask(u32 irq)
{
	gic_set_bit(dist + GICD_ICENABLER, irq);
}

static void gicv2_send(u32 cpu, u32 sgi)
{
	arch_wmb();
	mmio_write32(dist + GICD_SGIR, (u32)target[cpu] << 16 | sgi);
}

struct gic_ops gicv2_ops = {
	.init = gicv2_init,
	.init_cpu = gicv2_init_cpu,
	.ack = gicv2_ack,
	.eoi = gicv2_eoi,
	.unmask = gicv2_unmask,
	.mask = gicv2_mask,
	.send = gicv2_send,
};
