/* SPDX-License-Identifier: MIT */
/*
 * User page tables as kernel/mm handles them (pgtable.c), and the gathering
 * of what an unmapping frees (gather.c).
 *
 * A table is one page, PG_PGTABLE; its page->mapcount is the number of its
 * used entries, so that an empty table is known without a scan.  Entries and
 * counts change under mm->pte_lock.  Tables are added with the mmap lock held
 * shared, and removed only with it held exclusively (or by the last user), so
 * that whoever holds it shared may walk without pte_lock.  A removed table is
 * freed after reclaim: mm_walk_nofault() takes no lock at all.
 */
#ifndef SONDE_MM_PGTABLE_H
#define SONDE_MM_PGTABLE_H

#include <arch/mmu.h>
#include <arch/tlb.h>
#include <kernel/mm.h>
#include <kernel/page.h>

#define PT_LAST	      (ARCH_PT_LEVELS - 1)
#define PT_SPAN(lvl)  (1ull << ARCH_PT_SHIFT(lvl)) /* bytes of an entry */
#define PT_TABLE_SPAN PT_SPAN(PT_LAST - 1)	   /* of a last table */

static inline u32 pt_index(u64 va, int level)
{
	return (va >> ARCH_PT_SHIFT(level)) & (ARCH_PT_ENTRIES - 1);
}

static inline u64 *pt_lower(u64 entry)
{
	return arch_phys_to_virt(arch_pte_pa(entry));
}

/* The struct page behind an entry, or NULL: device, image, zero page. */
static inline struct page *pte_page(u64 pte)
{
	u64 pfn = arch_pte_pa(pte) >> PAGE_SHIFT;
	struct page *page;

	if (unlikely(!pfn_valid(pfn)))
		return NULL;
	page = pfn_to_page(pfn);
	return unlikely(page->flags & PG_RESERVED) ? NULL : page;
}

static inline bool pte_writable(u64 pte)
{
	return arch_pte_prot(pte) & PTE_WRITE;
}

/* PTE_* that a mapping's flags allow. */
static inline u32 vma_pte_prot(u32 flags)
{
	return (flags & (VM_READ | VM_WRITE | VM_EXEC)) | PTE_USER;
}

/* The last-level slot of va; NULL when a table is missing. */
u64 *pgtable_walk(struct mm *mm, u64 va);
/* The same, making tables.  mmap lock held; NULL: no memory. */
u64 *pgtable_walk_alloc(struct mm *mm, u64 va);

/*
 * The slot of the first address >= *va whose last-level table exists; *va
 * moves there.  NULL: none before end.  pte_lock, or tables cannot go.
 */
u64 *pgtable_next(struct mm *mm, u64 *va, u64 end);

/* [pte_lock] Fill an empty slot. */
static inline void pgtable_fill(u64 *slot, u64 pte)
{
	virt_to_page(slot)->mapcount++;
	arch_pte_store(slot, pte);
}

u64 *pgtable_new(struct mm *mm);
void pgtable_free_now(struct mm *mm, struct page *table);

/*
 * Pages and tables that leave a space.  They are freed only once no TLB can
 * reach them: tlb_gather_flush() does both.
 */
#define GATHER_PAGES 48

enum gather_mode {
	GATHER_LIVE,   /* the space may run on another CPU */
	GATHER_TABLES, /* and empty tables go: mmap lock held exclusively */
	GATHER_DEAD,   /* nobody lives in it any more */
};

struct tlb_gather {
	struct mm *mm;
	enum gather_mode mode;
	u64 start, end;		  /* to be flushed */
	s64 rss[3];		  /* RSS_*: entries dropped */
	struct list_head *tables; /* linked by page.link.next */
	u32 nr;
	struct page *pages[GATHER_PAGES];
};

enum { RSS_ANON, RSS_FILE, RSS_SHMEM };

static inline int page_rss_kind(const struct page *page)
{
	if (page->flags & PG_ANON)
		return RSS_ANON;
	return page->flags & PG_SHMEM ? RSS_SHMEM : RSS_FILE;
}

void mm_rss_add(struct mm *mm, int kind, s64 pages);
void mm_rss_peak(struct mm *mm);

void tlb_gather_init(struct tlb_gather *g, struct mm *mm,
		     enum gather_mode mode);
void tlb_gather_finish(struct tlb_gather *g);

/*
 * Drop the entries of [start, end).  Locks by mode as above; GATHER_LIVE also
 * serves a foreign space whose vma is pinned by its imap_lock.  keep: leave
 * anonymous pages (private copies) alone.
 */
void zap_range(struct tlb_gather *g, u64 start, u64 end, bool keep_anon);

/* fork.c: give the child what the parent's private mapping has. */
int copy_range(struct mm *to, struct mm *from, struct vma *vma, bool *changed);

#endif /* SONDE_MM_PGTABLE_H */
