// SPDX-License-Identifier: MIT
/*
 * might_sleep() for CONFIG_DEBUG_SLEEP: a call that may sleep was made where
 * nothing may. Nothing is checked before the initcalls, since early boot runs
 * with interrupts masked and nobody to switch to. Panics, so that no test
 * passes by.
 */
#include <arch/irqflags.h>
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/panic.h>

static bool armed; /* set once, at boot */

void might_sleep(void)
{
	u32 count = READ_ONCE(current_info()->preempt_count);

	if (likely(!count && !arch_irqs_disabled()))
		return;
	if (!READ_ONCE(armed) || READ_ONCE(panic_in_progress))
		return;
	panic("sleeping where nothing may sleep: preempt count %#x, interrupts "
	      "%s",
	      count, arch_irqs_disabled() ? "masked" : "on");
}

static int sleep_check_arm(void)
{
	WRITE_ONCE(armed, true);
	return 0;
}
INITCALL(INIT_CORE, sleep_check_arm);
