/* SPDX-License-Identifier: MIT */
/*
 * GICv3: a distributor for shared interrupts, a redistributor per CPU for
 * private ones, and the CPU interface in system registers.  Only irq.c calls
 * in here, through gicv3_ops.
 *
 * Affinity routing is on, so a software interrupt names its target by MPIDR
 * affinity, and shared interrupts are routed to the boot CPU.
 */
#include <arch/barrier.h>
#include <arch/impl/cpu.h>
#include <arch/impl/sysreg.h>
#include <arch/io.h>
#include <arch/irqflags.h>
#include <arch/smp.h>
#include <kernel/cpu.h>
#include <kernel/panic.h>
#include <lib/err.h>

#include "gic.h"

#define GICD_CTLR_RWP	   (1u << 31)
#define GICD_CTLR_ARE_NS   (1u << 4)
#define GICD_CTLR_GRP1_NS  (1u << 1)

#define GICR_CTLR	   0x0000
#define GICR_CTLR_RWP	   (1u << 3)
#define GICR_TYPER	   0x0008
#define GICR_TYPER_VLPIS   (1u << 1)
#define GICR_TYPER_LAST	   (1u << 4)
#define GICR_WAKER	   0x0014
#define GICR_WAKER_SLEEP   (1u << 1)
#define GICR_WAKER_ASLEEP  (1u << 2)
#define GICR_FRAME	   0x10000	/* private interrupts: next frame */

#define MAX_REGIONS 4

static void __iomem *dist __ro_after_init;
static void __iomem *regions[MAX_REGIONS] __ro_after_init;
static DEFINE_PER_CPU(void __iomem *, gic_redist);

static void wait_dist(void)
{
	while (mmio_read32(dist + GICD_CTLR) & GICD_CTLR_RWP)
		arch_cpu_relax();
}

/* Affinity as routing registers want it. */
static u64 affinity(u64 mpidr)
{
	return mpidr & 0xff00ffffffull;
}

static int gicv3_init(const struct fdt *fdt, int node)
{
	u32 count = 1, i, irq;

	dist = gic_map(fdt, node, 0);
	fdt_prop_u32(fdt, node, "#redistributor-regions", &count);
	for (i = 0; i < count && i < MAX_REGIONS; i++)
		regions[i] = gic_map(fdt, node, (int)i + 1);
	if (!dist || !regions[0])
		return -ENODEV;
	gicv3_ops.nr_irqs = ((mmio_read32(dist + GICD_TYPER) & 31) + 1) * 32;
	if (gicv3_ops.nr_irqs > GIC_SPURIOUS)
		gicv3_ops.nr_irqs = GIC_SPURIOUS;
	mmio_write32(dist + GICD_CTLR, 0);
	wait_dist();
	gic_reset_spis(dist, gicv3_ops.nr_irqs);
	mmio_write32(dist + GICD_CTLR, GICD_CTLR_ARE_NS | GICD_CTLR_GRP1_NS);
	wait_dist();
	for (irq = GIC_PPI_END; irq < gicv3_ops.nr_irqs; irq++)
		mmio_write64(dist + GICD_IROUTER + irq * 8ul,
			     affinity(read_sysreg(mpidr_el1)));
	return 0;
}

/* The redistributor whose affinity is this CPU's. */
static void __iomem *find_redist(void)
{
	u64 mpidr = read_sysreg(mpidr_el1);
	u32 want = (u32)((mpidr >> 32 & 0xff) << 24 | (mpidr & 0xffffff));
	u32 i;

	for (i = 0; i < MAX_REGIONS && regions[i]; i++) {
		void __iomem *at = regions[i];
		u64 typer;

		do {
			typer = mmio_read64(at + GICR_TYPER);
			if ((u32)(typer >> 32) == want)
				return at;
			at += typer & GICR_TYPER_VLPIS ? 4 * GICR_FRAME :
							 2 * GICR_FRAME;
		} while (!(typer & GICR_TYPER_LAST));
	}
	return NULL;
}

static void wait_redist(void __iomem *redist)
{
	while (mmio_read32(redist + GICR_CTLR) & GICR_CTLR_RWP)
		arch_cpu_relax();
}

