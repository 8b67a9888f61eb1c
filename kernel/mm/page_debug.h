/* SPDX-License-Identifier: MIT */
/*
 * Checks of the debug configuration on free pages (page_debug.c); empty
 * inlines otherwise. A free page is filled with poison, and its mapcount says
 * so.
 */
#ifndef SONDE_MM_PAGE_DEBUG_H
#define SONDE_MM_PAGE_DEBUG_H

#include <lib/types.h>

struct page;

#ifdef CONFIG_DEBUG_KMALLOC
/* A frame that boot hands over: its content is nobody's business yet. */
void page_debug_fresh(struct page *page);
/* The block leaves and enters the allocator: panic when it was written. */
void page_debug_alloc(struct page *page, u32 order);
void page_debug_free(struct page *page, u32 order);
#else
static inline void page_debug_fresh(struct page *page)
{
}
static inline void page_debug_alloc(struct page *page, u32 order)
{
}
static inline void page_debug_free(struct page *page, u32 order)
{
}
#endif

#endif /* SONDE_MM_PAGE_DEBUG_H */
