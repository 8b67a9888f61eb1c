// SPDX-License-Identifier: MIT
/*
 * Memory before the page allocator: whole pages cut from the top of RAM, and
 * the view of what is reserved.
 *
 * Entry points: early_page_alloc (boot CPU, linear map up), early_seal (no
 * more after it), early_reserved_after (for page_alloc_init).  No locks: one
 * CPU, interrupts masked.  Allocates downwards from the highest range, so that
 * the chunks merge; what it gave out is never freed.
 */
#include <arch/boot.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#include "internal.h"

#define EARLY_CHUNKS 32

static struct boot_range chunks[EARLY_CHUNKS]; /* given out */
static u32 nr_chunks;
static bool sealed;

static bool overlaps(const struct boot_range *r, u64 start, u64 end)
{
	return r->start < end && r->end > start;
}

/* The reserved range or early chunk that overlaps [start, end), or NULL. */
static const struct boot_range *find_taken(u64 start, u64 end)
{
	static struct boot_range initrd;

	initrd = boot_info.initrd;
	for (u32 i = 0; i < boot_info.nr_reserved; i++) {
		if (overlaps(&boot_info.reserved[i], start, end))
			return &boot_info.reserved[i];
	}
	for (u32 i = 0; i < nr_chunks; i++) {
		if (overlaps(&chunks[i], start, end))
			return &chunks[i];
	}
	if (initrd.end > initrd.start) {
		initrd.start = PAGE_DOWN(initrd.start);
		initrd.end = PAGE_ALIGN(initrd.end);
		if (overlaps(&initrd, start, end))
			return &initrd;
	}
	return NULL;
}

static void note_chunk(u64 start, u64 end)
{
	for (u32 i = 0; i < nr_chunks; i++) {
		if (chunks[i].start == end) {
			chunks[i].start = start;
			return;
		}
	}
	CHECK(nr_chunks < EARLY_CHUNKS);
	chunks[nr_chunks].start = start;
	chunks[nr_chunks].end = end;
	nr_chunks++;
}

/* The highest free run of size bytes inside one RAM range, 0: none. */
static u64 find_run(const struct boot_range *ram, u64 size)
{
	u64 end = PAGE_DOWN(ram->end);

	while (end >= size && end - size >= PAGE_ALIGN(ram->start)) {
		const struct boot_range *hit = find_taken(end - size, end);

		if (!hit)
			return end - size;
		end = PAGE_DOWN(hit->start);
	}
	return 0;
}

u64 early_page_alloc(size_t pages)
{
	u64 size = (u64)pages << PAGE_SHIFT;

	CHECK(!sealed);
	for (u32 i = boot_info.nr_memory; i-- > 0;) {
		u64 pa = find_run(&boot_info.memory[i], size);

		if (!pa)
			continue;
		note_chunk(pa, pa + size);
		memset(arch_phys_to_virt(pa), 0, size);
		return pa;
	}
	panic("early memory exhausted: %lu pages wanted", pages);
}

void early_seal(void)
{
	sealed = true;
}

/*
 * For a position inside RAM: *stop becomes the start of the next reserved
 * range at or after start (unchanged if none), and the return value is where
 * to continue behind it.
 */
u64 early_reserved_after(u64 start, u64 *stop)
{
	u64 best = *stop, next = *stop;
	const struct boot_range *hit;
	u64 end = *stop;

	hit = find_taken(start, end);
	while (hit && best > start) {
		best = max(hit->start, start);
		next = hit->end;
		hit = best > start ? find_taken(start, best) : NULL;
	}
	*stop = best;
	return max(next, start + PAGE_SIZE);
}
