// SPDX-License-Identifier: MIT
/*
 * mprotect(2): the rights of mappings and of the entries under them.
 *
 * mmap_lock is held exclusively.  An entry keeps its frame, so rights change
 * in place and one flush at the end suffices (no break-before-make for a
 * change of permissions, Arm ARM D8.14.1).  A private page becomes writable
 * only by a fault, which decides whether it must be copied first.
 */
#include <arch/tlb.h>
#include <kernel/mm.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <linux/mman.h>

#include "fault.h"
#include "internal.h"
#include "pgtable.h"
#include "vma.h"

#define PROT_KNOWN (PROT_READ | PROT_WRITE | PROT_EXEC | PROT_SEM)

/* The entry's new form under the mapping's present flags. */
static u64 reprotect(const struct vma *vma, u64 pte, struct page *page)
{
	u32 old = arch_pte_prot(pte);
	u32 prot = vma_pte_prot(vma->flags) & ~PTE_WRITE;

	prot |= old & (PTE_DEVICE | PTE_SPECIAL | PTE_DIRTY);
	if (vma->flags & VM_WRITE) {
		if (old & PTE_WRITE)
			prot |= PTE_WRITE;
		else if (vma->flags & VM_SHARED && vma->ops && page &&
			 !vma->ops->page_mkwrite)
			prot |= PTE_WRITE;
	}
	if (!(prot & PTE_WRITE))
		prot &= ~PTE_DIRTY;
	if (page)
		fault_sync_icache(page, prot);
	return arch_pte_set_prot(pte, prot);
}

/* Entries of [start, end) take over the rights of their mapping. */
static void protect_entries(struct vma *vma, u64 start, u64 end)
{
	struct mm *mm = vma->mm;
	u64 va = start;
	bool changed = false;

	while (va < end) {
		u64 *slot = pgtable_next(mm, &va, end);
		u64 stop;

		if (!slot)
			break;
		stop = min(end, ALIGN_DOWN(va, PT_TABLE_SPAN) + PT_TABLE_SPAN);
		spin_lock(&mm->pte_lock);
		for (; va < stop; va += PAGE_SIZE, slot++) {
			u64 pte = READ_ONCE(*slot);
			struct page *page;

			if (!pte)
				continue;
			/* Hardware sets bits meanwhile: take the entry out. */
			pte = arch_pte_xchg(slot, 0);
			page = pte_page(pte);
			if (arch_pte_dirty(pte) && page &&
			    !(page->flags & PG_DIRTY))
				fetch_or_relaxed(&page->flags, PG_DIRTY);
			arch_pte_store(slot, reprotect(vma, pte, page));
			changed = true;
		}
		spin_unlock(&mm->pte_lock);
	}
	if (changed)
		arch_tlb_flush_range(mm, start, end);
}

/* Give [start, end) of one mapping new flags, splitting and joining. */
static int protect_vma(struct mm *mm, struct vma **vmap, u64 start, u64 end,
		       u32 flags)
{
	struct vma *vma = *vmap;
	u64 pages = (end - start) >> PAGE_SHIFT;
	u32 old = vma->flags;
	bool charged = false;
	int err;

	if (flags == old)
		return 0;
	if (flags & VM_WRITE && !(old & (VM_WRITE | VM_SHARED))) {
		if (!mm_may_expand(mm, flags, pages) &&
		    mm_may_expand(mm, old, pages))
			return -ENOMEM;
		if (!(old & (VM_ACCOUNT | VM_NORESERVE))) {
			if (vm_charge(pages))
				return -ENOMEM;
			charged = true;
			flags |= VM_ACCOUNT;
		}
	}
	err = vma_isolate(mm, start, end, &vma);
	if (err) {
		if (charged)
			vm_uncharge(pages);
		return err;
	}
	mm_stat_add(mm, old, -(s64)pages);
	vma->flags = flags;
	mm_stat_add(mm, flags, (s64)pages);
	protect_entries(vma, start, end);
	*vmap = vma_merge(vma);
	vma_announce(*vmap);
	return 0;
}

/* [mmap_lock write] */
static int protect_range(struct mm *mm, u64 start, u64 end, u32 prot, bool grow)
{
	struct vma *vma = vma_find(mm, start);

	if (!vma)
		return -ENOMEM;
	if (grow) {
		if (vma->start >= end)
			return -ENOMEM;
		if (!(vma->flags & VM_GROWSDOWN))
			return -EINVAL;
		start = vma->start;
	} else if (vma->start > start) {
		return -ENOMEM;
	}
	while (start < end) {
		u32 flags;
		u64 stop;
		int err;

		if (!vma || vma->start > start)
			return -ENOMEM;
		flags = prot & (PROT_READ | PROT_WRITE | PROT_EXEC);
		flags |= vma->flags & ~(VM_READ | VM_WRITE | VM_EXEC);
		/* VM_MAY* lie four bits above what they allow. */
		if (flags & ~(flags >> 4) & (VM_READ | VM_WRITE | VM_EXEC))
			return -EACCES;
		stop = min(end, vma->end);
		err = protect_vma(mm, &vma, start, stop, flags);
		if (err)
			return err;
		start = stop;
		vma = vma_find(mm, start);
	}
	return 0;
}

SYSCALL3(mprotect, u64, addr, size_t, len, u64, prot)
{
	u64 grows = prot & (PROT_GROWSDOWN | PROT_GROWSUP);
	struct mm *mm = current->mm;
	u64 end;
	int err;

	addr = ARCH_UNTAG(addr);
	prot &= ~(u64)(PROT_GROWSDOWN | PROT_GROWSUP);
	if (grows == (PROT_GROWSDOWN | PROT_GROWSUP) || addr & ~PAGE_MASK)
		return -EINVAL;
	if (!len)
		return 0;
	end = addr + PAGE_ALIGN(len);
	if (end <= addr)
		return -ENOMEM;
	if (prot & ~(u64)PROT_KNOWN)
		return -EINVAL;
	if (grows & PROT_GROWSUP)
		return -EINVAL;
	if (prot & PROT_READ && current->personality & 0x0400000u)
		prot |= PROT_EXEC;
	if (rwsem_write_lock_killable(&mm->mmap_lock))
		return -EINTR;
	err = protect_range(mm, addr, end, (u32)prot, grows != 0);
	rwsem_write_unlock(&mm->mmap_lock);
	return err;
}
