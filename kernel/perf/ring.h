/* SPDX-License-Identifier: MIT */
/*
 * A ring with its pages, its mappings and the events that write into it.
 */
#ifndef SONDE_PERF_RING_H
#define SONDE_PERF_RING_H

#include "ring_core.h"

#include <kernel/lock.h>
#include <kernel/reclaim.h>
#include <lib/list.h>
#include <lib/ref.h>

struct page;

/* [I] immutable, [a] atomic, [L] list_lock, [R] mmap_mutex of an event */
struct perf_ring {
	struct perf_ring_core core;
	struct ref refs;
	struct page **pages;		/* [I] page 0, then the data */
	u32 nr_pages;			/* [I] of data */
	u32 mmap_count;			/* [a] mappings, of whatever event */
	u32 uid;			/* [I] who is charged */
	u32 charged_user;		/* [I] pages from the per-user budget */
	u32 charged_mm;			/* [I] pages from RLIMIT_MEMLOCK */
	struct spinlock list_lock;
	struct list_head events;	/* [L] writes, [reclaim] reads */
	struct reclaim_node reclaim;
};

/* Memory for pages of data (0: only the control page).  NULL: none. */
struct perf_ring *perf_ring_alloc(u32 pages, u64 watermark, bool overwrite);
void perf_ring_put(struct perf_ring *ring);

#endif /* SONDE_PERF_RING_H */
