// SPDX-License-Identifier: MIT
/*
 * Private memory: fresh zeroed pages, the shared zero page for reads, copy on
 * write.
 *
 * Entry points: fault_anon, fault_write, fault_install_copy.  A page that is
 * only this space's (one reference) is written in place; the count cannot
 * rise behind our back, because fork and get_page take their references under
 * this pte_lock.  A page that replaces another follows break-before-make (Arm
 * ARM D8.14.1): clear, invalidate on every CPU, store.
 */
#include <arch/cache.h>
#include <arch/string.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <lib/err.h>

#include "fault.h"
#include "internal.h"
#include "pgtable.h"
#include "vma.h"

void fault_sync_icache(struct page *page, u32 prot)
{
	if (!(prot & PTE_EXEC) || READ_ONCE(page->flags) & PG_ICACHE)
		return;
	arch_icache_sync(page_address(page), PAGE_SIZE);
	fetch_or_relaxed(&page->flags, PG_ICACHE);
}

/* PTE_* of a page that this mapping owns and whose first write is due. */
static inline u32 own_prot(const struct vma *vma)
{
	u32 prot = vma_pte_prot(vma->flags);

	return prot & PTE_WRITE ? prot | PTE_DIRTY : prot;
}

static int map_zero_page(struct fault *f)
{
	struct mm *mm = f->vma->mm;
	u32 prot = (vma_pte_prot(f->vma->flags) & ~PTE_WRITE) | PTE_SPECIAL;

	spin_lock(&mm->pte_lock);
	if (!READ_ONCE(*f->slot))
		pgtable_fill(f->slot,
			     arch_pte_make(page_to_phys(zero_page), prot));
	spin_unlock(&mm->pte_lock);
	return VM_FAULT_OK;
}

int fault_anon(struct fault *f)
{
	struct vma *vma = f->vma;
	struct mm *mm = vma->mm;
	u32 prot = own_prot(vma);
	struct page *page;

	if (!f->write)
		return map_zero_page(f);
	page = page_alloc(0, GFP_KERNEL | GFP_ZERO);
	if (unlikely(!page))
		return VM_FAULT_OOM;
	page->flags = PG_ANON | PG_DIRTY;
	page->mapcount = 1;
	if (unlikely(prot & PTE_EXEC))
		fault_sync_icache(page, prot);
	if (!READ_ONCE(vma->has_anon))
		WRITE_ONCE(vma->has_anon, true);
	page_count_add(PAGE_COUNT_ANON, 1);
	spin_lock(&mm->pte_lock);
	if (unlikely(READ_ONCE(*f->slot))) {
		spin_unlock(&mm->pte_lock);
		page->mapcount = 0;
		page_put(page);
		return VM_FAULT_OK;
	}
	pgtable_fill(f->slot, arch_pte_make(page_to_phys(page), prot));
	spin_unlock(&mm->pte_lock);
	mm_rss_add(mm, RSS_ANON, 1);
	return VM_FAULT_OK;
}

/*
 * Replace what f->pte maps (nothing, the zero page, or another's page) by a
 * page of our own.  Consumes the reference; VM_FAULT_RETRY when the entry
 * changed meanwhile.
 */
