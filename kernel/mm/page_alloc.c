// SPDX-License-Identifier: MIT
/*
 * The page allocator: a binary buddy system with a stack of hot single pages
 * per CPU in front.
 *
 * Entry points: page_alloc, page_get, page_put, page_alloc_init,
 * page_free_range, page_stats.  A block of order n starts at a frame that is
 * a multiple of 2^n; its head carries PG_BUDDY and the order while it is
 * free.  `buddy_lock` (irqsave) guards the free lists; a CPU's hot stack is
 * touched by that CPU alone, ordinary interrupts masked.  Any context but the
 * overflow interrupt may allocate with GFP_ATOMIC and free; GFP_KERNEL may
 * kill a process and sleep.
 *
 * Never touches the content of a page, except to zero it when asked.
 */
#include <arch/boot.h>
#include <arch/irqflags.h>
#include <arch/string.h>
#include <kernel/cpu.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/percpu.h>
#include <kernel/printk.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "internal.h"
#include "page_debug.h"

#define HOT_MAX	  96 /* pages kept per CPU */
#define HOT_BATCH 32

struct free_area {
	struct list_head blocks; /* [buddy_lock] */
	u64 nr;			 /* [buddy_lock] */
};

/* [own CPU, ordinary interrupts masked]; nr is read by anyone. */
struct hot_pages {
	struct list_head *top; /* singly linked by page.link.next */
	u32 nr;
};

struct page *mem_map;
u64 mem_map_base;
u64 mem_map_pages;
struct page *zero_page;
s64 page_counts[PAGE_COUNT_MAX];

static struct spinlock buddy_lock = SPINLOCK_INIT(LOCK_RANK_PAGE_ALLOC);
static struct free_area free_areas[MAX_ORDER];
static u64 buddy_free;	  /* [buddy_lock] pages on the free lists */
static u64 managed_pages; /* [buddy_lock] ever given to the allocator */
static u64 reserve_pages; /* [I] kept for GFP_ATOMIC and victims */
static DEFINE_PER_CPU(struct hot_pages, hot);

static void block_push(struct page *page, u32 order)
{
	page->flags = PG_BUDDY;
	page->order = order;
	list_add(&page->link, &free_areas[order].blocks);
	free_areas[order].nr++;
}

static void block_unlink(struct page *page, u32 order)
{
	list_del(&page->link);
	page->flags = 0;
	free_areas[order].nr--;
}

/* [buddy_lock] Put a block back, joined with its free buddies. */
static void buddy_put(struct page *page, u32 order)
{
	u64 pfn = page_to_pfn(page);

	buddy_free += 1ull << order;
	while (order < MAX_ORDER - 1) {
		u64 other_pfn = pfn ^ (1ull << order);
		struct page *other;

		if (!pfn_valid(other_pfn))
			break;
		other = pfn_to_page(other_pfn);
		if (!(other->flags & PG_BUDDY) || other->order != order)
			break;
		block_unlink(other, order);
		pfn &= ~(1ull << order);
		order++;
	}
	block_push(pfn_to_page(pfn), order);
}

/* [buddy_lock] Take a block of 2^order pages, splitting a larger one. */
static struct page *buddy_take(u32 order)
{
	u32 have = order;
	struct page *page;

	while (have < MAX_ORDER && list_empty(&free_areas[have].blocks))
		have++;
	if (have == MAX_ORDER)
		return NULL;
	page = list_first_entry(&free_areas[have].blocks, struct page, link);
	block_unlink(page, have);
	buddy_free -= 1ull << order;
	while (have > order) {
		have--;
		block_push(page + (1ull << have), have);
	}
	return page;
}

static bool may_take(u64 pages, u32 gfp)
{
	if (buddy_free >= pages + reserve_pages)
		return true;
	return (gfp & (GFP_ATOMIC | GFP_RESERVE)) && buddy_free >= pages;
}

/* [own CPU, interrupts masked] One page, after refilling the hot stack. */
static noinline struct page *hot_refill(struct hot_pages *h, u32 gfp)
{
	struct page *page = NULL;

	spin_lock(&buddy_lock);
	for (u32 i = 0; i < HOT_BATCH && may_take(1, gfp); i++) {
		struct page *next = buddy_take(0);

		if (!next)
			break;
		if (page) {
			page->link.next = h->top;
			h->top = &page->link;
			h->nr++;
		}
		page = next;
		if (gfp & GFP_RESERVE)
			break;
	}
	spin_unlock(&buddy_lock);
	return page;
}

