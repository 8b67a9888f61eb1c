/* SPDX-License-Identifier: MIT */
/*
 * Interrupt handlers by controller number, and what surrounds a handler.
 *
 * The table of handlers is written under irq_lock and read without it: a
 * handler is published with release order before its interrupt is unmasked.
 * irq_enter and irq_exit keep the nesting count, the interrupted frame and,
 * on the way out, run deferred irq_work and fold a reschedule that another
 * CPU asked for into the preemption word.  Nothing here may sleep.
 */
#include <arch/irq.h>
#include <arch/regs.h>
#include <kernel/cpu.h>
#include <kernel/irq.h>
#include <kernel/lock.h>
#include <kernel/printk.h>
#include <kernel/recent.h>
#include <kernel/reclaim.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>

#define MAX_IRQS    1024
#define MAX_NESTING 3		/* ordinary, overflow, and one to spare */
#define MAX_COUNTED 32		/* interrupts counted apart; 0: all others */

struct irq_desc {
	irq_handler_fn *fn;	/* [irq_lock] publishes */
	void *arg;		/* [irq_lock] before fn */
	const char *name;	/* [irq_lock] before fn */
	u32 slot;		/* [irq_lock] before fn; of irq_cpu.counts */
};

struct irq_cpu {
	struct pt_regs *frames[MAX_NESTING];	/* [own CPU] */
	u32 depth;				/* [own CPU] */
	u64 count;				/* [own CPU] read anywhere */
	u64 counts[MAX_COUNTED];		/* [own CPU] read anywhere */
};

static struct irq_desc irq_descs[MAX_IRQS];
static struct spinlock irq_lock = SPINLOCK_INIT(LOCK_RANK_IRQ_DESC);
static u32 nr_counted = 1;	/* [irq_lock] */
static DEFINE_PER_CPU(struct irq_cpu, irq_cpu);

int irq_request(u32 irq, irq_handler_fn *fn, void *arg, const char *name)
{
	struct irq_desc *desc;
	unsigned long flags;
	int ret = 0;

	if (irq >= MAX_IRQS || irq >= arch_irq_count() || !fn)
		return -EINVAL;
	desc = &irq_descs[irq];
	flags = spin_lock_irqsave(&irq_lock);
	if (desc->fn) {
		ret = -EBUSY;
	} else {
		desc->arg = arg;
		desc->name = name;
		if (!desc->slot && nr_counted < MAX_COUNTED)
			desc->slot = nr_counted++;
		store_release(&desc->fn, fn);
	}
	spin_unlock_irqrestore(&irq_lock, flags);
	return ret;
}

/* The handler may still be running elsewhere for one grace period. */
void irq_free(u32 irq)
{
	unsigned long flags;

	if (irq >= MAX_IRQS)
		return;
	arch_irq_mask(irq);
	flags = spin_lock_irqsave(&irq_lock);
	WRITE_ONCE(irq_descs[irq].fn, NULL);
	spin_unlock_irqrestore(&irq_lock, flags);
	reclaim_sync();
}

/* Everything masked, or a nested frame could come into the gap. */
static __always_inline void enter(struct pt_regs *regs, u32 level)
{
	struct thread_info *ti = current_info();
	struct irq_cpu *ic;

	WRITE_ONCE(ti->preempt_count, ti->preempt_count + level);
	ic = this_cpu_ptr(irq_cpu);
	if (likely(ic->depth < MAX_NESTING))
		ic->frames[ic->depth] = regs;
	WRITE_ONCE(ic->depth, ic->depth + 1);
}

void irq_enter(struct pt_regs *regs)
{
	enter(regs, HARDIRQ_OFFSET);
}

void nmi_enter(struct pt_regs *regs)
{
	enter(regs, NMI_OFFSET);
}

/* Nothing was let in, so nothing has to be looked after. */
void nmi_exit(void)
{
	struct thread_info *ti = current_info();
	struct irq_cpu *ic = this_cpu_ptr(irq_cpu);

	WRITE_ONCE(ic->depth, ic->depth - 1);
	WRITE_ONCE(ti->preempt_count, ti->preempt_count - NMI_OFFSET);
}

void irq_handle(u32 irq, struct pt_regs *regs)
{
	struct irq_cpu *ic = this_cpu_ptr(irq_cpu);
	irq_handler_fn *fn;

	WRITE_ONCE(ic->count, ic->count + 1);
	if (likely(!in_nmi()))
		recent_note(RECENT_IRQ, irq, 0);
	fn = irq < MAX_IRQS ? load_acquire(&irq_descs[irq].fn) : NULL;
	if (likely(fn)) {
		u64 *count = &ic->counts[irq_descs[irq].slot];

		WRITE_ONCE(*count, *count + 1);
		if (likely(!in_nmi()))
			trace_irq_handler_entry(irq, irq_descs[irq].name);
		fn(irq, regs, irq_descs[irq].arg);
		if (likely(!in_nmi()))
			trace_irq_handler_exit(irq, true);
		return;
	}
	printk_once(LOG_WARNING, "irq %u: nobody handles it\n", irq);
	arch_irq_mask(irq);
}

void irq_exit(void)
{
	struct thread_info *ti = current_info();
	struct irq_cpu *ic = this_cpu_ptr(irq_cpu);

	irq_work_run();
	WRITE_ONCE(ic->depth, ic->depth - 1);
	WRITE_ONCE(ti->preempt_count, ti->preempt_count - HARDIRQ_OFFSET);
	if (READ_ONCE(ti->flags) & TIF_NEED_RESCHED)
		WRITE_ONCE(ti->resched_not_needed, 0);
	/* No reader was interrupted: readers run with preemption off. */
	if (!ti->preempt_count)
		reclaim_quiescent_irq();
}

struct pt_regs *irq_regs(void)
{
	struct irq_cpu *ic = this_cpu_ptr(irq_cpu);
	u32 depth = READ_ONCE(ic->depth);

	return depth && depth <= MAX_NESTING ? ic->frames[depth - 1] : NULL;
}

u64 irq_count_total(u32 cpu)
{
	return READ_ONCE(per_cpu(irq_cpu, cpu).count);
}

bool irq_describe(u32 irq, const char **name)
{
	if (irq >= MAX_IRQS || !load_acquire(&irq_descs[irq].fn))
		return false;
	*name = irq_descs[irq].name;
	return true;
}

u64 irq_count(u32 irq, u32 cpu)
{
	u32 slot = irq < MAX_IRQS ? irq_descs[irq].slot : 0;

	return READ_ONCE(per_cpu(irq_cpu, cpu).counts[slot]);
}
