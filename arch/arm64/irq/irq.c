/* SPDX-License-Identifier: MIT */
/*
 * From the interrupt vector to kernel/irq, and cross-CPU interrupts.
 *
 * arm64_irq() acknowledges until nothing is pending; software-generated
 * interrupts 0 to ARCH_IPI_COUNT-1 are the enum arch_ipi.  Which controller it
 * is was found in the device tree.  chip_lock serialises read-modify-write of
 * shared distributor registers; the interrupt path takes no lock.
 */
#include <arch/boot.h>
#include <arch/impl/cpu.h>
#include <arch/io.h>
#include <arch/irq.h>
#include <arch/irqflags.h>
#include <arch/probes.h>
#include <arch/regs.h>
#include <kernel/cpu.h>
#include <kernel/ipi.h>
#include <kernel/irq.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "gic.h"

static struct gic_ops *gic __ro_after_init;
static struct spinlock chip_lock = SPINLOCK_INIT(LOCK_RANK_IRQCHIP);

void __iomem *gic_map(const struct fdt *fdt, int node, int index)
{
	u64 base, size;

	if (fdt_reg(fdt, node, index, &base, &size))
		return NULL;
	return ioremap(base, size);
}

void gic_set_trigger(void __iomem *base, u32 irq, bool edge)
{
	void __iomem *reg = base + GICD_ICFGR + irq / 16 * 4;
	u32 bit = 2u << irq % 16 * 2;
	u32 val = mmio_read32(reg);
	u32 new = edge ? val | bit : val & ~bit;

	if (new != val)
		mmio_write32(reg, new);
}

void gic_set_bit(void __iomem *bank, u32 irq)
{
	mmio_write32(bank + irq / 32 * 4, 1u << irq % 32);
}

void gic_reset_spis(void __iomem *dist, u32 nr_irqs)
{
	u32 irq;

	for (irq = GIC_PPI_END; irq < nr_irqs; irq += 32) {
		mmio_write32(dist + GICD_IGROUPR + irq / 8, ~0u);
		mmio_write32(dist + GICD_ICENABLER + irq / 8, ~0u);
		mmio_write32(dist + GICD_ICACTIVER + irq / 8, ~0u);
	}
	for (irq = GIC_PPI_END; irq < nr_irqs; irq += 4)
		mmio_write32(dist + GICD_IPRIORITYR + irq,
			     GIC_PRIO_ORDINARY * 0x01010101u);
}

int arch_irq_init(void)
{
	static const struct {
		const char *compatible;
		struct gic_ops *ops;
	} kinds[] = {
		{ "arm,gic-v3", &gicv3_ops },
		{ "arm,gic-400", &gicv2_ops },
		{ "arm,cortex-a15-gic", &gicv2_ops },
	};
	const struct fdt *fdt = arch_fdt();
	u32 i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		int node = fdt_find_compatible(fdt, -1, kinds[i].compatible);
		int err;

		if (node < 0)
			continue;
		gic = kinds[i].ops;
		err = gic->init(fdt, node);
		if (err)
			return err;
		gic->init_cpu();
		arm64_priority_start(gic);
		return arm64_irq_stack_alloc(0);
	}
	return -ENODEV;
}

static void enable_ipis(void)
{
	u32 kind;

	for (kind = 0; kind < ARCH_IPI_COUNT; kind++)
		gic->unmask(kind, true);
}

void arch_irq_init_cpu(void)
{
	if (cpu_id() != 0) {
		gic->init_cpu();
		arm64_priority_start_cpu();
	}
	enable_ipis();
}

u32 arch_irq_count(void)
{
	return gic->nr_irqs;
}

const char *arch_irq_chip_name(void)
{
	return gic == &gicv3_ops ? "GICv3" : "GICv2";
}

void arch_irq_unmask(u32 irq, bool trigger_edge)
{
	unsigned long flags = spin_lock_irqsave(&chip_lock);

	gic->unmask(irq, trigger_edge);
	spin_unlock_irqrestore(&chip_lock, flags);
}

void arch_irq_mask(u32 irq)
{
	gic->mask(irq);
}

bool arch_irq_is_percpu(u32 irq)
{
	return irq < GIC_PPI_END;
}

int arch_irq_set_nmi(u32 irq, bool on)
{
	return gic->set_nmi ? gic->set_nmi(irq, on) : -EOPNOTSUPP;
}

