// SPDX-License-Identifier: MIT
/*
 * Taking mappings away: munmap(2), and the part that mmap, mremap and brk
 * share.
 *
 * Entry points: mm_unmap (takes the lock), mm_unmap_locked (mmap_lock held
 * exclusively), vma_zap (held at least shared).  The order for each mapping:
 * out of the tree and off its file's list, entries out, TLB, pages, then the
 * owner's close and the file.
 */
#include <kernel/mm.h>
#include <kernel/mm_file.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "internal.h"
#include "pgtable.h"
#include "vma.h"

void vma_zap(struct vma *vma, u64 start, u64 end)
{
	struct tlb_gather g;

	start = max(start, vma->start);
	end = min(end, vma->end);
	if (start >= end)
		return;
	tlb_gather_init(&g, vma->mm, GATHER_LIVE);
	zap_range(&g, start, end, false);
	tlb_gather_finish(&g);
}

/* Drop what a detached mapping still holds besides its pages. */
static void vma_finish(struct mm *mm, struct vma *vma)
{
	mm_stat_add(mm, vma->flags, -(s64)vma_pages(vma));
	if (vma->flags & VM_ACCOUNT)
		vm_uncharge(vma_pages(vma));
	if (vma->ops && vma->ops->close)
		vma->ops->close(vma);
	vma_free(vma);
}

int mm_unmap_locked(struct mm *mm, u64 start, u64 len)
{
	u64 end = start + len;
	struct vma *vma, *next;
	struct tlb_gather g;
	LIST_HEAD(doomed);
	int err;

	err = vma_isolate(mm, start, end, &vma);
	if (err)
		return err;
	if (!vma || vma->start >= end)
		return 0;
	tlb_gather_init(&g, mm, GATHER_TABLES);
	while (vma && vma->start < end) {
		next = vma_next(vma);
		vma_erase(mm, vma);
		zap_range(&g, vma->start, vma->end, false);
		list_add_tail(&vma->imap_link, &doomed);
		vma = next;
	}
	tlb_gather_finish(&g);
	list_for_each_entry_safe(vma, next, &doomed, imap_link)
		vma_finish(mm, vma);
	return 0;
}

/* munmap(2)'s checks of a range; the aligned length or a negative errno. */
static s64 check_range(u64 addr, u64 len)
{
	if (addr & ~PAGE_MASK || addr > ARCH_USER_END ||
	    len > ARCH_USER_END - addr)
		return -EINVAL;
	len = PAGE_ALIGN(len);
	return len ? (s64)len : -EINVAL;
}

static int unmap_in(struct mm *mm, u64 addr, u64 len, bool killable)
{
	s64 size = check_range(addr, len);
	int err;

	if (size < 0)
		return (int)size;
	if (killable) {
		if (rwsem_write_lock_killable(&mm->mmap_lock))
			return -EINTR;
	} else {
		rwsem_write_lock(&mm->mmap_lock);
	}
	err = mm_unmap_locked(mm, addr, (u64)size);
	rwsem_write_unlock(&mm->mmap_lock);
	return err;
}

int mm_unmap(struct mm *mm, u64 addr, u64 len)
{
	return unmap_in(mm, addr, len, false);
}

SYSCALL2(munmap, u64, addr, size_t, len)
{
	return unmap_in(current->mm, ARCH_UNTAG(addr), len, true);
}
