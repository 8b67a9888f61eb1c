// SPDX-License-Identifier: MIT
/*
 * Faults on mappings of objects: files through the page cache, and drivers
 * that supply pages themselves.
 *
 * Entry points: fault_object, page_cache_vm_ops.  A read fault on a cached
 * file maps the neighbours that are cached too.  A page taken from a cache is
 * mapped only if it still belongs to it once pte_lock is held: truncation
 * removes pages first and unmaps afterwards, so one of the two sees the other.
 */
#include <arch/string.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/pagecache.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "fault.h"
#include "internal.h"
#include "pgtable.h"
#include "vma.h"

#define AROUND_PAGES 16

/* The page cache's own way to supply a page. */
static int cache_fault(struct vma *vma, struct vm_fault *vmf)
{
	struct page_cache *cache = vma->cache;
	struct page *page = page_cache_get_inside(cache, vmf->pgoff);

	if (IS_ERR(page)) {
		return PTR_ERR(page) == -ENOMEM ? VM_FAULT_OOM
						: VM_FAULT_SIGBUS;
	}
	vmf->page = page;
	return VM_FAULT_OK;
}

const struct vm_ops page_cache_vm_ops = { .fault = cache_fault };

struct page_cache *vma_page_cache(const struct vma *vma)
{
	return vma->cache;
}

/* PTE_* for a page of the object in this mapping. */
static u32 object_prot(const struct fault *f, bool may_write)
{
	u32 prot = vma_pte_prot(f->vma->flags);

	if (!(f->vma->flags & VM_SHARED) || !may_write)
		prot &= ~PTE_WRITE;
	else if (f->write && prot & PTE_WRITE)
		prot |= PTE_DIRTY;
	return prot;
}

/* [pte_lock] Map one page of the object; the entry was empty. */
static void map_object_page(struct mm *mm, u64 *slot, struct page *page,
			    u32 prot)
{
	__atomic_fetch_add(&page->mapcount, 1, __ATOMIC_RELAXED);
	if (prot & PTE_DIRTY && !(page->flags & PG_DIRTY))
		fetch_or_relaxed(&page->flags, PG_DIRTY);
	pgtable_fill(slot, arch_pte_make(page_to_phys(page), prot));
}

/*
 * Map the cached pages around a read fault, within the mapping and one
 * last-level table.  True if the page that was asked for is mapped.
 */
static bool map_around(struct fault *f)
{
	struct vma *vma = f->vma;
	struct mm *mm = vma->mm;
	u64 window = AROUND_PAGES * PAGE_SIZE;
	u64 start = max(ALIGN_DOWN(f->addr, window), vma->start);
	u64 end = min(ALIGN_DOWN(f->addr, window) + window, vma->end);
	struct page *pages[AROUND_PAGES];
	u32 prot = object_prot(f, true);
	u32 nr = (u32)((end - start) >> PAGE_SHIFT);
	u64 *slot = f->slot - ((f->addr - start) >> PAGE_SHIFT);
	s64 mapped[3] = { 0 };
	bool found;

	if (!page_cache_lookup_run(vma->cache, vma_pgoff(vma, start), nr,
				   pages))
		return false;
	if (prot & PTE_EXEC) {
		for (u32 i = 0; i < nr; i++) {
			if (pages[i])
				fault_sync_icache(pages[i], prot);
		}
	}
	spin_lock(&mm->pte_lock);
	for (u32 i = 0; i < nr; i++) {
		struct page *page = pages[i];

		if (!page || READ_ONCE(slot[i]) ||
		    READ_ONCE(page->cache) != vma->cache)
			continue;
		map_object_page(mm, &slot[i], page, prot);
		mapped[page_rss_kind(page)]++;
		pages[i] = NULL;
	}
	found = READ_ONCE(*f->slot);
	spin_unlock(&mm->pte_lock);
	for (u32 i = 0; i < nr; i++) {
		if (pages[i])
			page_put(pages[i]);
	}
	for (int i = 0; i < 3; i++) {
		if (mapped[i])
			mm_rss_add(mm, i, mapped[i]);
	}
	return found;
}

/* Map the page that the object supplied; consumes its reference. */
static int map_supplied(struct fault *f, struct vm_fault *vmf)
{
	struct vma *vma = f->vma;
	struct mm *mm = vma->mm;
	struct page *page = vmf->page;
	u32 prot = object_prot(f, !vmf->readonly) | vmf->prot_extra;
	bool special = page->flags & PG_RESERVED;
	int answer = VM_FAULT_OK;

	if (special)
		prot |= PTE_SPECIAL;
	else
		fault_sync_icache(page, prot);
	spin_lock(&mm->pte_lock);
	if (READ_ONCE(*f->slot)) {
		page = NULL;
	} else if (vma->cache && READ_ONCE(page->cache) != vma->cache) {
		page = NULL;
		answer = VM_FAULT_RETRY;
	} else if (special) {
		pgtable_fill(f->slot, arch_pte_make(page_to_phys(page), prot));
	} else {
		map_object_page(mm, f->slot, page, prot);
	}
	spin_unlock(&mm->pte_lock);
	/* A special page (image, zero page) came without a reference. */
	if (special)
		return answer;
	if (page)
		mm_rss_add(mm, page_rss_kind(page), 1);
	else
		page_put(vmf->page);
	return answer;
}

/* A write to a private mapping: the object's page is only copied. */
static int copy_supplied(struct fault *f, struct vm_fault *vmf)
{
	struct page *copy = page_alloc(0, GFP_KERNEL);

	if (copy)
		arch_copy_page(page_address(copy), page_address(vmf->page));
	if (!(vmf->page->flags & PG_RESERVED))
		page_put(vmf->page);
	if (!copy)
		return VM_FAULT_OOM;
	return fault_install_copy(f, copy);
}

int fault_object(struct fault *f)
{
	struct vma *vma = f->vma;
	struct vm_fault vmf = {
		.addr = f->addr,
		.pgoff = vma_pgoff(vma, f->addr),
		.write = f->write,
	};
	int answer, major;

	if (!f->write && vma->cache && map_around(f))
		return VM_FAULT_OK;
	if (!vma->ops->fault)
		return VM_FAULT_SIGBUS;
	major = vma->ops->fault(vma, &vmf);
	if (major > VM_FAULT_MAJOR)
		return major;
	if (f->write && !(vma->flags & VM_SHARED)) {
		answer = copy_supplied(f, &vmf);
	} else {
		if (f->write && vmf.readonly && vma->ops->page_mkwrite) {
			answer = vma->ops->page_mkwrite(vma, &vmf);
			if (answer > VM_FAULT_MAJOR) {
				if (!(vmf.page->flags & PG_RESERVED))
					page_put(vmf.page);
				return answer;
			}
			vmf.readonly = false;
		}
		answer = map_supplied(f, &vmf);
	}
	return answer == VM_FAULT_OK ? major : answer;
}