/* Cells: 0 shared or 1 private, number, flags (1 and 2 are edges). */
int arch_irq_from_fdt(const struct fdt_irq *desc, u32 *irq, bool *edge)
{
	if (desc->count < 3 || desc->cells[0] > 1)
		return -EINVAL;
	*irq = desc->cells[1] + (desc->cells[0] ? GIC_SGI_END : GIC_PPI_END);
	if (*irq >= gic->nr_irqs)
		return -EINVAL;
	*edge = desc->cells[2] & 3;
	return 0;
}

/* What they are for, in the words that clients know them by. */
static const char *const ipi_reasons[ARCH_IPI_COUNT] = {
	[ARCH_IPI_RESCHED] = "Rescheduling interrupts",
	[ARCH_IPI_CALL] = "Function call interrupts",
	[ARCH_IPI_WORK] = "IRQ work interrupts",
	[ARCH_IPI_STOP] = "CPU stop interrupts",
	[ARCH_IPI_BACKTRACE] = "CPU backtrace interrupts",
};

const char *arch_ipi_reason(enum arch_ipi kind)
{
	return ipi_reasons[kind];
}

/* The overflow interrupt sends one to its own CPU, and is not traced. */
static noinline void traced_send(u32 cpu, enum arch_ipi kind)
{
	struct cpumask to = { 0 };

	bitmap_set(to.bits, cpu);
	if (!in_nmi())
		trace_ipi_raise(to.bits, ipi_reasons[kind]);
	gic->send(cpu, kind);
}

void arch_ipi_send_cpu(u32 cpu, enum arch_ipi kind)
{
	if (trace_hook_on(ipi_raise)) {
		traced_send(cpu, kind);
		return;
	}
	gic->send(cpu, kind);
}

void arch_ipi_send(const unsigned long *mask, enum arch_ipi kind)
{
	u32 cpu;

	trace_ipi_raise(mask, ipi_reasons[kind]);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (bitmap_test(mask, cpu))
			gic->send(cpu, kind);
}

static void handle_ipi(u32 kind, struct pt_regs *regs)
{
	trace_irq_handler_entry(kind, "IPI");
	if (likely(kind < ARCH_IPI_COUNT))
		trace_ipi_entry(ipi_reasons[kind]);
	switch (kind) {
	case ARCH_IPI_CALL:
		ipi_handle_calls();
		break;
	case ARCH_IPI_STOP:
		panic_ipi_stop();
	case ARCH_IPI_BACKTRACE:
		panic_ipi_backtrace(regs);
		break;
	default:
		/* The way out of the interrupt does what the rest ask for. */
		break;
	}
	if (likely(kind < ARCH_IPI_COUNT))
		trace_ipi_exit(ipi_reasons[kind]);
	trace_irq_handler_exit(kind, true);
}

/*
 * Where ordinary interrupts are masked by priority.  Only with the mask raised
 * does the acknowledge answer the overflow interrupt or nothing; what is
 * ordinary stays pending.
 */
static void masked_irq(struct pt_regs *regs)
{
	u32 ack;

	arm64_irq_raise();
	ack = gic->ack();
	if ((ack & 0x3ff) >= GIC_SPURIOUS)
		return;
	nmi_enter(regs);
	irq_handle(ack & 0x3ff, regs);
	gic->eoi(ack);
	nmi_exit();
}

/*
 * Everything is masked at call and return.  Handlers run with ordinary
 * interrupts masked; while one is active, its priority keeps its equals away.
 * The overflow interrupt is an ordinary one unless it came through a mask.
 * True: the interrupted code may be preempted, if it let interrupts in.
 *
 * Who unregisters a probe waits until nobody can be in its slot any more: what
 * is interrupted there counts as not preemptible.
 */
bool arm64_irq(struct pt_regs *regs)
{
	bool in_slot = arch_kprobe_in_slot(regs->pc);
	u32 ack;

	if (unlikely(regs_irqs_disabled(regs))) {
		masked_irq(regs);
		return false;
	}
	if (unlikely(in_slot))
		preempt_disable();
	irq_enter(regs);
	arch_irq_disable();
	while ((ack = gic->ack()), (ack & 0x3ff) < GIC_SPURIOUS) {
		u32 irq = ack & 0x3ff;

		arm64_nmi_unmask();
		if (irq < GIC_SGI_END) {
			gic->eoi(ack);
			handle_ipi(irq, regs);
		} else {
			irq_handle(irq, regs);
			gic->eoi(ack);
		}
		arm64_nmi_mask();
	}
	arm64_nmi_unmask();
	irq_exit();
	arm64_irq_end();
	if (unlikely(in_slot))
		preempt_enable_no_resched();
	return !in_slot;
}