/* [own CPU, interrupts masked] Give half of a full stack back. */
static noinline void hot_drain(struct hot_pages *h, u32 keep)
{
	spin_lock(&buddy_lock);
	while (h->nr > keep) {
		struct page *page = list_entry(h->top, struct page, link);

		h->top = page->link.next;
		h->nr--;
		buddy_put(page, 0);
	}
	spin_unlock(&buddy_lock);
}

static struct page *alloc_one(u32 gfp)
{
	unsigned long flags = arch_irq_save();
	struct hot_pages *h = this_cpu_ptr(hot);
	struct page *page;

	if (likely(h->top)) {
		page = list_entry(h->top, struct page, link);
		h->top = page->link.next;
		h->nr--;
	} else {
		page = hot_refill(h, gfp);
	}
	arch_irq_restore(flags);
	return page;
}

static struct page *alloc_block(u32 order, u32 gfp)
{
	unsigned long flags;
	struct page *page = NULL;

	flags = spin_lock_irqsave(&buddy_lock);
	if (may_take(1ull << order, gfp))
		page = buddy_take(order);
	spin_unlock_irqrestore(&buddy_lock, flags);
	return page;
}

/* Pages that hot stacks hold may complete a block. */
static void drain_this_cpu(void)
{
	unsigned long flags = arch_irq_save();

	hot_drain(this_cpu_ptr(hot), 0);
	arch_irq_restore(flags);
}

static struct page *try_alloc(u32 order, u32 gfp)
{
	return order ? alloc_block(order, gfp) : alloc_one(gfp);
}

/* Nothing was free: give back what caches hold, then ask for a victim. */
static noinline struct page *alloc_slow(u32 order, u32 gfp)
{
	struct page *page;

	drain_this_cpu();
	page = try_alloc(order, gfp);
	if (page || (gfp & GFP_ATOMIC))
		return page;
	if (slab_shrink()) {
		page = try_alloc(order, gfp);
		if (page)
			return page;
	}
	for (int tries = 0; tries < 64; tries++) {
		if (oom_is_victim()) {
			page = try_alloc(order, gfp | GFP_RESERVE);
			return page;
		}
		/* A large block is a matter of luck, not of memory. */
		if ((gfp & GFP_NOOOM) || order > 3)
			return NULL;
		if (!oom_reclaim())
			return NULL;
		drain_this_cpu();
		page = try_alloc(order, gfp);
		if (page)
			return page;
	}
	return NULL;
}

static inline struct page *do_page_alloc(u32 order, u32 gfp)
{
	struct page *page;

	if (unlikely(order >= MAX_ORDER))
		return NULL;
	page = try_alloc(order, gfp);
	if (unlikely(!page)) {
		page = alloc_slow(order, gfp);
		if (!page)
			return NULL;
	}
	page_debug_alloc(page, order);
	page->flags = 0;
	page->mapcount = 0;
	page->order = order;
	page->private = 0;
	store_release(&page->refs, 1u);
	if (gfp & GFP_ZERO) {
		for (u32 i = 0; i < 1u << order; i++)
			arch_clear_page(page_address(page + i));
	}
	return page;
}

static noinline struct page *traced_page_alloc(u32 order, u32 gfp)
{
	struct page *page = do_page_alloc(order, gfp);

	trace_mm_page_alloc(page, order, gfp);
	return page;
}

struct page *page_alloc(u32 order, u32 gfp)
{
	if (trace_hook_on(mm_page_alloc))
		return traced_page_alloc(order, gfp);
	return do_page_alloc(order, gfp);
}

/* The last reference is gone. */
void page_free(struct page *page)
{
	u32 order = page->order;
	struct hot_pages *h;
	unsigned long flags;

	trace_mm_page_free(page, order);
	ASSERT(!(page->flags & (PG_RESERVED | PG_BUDDY)));
	ASSERT(page->mapcount == 0);
	if (page->flags & PG_ANON)
		page_count_add(PAGE_COUNT_ANON, -1);
	page->flags = 0;
	page_debug_free(page, order);
	if (unlikely(order)) {
		flags = spin_lock_irqsave(&buddy_lock);
		buddy_put(page, order);
		spin_unlock_irqrestore(&buddy_lock, flags);
		return;
	}
	flags = arch_irq_save();
	h = this_cpu_ptr(hot);
	page->link.next = h->top;
	h->top = &page->link;
	if (unlikely(++h->nr > HOT_MAX))
		hot_drain(h, HOT_MAX - HOT_BATCH);
	arch_irq_restore(flags);
}

void page_get(struct page *page)
{
	fetch_add_relaxed(&page->refs, 1u);
}

