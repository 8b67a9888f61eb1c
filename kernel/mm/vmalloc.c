// SPDX-License-Identifier: MIT
/*
 * The kernel's own virtual area: vmalloc, vmap_pages, ioremap and kernel
 * stacks.
 *
 * Areas lie in a tree by address; vmap_lock (mutex) guards tree and mappings.
 * Each area is followed by an unmapped page; stacks are aligned as the
 * architecture asks, with nothing mapped below them.  Addresses are handed
 * out lowest first, so that the last-level tables under them are reused and
 * their number does not grow with time.
 *
 * Task context, except kstack_free() into a cache with room.  Stacks are kept
 * per CPU and not zeroed, so that fork neither maps nor flushes.
 */
#include <arch/mmu.h>
#include <arch/thread.h>
#include <kernel/cpu.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/percpu.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/rbtree.h>
#include <lib/string.h>

#include "internal.h"

struct vmap_area {
	struct rb_node node; /* [vmap_lock] by start */
	u64 start, end;	     /* [vmap_lock, then I] mapped bytes */
	struct page **pages; /* [I] NULL: device memory */
	u32 nr;		     /* [I] */
	bool own_pages;	     /* [I] freed with the area */
};

#define STACK_PAGES    (ARCH_STACK_SIZE / PAGE_SIZE)
#define STACKS_PER_CPU 4
#ifndef ARCH_STACK_ALIGN
#define ARCH_STACK_ALIGN (2 * ARCH_STACK_SIZE)
#endif

/* [own CPU, ordinary interrupts masked] */
struct stack_cache {
	void *stack[STACKS_PER_CPU];
	u32 nr;
};

static struct mutex vmap_lock = MUTEX_INIT(vmap_lock, LOCK_RANK_VMAP);
static struct rb_root areas;	       /* [vmap_lock] */
static u64 first_gap = ARCH_VMAP_BASE; /* [vmap_lock] all is full below */
static DEFINE_PER_CPU(struct stack_cache, stacks);

/* An address of the vmap area as a pointer, counted from the image's own. */
static void *vmap_pointer(u64 addr)
{
	char *base = OPAQUE((char *)&areas);

	return base + (s64)(addr - (uintptr_t)base);
}

/* [vmap_lock] The first area that ends above addr. */
static struct vmap_area *area_above(u64 addr)
{
	struct rb_node *n = areas.root;
	struct vmap_area *best = NULL;

	while (n) {
		struct vmap_area *a = rb_entry(n, struct vmap_area, node);

		if (a->end > addr) {
			best = a;
			n = n->left;
		} else {
			n = n->right;
		}
	}
	return best;
}

static struct vmap_area *area_at(const void *p)
{
	struct vmap_area *a = area_above((uintptr_t)p);

	return a && a->start <= (uintptr_t)p ? a : NULL;
}

static bool area_less(const struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct vmap_area, node)->start <
	       rb_entry(b, struct vmap_area, node)->start;
}

/* [vmap_lock] Reserve size bytes with a guard page on both sides. */
static int area_place(struct vmap_area *area, u64 size, u64 align)
{
	u64 addr = ALIGN_UP(first_gap + PAGE_SIZE, align);
	struct vmap_area *next = area_above(first_gap);
	u64 floor = first_gap;
	bool tight = true;

	while (next && addr + size + PAGE_SIZE > next->start) {
		if (next->start > floor + 2 * PAGE_SIZE)
			tight = false;
		floor = next->end;
		addr = ALIGN_UP(next->end + PAGE_SIZE, align);
		next = rb_entry_safe(rb_next(&next->node), struct vmap_area,
				     node);
	}
	if (addr + size + PAGE_SIZE > ARCH_VMAP_END)
		return -ENOMEM;
	area->start = addr;
	area->end = addr + size;
	rb_add(&areas, &area->node, area_less);
	/* Only when nothing was skipped is the space below really full. */
	if (tight && align == PAGE_SIZE)
		first_gap = area->end;
	return 0;
}

/* [vmap_lock] */
static void area_remove(struct vmap_area *area)
{
	rb_erase(&areas, &area->node);
	first_gap = min(first_gap, area->start - PAGE_SIZE);
	first_gap = max_t(u64, first_gap, ARCH_VMAP_BASE);
}

static void area_free(struct vmap_area *area)
{
	if (area->own_pages) {
		for (u32 i = 0; i < area->nr; i++) {
			if (area->pages[i])
				page_put(area->pages[i]);
		}
	}
	kfree(area->pages);
	kfree(area);
}

static struct vmap_area *area_new(u32 nr)
{
	struct vmap_area *area = kzalloc(sizeof(*area), GFP_KERNEL);

	if (!area)
		return NULL;
	area->nr = nr;
	if (nr) {
		area->pages = kzalloc(nr * sizeof(struct page *), GFP_KERNEL);
		if (!area->pages) {
			kfree(area);
			return NULL;
		}
	}
	return area;
}

