/* SPDX-License-Identifier: MIT */
/*
 * Bringing perf up.
 *
 * perf_init runs on the boot CPU once the allocators work and before any task
 * can be profiled; PMUs register in an initcall of their own (pmu.c), after
 * which the boot CPU goes online for them, and the pseudo files follow when all
 * of them are known.
 */
#include "door.h"

#include <kernel/init.h>

void perf_init(void)
{
	perf_events_init();
	perf_hooks_init();
	perf_limits_init();
	perf_cpus_init();
	perf_userpage_boot();
}

static int perf_boot_door(void)
{
	perf_mmap_boot();
	perf_sysfs_boot();
	return 0;
}
INITCALL(INIT_LATE, perf_boot_door);
