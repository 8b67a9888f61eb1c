// SPDX-License-Identifier: MIT
/*
 * Who maps a file: the list of mappings of a page cache.
 *
 * cache->imap_lock guards the list and the bounds of the mappings on it.
 * While it is held a mapping stays, and with it the page tables under it:
 * munmap and exit take a mapping off the list before they free tables.  So
 * entries of other spaces are dropped here without their mmap lock, under
 * their pte_lock alone.
 */
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/pagecache.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "internal.h"
#include "pgtable.h"
#include "vma.h"

static bool is_writer(const struct vma *vma)
{
	return (vma->flags & (VM_SHARED | VM_MAYWRITE)) ==
	       (VM_SHARED | VM_MAYWRITE);
}

void imap_add(struct page_cache *cache, struct vma *vma)
{
	mutex_lock(&cache->imap_lock);
	list_add_tail(&vma->imap_link, &cache->imap);
	if (is_writer(vma))
		cache->nr_writable++;
	mutex_unlock(&cache->imap_lock);
}

void imap_remove(struct page_cache *cache, struct vma *vma)
{
	mutex_lock(&cache->imap_lock);
	list_del_init(&vma->imap_link);
	if (is_writer(vma))
		cache->nr_writable--;
	mutex_unlock(&cache->imap_lock);
}

void imap_unmap_range(struct page_cache *cache, u64 start, u64 end,
		      bool even_cows)
{
	struct tlb_gather g;
	struct vma *vma;

	mutex_lock(&cache->imap_lock);
	list_for_each_entry(vma, &cache->imap, imap_link) {
		u64 first = max(start, vma->pgoff);
		u64 last = min(end, vma->pgoff + vma_pages(vma));

		if (first >= last)
			continue;
		tlb_gather_init(&g, vma->mm, GATHER_LIVE);
		zap_range(&g, vma->start + ((first - vma->pgoff) << PAGE_SHIFT),
			  vma->start + ((last - vma->pgoff) << PAGE_SHIFT),
			  !even_cows);
		tlb_gather_finish(&g);
	}
	mutex_unlock(&cache->imap_lock);
}

/* [imap_lock] Up to nr of them; how many there are. */
static u32 collect(struct page_cache *cache, u64 offset, u32 mask, u32 want,
		   struct mm_site *sites, u32 nr)
{
	struct vma *vma;
	u32 found = 0;

	list_for_each_entry(vma, &cache->imap, imap_link) {
		u64 first = vma->pgoff << PAGE_SHIFT;

		if ((vma->flags & mask) != want || offset < first ||
		    offset - first >= vma->end - vma->start)
			continue;
		if (found < nr) {
			/* One that is being torn down needs nothing. */
			if (!mm_get_live(vma->mm))
				continue;
			sites[found].mm = vma->mm;
			sites[found].addr = vma->start + (offset - first);
		}
		found++;
	}
	return found;
}

int mm_sites(struct page_cache *cache, u64 offset, u32 mask, u32 want,
	     struct mm_site **out, u32 *nr)
{
	struct mm_site *sites;
	u32 room = 16, found;

	for (;;) {
		sites = kmalloc(room * sizeof(*sites), GFP_KERNEL);
		if (!sites)
			return -ENOMEM;
		mutex_lock(&cache->imap_lock);
		found = collect(cache, offset, mask, want, sites, room);
		mutex_unlock(&cache->imap_lock);
		if (found <= room)
			break;
		mm_sites_put(sites, room);
		room = found + 16;
	}
	*out = sites;
	*nr = found;
	return 0;
}

void mm_sites_put(struct mm_site *sites, u32 nr)
{
	while (nr)
		mm_put_late(sites[--nr].mm);
	kfree(sites);
}