/* [vmap_lock] Runs of neighbouring frames are mapped in one call. */
static int map_pages(struct vmap_area *area, u32 prot)
{
	u32 i = 0;

	ASSERT(!(prot & PTE_WRITE) || !(prot & PTE_EXEC));
	while (i < area->nr) {
		u64 pa = page_to_phys(area->pages[i]);
		u32 n = 1;
		int err;

		while (i + n < area->nr &&
		       area->pages[i + n] == area->pages[i] + n)
			n++;
		err = arch_kernel_map(area->start + i * PAGE_SIZE, pa,
				      n * PAGE_SIZE, prot);
		if (err) {
			if (i)
				arch_kernel_unmap(area->start, i * PAGE_SIZE);
			return err;
		}
		i += n;
	}
	return 0;
}

/* Place and map an area whose pages are known.  The address or NULL. */
static void *area_install(struct vmap_area *area, u64 align, u32 prot)
{
	int err;

	mutex_lock(&vmap_lock);
	err = area_place(area, (u64)area->nr * PAGE_SIZE, align);
	if (!err) {
		err = map_pages(area, prot);
		if (err)
			area_remove(area);
	}
	mutex_unlock(&vmap_lock);
	if (err) {
		area_free(area);
		return NULL;
	}
	return vmap_pointer(area->start);
}

static struct vmap_area *area_with_pages(u32 nr, u32 gfp)
{
	struct vmap_area *area = area_new(nr);

	if (!area)
		return NULL;
	area->own_pages = true;
	for (u32 i = 0; i < nr; i++) {
		area->pages[i] = page_alloc(0, gfp);
		if (!area->pages[i]) {
			area_free(area);
			return NULL;
		}
	}
	return area;
}

void *vmalloc(size_t size)
{
	u64 nr = PAGE_ALIGN(size) >> PAGE_SHIFT;
	struct vmap_area *area;

	if (!size || size > PAGE_ALIGN(size) || nr > page_total())
		return NULL;
	area = area_with_pages((u32)nr, GFP_KERNEL | GFP_ZERO);
	return area ? area_install(area, PAGE_SIZE,
				   PTE_READ | PTE_WRITE | PTE_GLOBAL)
		    : NULL;
}

void *vmap_pages(struct page **pages, u32 nr, u32 prot)
{
	struct vmap_area *area = nr ? area_new(nr) : NULL;

	if (!area)
		return NULL;
	memcpy(area->pages, pages, nr * sizeof(*pages));
	return area_install(area, PAGE_SIZE, prot | PTE_GLOBAL);
}

void __iomem *ioremap(u64 pa, size_t size)
{
	u64 first = PAGE_DOWN(pa);
	u64 bytes = PAGE_ALIGN(pa + size) - first;
	struct vmap_area *area = area_new(0);
	int err;

	if (!area)
		return NULL;
	mutex_lock(&vmap_lock);
	err = area_place(area, bytes, PAGE_SIZE);
	if (!err) {
		err = arch_kernel_map(area->start, first, bytes,
				      PTE_READ | PTE_WRITE | PTE_GLOBAL |
					      PTE_DEVICE);
		if (err)
			area_remove(area);
	}
	mutex_unlock(&vmap_lock);
	if (err) {
		kfree(area);
		return NULL;
	}
	return (void __iomem *)vmap_pointer(area->start + (pa - first));
}

/* arch_kernel_unmap flushes the TLB before the frames are given away. */
static void unmap_area(const void *p)
{
	struct vmap_area *area;

	mutex_lock(&vmap_lock);
	area = area_at(p);
	CHECK(area != NULL);
	arch_kernel_unmap(area->start, area->end - area->start);
	area_remove(area);
	mutex_unlock(&vmap_lock);
	area_free(area);
}

void vfree(const void *p)
{
	if (p)
		unmap_area(p);
}

void vunmap(const void *p)
{
	if (p)
		unmap_area(p);
}

struct page *vmalloc_to_page(const void *p)
{
	struct page *page = NULL;
	struct vmap_area *area;

	mutex_lock(&vmap_lock);
	area = area_at(p);
	if (area && area->pages)
		page = area->pages[((uintptr_t)p - area->start) >> PAGE_SHIFT];
	mutex_unlock(&vmap_lock);
	return page;
}

void *kstack_alloc(void)
{
	unsigned long flags = arch_irq_save();
	struct stack_cache *cache = this_cpu_ptr(stacks);
	struct vmap_area *area;
	void *stack = NULL;

	if (cache->nr)
		stack = cache->stack[--cache->nr];
	arch_irq_restore(flags);
	if (stack)
		return stack;
	area = area_with_pages(STACK_PAGES, GFP_KERNEL | GFP_ZERO);
	if (!area)
		return NULL;
	stack = area_install(area, ARCH_STACK_ALIGN,
			     PTE_READ | PTE_WRITE | PTE_GLOBAL);
	if (stack)
		page_count_add(PAGE_COUNT_KSTACK, STACK_PAGES);
	return stack;
}

void kstack_free(void *stack)
{
	unsigned long flags;
	struct stack_cache *cache;

	if (!stack)
		return;
	flags = arch_irq_save();
	cache = this_cpu_ptr(stacks);
	if (cache->nr < STACKS_PER_CPU) {
		cache->stack[cache->nr++] = stack;
		stack = NULL;
	}
	arch_irq_restore(flags);
	if (stack) {
		unmap_area(stack);
		page_count_add(PAGE_COUNT_KSTACK, -(s64)STACK_PAGES);
	}
}
