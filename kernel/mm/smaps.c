// SPDX-License-Identifier: MIT
/*
 * What the pages of a mapping amount to, for /proc/PID/smaps.
 *
 * Entry point: vma_usage, mmap_lock held shared.  Entries are read under
 * pte_lock, one last-level table at a time.  A page that several entries map
 * counts as shared, and with its part only in pss.
 */
#include <kernel/mm.h>
#include <lib/minmax.h>
#include <lib/string.h>

#include "internal.h"
#include "pgtable.h"

#define PSS_SHIFT 12 /* binary places kept while parts are summed */

static void add_page(const struct vma *vma, u64 pte, struct vma_usage *u)
{
	struct page *page = pte_page(pte);
	u64 maps;
	bool dirty;

	if (!page)
		return;
	maps = (u64)max_t(s32, READ_ONCE(page->mapcount), 1);
	dirty = arch_pte_dirty(pte) || page->flags & PG_DIRTY;
	u->rss += PAGE_SIZE;
	u->pss += (PAGE_SIZE << PSS_SHIFT) / maps;
	if (dirty)
		u->pss_dirty += (PAGE_SIZE << PSS_SHIFT) / maps;
	if (arch_pte_young(pte))
		u->referenced += PAGE_SIZE;
	if (page->flags & PG_ANON)
		u->anonymous += PAGE_SIZE;
	if (maps > 1) {
		if (dirty)
			u->shared_dirty += PAGE_SIZE;
		else
			u->shared_clean += PAGE_SIZE;
	} else if (dirty) {
		u->private_dirty += PAGE_SIZE;
	} else {
		u->private_clean += PAGE_SIZE;
	}
}

void vma_usage(struct vma *vma, struct vma_usage *out)
{
	struct mm *mm = vma->mm;
	u64 va = vma->start;

	memset(out, 0, sizeof(*out));
	while (va < vma->end) {
		u64 *slot = pgtable_next(mm, &va, vma->end);
		u64 stop;

		if (!slot)
			break;
		stop = min(vma->end,
			   ALIGN_DOWN(va, PT_TABLE_SPAN) + PT_TABLE_SPAN);
		spin_lock(&mm->pte_lock);
		for (; va < stop; va += PAGE_SIZE, slot++) {
			if (READ_ONCE(*slot))
				add_page(vma, READ_ONCE(*slot), out);
		}
		spin_unlock(&mm->pte_lock);
	}
	out->pss >>= PSS_SHIFT;
	out->pss_dirty >>= PSS_SHIFT;
	if (vma->flags & VM_LOCKED)
		out->locked = out->pss;
}
