// SPDX-License-Identifier: MIT
/*
 * The pages of a file by index: a radix tree of 64-way nodes.
 *
 * Entry points: page_cache_init, _destroy, _lookup, _get, _insert,
 * _next_data, _next_hole, _truncate, _punch.  Writers hold cache->lock.
 * Look-ups take no lock: nodes are freed after reclaim, and a page found is
 * pinned only if its count was not zero and the slot still holds it
 * afterwards; what was pinned by mistake is simply put back.
 *
 * Never holds cache->lock while touching user memory.
 */
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/pagecache.h>
#include <kernel/panic.h>
#include <kernel/reclaim.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#include "internal.h"

#define RADIX_BITS  6
#define RADIX_SLOTS (1u << RADIX_BITS)

struct radix_node {
	u32 shift;		 /* [I] of a slot's index; 0: leaves */
	u32 nr;			 /* [cache lock] slots in use */
	void *slot[RADIX_SLOTS]; /* [cache lock], read under reclaim */
	struct reclaim_node reclaim;
};

static struct kmem_cache *node_cache;

void radix_init(void)
{
	node_cache =
		kmem_cache_create("radix_node", sizeof(struct radix_node), 16);
	CHECK(node_cache != NULL);
}

void page_cache_init(struct page_cache *cache, struct inode *inode, u64 *size,
		     const struct page_cache_ops *ops, bool is_shmem)
{
	mutex_init(&cache->lock, LOCK_RANK_PAGECACHE);
	cache->root = NULL;
	cache->is_shmem = is_shmem;
	cache->nr_pages = 0;
	cache->size = size;
	mutex_init(&cache->imap_lock, LOCK_RANK_IMAP);
	list_init(&cache->imap);
	cache->nr_writable = 0;
	cache->inode = inode;
	cache->ops = ops;
}

static inline bool node_covers(const struct radix_node *node, u64 index)
{
	u32 top = node->shift + RADIX_BITS;

	return top >= 64 || !(index >> top);
}

static inline u32 slot_of(const struct radix_node *node, u64 index)
{
	return index >> node->shift & (RADIX_SLOTS - 1);
}

/* [lock or reclaim] The leaf that has, or would have, the index. */
static struct radix_node *find_leaf(struct page_cache *cache, u64 index)
{
	struct radix_node *node = load_acquire(&cache->root);

	if (!node || !node_covers(node, index))
		return NULL;
	while (node && node->shift)
		node = load_acquire((struct radix_node **)&node
					    ->slot[slot_of(node, index)]);
	return node;
}

/* [reclaim] Pin what a slot holds, if it goes on holding it. */
static struct page *pin_slot(void **slot)
{
	struct page *page;

	for (;;) {
		page = load_acquire((struct page **)slot);
		if (!page)
			return NULL;
		if (page_get_unless_free(page)) {
			if (likely(load_acquire((struct page **)slot) == page))
				return page;
			page_put(page);
		}
	}
}

struct page *page_cache_lookup(struct page_cache *cache, u64 index)
{
	struct page *page = NULL;
	struct radix_node *leaf;

	reclaim_read_lock();
	leaf = find_leaf(cache, index);
	if (leaf)
		page = pin_slot(&leaf->slot[index & (RADIX_SLOTS - 1)]);
	reclaim_read_unlock();
	return page;
}

u32 page_cache_lookup_run(struct page_cache *cache, u64 index, u32 nr,
			  struct page **pages)
{
	struct radix_node *leaf = NULL;
	u32 found = 0;

	reclaim_read_lock();
	for (u32 i = 0; i < nr; i++, index++) {
		u32 at = index & (RADIX_SLOTS - 1);

		if (!i || !at)
			leaf = find_leaf(cache, index);
		pages[i] = leaf ? pin_slot(&leaf->slot[at]) : NULL;
		if (pages[i])
			found++;
	}
	reclaim_read_unlock();
	return found;
}

static struct radix_node *node_new(u32 shift)
{
	struct radix_node *node;

	node = kmem_cache_alloc(node_cache, GFP_KERNEL | GFP_ZERO);
	if (node)
		node->shift = shift;
	return node;
}

static void node_reclaim(struct reclaim_node *r)
{
	kmem_cache_free(node_cache,
			container_of(r, struct radix_node, reclaim));
}

/* [lock] The leaf for index, with every node above it. */
static struct radix_node *make_leaf(struct page_cache *cache, u64 index)
{
	struct radix_node *node = cache->root, *child;

