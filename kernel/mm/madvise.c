// SPDX-License-Identifier: MIT
/*
 * madvise(2).
 *
 * Advice that only drops or faults pages holds mmap_lock shared; what changes
 * flags of mappings holds it exclusively.  Holes in the range are skipped and
 * make the answer -ENOMEM.  MADV_FREE frees at once: the next read finds
 * zeroes, which is one of the two answers it allows.
 */
#include <kernel/cred.h>
#include <kernel/mm.h>
#include <kernel/mm_file.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <linux/mman.h>

#include "fault.h"
#include "internal.h"
#include "vma.h"

static bool is_known(int advice)
{
	switch (advice) {
	case MADV_NORMAL ... MADV_DONTNEED:
	case MADV_FREE ... MADV_COLLAPSE:
	case MADV_HWPOISON:
	case MADV_SOFT_OFFLINE:
		return true;
	default:
		return false;
	}
}

/* The flags a mapping gets, or a negative errno when it may not. */
static s64 advised_flags(const struct vma *vma, int advice)
{
	u32 flags = vma->flags;

	switch (advice) {
	case MADV_NORMAL:
		return flags & ~(VM_RAND_READ | VM_SEQ_READ);
	case MADV_SEQUENTIAL:
		return (flags & ~VM_RAND_READ) | VM_SEQ_READ;
	case MADV_RANDOM:
		return (flags & ~VM_SEQ_READ) | VM_RAND_READ;
	case MADV_DONTFORK:
		return flags | VM_DONTCOPY;
	case MADV_DOFORK:
		return flags & ~VM_DONTCOPY;
	case MADV_WIPEONFORK:
		if (vma->file || flags & VM_SHARED || !vma_is_anon(vma))
			return -EINVAL;
		return flags | VM_WIPEONFORK;
	case MADV_KEEPONFORK:
		return flags & ~VM_WIPEONFORK;
	case MADV_DONTDUMP:
		return flags | VM_DONTDUMP;
	case MADV_DODUMP:
		if (flags & (VM_SPECIAL | VM_DONTEXPAND))
			return -EINVAL;
		return flags & ~VM_DONTDUMP;
	case MADV_HUGEPAGE:
		return (flags & ~VM_NOHUGEPAGE) | VM_HUGEPAGE;
	case MADV_NOHUGEPAGE:
		return (flags & ~VM_HUGEPAGE) | VM_NOHUGEPAGE;
	case MADV_MERGEABLE:
		return flags | VM_MERGEABLE;
	case MADV_UNMERGEABLE:
		return flags & ~VM_MERGEABLE;
	default:
		return -EINVAL;
	}
}

/* [mmap_lock write] */
static int change_flags(struct mm *mm, struct vma **vmap, u64 start, u64 end,
			int advice)
{
	struct vma *vma = *vmap;
	s64 flags = advised_flags(vma, advice);
	int err;

	if (flags < 0)
		return (int)flags;
	if ((u32)flags == vma->flags)
		return 0;
	err = vma_isolate(mm, start, end, &vma);
	if (err)
		return err == -ENOMEM ? -EAGAIN : err;
	vma->flags = (u32)flags;
	*vmap = vma_merge(vma);
	return 0;
}

/* [mmap_lock read] MADV_REMOVE: a hole in the object itself. */
static int punch(struct vma *vma, u64 start, u64 end)
{
	if (vma->flags & VM_LOCKED || !vma->cache)
		return -EINVAL;
	if ((vma->flags & (VM_SHARED | VM_WRITE)) != (VM_SHARED | VM_WRITE))
		return -EACCES;
	page_cache_punch(vma->cache, vma_pgoff(vma, start) << PAGE_SHIFT,
			 vma_pgoff(vma, end) << PAGE_SHIFT);
	return 0;
}

