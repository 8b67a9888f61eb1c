// SPDX-License-Identifier: MIT
/*
 * Object caches: runs of pages cut into equal objects, with a list of free
 * objects per CPU in front.
 *
 * Entry points: kmem_cache_create, kmem_cache_alloc, kmem_cache_free,
 * slab_shrink.  The per-CPU list is touched by its CPU with ordinary
 * interrupts masked; cache->lock guards the slabs.  struct slab lies at the
 * start of its run for small objects and is allocated apart for large ones, so
 * that these waste nothing.
 *
 * Any context but the overflow interrupt; GFP_KERNEL may sleep.  The lock is
 * never held while pages are allocated.
 */
#include <arch/irqflags.h>
#include <kernel/cpu.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#include "internal.h"
#include "slab.h"

#define OFF_SLAB_FROM 512 /* objects whose struct slab is apart */
#define EMPTY_KEPT    2	  /* empty slabs a cache may hold */

static struct spinlock slab_list_lock = SPINLOCK_INIT(LOCK_RANK_SLAB);
static LIST_HEAD(slab_caches); /* [slab_list_lock] */
static struct kmem_cache slab_descriptors;

static inline void **obj_link(const struct kmem_cache *c, void *obj)
{
	return (void **)((char *)obj + c->link_off);
}

static inline struct slab *obj_slab(const void *obj)
{
	return virt_to_page(obj)->slab;
}

static u32 objects_of(const struct kmem_cache *c, u32 order)
{
	return (u32)(((PAGE_SIZE << order) - c->header) / c->stride);
}

/* The smallest order that holds eight objects, or wastes little. */
static u32 choose_order(const struct kmem_cache *c)
{
	u32 order = 0;

	while (order < 3) {
		size_t bytes = PAGE_SIZE << order;
		u32 n = bytes > c->header ? objects_of(c, order) : 0;

		if (n >= 8 && bytes - c->header - n * c->stride <= bytes / 8)
			break;
		order++;
	}
	return order;
}

void slab_cache_setup(struct kmem_cache *c, const char *name, size_t size,
		      size_t align, bool off_slab)
{
	unsigned long flags;

	align = max_t(size_t, align, 16);
	memset(c, 0, sizeof(*c));
	c->name = name;
	c->size = (u32)size;
	c->link_off = SLAB_TRAILER ? (u32)ALIGN_UP(size, 16) : 0;
	c->stride = (u32)ALIGN_UP(ALIGN_UP(size, 16) + SLAB_TRAILER, align);
	c->off_slab = off_slab;
	c->header = off_slab ? 0 : (u32)ALIGN_UP(sizeof(struct slab), align);
	c->order = choose_order(c);
	c->batch = size <= 256 ? 24 : size <= 1024 ? 12 : size <= 4096 ? 6 : 3;
	spin_init(&c->lock, LOCK_RANK_SLAB);
	list_init(&c->partial);
	list_init(&c->empty);
	flags = spin_lock_irqsave(&slab_list_lock);
	list_add_tail(&c->link, &slab_caches);
	spin_unlock_irqrestore(&slab_list_lock, flags);
}

struct kmem_cache *kmem_cache_create(const char *name, size_t size,
				     size_t align)
{
	struct kmem_cache *c = kmalloc(sizeof(*c), GFP_KERNEL);

	if (c)
		slab_cache_setup(c, name, size, align, size >= OFF_SLAB_FROM);
	return c;
}

static void release_run(struct slab *slab)
{
	struct page *page = slab->page;
	u32 n = 1u << slab->order;
	bool apart = slab->cache->off_slab;

	for (u32 i = 0; i < n; i++) {
		page[i].flags = 0;
		page[i].slab = NULL;
	}
	page_count_add(PAGE_COUNT_SLAB, -(s64)n);
	page_put(page);
	if (apart)
		kmem_cache_free(&slab_descriptors, slab);
}

/* A new slab with all its objects linked.  No lock held. */
static struct slab *new_slab(struct kmem_cache *c, u32 gfp)
{
	u32 order = c->order;
	struct page *page = NULL;
	struct slab *slab = NULL;
	char *obj;
	u32 n;

	gfp &= ~GFP_ZERO;
	if (order)
		page = page_alloc(order, gfp | GFP_NOOOM);
	if (!page) {
		order = 0;
		while ((PAGE_SIZE << order) < c->header + c->stride)
			order++;
		page = page_alloc(order, gfp);
		if (!page)
			return NULL;
	}
	if (c->off_slab)
		slab = kmem_cache_alloc(&slab_descriptors, gfp);
	else
		slab = page_address(page);
	if (!slab) {
		page_put(page);
		return NULL;
	}
	slab->cache = c;
	slab->page = page;
	slab->order = order;
	slab->inuse = 0;
	slab->base = (char *)page_address(page) + c->header;
	slab->free = NULL;
	for (u32 i = 0; i < 1u << order; i++) {
		page[i].flags = PG_SLAB;
		page[i].slab = slab;
	}
	n = objects_of(c, order);
	obj = (char *)slab->base + (size_t)n * c->stride;
	while (n-- > 0) {
		obj -= c->stride;
		slab_debug_fresh(c, obj);
		*obj_link(c, obj) = slab->free;
		slab->free = obj;
	}
	page_count_add(PAGE_COUNT_SLAB, 1 << order);
	return slab;
}