	if (!node) {
		u32 shift = 0;

		while (shift + RADIX_BITS < 64 && index >> (shift + RADIX_BITS))
			shift += RADIX_BITS;
		node = node_new(shift);
		if (!node)
			return NULL;
		store_release(&cache->root, node);
	}
	while (!node_covers(node, index)) {
		child = node;
		node = node_new(child->shift + RADIX_BITS);
		if (!node)
			return NULL;
		node->slot[0] = child;
		node->nr = 1;
		store_release(&cache->root, node);
	}
	while (node->shift) {
		void **slot = &node->slot[slot_of(node, index)];

		child = *slot;
		if (!child) {
			child = node_new(node->shift - RADIX_BITS);
			if (!child)
				return NULL;
			node->nr++;
			store_release(slot, (void *)child);
		}
		node = child;
	}
	return node;
}

/* [lock] The page's reference becomes the cache's. */
static int insert_locked(struct page_cache *cache, u64 index, struct page *page)
{
	const struct page_cache_ops *ops = cache->ops;
	struct radix_node *leaf = find_leaf(cache, index);
	u32 at = index & (RADIX_SLOTS - 1);
	int err;

	if (leaf && leaf->slot[at])
		return -EEXIST;
	if (ops && ops->charge) {
		err = ops->charge(cache, 1);
		if (err)
			return err;
	}
	leaf = make_leaf(cache, index);
	if (!leaf) {
		if (ops && ops->uncharge)
			ops->uncharge(cache, 1);
		return -ENOMEM;
	}
	page->cache = cache;
	page->index = index;
	fetch_or_relaxed(&page->flags,
			 PG_CACHE | PG_UPTODATE |
				 (cache->is_shmem ? PG_SHMEM : 0));
	store_release(&leaf->slot[at], (void *)page);
	leaf->nr++;
	cache->nr_pages++;
	page_count_add(PAGE_COUNT_CACHED, 1);
	if (cache->is_shmem)
		page_count_add(PAGE_COUNT_SHMEM, 1);
	else
		trace_mm_filemap_add_to_page_cache(page);
	return 0;
}

int page_cache_insert(struct page_cache *cache, u64 index, struct page *page)
{
	int err;

	page_get(page);
	mutex_lock(&cache->lock);
	err = insert_locked(cache, index, page);
	mutex_unlock(&cache->lock);
	if (err)
		page_put(page);
	return err;
}

/* [lock] Make the page of a hole; a reference for the caller too. */
static struct page *fill_hole(struct page_cache *cache, u64 index)
{
	bool fill = cache->ops && cache->ops->fill;
	struct page *page =
		page_alloc(0, fill ? GFP_KERNEL : GFP_KERNEL | GFP_ZERO);
	int err = 0;

	if (!page)
		return ERR_PTR(-ENOMEM);
	page_get(page);
	if (fill)
		err = cache->ops->fill(cache, page, index);
	if (!err)
		err = insert_locked(cache, index, page);
	if (!err)
		return page;
	page_put(page);
	page_put(page);
	return ERR_PTR(err);
}

static struct page *get_page_at(struct page_cache *cache, u64 index,
				bool inside)
{
	struct page *page = page_cache_lookup(cache, index);

	if (likely(page))
		return page;
	mutex_lock(&cache->lock);
	page = page_cache_lookup(cache, index);
	if (page)
		goto unlock;
	/* Truncation stores the size before it takes the lock. */
	if (inside &&
	    index >= (READ_ONCE(*cache->size) + PAGE_SIZE - 1) >> PAGE_SHIFT)
		page = ERR_PTR(-ENXIO);
	else
		page = fill_hole(cache, index);
unlock:
	mutex_unlock(&cache->lock);
	return page;
}

struct page *page_cache_get(struct page_cache *cache, u64 index)
{
	return get_page_at(cache, index, false);
}

/* The same for a fault: -ENXIO behind the end of the file. */
struct page *page_cache_get_inside(struct page_cache *cache, u64 index)
{
	return get_page_at(cache, index, true);
}

/* [lock] One page leaves the cache. */
static void drop_page(struct page_cache *cache, struct page *page)
{
	trace_mm_filemap_delete_from_page_cache(page);
	cache->nr_pages--;
	page_count_add(PAGE_COUNT_CACHED, -1);
	if (cache->is_shmem)
		page_count_add(PAGE_COUNT_SHMEM, -1);
	if (cache->ops && cache->ops->uncharge)
		cache->ops->uncharge(cache, 1);
	store_release(&page->cache, (struct page_cache *)NULL);
	page_put(page);
}

