/* SPDX-License-Identifier: MIT */
/*
 * The idle loop.
 *
 * The idle task is chosen when nothing else is runnable.  It runs with
 * preemption off and looks at its own reschedule flag, so that an interrupt
 * that makes it stale cannot be lost: the last look, the note to reclaim that
 * this CPU reads nothing, and the sleep happen with interrupts masked, and a
 * pending interrupt ends the sleep even so.  From the note on it is all of
 * them: the overflow interrupt reads what reclaim frees.
 */
#include <arch/barrier.h>
#include <arch/irqflags.h>
#include <kernel/cpu.h>
#include <kernel/panic.h>
#include <kernel/reclaim.h>
#include <kernel/trace_hooks.h>
#include <lib/noprobe.h>

#include "internal.h"

static void idle_sleep(void)
{
	unsigned long flags;

	arch_irq_disable();
	reclaim_kick();
	reclaim_quiescent();
	if (!need_resched() && !cpu_idle_must_die()) {
		flags = arch_irq_save_all();
		trace_cpu_idle(TRACE_IDLE_SLEEP, cpu_id());
		if (reclaim_idle_enter())
			arch_cpu_idle();
		reclaim_idle_exit();
		trace_cpu_idle(TRACE_IDLE_EXIT, cpu_id());
		arch_irq_restore_all(flags);
	}
	arch_irq_enable();
}
NOPROBE(idle_sleep);

void cpu_idle_loop(void)
{
	for (;;) {
		while (!need_resched()) {
			idle_sleep();
			if (unlikely(cpu_idle_must_die()))
				cpu_idle_die();
		}
		sched_idle_switch();
	}
}
NOPROBE(cpu_idle_loop);
