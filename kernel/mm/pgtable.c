// SPDX-License-Identifier: MIT
/*
 * User page tables: walking, growing, and looking without a lock.
 *
 * Entry points: pgtable_walk, pgtable_walk_alloc, pgtable_next, pgtable_new,
 * mm_walk_nofault.  The rules of locking are in pgtable.h.  Every store of an
 * entry that turns from nothing into something is followed by the barrier
 * that makes it visible to the table walker (arch_pte_store; Arm ARM D8.2: a
 * walk observes a store after a DSB).
 */
#include <arch/mmu.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "internal.h"
#include "pgtable.h"

u64 *pgtable_walk(struct mm *mm, u64 va)
{
	u64 *table = mm->pgd;

	for (int level = 0; level < PT_LAST; level++) {
		u64 entry = READ_ONCE(table[pt_index(va, level)]);

		if (!arch_pte_is_table(entry, level))
			return NULL;
		table = pt_lower(entry);
	}
	return &table[pt_index(va, PT_LAST)];
}

u64 *pgtable_next(struct mm *mm, u64 *va, u64 end)
{
	while (*va < end) {
		u64 *table = mm->pgd;
		int level;

		for (level = 0; level < PT_LAST; level++) {
			u64 entry = READ_ONCE(table[pt_index(*va, level)]);

			if (!arch_pte_is_table(entry, level))
				break;
			table = pt_lower(entry);
		}
		if (level == PT_LAST)
			return &table[pt_index(*va, PT_LAST)];
		*va = ALIGN_DOWN(*va, PT_SPAN(level)) + PT_SPAN(level);
	}
	return NULL;
}

/* A zeroed table, counted. */
u64 *pgtable_new(struct mm *mm)
{
	struct page *page = page_alloc(0, GFP_KERNEL | GFP_ZERO);

	if (!page)
		return NULL;
	page->flags = PG_PGTABLE;
	fetch_add_relaxed(&mm->pgtable_pages, 1ull);
	page_count_add(PAGE_COUNT_PGTABLE, 1);
	return page_address(page);
}

/* Nobody walks it any more. */
void pgtable_free_now(struct mm *mm, struct page *table)
{
	if (mm)
		fetch_add_relaxed(&mm->pgtable_pages, -1ull);
	page_count_add(PAGE_COUNT_PGTABLE, -1);
	table->mapcount = 0;
	page_put(table);
}

/* Hang a new table below slot, unless another fault was faster. */
static bool grow(struct mm *mm, u64 *slot)
{
	u64 *table = pgtable_new(mm);

	if (!table)
		return false;
	spin_lock(&mm->pte_lock);
	if (!READ_ONCE(*slot)) {
		pgtable_fill(slot, arch_pte_table(arch_virt_to_phys(table)));
		table = NULL;
	}
	spin_unlock(&mm->pte_lock);
	if (table)
		pgtable_free_now(mm, virt_to_page(table));
	return true;
}

u64 *pgtable_walk_alloc(struct mm *mm, u64 va)
{
	u64 *table = mm->pgd;

	for (int level = 0; level < PT_LAST; level++) {
		u64 *slot = &table[pt_index(va, level)];
		u64 entry = READ_ONCE(*slot);

		if (unlikely(!entry)) {
			if (!grow(mm, slot))
				return NULL;
			entry = READ_ONCE(*slot);
		}
		table = pt_lower(entry);
	}
	return &table[pt_index(va, PT_LAST)];
}

/*
 * The caller pins the space and keeps preemption off, so that a table which
 * is being removed stays readable; what it says may be stale at once.
 */
bool mm_walk_nofault(struct mm *mm, u64 va, u64 *pa, u32 *prot)
{
	u64 *slot, pte;

	va = ARCH_UNTAG(va);
	if (va >= ARCH_USER_END)
		return false;
	slot = pgtable_walk(mm, va);
	if (!slot)
		return false;
	pte = READ_ONCE(*slot);
	if (!arch_pte_present(pte))
		return false;
	if (pa)
		*pa = arch_pte_pa(pte) + (va & (PAGE_SIZE - 1));
	if (prot)
		*prot = arch_pte_prot(pte);
	return true;
}
