// SPDX-License-Identifier: MIT
/*
 * Taking entries out of page tables, and freeing what they held in the right
 * order.
 *
 * Entry points: tlb_gather_init, zap_range, tlb_gather_finish.  The order is
 * that of the Arm ARM (D8.14.1): clear the entry, invalidate the TLB on every
 * CPU, and only then give the page (or the table) away.  In a dead space no
 * code runs, so pages are given away at once and one invalidation before the
 * tables go is enough: a CPU that still holds the tables loaded could at most
 * walk them by speculation.
 *
 * Locks: mm->pte_lock for each last-level table in turn, the walk to it
 * included; it is dropped for TLB flushes, which may wait for other CPUs.
 */
#include <arch/mmu.h>
#include <arch/tlb.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/reclaim.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "internal.h"
#include "pgtable.h"

void mm_rss_add(struct mm *mm, int kind, s64 pages)
{
	s64 *counter = kind == RSS_ANON	   ? &mm->rss_anon
		       : kind == RSS_SHMEM ? &mm->rss_shmem
					   : &mm->rss_file;

	fetch_add_relaxed(counter, pages);
}

/* Before a decrease: remember the highest value there was. */
void mm_rss_peak(struct mm *mm)
{
	s64 rss = mm->rss_anon + mm->rss_file + mm->rss_shmem;

	if (rss > (s64)READ_ONCE(mm->rss_peak))
		WRITE_ONCE(mm->rss_peak, (u64)rss);
}

void tlb_gather_init(struct tlb_gather *g, struct mm *mm, enum gather_mode mode)
{
	g->mm = mm;
	g->mode = mode;
	g->start = U64_MAX;
	g->end = 0;
	g->rss[RSS_ANON] = g->rss[RSS_FILE] = g->rss[RSS_SHMEM] = 0;
	g->tables = NULL;
	g->nr = 0;
}

static void free_table_later(struct reclaim_node *node)
{
	struct page *page = container_of(node, struct page, reclaim);

	pgtable_free_now(NULL, page);
}

static void free_tables(struct tlb_gather *g)
{
	struct list_head *next = g->tables;

	g->tables = NULL;
	while (next) {
		struct page *page = list_entry(next, struct page, link);

		next = page->link.next;
		if (g->mode == GATHER_DEAD) {
			pgtable_free_now(g->mm, page);
		} else {
			fetch_add_relaxed(&g->mm->pgtable_pages, -1ull);
			reclaim_after(&page->reclaim, free_table_later);
		}
	}
}

/* No lock held. */
static void gather_flush(struct tlb_gather *g)
{
	if (g->mode == GATHER_DEAD) {
		arch_tlb_flush_mm(g->mm);
	} else if (g->start < g->end) {
		if (g->tables || g->end - g->start > 512 * PAGE_SIZE)
			arch_tlb_flush_mm(g->mm);
		else
			arch_tlb_flush_range(g->mm, g->start, g->end);
	}
	g->start = U64_MAX;
	g->end = 0;
	for (u32 i = 0; i < g->nr; i++)
		page_put(g->pages[i]);
	g->nr = 0;
	free_tables(g);
}

void tlb_gather_finish(struct tlb_gather *g)
{
	struct mm *mm = g->mm;

	gather_flush(g);
	if (g->rss[RSS_ANON] | g->rss[RSS_FILE] | g->rss[RSS_SHMEM])
		mm_rss_peak(mm);
	for (int i = 0; i < 3; i++) {
		if (g->rss[i])
			mm_rss_add(mm, i, -g->rss[i]);
	}
}

/*
 * [pte_lock] A table may have become empty: unhang it, and the ones above it
 * that become empty by that.
 */
static void prune(struct tlb_gather *g, u64 va)
{
	u64 *slots[ARCH_PT_LEVELS];
	u64 *table = g->mm->pgd;

	for (int level = 0; level < PT_LAST; level++) {
		slots[level] = &table[pt_index(va, level)];
		table = pt_lower(*slots[level]);
	}
	for (int level = PT_LAST - 1; level >= 0; level--) {
		struct page *page = virt_to_page(table);

		if (page->mapcount)
			break;
		WRITE_ONCE(*slots[level], 0);
		page->link.next = g->tables;
		g->tables = &page->link;
		table = slots[level] - pt_index(va, level);
		virt_to_page(table)->mapcount--;
	}
}

/* [pte_lock] One used entry goes.  False: kept, it is a private copy. */
static inline bool drop_entry(struct tlb_gather *g, u64 *slot, u64 pte,
			      bool keep_anon)
{
	struct page *page = pte_page(pte);

	if (keep_anon && page && page->flags & PG_ANON)
		return false;
	if (g->mode != GATHER_DEAD)
		pte = arch_pte_xchg(slot, 0);
	if (!page)
		return true;
	if (!(page->flags & (PG_ANON | PG_DIRTY)) && arch_pte_dirty(pte))
		fetch_or_relaxed(&page->flags, PG_DIRTY);
	__atomic_fetch_sub(&page->mapcount, 1, __ATOMIC_RELAXED);
	g->rss[page_rss_kind(page)]++;
	if (g->mode == GATHER_DEAD)
		page_put(page);
	else
		g->pages[g->nr++] = page;
	return true;
}

/* [pte_lock] Entries of one last-level table; where it stopped. */
static u64 zap_table(struct tlb_gather *g, u64 *slot, u64 va, u64 end,
		     bool keep_anon)
{
	struct page *table = virt_to_page(slot);
	s32 used = table->mapcount;
	u64 first = 0, last = 0;

	for (; va < end && used; va += PAGE_SIZE, slot++) {
		u64 pte = READ_ONCE(*slot);

		if (!pte)
			continue;
		if (g->nr == GATHER_PAGES)
			break;
		if (!drop_entry(g, slot, pte, keep_anon))
			continue;
		used--;
		if (!last)
			first = va;
		last = va + PAGE_SIZE;
	}
	if (last) {
		g->start = min(g->start, first);
		g->end = max(g->end, last);
	}
	table->mapcount = used;
	return used ? va : end;
}

void zap_range(struct tlb_gather *g, u64 start, u64 end, bool keep_anon)
{
	struct mm *mm = g->mm;
	u64 va = start;

	while (va < end) {
		u64 stop, here;
		u64 *slot;

		spin_lock(&mm->pte_lock);
		slot = pgtable_next(mm, &va, end);
		if (!slot) {
			spin_unlock(&mm->pte_lock);
			break;
		}
		stop = min(end, ALIGN_DOWN(va, PT_TABLE_SPAN) + PT_TABLE_SPAN);
		here = va;
		va = zap_table(g, slot, va, stop, keep_anon);
		if (g->mode != GATHER_LIVE && !virt_to_page(slot)->mapcount)
			prune(g, here);
		spin_unlock(&mm->pte_lock);
		if (g->nr == GATHER_PAGES)
			gather_flush(g);
	}
}
