/* SPDX-License-Identifier: MIT */
/*
 * The two interrupt masks of arm64; contract in <arch/irqflags.h>.
 *
 * The _all pair is DAIF.I and DAIF.F (Arm ARM D1.3.6).  The ordinary mask is
 * the same, or, where irq/priority.c found a GICv3 whose priorities can be
 * used, a word of the current task that no register knows of: masking and
 * unmasking are a store each.  An interrupt that comes while the word is set
 * is refused by irq.c, which raises the priority mask (ICC_PMR_EL1, GIC
 * architecture 4.8.2) above everything ordinary, so that it stays pending and
 * the more urgent overflow interrupt still comes.  The word beside it says
 * that the mask is raised; whoever unmasks looks there and lowers it.
 *
 * Every instruction that differs is named twice and patched once, at boot.
 */
#ifndef SONDE_ARM64_IRQFLAGS_H
#define SONDE_ARM64_IRQFLAGS_H

#include <arch/impl/percpu.h>
#include <lib/compiler.h>
#include <lib/types.h>

#define ARM64_DAIF_I (1ul << 7)
#define ARM64_DAIF_F (1ul << 6)

/* Where struct thread_info has the two words; irq/priority.c checks. */
#define ARM64_TI_IRQ_MASKED 16
#define ARM64_TI_IRQ_RAISED 20

/* One instruction, and what takes its place when priorities mask. */
#ifdef CONFIG_ARM64_PSEUDO_NMI
#define ARM64_MASK_INSN(plain, priority)                        \
	"661:	" plain "\n"                                    \
	"	.pushsection __mask_insns, \"a\"\n"             \
	"	.balign	4\n"                                    \
	"	.long	661b - .\n"                             \
	"	" priority "\n"                                 \
	"	.popsection\n"
#else
#define ARM64_MASK_INSN(plain, priority) "	" plain "\n"
#endif

/* Do priorities mask?  The same for good once the controller was found. */
static __always_inline bool arm64_irq_by_priority(void)
{
	u32 on;

	__asm__(ARM64_MASK_INSN("mov %w0, #0", "mov %w0, #1") : "=r"(on));
	return on;
}

/* Something ordinary waits behind the raised mask: lower it. */
void arm64_irq_lower(void);

static __always_inline void arm64_irq_look(const struct task *self)
{
#ifdef CONFIG_ARM64_PSEUDO_NMI
	const char *ti = (const char *)self;

	if (unlikely(READ_ONCE(
		    *(const u32 *)(const void *)(ti + ARM64_TI_IRQ_RAISED))))
		arm64_irq_lower();
#endif
}

static __always_inline unsigned long arch_irq_save_all(void)
{
	unsigned long flags;

	__asm__ __volatile__("mrs %0, daif\n\tmsr daifset, #3"
			     : "=r"(flags)
			     :
			     : "memory");
	return flags;
}

static __always_inline void arch_irq_restore_all(unsigned long flags)
{
	__asm__ __volatile__("msr daif, %0" : : "r"(flags) : "memory");
}

static __always_inline unsigned long arch_irq_save(void)
{
	unsigned long flags;

	__asm__ __volatile__(
		ARM64_MASK_INSN("mrs %0, daif", "ldr %w0, [%1, %3]")
		ARM64_MASK_INSN("msr daifset, #3", "str %w2, [%1, %3]")
		: "=&r"(flags)
		: "r"(arch_current()), "r"(1), "i"(ARM64_TI_IRQ_MASKED)
		: "memory");
	return flags;
}

static __always_inline void arch_irq_restore(unsigned long flags)
{
	struct task *self = arch_current();

	__asm__ __volatile__(
		ARM64_MASK_INSN("msr daif, %0", "str %w0, [%1, %2]")
		:
		: "r"(flags), "r"(self), "i"(ARM64_TI_IRQ_MASKED)
		: "memory");
	arm64_irq_look(self);
}

static __always_inline void arch_irq_enable(void)
{
	struct task *self = arch_current();

	__asm__ __volatile__(
		ARM64_MASK_INSN("msr daifclr, #3", "str wzr, [%0, %1]")
		:
		: "r"(self), "i"(ARM64_TI_IRQ_MASKED)
		: "memory");
	arm64_irq_look(self);
}

static __always_inline void arch_irq_disable(void)
{
	__asm__ __volatile__(
		ARM64_MASK_INSN("msr daifset, #3", "str %w1, [%0, %2]")
		:
		: "r"(arch_current()), "r"(1), "i"(ARM64_TI_IRQ_MASKED)
		: "memory");
}

/* Everything masked counts too: nothing ordinary comes there. */
static __always_inline bool arch_irqs_disabled(void)
{
	unsigned long daif, word;

	__asm__ __volatile__(
		"mrs %0, daif\n"
		ARM64_MASK_INSN("mov %w1, wzr", "ldr %w1, [%2, %3]")
		: "=&r"(daif), "=&r"(word)
		: "r"(arch_current()), "i"(ARM64_TI_IRQ_MASKED)
		: "memory");
	return (daif & ARM64_DAIF_I) | word;
}

/*
 * In entry code, where everything is masked: let the overflow interrupt in
 * and out while the ordinary ones stay away.  Nothing changes where DAIF is
 * all there is.
 */
static __always_inline void arm64_nmi_unmask(void)
{
	__asm__ __volatile__(ARM64_MASK_INSN("nop", "msr daifclr, #3")
			     : : : "memory");
}

static __always_inline void arm64_nmi_mask(void)
{
	__asm__ __volatile__(ARM64_MASK_INSN("nop", "msr daifset, #3")
			     : : : "memory");
}

/* From everything masked to ordinary interrupts masked, and back. */
static __always_inline void arm64_irq_begin(void)
{
	if (arm64_irq_by_priority()) {
		arch_irq_disable();
		arm64_nmi_unmask();
	}
}

static __always_inline void arm64_irq_end(void)
{
	if (arm64_irq_by_priority()) {
		arm64_nmi_mask();
		arch_irq_enable();
	}
}

#endif /* SONDE_ARM64_IRQFLAGS_H */
