// SPDX-License-Identifier: MIT
/*
 * Limits and statistics of address space: RLIMIT_AS, RLIMIT_DATA,
 * RLIMIT_MEMLOCK, overcommit, and the counters of /proc/PID/statm.
 *
 * vm_committed is a global atomic; the counters of a space are guarded by its
 * mmap_lock (written exclusively).  Nothing here sleeps.
 */
#include <kernel/cred.h>
#include <kernel/mm.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <linux/mman.h>
#include <linux/resource.h>

#include "internal.h"
#include "vma.h"

s32 sysctl_overcommit_memory = OVERCOMMIT_GUESS;
s32 sysctl_overcommit_ratio = 50;
s32 sysctl_max_map_count = 65530;
s32 sysctl_mmap_min_addr = 65536;

static s64 vm_committed; /* [a] pages */

static bool counts_as_data(u32 flags)
{
	return (flags & (VM_WRITE | VM_SHARED | VM_GROWSDOWN)) == VM_WRITE;
}

/* May pages more of such a mapping be added to mm? */
bool mm_may_expand(struct mm *mm, u32 flags, u64 pages)
{
	u64 limit = rlimit_cur(current, RLIMIT_AS);

	if (limit != RLIM64_INFINITY &&
	    mm->total_pages + pages > limit >> PAGE_SHIFT)
		return false;
	if (!counts_as_data(flags))
		return true;
	limit = rlimit_cur(current, RLIMIT_DATA);
	return limit == RLIM64_INFINITY ||
	       mm->data_pages + pages <= limit >> PAGE_SHIFT;
}

void mm_stat_add(struct mm *mm, u32 flags, s64 pages)
{
	mm->total_pages += (u64)pages;
	mm->total_peak = max(mm->total_peak, mm->total_pages);
	if (counts_as_data(flags))
		mm->data_pages += (u64)pages;
	else if (flags & VM_GROWSDOWN)
		mm->stack_pages += (u64)pages;
	else if ((flags & (VM_EXEC | VM_WRITE)) == VM_EXEC)
		mm->exec_pages += (u64)pages;
	if (flags & VM_LOCKED)
		mm->locked_pages += (u64)pages;
}

/* Memory that only this mapping will ever hold counts as committed. */
bool vm_accountable(u32 flags)
{
	if (flags & VM_NORESERVE &&
	    READ_ONCE(sysctl_overcommit_memory) != OVERCOMMIT_NEVER)
		return false;
	return (flags & (VM_SHARED | VM_WRITE)) == VM_WRITE;
}

static u64 commit_limit(void)
{
	return page_total() * (u64)READ_ONCE(sysctl_overcommit_ratio) / 100;
}

int vm_charge(u64 pages)
{
	s64 now =
		__atomic_add_fetch(&vm_committed, (s64)pages, __ATOMIC_RELAXED);
	bool ok;

	switch (READ_ONCE(sysctl_overcommit_memory)) {
	case OVERCOMMIT_ALWAYS:
		return 0;
	case OVERCOMMIT_NEVER:
		ok = now < (s64)commit_limit();
		break;
	default:
		/* Only what could never be served is refused. */
		ok = pages <= page_total();
		break;
	}
	if (ok)
		return 0;
	vm_uncharge(pages);
	return -ENOMEM;
}

void vm_uncharge(u64 pages)
{
	fetch_add_relaxed(&vm_committed, -(s64)pages);
}

void mm_commit_stats(s64 *committed, u64 *limit)
{
	*committed = load_relaxed(&vm_committed);
	*limit = commit_limit();
}

int mm_may_lock(struct mm *mm, u64 pages)
{
	u64 limit = rlimit_cur(current, RLIMIT_MEMLOCK);

	if (capable(CAP_IPC_LOCK))
		return 0;
	if (!limit)
		return -EPERM;
	if (limit != RLIM64_INFINITY &&
	    mm->locked_pages + pages > limit >> PAGE_SHIFT)
		return -EAGAIN;
	return 0;
}

u64 mm_min_addr(void)
{
	return PAGE_ALIGN((u64)READ_ONCE(sysctl_mmap_min_addr));
}

void mm_usage(struct mm *mm, struct mm_usage *out)
{
	s64 anon = load_relaxed(&mm->rss_anon);
	s64 file = load_relaxed(&mm->rss_file);
	s64 shmem = load_relaxed(&mm->rss_shmem);

	out->rss_anon = anon > 0 ? (u64)anon : 0;
	out->rss_file = file > 0 ? (u64)file : 0;
	out->rss_shmem = shmem > 0 ? (u64)shmem : 0;
	out->rss = out->rss_anon + out->rss_file + out->rss_shmem;
	out->rss_peak = max(out->rss, READ_ONCE(mm->rss_peak));
	out->total = READ_ONCE(mm->total_pages);
	out->peak_total = max(out->total, READ_ONCE(mm->total_peak));
	out->locked = READ_ONCE(mm->locked_pages);
	out->pinned = READ_ONCE(mm->pinned_pages);
	out->data = READ_ONCE(mm->data_pages);
	out->stack = READ_ONCE(mm->stack_pages);
	out->exec = READ_ONCE(mm->exec_pages);
	out->pgtable = READ_ONCE(mm->pgtable_pages);
}
