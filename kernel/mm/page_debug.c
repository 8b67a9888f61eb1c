// SPDX-License-Identifier: MIT
/*
 * Checks of the debug configuration on pages: one that was written while it
 * was free is found when it is handed out again.
 *
 * Called by page_alloc.c with the block in nobody else's hands; no locks. A
 * finding is the end: panic().
 */
#include <kernel/page.h>
#include <kernel/panic.h>

#include "page_debug.h"

#define POISON	    0x6b6b6b6b6b6b6b6bull
#define MARK	    (-0x0f4ee)	/* page.mapcount while it is free */
#define PAGE_WORDS  (PAGE_SIZE / sizeof(u64))

void page_debug_fresh(struct page *page)
{
	page->mapcount = 0;
}

static void check_page(struct page *page)
{
	const u64 *words = page_address(page);

	for (u32 i = 0; i < PAGE_WORDS; i++) {
		if (likely(words[i] == POISON))
			continue;
		panic("page %p (%llx) was written after free: offset %lu is "
		      "%016llx",
		      words, page_to_phys(page), i * sizeof(u64), words[i]);
	}
}

void page_debug_alloc(struct page *page, u32 order)
{
	for (u32 i = 0; i < 1u << order; i++) {
		if (page[i].mapcount == MARK)
			check_page(page + i);
		page[i].mapcount = 0;
	}
}

void page_debug_free(struct page *page, u32 order)
{
	for (u32 i = 0; i < 1u << order; i++) {
		u64 *words = page_address(page + i);

		for (u32 w = 0; w < PAGE_WORDS; w++)
			words[w] = POISON;
		page[i].mapcount = MARK;
	}
}
