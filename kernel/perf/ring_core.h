/* SPDX-License-Identifier: MIT */
/*
 * The ring's arithmetic, free of everything else in the kernel: reserve,
 * store, publish.  perf/ring.c owns the pages and the attachment; output.c
 * decides what goes in.
 *
 * A ring has one writing CPU.  Writers on it nest (an overflow interrupt in
 * the middle of a record): each reserves by compare-and-swap on head, and only
 * the outermost publishes head to user space, so user code never sees a hole.
 */
#ifndef SONDE_PERF_RING_CORE_H
#define SONDE_PERF_RING_CORE_H

#include <lib/atomic.h>
#include <lib/types.h>
#include <linux/perf_event.h>

#define PERF_RING_PAGE	4096u

/*
 * [I] immutable after allocation
 * [W] the writing CPU, any context there (local compare-and-swap)
 * [a] atomic
 */
struct perf_ring_core {
	u64 size;			/* [I] bytes of data, 0 or 2^n */
	u64 watermark;			/* [I] bytes between wakeups */
	u8 **pages;			/* [I] size / PERF_RING_PAGE of them */
	struct perf_event_mmap_page *user; /* [I] page 0 */
	bool overwrite;			/* [I] nobody moves data_tail */
	bool paused;			/* [a] */
	u32 nest;			/* [W] writers inside */
	u64 head;			/* [W] reserved up to here */
	u64 wakeup;			/* [W] moves when a wakeup is due */
	u64 events;			/* [W] samples since the last one */
	u64 lost;			/* [W] records since the last LOST */
	u32 poll;			/* [a] poll bits to report once */
};

/* One record being written. */
struct perf_out {
	struct perf_ring_core *ring;
	u8 *addr;			/* next byte */
	u32 left;			/* bytes left in this page */
	u32 page;			/* index of this page */
	u64 wakeup;			/* ring->wakeup when we entered */
};

/*
 * Enter the ring and reserve size bytes (multiple of 8).  0 with out ready,
 * or -ENOSPC (paused or full: counted as lost, and already left again).
 * Preemption off; same CPU until perf_ring_end.
 */
int perf_ring_begin(struct perf_ring_core *ring, struct perf_out *out,
		    u32 size, bool backward);

/* Leave; true when user space should be woken. */
bool perf_ring_end(struct perf_out *out);

/* A sample was written: wakeup_events accounting. */
void perf_ring_count_sample(struct perf_ring_core *ring, u32 wakeup_events);

void perf_out_next_page(struct perf_out *out);
void perf_out_copy(struct perf_out *out, const void *src, u32 len);
void perf_out_zero(struct perf_out *out, u32 len);

/* Records are made of 8-byte words, which never straddle a page. */
static inline void perf_out_u64(struct perf_out *out, u64 v)
{
	if (unlikely(!out->left))
		perf_out_next_page(out);
	*(u64 *)out->addr = v;
	out->addr += 8;
	out->left -= 8;
}

/* The place of the next len bytes, to be filled; NULL: not in one piece. */
static inline void *perf_out_piece(struct perf_out *out, u32 len)
{
	u8 *at = out->addr;

	if (unlikely(out->left < len))
		return NULL;
	out->addr += len;
	out->left -= len;
	return at;
}

static inline void perf_out_u32x2(struct perf_out *out, u32 lo, u32 hi)
{
	perf_out_u64(out, (u64)hi << 32 | lo);
}

#endif /* SONDE_PERF_RING_CORE_H */
