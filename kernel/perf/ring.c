/* SPDX-License-Identifier: MIT */
/*
 * Rings as objects: pages, references, which events write into which ring.
 *
 * Entry points: perf_ring_alloc/put, perf_ring_attach (event's mmap_mutex
 * held), perf_ring_wakeup (not from the overflow interrupt).  Writers find the
 * ring through event->ring with preemption off, so a ring is freed only after
 * a grace period.
 */
#include "ring.h"
#include "internal.h"

#include <kernel/page.h>
#include <linux/poll.h>

static void ring_free(struct perf_ring *ring)
{
	u32 i;

	for (i = 0; i <= ring->nr_pages; i++)
		if (ring->pages[i])
			page_put(ring->pages[i]);
	kfree(ring->core.pages);
	kfree(ring->pages);
	kfree(ring);
}

struct perf_ring *perf_ring_alloc(u32 pages, u64 watermark, bool overwrite)
{
	struct perf_ring *ring = kzalloc(sizeof(*ring), GFP_KERNEL);
	u32 i;

	if (!ring)
		return NULL;
	ring->nr_pages = pages;
	ring->pages = kzalloc(sizeof(*ring->pages) * (pages + 1), GFP_KERNEL);
	ring->core.pages = kzalloc(sizeof(u8 *) * (pages + 1), GFP_KERNEL);
	if (!ring->pages || !ring->core.pages)
		goto free_arrays;
	for (i = 0; i <= pages; i++) {
		ring->pages[i] =
			page_alloc(0, GFP_KERNEL | GFP_ZERO | GFP_NOOOM);
		if (!ring->pages[i])
			goto free_pages;
		if (i)
			ring->core.pages[i - 1] = page_address(ring->pages[i]);
	}
	ring->core.user = page_address(ring->pages[0]);
	ring->core.size = (u64)pages * PERF_RING_PAGE;
	ring->core.overwrite = overwrite;
	ring->core.paused = !pages;
	if (!watermark || watermark > ring->core.size)
		watermark = watermark ? ring->core.size : ring->core.size / 2;
	ring->core.watermark = watermark;
	ref_init(&ring->refs);
	spin_init(&ring->list_lock, LOCK_RANK_PERF_RING_LIST);
	list_init(&ring->events);
	return ring;

free_pages:
	ring_free(ring);
	return NULL;
free_arrays:
	kfree(ring->core.pages);
	kfree(ring->pages);
	kfree(ring);
	return NULL;
}

static void ring_reclaim(struct reclaim_node *node)
{
	ring_free(container_of(node, struct perf_ring, reclaim));
}

void perf_ring_put(struct perf_ring *ring)
{
	if (ref_put(&ring->refs))
		reclaim_after(&ring->reclaim, ring_reclaim);
}

struct perf_ring *perf_ring_of(struct perf_event *e)
{
	struct perf_ring *ring;

	reclaim_read_lock();
	ring = reclaim_deref(e->ring);
	if (ring && !ref_get_unless_zero(&ring->refs))
		ring = NULL;
	reclaim_read_unlock();
	return ring;
}

void perf_ring_attach(struct perf_event *e, struct perf_ring *ring)
{
	struct perf_ring *old = e->ring;
	unsigned long flags;

	if (old) {
		flags = spin_lock_irqsave(&old->list_lock);
		list_del_pub(&e->ring_link);
		spin_unlock_irqrestore(&old->list_lock, flags);
		/* A walk may stand on the link: let it leave first. */
		if (ring)
			reclaim_sync();
	}
	if (ring) {
		e->was_on_ring = true;
		flags = spin_lock_irqsave(&ring->list_lock);
		list_add_tail_pub(&e->ring_link, &ring->events);
		spin_unlock_irqrestore(&ring->list_lock, flags);
	}
	reclaim_assign(e->ring, ring);
	if (old) {
		perf_ring_put(old);
		/* Whoever polls the event must see that the ring is gone. */
		wake_up_all(&e->waitq);
	}
}

void perf_ring_wakeup(struct perf_event *e)
{
	struct perf_ring *ring;
	struct perf_event *each;

	reclaim_read_lock();
	ring = reclaim_deref(e->ring);
	if (ring)
		list_for_each_entry_pub(each, &ring->events, ring_link)
			wait_wake(&each->waitq, TASK_SLEEPING, 0, POLLIN);
	reclaim_read_unlock();
}