/* [mmap_lock read] Advice about the pages of one mapping. */
static int advise_pages(struct vma *vma, u64 start, u64 end, int advice)
{
	switch (advice) {
	case MADV_WILLNEED:
		return 0;
	case MADV_DONTNEED:
		if (vma->flags & VM_LOCKED)
			return -EINVAL;
		fallthrough;
	case MADV_DONTNEED_LOCKED:
		if (vma->flags & VM_SPECIAL)
			return -EINVAL;
		vma_zap(vma, start, end);
		return 0;
	case MADV_FREE:
		if (!vma_is_anon(vma) || vma->flags & VM_LOCKED)
			return -EINVAL;
		vma_zap(vma, start, end);
		return 0;
	case MADV_REMOVE:
		return punch(vma, start, end);
	case MADV_COLD:
	case MADV_PAGEOUT:
		return vma->flags & (VM_LOCKED | VM_SPECIAL) ? -EINVAL : 0;
	default:
		return -EINVAL;
	}
}

/* [mmap_lock read] MADV_POPULATE_*: the first error ends it. */
static int populate_range(struct mm *mm, u64 start, u64 end, bool write)
{
	u32 need = write ? VM_WRITE : VM_READ;

	while (start < end) {
		struct vma *vma = vma_lookup(mm, start);
		u64 stop;
		int err;

		if (!vma)
			return -ENOMEM;
		if (vma->flags & VM_SPECIAL || !(vma->flags & need))
			return -EINVAL;
		stop = min(end, vma->end);
		err = vma_populate(vma, start, stop, write);
		if (err)
			return err;
		start = stop;
	}
	return 0;
}

static bool only_pages(int advice)
{
	switch (advice) {
	case MADV_WILLNEED:
	case MADV_DONTNEED:
	case MADV_DONTNEED_LOCKED:
	case MADV_FREE:
	case MADV_REMOVE:
	case MADV_COLD:
	case MADV_PAGEOUT:
	case MADV_POPULATE_READ:
	case MADV_POPULATE_WRITE:
		return true;
	default:
		return false;
	}
}

/* [mmap_lock as the advice needs] */
static int walk_range(struct mm *mm, u64 start, u64 end, int advice)
{
	struct vma *vma = vma_find(mm, start);
	bool pages = only_pages(advice);
	int err = 0, holes = 0;

	while (start < end) {
		u64 stop;

		if (!vma)
			return -ENOMEM;
		if (start < vma->start) {
			holes = -ENOMEM;
			start = vma->start;
			if (start >= end)
				break;
		}
		stop = min(end, vma->end);
		if (pages)
			err = advise_pages(vma, start, stop, advice);
		else
			err = change_flags(mm, &vma, start, stop, advice);
		if (err)
			return err;
		start = stop;
		vma = vma_find(mm, start);
	}
	return holes;
}

static int advise_range(struct mm *mm, u64 start, u64 end, int advice)
{
	int err;

	if (!only_pages(advice)) {
		if (rwsem_write_lock_killable(&mm->mmap_lock))
			return -EINTR;
		err = walk_range(mm, start, end, advice);
		rwsem_write_unlock(&mm->mmap_lock);
		return err;
	}
	rwsem_read_lock(&mm->mmap_lock);
	if (advice == MADV_POPULATE_READ || advice == MADV_POPULATE_WRITE)
		err = populate_range(mm, start, end,
				     advice == MADV_POPULATE_WRITE);
	else
		err = walk_range(mm, start, end, advice);
	rwsem_read_unlock(&mm->mmap_lock);
	return err;
}

SYSCALL3(madvise, u64, addr, size_t, len, int, advice)
{
	u64 end;

	addr = ARCH_UNTAG(addr);
	if (!is_known(advice) || addr & ~PAGE_MASK)
		return -EINVAL;
	end = addr + PAGE_ALIGN(len);
	if ((len && !PAGE_ALIGN(len)) || end < addr)
		return -EINVAL;
	if (end == addr)
		return 0;
	if (advice == MADV_HWPOISON || advice == MADV_SOFT_OFFLINE)
		return capable(CAP_SYS_ADMIN) ? -EINVAL : -EPERM;
	return advise_range(current->mm, addr, end, advice);
}
