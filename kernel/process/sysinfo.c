/* SPDX-License-Identifier: MIT */
/* sysinfo(2): uptime, load, memory and threads in one look; no locks. */
#include <kernel/page.h>
#include <kernel/sched.h>
#include <kernel/syscall.h>
#include <kernel/time.h>
#include <kernel/uaccess.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/utsname.h>

#include "internal.h"

#define LOAD_SHIFT 5	/* from 11 fraction bits to the ABI's 16 */

SYSCALL1(sysinfo, struct user_sysinfo __user *, uinfo)
{
	struct user_sysinfo info;
	struct page_stats pages;
	u64 loads[3];

	memset(&info, 0, sizeof(info));
	page_stats(&pages);
	sched_load_average(loads);
	info.uptime = (s64)((time_mono_ns() + NSEC_PER_SEC - 1) /
			    NSEC_PER_SEC);
	for (u32 i = 0; i < 3; i++)
		info.loads[i] = loads[i] << LOAD_SHIFT;
	info.totalram = pages.total * PAGE_SIZE;
	info.freeram = pages.free * PAGE_SIZE;
	info.sharedram = pages.shmem * PAGE_SIZE;
	info.procs = (u16)min_t(u32, READ_ONCE(threads_count), 0xffff);
	info.mem_unit = 1;
	return copy_to_user(uinfo, &info, sizeof(info));
}
