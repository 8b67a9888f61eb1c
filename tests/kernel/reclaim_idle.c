/* SPDX-License-Identifier: MIT */
/*
 * A CPU that a grace period waits for does not go to sleep: no interrupt need
 * come, and the grace period would last as long as the sleep.
 *
 * Runs in the kernel only (`ktest` on the command line).
 */
#include <arch/irqflags.h>
#include <kernel/cpu.h>
#include <kernel/reclaim.h>
#include <lib/ktest.h>

KTEST(no_sleep_while_wanted)
{
	unsigned long flags = arch_irq_save_all();
	u8 was = READ_ONCE(this_cpu(reclaim_wanted));
	bool wanted, unwanted;

	WRITE_ONCE(this_cpu(reclaim_wanted), 1);
	wanted = reclaim_idle_enter();
	reclaim_idle_exit();
	WRITE_ONCE(this_cpu(reclaim_wanted), 0);
	unwanted = reclaim_idle_enter();
	reclaim_idle_exit();
	WRITE_ONCE(this_cpu(reclaim_wanted), was);
	arch_irq_restore_all(flags);
	KT_EXPECT(!wanted);
	KT_EXPECT(unwanted);
}