static void gicv3_init_cpu(void)
{
	void __iomem *redist = find_redist();
	void __iomem *frame;
	u32 irq;

	CHECK(redist);
	this_cpu(gic_redist) = redist;
	mmio_write32(redist + GICR_WAKER,
		     mmio_read32(redist + GICR_WAKER) & ~GICR_WAKER_SLEEP);
	while (mmio_read32(redist + GICR_WAKER) & GICR_WAKER_ASLEEP)
		arch_cpu_relax();
	frame = redist + GICR_FRAME;
	mmio_write32(frame + GICD_IGROUPR, ~0u);
	mmio_write32(frame + GICD_ICENABLER, ~0u);
	mmio_write32(frame + GICD_ICACTIVER, ~0u);
	for (irq = 0; irq < GIC_PPI_END; irq += 4)
		mmio_write32(frame + GICD_IPRIORITYR + irq,
			     GIC_PRIO_ORDINARY * 0x01010101u);
	wait_redist(redist);

	write_sysreg(read_sysreg(SYS_ICC_SRE_EL1) | 1, SYS_ICC_SRE_EL1);
	arch_isb();
	write_sysreg(GIC_PMR_OPEN, SYS_ICC_PMR_EL1);
	write_sysreg(0, SYS_ICC_BPR1_EL1);
	write_sysreg(0, SYS_ICC_CTLR_EL1);	/* EOI also deactivates */
	write_sysreg(1, SYS_ICC_IGRPEN1_EL1);
	arch_isb();
}

static u32 gicv3_ack(void)
{
	u32 ack = (u32)read_sysreg(SYS_ICC_IAR1_EL1);

	__asm__ __volatile__("dsb sy" ::: "memory");
	return ack;
}

static void gicv3_eoi(u32 ack)
{
	write_sysreg(ack, SYS_ICC_EOIR1_EL1);
	arch_isb();
}

/* Where the registers of an interrupt are. */
static void __iomem *frame_of(u32 irq)
{
	return irq < GIC_PPI_END ? this_cpu(gic_redist) + GICR_FRAME : dist;
}

static void gicv3_unmask(u32 irq, bool edge)
{
	if (irq >= GIC_SGI_END)
		gic_set_trigger(frame_of(irq), irq, edge);
	gic_set_bit(frame_of(irq) + GICD_ISENABLER, irq);
}

static void gicv3_mask(u32 irq)
{
	gic_set_bit(frame_of(irq) + GICD_ICENABLER, irq);
	if (irq < GIC_PPI_END)
		wait_redist(this_cpu(gic_redist));
	else
		wait_dist();
}

/* A private interrupt of this CPU. */
static int gicv3_set_nmi(u32 irq, bool on)
{
	void __iomem *reg;
	u32 shift = irq % 4 * 8, val;

	if (irq < GIC_SGI_END || irq >= GIC_PPI_END)
		return -EINVAL;
	if (!arm64_irq_by_priority())
		return -EOPNOTSUPP;
	reg = frame_of(irq) + GICD_IPRIORITYR + irq / 4 * 4;
	val = mmio_read32(reg) & ~(0xffu << shift);
	val |= (on ? GIC_PRIO_NMI : GIC_PRIO_ORDINARY) << shift;
	mmio_write32(reg, val);
	return 0;
}

/* The registers are there and hold both masks. */
static bool gicv3_priority_works(void)
{
	u64 raised;

	if (!(read_sysreg(SYS_ICC_SRE_EL1) & 1))
		return false;
	write_sysreg(GIC_PMR_RAISED, SYS_ICC_PMR_EL1);
	raised = read_sysreg(SYS_ICC_PMR_EL1);
	write_sysreg(GIC_PMR_OPEN, SYS_ICC_PMR_EL1);
	return raised == GIC_PMR_RAISED &&
	       read_sysreg(SYS_ICC_PMR_EL1) == GIC_PMR_OPEN;
}

static void gicv3_send(u32 cpu, u32 sgi)
{
	u64 mpidr = arch_cpu_hwid(cpu);
	u64 val = 1ull << (mpidr & 0xf) | (u64)sgi << 24 |
		  (mpidr >> 8 & 0xff) << 16 | (mpidr >> 16 & 0xff) << 32 |
		  (mpidr >> 32 & 0xff) << 48 | (mpidr >> 4 & 0xf) << 44;

	arch_wmb();
	write_sysreg(val, SYS_ICC_SGI1R_EL1);
	arch_isb();
}

struct gic_ops gicv3_ops = {
	.init = gicv3_init,
	.init_cpu = gicv3_init_cpu,
	.ack = gicv3_ack,
	.eoi = gicv3_eoi,
	.unmask = gicv3_unmask,
	.mask = gicv3_mask,
	.send = gicv3_send,
	.set_nmi = gicv3_set_nmi,
	.priority_works = gicv3_priority_works,
};
