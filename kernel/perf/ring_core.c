/* SPDX-License-Identifier: MIT */
/*
 * Reserve, store and publish in a ring of pages.
 *
 * Entry points: perf_ring_begin, perf_ring_end, perf_out_*.  No locks: one
 * writing CPU, nested writers handled by compare-and-swap and a depth.  Never
 * allocates, never sleeps, never touches user memory other than the control
 * page, whose data_tail it does not trust beyond free-space arithmetic.
 */
#include "ring_core.h"

#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

/* One byte always stays free, so that full and empty differ. */
static bool has_space(const struct perf_ring_core *ring, u64 head, u64 tail,
		      u32 size, bool backward)
{
	u64 space = backward ? head - (tail + 1) : tail - (head + 1);

	return (space & (ring->size - 1)) >= size;
}

static void leave(struct perf_ring_core *ring)
{
	u64 head;

	if (ring->nest > 1) {
		WRITE_ONCE(ring->nest, ring->nest - 1);
		barrier();
		return;
	}
	for (;;) {
		head = READ_ONCE(ring->head);
		/* All below head is complete: the inner ones are gone. */
		store_release(&ring->user->data_head, head);
		barrier();
		WRITE_ONCE(ring->nest, 0);
		barrier();
		/* Somebody came and went between the read and the zero. */
		if (likely(head == READ_ONCE(ring->head)))
			return;
		WRITE_ONCE(ring->nest, 1);
		barrier();
	}
}

int perf_ring_begin(struct perf_ring_core *ring, struct perf_out *out,
		    u32 size, bool backward)
{
	u64 head, next, tail;

	if (unlikely(READ_ONCE(ring->paused) || !ring->size)) {
		if (ring->size)
			fetch_add_relaxed(&ring->lost, 1);
		return -ENOSPC;
	}

	WRITE_ONCE(ring->nest, READ_ONCE(ring->nest) + 1);
	barrier();
	out->ring = ring;
	out->wakeup = READ_ONCE(ring->wakeup);

	head = READ_ONCE(ring->head);
	do {
		/* Acquire: no byte is overwritten before it was consumed. */
		tail = load_acquire(&ring->user->data_tail);
		if (!ring->overwrite &&
		    unlikely(!has_space(ring, head, tail, size, backward)))
			goto full;
		next = backward ? head - size : head + size;
	} while (!try_cmpxchg_relaxed(&ring->head, &head, next));

	if (backward) {
		head = next;
		next = 0 - next;
	}
	if (unlikely(next - READ_ONCE(ring->wakeup) > ring->watermark))
		fetch_add_relaxed(&ring->wakeup, ring->watermark);

	out->page = (u32)((head & (ring->size - 1)) / PERF_RING_PAGE);
	out->addr = ring->pages[out->page] + (head & (PERF_RING_PAGE - 1));
	out->left = PERF_RING_PAGE - (u32)(head & (PERF_RING_PAGE - 1));
	return 0;
full:
	fetch_add_relaxed(&ring->lost, 1);
	leave(ring);
	return -ENOSPC;
}

bool perf_ring_end(struct perf_out *out)
{
	struct perf_ring_core *ring = out->ring;
	bool wake = out->wakeup != READ_ONCE(ring->wakeup);

	leave(ring);
	return wake;
}

void perf_ring_count_sample(struct perf_ring_core *ring, u32 wakeup_events)
{
	if (!wakeup_events)
		return;
	if (fetch_add_relaxed(&ring->events, 1) + 1 >= wakeup_events) {
		fetch_add_relaxed(&ring->events, -(u64)wakeup_events);
		fetch_add_relaxed(&ring->wakeup, 1);
	}
}

void perf_out_next_page(struct perf_out *out)
{
	u32 nr = (u32)(out->ring->size / PERF_RING_PAGE);

	out->page = (out->page + 1) & (nr - 1);
	out->addr = out->ring->pages[out->page];
	out->left = PERF_RING_PAGE;
}

void perf_out_copy(struct perf_out *out, const void *src, u32 len)
{
	const u8 *p = src;

	while (len) {
		u32 n;

		if (!out->left)
			perf_out_next_page(out);
		n = min(len, out->left);
		memcpy(out->addr, p, n);
		out->addr += n;
		out->left -= n;
		p += n;
		len -= n;
	}
}

void perf_out_zero(struct perf_out *out, u32 len)
{
	while (len) {
		u32 n;

		if (!out->left)
			perf_out_next_page(out);
		n = min(len, out->left);
		memset(out->addr, 0, n);
		out->addr += n;
		out->left -= n;
		len -= n;
	}
}
