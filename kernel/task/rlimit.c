/* SPDX-License-Identifier: MIT */
/*
 * Resource limits as data: what the first process starts with, and reading
 * one.  The system calls are in kernel/process/limits.c.
 *
 * Locks: the pair of a limit changes under siglock; a single read of `cur`
 * needs none.
 */
#include <kernel/page.h>
#include <kernel/task.h>
#include <lib/minmax.h>
#include <linux/resource.h>

#include "internal.h"

#define INF RLIM64_INFINITY

s32 threads_max;	/* [a] sysctl kernel.threads-max */

const struct rlimit rlimit_boot[RLIM_NLIMITS] = {
	[RLIMIT_CPU] = { INF, INF },
	[RLIMIT_FSIZE] = { INF, INF },
	[RLIMIT_DATA] = { INF, INF },
	[RLIMIT_STACK] = { 8 << 20, INF },
	[RLIMIT_CORE] = { 0, INF },
	[RLIMIT_RSS] = { INF, INF },
	[RLIMIT_NPROC] = { 0, 0 },
	[RLIMIT_NOFILE] = { 1024, 4096 },
	[RLIMIT_MEMLOCK] = { 8 << 20, 8 << 20 },
	[RLIMIT_AS] = { INF, INF },
	[RLIMIT_LOCKS] = { INF, INF },
	[RLIMIT_SIGPENDING] = { 0, 0 },
	[RLIMIT_MSGQUEUE] = { 819200, 819200 },
	[RLIMIT_NICE] = { 0, 0 },
	[RLIMIT_RTPRIO] = { 0, 0 },
	[RLIMIT_RTTIME] = { INF, INF },
};

/* Threads may take an eighth of the memory for their stacks, as in Linux. */
void rlimit_init(void)
{
	struct rlimit *rlim = init_process.rlim;
	struct page_stats stats;
	u64 threads;

	page_stats(&stats);
	threads = stats.total * PAGE_SIZE / (8 * ARCH_STACK_SIZE);
	threads_max = (s32)clamp_t(u64, threads, 20, PID_MAX_LIMIT);
	for (u32 i = 0; i < RLIM_NLIMITS; i++)
		rlim[i] = rlimit_boot[i];
	rlim[RLIMIT_NPROC].cur = rlim[RLIMIT_NPROC].max =
		(u64)threads_max / 2;
	rlim[RLIMIT_SIGPENDING] = rlim[RLIMIT_NPROC];
}

u64 rlimit_cur(struct task *t, u32 which)
{
	return READ_ONCE(t->proc->rlim[which].cur);
}
