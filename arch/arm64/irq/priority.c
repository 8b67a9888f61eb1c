/* SPDX-License-Identifier: MIT */
/*
 * Masking ordinary interrupts by priority, so that the overflow interrupt
 * comes through: chosen and switched on here.
 *
 * arm64_priority_start() runs once, on the boot CPU, after the controller was
 * started and before anything has saved an interrupt state that is still to be
 * restored.  It rewrites the instructions that __mask_insns lists (<arch/impl/
 * irqflags.h>) and leaves DAIF open for good: from there on DAIF is set by
 * exception entry, by arch_irq_save_all and in the overflow interrupt.
 *
 * The priority mask is moved only when an interrupt meets a masked CPU, when
 * that CPU unmasks, and around WFI.  Everything runs on the CPU concerned and
 * takes no lock.
 */
#include <arch/impl/cpu.h>
#include <arch/impl/sysreg.h>
#include <arch/barrier.h>
#include <arch/irqflags.h>
#include <arch/text.h>
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/printk.h>
#include <lib/string.h>

#include "gic.h"

BUILD_ASSERT(OFFSET_OF(struct thread_info, irq_masked) == ARM64_TI_IRQ_MASKED);
BUILD_ASSERT(OFFSET_OF(struct thread_info, irq_raised) == ARM64_TI_IRQ_RAISED);

struct mask_insn {
	s32 site;		/* from this word to the instruction */
	u32 insn;		/* what it becomes */
};

extern const struct mask_insn __start_mask_insns[], __stop_mask_insns[];

/*
 * A write of the mask takes effect by itself for what comes after it (GIC
 * architecture, ICC_PMR_EL1: self-synchronising); the barrier is for the
 * distributor, which is told of lower masks where ICC_CTLR_EL1.PMHE is set.
 */
static void set_pmr(u64 pmr)
{
	write_sysreg(pmr, SYS_ICC_PMR_EL1);
	__asm__ __volatile__("dsb sy" ::: "memory");
}

/* Everything masked: the current task's note says how the mask stands. */
static void check_note(const struct thread_info *ti)
{
	ASSERT(!arm64_irq_by_priority() ||
	       read_sysreg(SYS_ICC_PMR_EL1) ==
		       (ti->irq_raised ? GIC_PMR_RAISED : GIC_PMR_OPEN));
}

/* Everything masked: refuse what is ordinary until this CPU unmasks. */
void arm64_irq_raise(void)
{
	struct thread_info *ti = current_info();

	/* An overflow in arch_switch_to finds the note between two tasks. */
	if (ti->irq_raised) {
		check_note(ti);
		return;
	}
	WRITE_ONCE(ti->irq_raised, 1);
	set_pmr(GIC_PMR_RAISED);
	arch_isb();
}

/* The mask was raised under somebody who unmasks now, or nests. */
void arm64_irq_lower(void)
{
	struct thread_info *ti = current_info();
	unsigned long flags;

	if (READ_ONCE(ti->irq_masked))
		return;
	flags = arch_irq_save_all();
	check_note(ti);
	if (ti->irq_raised) {
		WRITE_ONCE(ti->irq_raised, 0);
		set_pmr(GIC_PMR_OPEN);
	}
	arch_irq_restore_all(flags);
}

/*
 * Everything is masked.  WFI ends for what the controller signals, so the
 * priority mask has to be low; PSTATE does not matter (Arm ARM D1.6.2).  It is
 * raised again at once: what ended the sleep would only be refused.
 */
void arch_cpu_idle(void)
{
	struct thread_info *ti = current_info();

	check_note(ti);
	if (ti->irq_raised) {
		WRITE_ONCE(ti->irq_raised, 0);
		set_pmr(GIC_PMR_OPEN);
	}
	__asm__ __volatile__("dsb sy\n\twfi" ::: "memory");
	if (arm64_irq_by_priority())
		arm64_irq_raise();
}

#ifdef CONFIG_ARM64_PSEUDO_NMI

static bool unwanted __initdata;

static void set_wanted(const char *value)
{
	unwanted = streq(value, "0");
}
BOOT_PARAM(pseudo_nmi, "irqchip.gicv3_pseudo_nmi=", set_wanted);

/* The running CPU masks by flags and is to go on by priority. */
void arm64_priority_start_cpu(void)
{
	struct thread_info *ti = current_info();

	if (!arm64_irq_by_priority())
		return;
	ti->irq_masked = 1;
	ti->irq_raised = 0;
	arm64_nmi_unmask();
}

static void patch(void)
{
	const struct mask_insn *m;

	for (m = __start_mask_insns; m < __stop_mask_insns; m++)
		CHECK(!arch_text_patch((char *)&m->site + m->site, m->insn));
	arch_isb();
}

void arm64_priority_start(const struct gic_ops *gic)
{
	if (unwanted || !gic->priority_works || !gic->priority_works()) {
		pr_info("GIC: interrupts are masked by PSTATE\n");
		return;
	}
	patch();
	arm64_priority_start_cpu();
	pr_info("GICv3: pseudo-NMI, interrupts are masked by priority\n");
}

#else

void arm64_priority_start_cpu(void)
{
}

void arm64_priority_start(const struct gic_ops *gic)
{
}

#endif
