/* SPDX-License-Identifier: MIT */
/*
 * What the files of kernel/mm share with each other and nobody else sees.
 */
#ifndef SONDE_MM_INTERNAL_H
#define SONDE_MM_INTERNAL_H

#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/pagecache.h>
#include <lib/atomic.h>
#include <lib/types.h>

struct boot_range;

/* The last reserve may be used: a process that is being killed for memory. */
#define GFP_RESERVE (1u << 8)

/* Counters of /proc/meminfo, in pages. */
enum page_count {
	PAGE_COUNT_ANON,
	PAGE_COUNT_CACHED,
	PAGE_COUNT_SHMEM,
	PAGE_COUNT_SLAB,
	PAGE_COUNT_PGTABLE,
	PAGE_COUNT_KSTACK,
	PAGE_COUNT_MAPPED,
	PAGE_COUNT_MAX,
};
extern s64 page_counts[PAGE_COUNT_MAX]; /* [a] */

static inline void page_count_add(enum page_count what, s64 pages)
{
	__atomic_fetch_add(&page_counts[what], pages, __ATOMIC_RELAXED);
}

/* page_alloc.c, page_early.c */
void page_free(struct page *page);
u64 page_total(void);
u64 page_free_count(void);
void early_seal(void);
u64 early_reserved_after(u64 start, u64 *stop);

/* Take a reference on a page that may be free already; false if it is. */
static inline bool page_get_unless_free(struct page *page)
{
	u32 refs = load_relaxed(&page->refs);

	do {
		if (refs == 0)
			return false;
	} while (!try_cmpxchg_acquire(&page->refs, &refs, refs + 1));
	return true;
}

/* slab.c: give empty slabs back; true if any page came free. */
bool slab_shrink(void);
void kmalloc_setup(void);

/* mm.c: fork's empty space. */
struct mm *mm_clone_empty(struct mm *old);

/* pagecache.c */
void radix_init(void);
struct page *page_cache_get_inside(struct page_cache *cache, u64 index);
/* Up to nr pages from index on, referenced; holes are NULL. */
u32 page_cache_lookup_run(struct page_cache *cache, u64 index, u32 nr,
			  struct page **pages);

/* oom.c: is current being killed for memory; make somebody die and wait. */
bool oom_is_victim(void);
bool oom_reclaim(void);

#endif /* SONDE_MM_INTERNAL_H */
