/* SPDX-License-Identifier: MIT */
/*
 * From a hook's record to those who listen.
 *
 * Entry points: trace_event_emit, trace_event_emit_for.  Any context but the
 * overflow interrupt, under any lock: nothing here takes one, sleeps or wakes.
 * Consumers are called with everything masked.  An event that a consumer's own
 * work causes is dropped, one guard per context level.
 */
#include <arch/irqflags.h>
#include <arch/perf.h>
#include <arch/regs.h>
#include <kernel/cpu.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/percpu.h>
#include <kernel/reclaim.h>
#include <kernel/task.h>
#include <kernel/trace_event.h>

#define LEVELS 3

static DEFINE_PER_CPU(u8[LEVELS], trace_inside);

void (*trace_perf_deliver)(struct trace_event *ev, void *record, u32 size,
			   struct pt_regs *regs, u64 count,
			   struct task *task);

static u32 level(void)
{
	return in_nmi() ? 2 : in_interrupt() ? 1 : 0;
}

void trace_fill_common(u32 id, struct trace_common *c)
{
	const struct thread_info *ti = &current->ti;
	u32 preempt = ti->preempt_count;

	c->type = (u16)id;
	c->flags = arch_irqs_disabled() ? TRACE_FLAG_IRQS_OFF : 0;
	if (ti->flags & TIF_NEED_RESCHED)
		c->flags |= TRACE_FLAG_NEED_RESCHED;
	if (preempt & NMI_MASK)
		c->flags |= TRACE_FLAG_NMI;
	else if (preempt & IRQ_MASK)
		c->flags |= TRACE_FLAG_HARDIRQ;
	c->preempt_count = preempt & 0xf;
	c->pid = task_tid(current);
}

void trace_fill_probed(u32 id, struct trace_common *c, struct pt_regs *regs)
{
	trace_fill_common(id, c);
	/* That everything is masked, as in an NMI, is the breakpoint's doing */
	c->flags &= TRACE_FLAG_NEED_RESCHED;
	if (current_info()->preempt_count & (IRQ_MASK & ~NMI_MASK))
		c->flags |= TRACE_FLAG_HARDIRQ;
	if (regs_irqs_disabled(regs))
		c->flags |= TRACE_FLAG_IRQS_OFF;
}

void trace_event_hand_out(struct trace_event *ev, void *record, u32 size,
			  struct pt_regs *regs, u64 count, struct task *task)
{
	struct trace_sink *sink;
	unsigned long flags;
	struct pt_regs here;
	u8 *inside;

	preempt_disable();
	flags = arch_irq_save_all();
	inside = *this_cpu_ptr(trace_inside) + level();
	if (*inside)
		goto out;
	*inside = 1;
	for (sink = reclaim_deref(ev->sinks); sink;
	     sink = reclaim_deref(sink->next))
		sink->fn(sink, ev, record, size, regs);
	if (READ_ONCE(ev->perf_users)) {
		if (!regs && READ_ONCE(ev->perf_samplers)) {
			arch_perf_fetch_regs(&here);
			regs = &here;
		}
		trace_perf_deliver(ev, record, size, regs, count, task);
	}
	*inside = 0;
out:
	arch_irq_restore_all(flags);
	preempt_enable();
}

void trace_event_emit_for(struct trace_event *ev, void *record, u32 size,
			  struct pt_regs *regs, u64 count, struct task *task)
{
	trace_fill_common(ev->id, record);
	trace_event_hand_out(ev, record, size, regs, count, task);
}

void trace_event_emit(struct trace_event *ev, void *record, u32 size,
		      struct pt_regs *regs)
{
	trace_event_emit_for(ev, record, size, regs, 1, NULL);
}
