// SPDX-License-Identifier: MIT
/*
 * kmalloc: size classes over object caches, whole pages above 8 KiB.
 *
 * Entry points: kmalloc, kzalloc, krealloc, kfree, kstrdup, kmemdup.  What a
 * pointer belongs to is read from its struct page: PG_SLAB, or the head of a
 * block.  Any context but the overflow interrupt; GFP_KERNEL may sleep.
 */
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#include "internal.h"
#include "slab.h"

#define CLASS_MAX 8192

static const struct {
	u32 size;
	const char *name;
} classes[] = {
	{ 16, "kmalloc-16" },	     { 32, "kmalloc-32" },
	{ 48, "kmalloc-48" },	     { 64, "kmalloc-64" },
	{ 96, "kmalloc-96" },	     { 128, "kmalloc-128" },
	{ 192, "kmalloc-192" },	     { 256, "kmalloc-256" },
	{ 384, "kmalloc-384" },	     { 512, "kmalloc-512" },
	{ 768, "kmalloc-768" },	     { 1024, "kmalloc-1k" },
	{ 1536, "kmalloc-1536" },    { 2048, "kmalloc-2k" },
	{ 3072, "kmalloc-3k" },	     { 4096, "kmalloc-4k" },
	{ CLASS_MAX, "kmalloc-8k" },
};

static struct kmem_cache class_caches[ARRAY_SIZE(classes)];
/* Class of sizes up to 1024 in steps of 16, then in steps of 512. */
static u8 small_class[1024 / 16 + 1];
static u8 large_class[CLASS_MAX / 512 + 1];

static u8 class_for(size_t size)
{
	u8 i = 0;

	while (classes[i].size < size)
		i++;
	return i;
}

void kmalloc_setup(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(classes); i++)
		slab_cache_setup(&class_caches[i], classes[i].name,
				 classes[i].size, 16, classes[i].size >= 512);
	for (u32 i = 0; i < ARRAY_SIZE(small_class); i++)
		small_class[i] = class_for(i * 16);
	for (u32 i = 0; i < ARRAY_SIZE(large_class); i++)
		large_class[i] = class_for(i * 512);
}

static inline struct kmem_cache *cache_for(size_t size)
{
	if (size <= 1024)
		return &class_caches[small_class[(size + 15) / 16]];
	return &class_caches[large_class[(size + 511) / 512]];
}

static u32 order_for(size_t size)
{
	u32 order = 0;

	while ((PAGE_SIZE << order) < size)
		order++;
	return order;
}

static void *alloc_pages_for(size_t size, u32 gfp)
{
	struct page *page;

	if (size > PAGE_SIZE << (MAX_ORDER - 1))
		return NULL;
	page = page_alloc(order_for(size), gfp);
	return page ? page_address(page) : NULL;
}

/* Bytes usable behind p. */
static size_t usable(const void *p)
{
	struct page *page = virt_to_page(p);

	if (page->flags & PG_SLAB)
		return page->slab->cache->size;
	return PAGE_SIZE << page->order;
}

static inline void *allocate(size_t size, u32 gfp, const void *who)
{
	if (unlikely(size > CLASS_MAX))
		return alloc_pages_for(size, gfp);
	return slab_alloc(cache_for(size), gfp, size, who);
}

/* Apart, so that nobody else keeps for it what it tells. */
static noinline void *traced_kmalloc(size_t size, u32 gfp, const void *who)
{
	void *p = allocate(size, gfp, who);

	if (p)
		trace_kmalloc(who, p, size, usable(p), gfp);
	return p;
}

static inline void *do_kmalloc(size_t size, u32 gfp, const void *who)
{
	if (trace_hook_on(kmalloc))
		return traced_kmalloc(size, gfp, who);
	return allocate(size, gfp, who);
}

void *kmalloc(size_t size, u32 gfp)
{
	return do_kmalloc(size, gfp, SLAB_CALLER);
}

void *kzalloc(size_t size, u32 gfp)
{
	return do_kmalloc(size, gfp | GFP_ZERO, SLAB_CALLER);
}

void kfree(const void *p)
{
	struct page *page;

	trace_kfree(SLAB_CALLER, p);
	if (!p)
		return;
	page = virt_to_page(p);
	if (likely(page->flags & PG_SLAB)) {
		slab_free(page->slab->cache, (void *)p, SLAB_CALLER);
		return;
	}
	CHECK(!((uintptr_t)p & (PAGE_SIZE - 1)) && page->refs);
	page_put(page);
}

void *krealloc(void *p, size_t size, u32 gfp)
{
	size_t have;
	void *fresh;

	if (!p)
		return do_kmalloc(size, gfp, SLAB_CALLER);
	have = usable(p);
	/* In the debug configuration the slack of an object is its red zone. */
	if (size <= have && !SLAB_TRAILER)
		return p;
	fresh = do_kmalloc(size, gfp, SLAB_CALLER);
	if (!fresh)
		return NULL;
	memcpy(fresh, p, min(size, have));
	kfree(p);
	return fresh;
}

char *kstrdup(const char *s, u32 gfp)
{
	return kmemdup(s, strlen(s) + 1, gfp);
}

void *kmemdup(const void *p, size_t size, u32 gfp)
{
	void *copy = do_kmalloc(size, gfp, SLAB_CALLER);

	if (copy)
		memcpy(copy, p, size);
	return copy;
}
