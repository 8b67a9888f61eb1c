/* SPDX-License-Identifier: MIT */
/*
 * Changing the set of mappings (vma.c) and accounting for it (account.c).
 * mmap_lock is held exclusively unless said otherwise.
 */
#ifndef SONDE_MM_VMA_H
#define SONDE_MM_VMA_H

#include <kernel/mm.h>

/* Kept free below a mapping that grows down. */
#define STACK_GUARD_GAP (256 * PAGE_SIZE)

void vma_init(void);
struct vma *vma_new(struct mm *mm, u64 start, u64 end, u32 flags);
struct vma *vma_dup(const struct vma *old);
void vma_free(struct vma *vma);
void vma_insert(struct mm *mm, struct vma *vma);
void vma_erase(struct mm *mm, struct vma *vma);
void vma_set_range(struct vma *vma, u64 start, u64 end, u64 pgoff);
int vma_split(struct vma *vma, u64 addr);
int vma_isolate(struct mm *mm, u64 start, u64 end, struct vma **first);
struct vma *vma_merge(struct vma *vma);
struct vma *vma_prev(struct vma *vma);
struct vma *vma_last(struct mm *mm);
bool vma_any(struct mm *mm, u64 start, u64 end);
u64 vma_gap_down(struct mm *mm, u64 len, u64 low, u64 high);
u64 vma_gap_up(struct mm *mm, u64 len, u64 low, u64 high);

static inline u64 vma_pages(const struct vma *vma)
{
	return (vma->end - vma->start) >> PAGE_SHIFT;
}
static inline u64 vma_pgoff(const struct vma *vma, u64 addr)
{
	return vma->pgoff + ((addr - vma->start) >> PAGE_SHIFT);
}
static inline bool vma_is_anon(const struct vma *vma)
{
	return !vma->ops;
}

/* munmap.c: unmap a page-aligned range; 0 or -ENOMEM and friends. */
int mm_unmap_locked(struct mm *mm, u64 start, u64 len);
/* mmap.c: reserve address space as mmap(2) does; errno checked there. */
long mm_pick_area(struct mm *mm, u64 addr, u64 len, u32 map_flags);
/* New anonymous memory at a free place (brk, exec's bss). */
int mm_map_anon_locked(struct mm *mm, u64 addr, u64 len, u32 flags);
/* announce.c: tell perf about a new mapping, or one that has changed. */
void vma_announce(struct vma *vma);
/* Fault a range in; mmap_lock not held.  0 or a negative errno. */
int mm_populate(struct mm *mm, u64 start, u64 end);

/* account.c */
bool mm_may_expand(struct mm *mm, u32 flags, u64 pages);
void mm_stat_add(struct mm *mm, u32 flags, s64 pages);
int vm_charge(u64 pages); /* 0 or -ENOMEM */
void vm_uncharge(u64 pages);
bool vm_accountable(u32 flags);
/* -EAGAIN or -EPERM when pages more may not be locked. */
int mm_may_lock(struct mm *mm, u64 pages);
u64 mm_min_addr(void);

#endif /* SONDE_MM_VMA_H */
