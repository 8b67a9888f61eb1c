/* SPDX-License-Identifier: MIT */
/*
 * Physical memory: struct page, the buddy allocator, the slab allocator, and
 * kernel virtual memory.
 *
 * Every RAM frame has a struct page in one array, indexed from the first
 * frame.  Reference counts: a page is freed when its count drops to zero.
 */
#ifndef SONDE_KERNEL_PAGE_H
#define SONDE_KERNEL_PAGE_H

#include <arch/mmu.h>
#include <kernel/reclaim.h>
#include <lib/atomic.h>
#include <lib/list.h>
#include <lib/types.h>

#define PAGE_SHIFT 12
#define PAGE_SIZE  (1ul << PAGE_SHIFT)
#define PAGE_MASK  (~(PAGE_SIZE - 1))
#define PAGE_ALIGN(x) (((x) + PAGE_SIZE - 1) & PAGE_MASK)
#define PAGE_DOWN(x)  ((x) & PAGE_MASK)
#define MAX_ORDER  11

/* page.flags */
#define PG_RESERVED (1u << 0)	/* never freed: image, firmware, zero page */
#define PG_BUDDY    (1u << 1)	/* head of a free block of `order` */
#define PG_SLAB	    (1u << 2)
#define PG_CACHE    (1u << 3)	/* in an inode's page cache */
#define PG_ANON	    (1u << 4)
#define PG_DIRTY    (1u << 5)
#define PG_PGTABLE  (1u << 6)
#define PG_UPTODATE (1u << 7)
#define PG_ICACHE   (1u << 8)	/* instruction fetch sees its content */
#define PG_SHMEM    (1u << 9)	/* PG_CACHE of memory without a disk */

struct page_cache;
struct slab;

struct page {
	u32 flags;		/* [a] */
	u32 refs;		/* [a] */
	s32 mapcount;		/* [a] user page-table entries that map it;
				 * PG_PGTABLE: [pte_lock] entries in use */
	u32 order;		/* [page alloc] of a free or compound block */
	union {
		struct list_head link;	/* [page alloc] free list */
		struct {
			/* [its lock] PG_CACHE; NULL once removed */
			struct page_cache *cache;
			u64 index;		/* [page-cache lock] */
		};
		struct slab *slab;	/* PG_SLAB */
		struct reclaim_node reclaim; /* PG_PGTABLE on its way out */
		u64 private;
	};
};

extern struct page *mem_map;	/* [I] */
extern u64 mem_map_base;	/* [I] first frame number */
extern u64 mem_map_pages;	/* [I] */

static inline u64 page_to_pfn(const struct page *page)
{
	return (u64)(page - mem_map) + mem_map_base;
}
static inline struct page *pfn_to_page(u64 pfn)
{
	return mem_map + (pfn - mem_map_base);
}
static inline bool pfn_valid(u64 pfn)
{
	return pfn - mem_map_base < mem_map_pages;
}
static inline u64 page_to_phys(const struct page *page)
{
	return page_to_pfn(page) << PAGE_SHIFT;
}
static inline struct page *phys_to_page(u64 pa)
{
	return pfn_to_page(pa >> PAGE_SHIFT);
}
static inline void *page_address(const struct page *page)
{
	return arch_phys_to_virt(page_to_phys(page));
}
static inline struct page *virt_to_page(const void *p)
{
	return phys_to_page(arch_virt_to_phys(p));
}

/* Allocation flags. */
#define GFP_KERNEL 0u		/* may sleep (task context) */
#define GFP_ATOMIC (1u << 0)	/* may not; any context but the overflow irq */
#define GFP_ZERO   (1u << 1)
#define GFP_NOOOM  (1u << 2)	/* fail instead of killing a process */

/* From boot_info: build mem_map and the free lists.  Boot CPU. */
void page_alloc_init(void);
/* Early allocations before that, never freed; physical address, zeroed. */
u64 early_page_alloc(size_t pages);
/* Give a boot range back (initrd after unpacking, init text). */
void page_free_range(u64 start, u64 end);

/* 2^order contiguous frames, reference count 1 on the first.  NULL: none. */
struct page *page_alloc(u32 order, u32 gfp);
void page_get(struct page *page);
void page_put(struct page *page);		/* order-0 or compound head */
/* The page of one zeroed frame that everyone maps read-only. */
extern struct page *zero_page;

struct page_stats {
	u64 total, free, cached, slab, pgtable, anon, kstack, shmem;
	u64 mapped, vmalloc;
};
void page_stats(struct page_stats *out);	/* in pages, for meminfo */
void page_free_blocks(u64 nr[MAX_ORDER]);	/* free blocks by order */

/* Slab.  kmalloc'ed memory is 16-byte aligned; <= 64 KiB, larger: page_alloc
 * underneath.  kfree(NULL) is fine.  Zeroed with kzalloc. */
void *kmalloc(size_t size, u32 gfp);
void *kzalloc(size_t size, u32 gfp);
void *krealloc(void *p, size_t size, u32 gfp);
void kfree(const void *p);
char *kstrdup(const char *s, u32 gfp);
void *kmemdup(const void *p, size_t size, u32 gfp);

struct kmem_cache;
struct kmem_cache *kmem_cache_create(const char *name, size_t size,
				     size_t align);
void *kmem_cache_alloc(struct kmem_cache *c, u32 gfp);
void kmem_cache_free(struct kmem_cache *c, void *p);
void slab_init(void);

/* Virtually contiguous memory in the vmap area, guard page on both sides.
 * Zeroed.  Task context.  vmap_pages maps the caller's frames. */
void *vmalloc(size_t size);
void vfree(const void *p);
void *vmap_pages(struct page **pages, u32 nr, u32 prot);
void vunmap(const void *p);
struct page *vmalloc_to_page(const void *p);
/* Device registers. */
void __iomem *ioremap(u64 pa, size_t size);
/* Kernel stacks with a guard page below; cached. */
void *kstack_alloc(void);
void kstack_free(void *stack);

#endif /* SONDE_KERNEL_PAGE_H */