/*
 * [lock] Remove the pages [start, end) of a subtree whose first index is
 * base.  True: the node is empty and freed.  As deep as the tree is high, 11
 * levels at most.
 */
static bool remove_range(struct page_cache *cache, struct radix_node *node,
			 u64 base, u64 start, u64 end)
{
	u64 span = 1ull << node->shift;

	for (u32 i = 0; i < RADIX_SLOTS && node->nr; i++, base += span) {
		void *item = node->slot[i];

		if (!item || base + (span - 1) < start || base >= end)
			continue;
		if (node->shift) {
			if (!remove_range(cache, item, base, start, end))
				continue;
			store_release(&node->slot[i], NULL);
		} else {
			store_release(&node->slot[i], NULL);
			drop_page(cache, item);
		}
		node->nr--;
	}
	if (node->nr)
		return false;
	if (node == cache->root)
		store_release(&cache->root, (struct radix_node *)NULL);
	reclaim_after(&node->reclaim, node_reclaim);
	return true;
}

static void remove_pages(struct page_cache *cache, u64 start, u64 end)
{
	mutex_lock(&cache->lock);
	if (cache->root && start < end)
		remove_range(cache, cache->root, 0, start, end);
	mutex_unlock(&cache->lock);
}

void page_cache_destroy(struct page_cache *cache)
{
	ASSERT(list_empty(&cache->imap));
	remove_pages(cache, 0, U64_MAX);
}

/* Zero bytes [from, to) of the page at index, if there is one. */
static void zero_part(struct page_cache *cache, u64 index, u64 from, u64 to)
{
	struct page *page = page_cache_lookup(cache, index);

	if (!page)
		return;
	memset((char *)page_address(page) + from, 0, to - from);
	page_put(page);
}

/* Removed first and unmapped afterwards: see object.c. */
static void drop_range(struct page_cache *cache, u64 first, u64 end,
		       bool even_cows)
{
	if (first >= end)
		return;
	remove_pages(cache, first, end);
	imap_unmap_range(cache, first, end, even_cows);
}

void page_cache_truncate(struct page_cache *cache)
{
	u64 size = READ_ONCE(*cache->size);
	u64 tail = size & (PAGE_SIZE - 1);

	drop_range(cache, (size >> PAGE_SHIFT) + (tail != 0), U64_MAX, true);
	if (tail)
		zero_part(cache, size >> PAGE_SHIFT, tail, PAGE_SIZE);
}

void page_cache_punch(struct page_cache *cache, u64 start, u64 end)
{
	u64 first = (start + PAGE_SIZE - 1) >> PAGE_SHIFT;
	u64 last = end >> PAGE_SHIFT;

	if (start >= end)
		return;
	if (start >> PAGE_SHIFT == last) {
		zero_part(cache, last, start & (PAGE_SIZE - 1),
			  end & (PAGE_SIZE - 1));
		return;
	}
	if (start & (PAGE_SIZE - 1))
		zero_part(cache, start >> PAGE_SHIFT, start & (PAGE_SIZE - 1),
			  PAGE_SIZE);
	if (end & (PAGE_SIZE - 1))
		zero_part(cache, last, 0, end & (PAGE_SIZE - 1));
	drop_range(cache, first, last, false);
}

/* [lock] First index >= from with a page below node, or ~0. */
static u64 first_data(const struct radix_node *node, u64 base, u64 from)
{
	u64 span = 1ull << node->shift;

	for (u32 i = 0; i < RADIX_SLOTS; i++, base += span) {
		u64 index;

		if (!node->slot[i] || base + (span - 1) < from)
			continue;
		if (!node->shift)
			return base;
		index = first_data(node->slot[i], base, from);
		if (index != U64_MAX)
			return index;
	}
	return U64_MAX;
}

u64 page_cache_next_data(struct page_cache *cache, u64 from)
{
	u64 index = U64_MAX;

	mutex_lock(&cache->lock);
	if (cache->root)
		index = first_data(cache->root, 0, from);
	mutex_unlock(&cache->lock);
	return index;
}

u64 page_cache_next_hole(struct page_cache *cache, u64 from)
{
	struct radix_node *leaf;

	mutex_lock(&cache->lock);
	for (leaf = find_leaf(cache, from); leaf; from++) {
		if (!(from & (RADIX_SLOTS - 1)))
			leaf = find_leaf(cache, from);
		if (!leaf || !leaf->slot[from & (RADIX_SLOTS - 1)])
			break;
	}
	mutex_unlock(&cache->lock);
	return from;
}
