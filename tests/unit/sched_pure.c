/* SPDX-License-Identifier: MIT */
/*
 * The pure parts of scheduler and time: weights, virtual run time, placement,
 * and the queue of timers.
 */
#include <lib/ktest.h>

#include "../../kernel/sched/fair_math.h"
#include "../../kernel/time/timer_queue.h"

KTEST(weights_are_geometric)
{
	s32 nice;

	KT_EXPECT(fair_weight(0) == FAIR_WEIGHT_0);
	for (nice = -20; nice < 19; nice++) {
		u64 a = fair_weight(nice), b = fair_weight(nice + 1);

		/* A ratio of 1.25, within the rounding of small weights. */
		KT_EXPECT(a * 100 >= b * 120 && a * 100 <= b * 132);
	}
}

KTEST(heavier_ages_slower)
{
	u64 ms = 1000000;

	KT_EXPECT(fair_virtual(ms, fair_weight(0)) == ms);
	KT_EXPECT(fair_virtual(ms, fair_weight(-20)) < ms / 80);
	KT_EXPECT(fair_virtual(ms, fair_weight(19)) > ms * 60);
	/* A day of run time does not overflow. */
	KT_EXPECT(fair_virtual(86400000000000ull, FAIR_WEIGHT_IDLE) ==
		  86400000000000ull * 1024 / 3);
}

/* Two hogs, nice 0 and 5, always the one behind runs: shares as weights. */
KTEST(shares_follow_weights)
{
	u64 v[2] = { 0, 0 }, ran[2] = { 0, 0 }, share;
	u32 w[2] = { fair_weight(0), fair_weight(5) };
	int i, n;

	for (n = 0; n < 100000; n++) {
		i = fair_before(v[1], v[0]);
		ran[i] += 4000000;
		v[i] += fair_virtual(4000000, w[i]);
	}
	share = ran[0] * 1000 / (ran[0] + ran[1]);
	KT_EXPECT(share >= 748 && share <= 757);
}

KTEST(virtual_time_wraps)
{
	u64 near_end = ~0ull - 5;

	KT_EXPECT(fair_before(near_end, 10));
	KT_EXPECT(!fair_before(10, near_end));
	KT_EXPECT(fair_max(near_end, 10) == 10);
}

KTEST(sleepers_get_little_credit)
{
	u64 min = 1000 * FAIR_CREDIT_NS;

	KT_EXPECT(fair_place(0, min) == min - FAIR_CREDIT_NS);
	KT_EXPECT(fair_place(min + 7, min) == min + 7);
	KT_EXPECT(fair_place(min - 1, min) == min - 1);
}

KTEST(timers_fire_in_order)
{
	static struct timer t[64];
	struct rb_root queue = RB_ROOT;
	struct timer *first, *last = NULL;
	u32 i, n = 0;

	for (i = 0; i < 64; i++) {
		rb_node_clear(&t[i].node);
		t[i].expires = i * 2654435761u % 13;
		timer_queue_add(&queue, &t[i]);
	}
	timer_queue_remove(&queue, &t[5]);
	timer_queue_remove(&queue, &t[60]);
	while ((first = timer_queue_first(&queue))) {
		if (last) {
			KT_EXPECT(last->expires <= first->expires);
			/* Equal ones in the order of their start. */
			KT_EXPECT(last->expires < first->expires ||
				  last < first);
		}
		timer_queue_remove(&queue, first);
		KT_EXPECT(!first->queued);
		last = first;
		n++;
	}
	KT_EXPECT(n == 62);
}

KTEST(forward_counts_periods)
{
	struct timer t = { .expires = 100 };

	KT_EXPECT(timer_queue_forward(&t, 99, 10) == 0 && t.expires == 100);
	KT_EXPECT(timer_queue_forward(&t, 100, 10) == 1 && t.expires == 110);
	KT_EXPECT(timer_queue_forward(&t, 145, 10) == 4 && t.expires == 150);
}