/* [lock] Move up to a batch of objects to this CPU's list. */
static void take_from_slabs(struct kmem_cache *c, struct slab_cpu *cpu)
{
	while (cpu->nr < c->batch) {
		struct slab *slab;

		slab = list_first_entry_or_null(&c->partial, struct slab, link);
		if (!slab) {
			slab = list_first_entry_or_null(&c->empty, struct slab,
							link);
			if (!slab)
				return;
			c->nr_empty--;
			list_move(&slab->link, &c->partial);
		}
		while (slab->free && cpu->nr < c->batch) {
			void *obj = slab->free;

			slab->free = *obj_link(c, obj);
			slab->inuse++;
			*obj_link(c, obj) = cpu->free;
			cpu->free = obj;
			cpu->nr++;
		}
		if (!slab->free)
			list_del_init(&slab->link);
	}
}

static inline void *pop(struct kmem_cache *c, struct slab_cpu *cpu)
{
	void *obj = cpu->free;

	cpu->free = *obj_link(c, obj);
	cpu->nr--;
	return obj;
}

static noinline void *alloc_slow(struct kmem_cache *c, u32 gfp)
{
	struct slab *fresh = NULL;
	struct slab_cpu *cpu;
	unsigned long flags;
	void *obj;

	for (;;) {
		flags = arch_irq_save();
		cpu = &c->cpu[cpu_id()];
		spin_lock(&c->lock);
		if (fresh) {
			list_add(&fresh->link, &c->partial);
			fresh = NULL;
		}
		take_from_slabs(c, cpu);
		spin_unlock(&c->lock);
		obj = cpu->free ? pop(c, cpu) : NULL;
		arch_irq_restore(flags);
		if (obj)
			return obj;
		fresh = new_slab(c, gfp);
		if (!fresh)
			return NULL;
	}
}

void *slab_alloc(struct kmem_cache *c, u32 gfp, size_t asked, const void *who)
{
	unsigned long flags = arch_irq_save();
	struct slab_cpu *cpu = &c->cpu[cpu_id()];
	void *obj;

	if (likely(cpu->free)) {
		obj = pop(c, cpu);
		arch_irq_restore(flags);
	} else {
		arch_irq_restore(flags);
		obj = alloc_slow(c, gfp);
		if (unlikely(!obj))
			return NULL;
	}
	slab_debug_alloc(c, obj, asked, who);
	if (gfp & GFP_ZERO)
		memset(obj, 0, asked);
	return obj;
}

/* [lock, own CPU, interrupts masked] Objects of this CPU back to slabs. */
static void give_to_slabs(struct kmem_cache *c, struct slab_cpu *cpu, u32 keep,
			  struct list_head *dead)
{
	while (cpu->nr > keep) {
		void *obj = pop(c, cpu);
		struct slab *slab = obj_slab(obj);

		if (!slab->free)
			list_add(&slab->link, &c->partial);
		*obj_link(c, obj) = slab->free;
		slab->free = obj;
		if (--slab->inuse)
			continue;
		if (c->nr_empty < EMPTY_KEPT) {
			c->nr_empty++;
			list_move(&slab->link, &c->empty);
		} else {
			list_move(&slab->link, dead);
		}
	}
}

static void release_dead(struct list_head *dead)
{
	struct slab *slab, *next;

	list_for_each_entry_safe(slab, next, dead, link)
		release_run(slab);
}

static noinline void flush_cpu(struct kmem_cache *c, u32 keep)
{
	unsigned long flags = arch_irq_save();
	LIST_HEAD(dead);

	spin_lock(&c->lock);
	give_to_slabs(c, &c->cpu[cpu_id()], keep, &dead);
	spin_unlock(&c->lock);
	arch_irq_restore(flags);
	release_dead(&dead);
}

void slab_free(struct kmem_cache *c, void *obj, const void *who)
{
	struct slab_cpu *cpu;
	unsigned long flags;
	bool full;

	slab_debug_free(c, obj, who);
	flags = arch_irq_save();
	cpu = &c->cpu[cpu_id()];
	*obj_link(c, obj) = cpu->free;
	cpu->free = obj;
	full = ++cpu->nr > 2 * c->batch;
	arch_irq_restore(flags);
	if (unlikely(full))
		flush_cpu(c, c->batch);
}

static noinline void *traced_alloc(struct kmem_cache *c, u32 gfp,
				   const void *who)
{
	void *p = slab_alloc(c, gfp, c->size, who);

	if (p)
		trace_kmem_cache_alloc(who, p, c->size, gfp);
	return p;
}

void *kmem_cache_alloc(struct kmem_cache *c, u32 gfp)
{
	if (trace_hook_on(kmem_cache_alloc))
		return traced_alloc(c, gfp, SLAB_CALLER);
	return slab_alloc(c, gfp, c->size, SLAB_CALLER);
}

void kmem_cache_free(struct kmem_cache *c, void *p)
{
	if (!p)
		return;
	trace_kmem_cache_free(SLAB_CALLER, p, c->name);
	slab_free(c, p, SLAB_CALLER);
}

static void shrink_cache(struct kmem_cache *c)
{
	unsigned long flags;
	LIST_HEAD(dead);

	flush_cpu(c, 0);
	flags = spin_lock_irqsave(&c->lock);
	list_splice(&c->empty, &dead);
	c->nr_empty = 0;
	spin_unlock_irqrestore(&c->lock, flags);
	release_dead(&dead);
}

/*
 * Memory is short: this CPU's lists and all empty slabs go.  The walk holds
 * no lock, which is right because caches are never destroyed and only added
 * at the tail.  The descriptors of the slabs that went come last.
 */
bool slab_shrink(void)
{
	s64 before = load_relaxed(&page_counts[PAGE_COUNT_SLAB]);
	struct kmem_cache *c;

	list_for_each_entry(c, &slab_caches, link)
		shrink_cache(c);
	shrink_cache(&slab_descriptors);
	return load_relaxed(&page_counts[PAGE_COUNT_SLAB]) < before;
}

void slab_init(void)
{
	slab_cache_setup(&slab_descriptors, "slab", sizeof(struct slab), 16,
			 false);
	kmalloc_setup();
}
