/* SPDX-License-Identifier: MIT */
/*
 * irq_work: run a function soon in hard-interrupt context of this CPU.
 *
 * One lock-free list per CPU, pushed from any context (the overflow interrupt
 * included) by the CPU itself, taken as a whole by the interrupt exit.  A push
 * onto an empty list outside an interrupt sends this CPU the work interrupt.
 *
 * work->pending has two bits: PENDING from queueing until fn starts, BUSY
 * while fn runs; so fn may queue its own work again.
 */
#include <arch/irq.h>
#include <kernel/cpu.h>
#include <kernel/irq.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/sched_base.h>

#define WORK_PENDING 1u
#define WORK_BUSY    2u

static DEFINE_PER_CPU(struct irq_work *, irq_work_list);

bool irq_work_queue(struct irq_work *work)
{
	struct irq_work **list, *first;
	u32 count;

	if (fetch_or_acq_rel(&work->pending, WORK_PENDING) & WORK_PENDING)
		return false;
	preempt_disable();
	list = this_cpu_ptr(irq_work_list);
	first = load_relaxed(list);
	do {
		work->next = first;
	} while (!try_cmpxchg_release(list, &first, work));
	/*
	 * An interrupt that is under way runs the list when it ends; but one
	 * that an NMI has interrupted may have done that already.
	 */
	count = current_info()->preempt_count;
	if (!first && ((count & NMI_MASK) ||
		       !(count & (0xfu << HARDIRQ_SHIFT))))
		arch_ipi_send_cpu(cpu_id(), ARCH_IPI_WORK);
	preempt_enable();
	return true;
}

/* The list is newest first; works run in the order they were queued. */
static struct irq_work *irq_work_reverse(struct irq_work *work)
{
	struct irq_work *out = NULL, *next;

	for (; work; work = next) {
		next = work->next;
		work->next = out;
		out = work;
	}
	return out;
}

bool irq_work_run(void)
{
	struct irq_work **list = this_cpu_ptr(irq_work_list);
	struct irq_work *work, *next;
	u32 old;

	if (likely(!load_relaxed(list)))
		return false;
	work = irq_work_reverse(xchg_acquire(list, NULL));
	for (; work; work = next) {
		next = work->next;
		(void)xchg_acq_rel(&work->pending, WORK_BUSY);
		work->fn(work);
		old = WORK_BUSY;
		if (!try_cmpxchg_release(&work->pending, &old, 0))
			fetch_and_acq_rel(&work->pending, ~WORK_BUSY);
	}
	/* What came meanwhile waits, so that other interrupts have a turn. */
	if (likely(!load_relaxed(list)))
		return false;
	arch_ipi_send_cpu(cpu_id(), ARCH_IPI_WORK);
	return true;
}

void irq_work_sync(struct irq_work *work)
{
	might_sleep();
	while (load_acquire(&work->pending))
		arch_cpu_relax();
}