void page_put(struct page *page)
{
	u32 refs = __atomic_fetch_sub(&page->refs, 1, __ATOMIC_RELEASE);

	ASSERT(refs != 0);
	if (refs == 1) {
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		page_free(page);
	}
}

/* [buddy_lock] Frames [pfn, end) become free, in the largest blocks. */
static void free_frames(u64 pfn, u64 end)
{
	while (pfn < end) {
		u32 order = pfn ? (u32)__builtin_ctzll(pfn) : MAX_ORDER - 1;

		order = min_t(u32, order, MAX_ORDER - 1);
		while ((1ull << order) > end - pfn)
			order--;
		for (u64 i = 0; i < 1ull << order; i++) {
			struct page *page = pfn_to_page(pfn + i);

			page->flags = 0;
			page->refs = 0;
			page_debug_fresh(page);
		}
		buddy_put(pfn_to_page(pfn), order);
		managed_pages += 1ull << order;
		pfn += 1ull << order;
	}
}

/*
 * [start, end) of RAM, reserved until now.  Partial pages at the edges belong
 * to neighbours and stay.
 */
void page_free_range(u64 start, u64 end)
{
	u64 pfn = (start + PAGE_SIZE - 1) >> PAGE_SHIFT;
	unsigned long flags;

	end >>= PAGE_SHIFT;
	if (pfn >= end)
		return;
	CHECK(pfn_valid(pfn) && pfn_valid(end - 1));
	flags = spin_lock_irqsave(&buddy_lock);
	free_frames(pfn, end);
	spin_unlock_irqrestore(&buddy_lock, flags);
}

/* Hand every frame of a RAM range that nothing reserves to the free lists. */
static void free_unreserved(u64 start, u64 end)
{
	while (start < end) {
		u64 stop = end;
		u64 skip = early_reserved_after(start, &stop);

		if (stop > start)
			page_free_range(start, min(stop, end));
		start = skip;
	}
}

void page_alloc_init(void)
{
	const struct boot_info *b = &boot_info;
	u64 first, last;
	size_t bytes;

	CHECK(b->nr_memory > 0);
	first = b->memory[0].start >> PAGE_SHIFT;
	last = (b->memory[b->nr_memory - 1].end) >> PAGE_SHIFT;
	bytes = PAGE_ALIGN((last - first) * sizeof(struct page));
	mem_map = arch_phys_to_virt(early_page_alloc(bytes >> PAGE_SHIFT));
	mem_map_base = first;
	mem_map_pages = last - first;
	zero_page = pfn_to_page(early_page_alloc(1) >> PAGE_SHIFT);
	early_seal();

	for (struct page *p = mem_map, *end = p + mem_map_pages; p < end; p++) {
		p->flags = PG_RESERVED;
		p->refs = 1;
	}
	for (u32 i = 0; i < MAX_ORDER; i++)
		list_init(&free_areas[i].blocks);
	for (u32 i = 0; i < b->nr_memory; i++)
		free_unreserved(b->memory[i].start, b->memory[i].end);
	reserve_pages = clamp_t(u64, managed_pages / 256, 128, 2048);
	pr_info("Memory: %lluK/%lluK available\n", buddy_free * 4,
		mem_map_pages * 4);
}

u64 page_total(void)
{
	return READ_ONCE(managed_pages);
}

u64 page_free_count(void)
{
	u64 pages = READ_ONCE(buddy_free);
	u32 cpu;

	for_each_possible_cpu(cpu) pages +=
		READ_ONCE(per_cpu_ptr(hot, cpu)->nr);
	return pages;
}

static u64 count_of(enum page_count what)
{
	s64 n = load_relaxed(&page_counts[what]);

	return n > 0 ? (u64)n : 0;
}

void page_stats(struct page_stats *out)
{
	out->total = page_total();
	out->free = page_free_count();
	out->cached = count_of(PAGE_COUNT_CACHED);
	out->slab = count_of(PAGE_COUNT_SLAB);
	out->pgtable = count_of(PAGE_COUNT_PGTABLE);
	out->anon = count_of(PAGE_COUNT_ANON);
	out->kstack = count_of(PAGE_COUNT_KSTACK);
	out->shmem = count_of(PAGE_COUNT_SHMEM);
}

void page_free_blocks(u64 nr[MAX_ORDER])
{
	unsigned long flags = spin_lock_irqsave(&buddy_lock);
	u32 order;

	for (order = 0; order < MAX_ORDER; order++)
		nr[order] = free_areas[order].nr;
	spin_unlock_irqrestore(&buddy_lock, flags);
}