int fault_install_copy(struct fault *f, struct page *page)
{
	struct vma *vma = f->vma;
	struct mm *mm = vma->mm;
	struct page *old = f->pte ? pte_page(f->pte) : NULL;
	u32 prot = own_prot(vma);
	u64 pte;

	page->flags = PG_ANON | PG_DIRTY;
	page->mapcount = 1;
	fault_sync_icache(page, prot);
	WRITE_ONCE(vma->has_anon, true);
	page_count_add(PAGE_COUNT_ANON, 1);
	pte = arch_pte_make(page_to_phys(page), prot);
	spin_lock(&mm->pte_lock);
	/* Hardware may have set the accessed bit; the frame tells. */
	if ((f->pte == 0) != (READ_ONCE(*f->slot) == 0) ||
	    arch_pte_pa(*f->slot) != arch_pte_pa(f->pte) ||
	    pte_writable(*f->slot)) {
		spin_unlock(&mm->pte_lock);
		page->mapcount = 0;
		page_put(page);
		return VM_FAULT_RETRY;
	}
	if (f->pte) {
		arch_pte_xchg(f->slot, 0);
		arch_tlb_flush_page(mm, f->addr);
		arch_pte_store(f->slot, pte);
		if (old)
			__atomic_fetch_sub(&old->mapcount, 1, __ATOMIC_RELAXED);
	} else {
		pgtable_fill(f->slot, pte);
	}
	spin_unlock(&mm->pte_lock);
	if (!old) {
		mm_rss_add(mm, RSS_ANON, 1);
		return VM_FAULT_OK;
	}
	if (page_rss_kind(old) != RSS_ANON) {
		mm_rss_add(mm, page_rss_kind(old), -1);
		mm_rss_add(mm, RSS_ANON, 1);
	}
	page_put(old);
	return VM_FAULT_OK;
}

/* [pte_lock] The page is nobody else's: let it be written. */
static void make_writable(struct fault *f, u64 pte)
{
	u32 prot = arch_pte_prot(pte) | PTE_DIRTY;

	if (f->vma->flags & VM_WRITE)
		prot |= PTE_WRITE;
	/* More rights for the same frame: no break-before-make needed. */
	arch_pte_store(f->slot, arch_pte_set_prot(pte, prot));
}

/* A shared page that is mapped read-only until its owner agrees. */
static int write_shared(struct fault *f, struct page *page)
{
	struct vma *vma = f->vma;
	struct vm_fault vmf = {
		.addr = f->addr,
		.pgoff = vma_pgoff(vma, f->addr),
		.write = true,
		.page = page,
	};
	int answer = VM_FAULT_OK;

	if (vma->ops && vma->ops->page_mkwrite)
		answer = vma->ops->page_mkwrite(vma, &vmf);
	if (answer > VM_FAULT_MAJOR)
		return answer;
	spin_lock(&vma->mm->pte_lock);
	if (READ_ONCE(*f->slot) && arch_pte_pa(*f->slot) == arch_pte_pa(f->pte))
		make_writable(f, READ_ONCE(*f->slot));
	spin_unlock(&vma->mm->pte_lock);
	arch_tlb_flush_page(vma->mm, f->addr);
	return answer;
}

/* A new page with the content of the frame (pinned, or never freed). */
static struct page *copy_of_frame(u64 pte)
{
	u64 pa = arch_pte_pa(pte);
	struct page *page;

	if (pa == page_to_phys(zero_page))
		return page_alloc(0, GFP_KERNEL | GFP_ZERO);
	page = page_alloc(0, GFP_KERNEL);
	if (page)
		arch_copy_page(page_address(page), arch_phys_to_virt(pa));
	return page;
}

int fault_write(struct fault *f)
{
	struct vma *vma = f->vma;
	struct mm *mm = vma->mm;
	struct page *old, *page;
	u64 pte;

	spin_lock(&mm->pte_lock);
	pte = READ_ONCE(*f->slot);
	if (!pte || pte_writable(pte)) {
		spin_unlock(&mm->pte_lock);
		return pte ? VM_FAULT_OK : VM_FAULT_RETRY;
	}
	f->pte = pte;
	old = pte_page(pte);
	if (vma->flags & VM_SHARED) {
		spin_unlock(&mm->pte_lock);
		return old ? write_shared(f, old) : VM_FAULT_SIGBUS;
	}
	if (old && old->flags & PG_ANON && load_acquire(&old->refs) == 1) {
		make_writable(f, pte);
		spin_unlock(&mm->pte_lock);
		arch_tlb_flush_page(mm, f->addr);
		return VM_FAULT_OK;
	}
	/* Keeps the content from being reused while it is copied. */
	if (old)
		page_get(old);
	spin_unlock(&mm->pte_lock);
	page = copy_of_frame(pte);
	if (old)
		page_put(old);
	if (!page)
		return VM_FAULT_OOM;
	return fault_install_copy(f, page);
}
