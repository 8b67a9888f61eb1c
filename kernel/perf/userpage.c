/* SPDX-License-Identifier: MIT */
/*
 * The control page of a mapping: counter index and offset, times, and the
 * conversion from the user-readable clock to perf time.
 *
 * Entry points: perf_userpage_init (mmap), perf_userpage_update (context
 * locked or event's CPU, masked).  The lock word is a sequence count: user
 * readers retry, writers exclude each other by running where the event may
 * change.
 */
#include "internal.h"
#include "ring.h"

#include <arch/perf.h>
#include <arch/time.h>
#include <lib/math64.h>

/* Longest stretch, in seconds, over which the conversion must not overflow. */
#define CONVERT_SECONDS 3600

static u32 clock_mult, clock_shift;	/* [I] after perf_userpage_boot */
static u64 clock_mask;			/* [I] 0: no user clock */
static u64 clock_zero;			/* [I] perf time at counter 0 */

void perf_userpage_boot(void)
{
	u64 freq = arch_clock_freq(), span = freq * CONVERT_SECONDS >> 32;
	u32 bits = 32, shift;
	u64 mult = 0;

	for (; span; span >>= 1)
		bits--;
	for (shift = 32; shift > 0; shift--) {
		mult = ((NSEC_PER_SEC << shift) + freq / 2) / freq;
		if (!(mult >> bits))
			break;
	}
	/* User code shifts 32-bit halves: 32 is not a shift for it. */
	if (shift == 32) {
		shift = 31;
		mult >>= 1;
	}
	clock_mult = (u32)mult;
	clock_shift = shift;
	clock_mask = arch_perf_clock_mask();
	clock_zero = 0 - mul_u64_u32_shr(time_conv.base_cycles, clock_mult,
					 clock_shift);
}

/* now: when the page's times are of; user code adds what passed since. */
static void put_clock(struct perf_event_mmap_page *page, u64 now)
{
	if (!clock_mask)
		return;
	page->time_mult = clock_mult;
	page->time_shift = (u16)clock_shift;
	page->time_zero = clock_zero;
	page->time_offset = clock_zero - now;
	page->time_cycles = 0;
	page->time_mask = clock_mask;
	page->cap_user_time = 1;
	page->cap_user_time_zero = 1;
	page->cap_user_time_short = 1;
}

void perf_userpage_update(struct perf_event *e)
{
	struct perf_ring *ring;
	struct perf_event_mmap_page *page;
	u64 now, enabled, running, offset;
	u32 index;

	if (likely(!READ_ONCE(e->ring)) || !READ_ONCE(e->mmap_count))
		return;
	ring = reclaim_deref(e->ring);
	if (!ring)
		return;
	page = ring->core.user;
	now = time_mono_ns();
	perf_event_times(e, perf_ctx_time_at(e->ctx, now), &enabled, &running);
	index = e->state == PERF_ACTIVE ? e->c.pmu->ops.user_index(&e->c) : 0;
	offset = perf_counter_count(&e->c);
	if (index)
		offset -= load_relaxed(&e->c.prev);

	WRITE_ONCE(page->lock, page->lock + 1);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	page->index = index;
	page->offset = (s64)offset;
	page->time_enabled = enabled + load_relaxed(&e->child_enabled);
	page->time_running = running + load_relaxed(&e->child_running);
	page->cap_user_rdpmc = e->c.pmu->ops.user_width(&e->c) != 0;
	page->pmc_width = (u16)e->c.pmu->ops.user_width(&e->c);
	put_clock(page, now);
	store_release(&page->lock, page->lock + 1);
}

void perf_pmu_update_userpage(struct perf_counter *c)
{
	perf_userpage_update(perf_event_of(c));
}

void perf_userpage_init(struct perf_event *e)
{
	struct perf_ring *ring = e->ring;
	struct perf_event_mmap_page *page = ring->core.user;

	page->cap_bit0_is_deprecated = 1;
	page->size = OFFSET_OF(struct perf_event_mmap_page, __reserved);
	page->data_offset = PERF_RING_PAGE;
	page->data_size = ring->core.size;
}

static void do_refresh(struct perf_event *e, struct perf_ctx *ctx,
		       struct perf_cpu *here, void *arg)
{
	perf_ctx_update_time(ctx);
	perf_userpage_update(e);
}

/* From task context, wherever the event is. */
void perf_userpage_refresh(struct perf_event *e)
{
	perf_ctx_call(e, do_refresh, NULL);
}
