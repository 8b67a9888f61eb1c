// SPDX-License-Identifier: MIT
/*
 * might_sleep() for CONFIG_DEBUG_SLEEP: a call that may sleep was made where
 * nothing may. The boot task is let off, since it runs with interrupts masked
 * before there is anybody to switch to. Panics, so that no test passes by.
 */
#include <arch/irqflags.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/task.h>

void might_sleep(void)
{
	u32 count = READ_ONCE(current_info()->preempt_count);

	if (likely(!count && !arch_irqs_disabled()))
		return;
	if (current_task() == &init_task || READ_ONCE(panic_in_progress))
		return;
	panic("sleeping where nothing may sleep: preempt count %#x, interrupts %s",
	      count, arch_irqs_disabled() ? "masked" : "on");
}
