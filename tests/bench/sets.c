// SPDX-License-Identifier: MIT
/* What a set of events adds to a switch, a fork, a fault. */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <unistd.h>

#define MOST 6

/* Four that want counters, two of software. */
static const struct {
	uint32_t type;
	uint64_t config;
} kinds[MOST] = {
	{ PERF_TYPE_RAW, 0x11 },
	{ PERF_TYPE_RAW, 0x11 },
	{ PERF_TYPE_RAW, 0x11 },
	{ PERF_TYPE_RAW, 0x11 },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
};

struct set {
	int fd[MOST], nr;
	struct reading before[MOST];
};

static bool set_open(struct set *s, int nr, bool inherit)
{
	s->nr = nr;
	for (int i = 0; i < nr; i++) {
		struct perf_event_attr a =
			event_attr(kinds[i].type, kinds[i].config);

		a.disabled = 0;
		a.inherit = inherit;
		s->fd[i] = event_open(&a, -1);
		if (s->fd[i] < 0)
			return false;
		s->before[i] = event_read(s->fd[i]);
	}
	return true;
}

/* Each has counted, all the time; then they go. */
static void set_close(struct set *s)
{
	/* The page-faults event, too, is to have something to count. */
	fault_cost(1, false);
	for (int i = 0; i < s->nr; i++) {
		struct reading r = event_read(s->fd[i]);

		if (r.count <= s->before[i].count || r.running != r.enabled)
			fail("an event of the set did not count");
		close(s->fd[i]);
	}
}

static void switch_row(const char *name, int nr, bool both)
{
	struct pingpong p;
	struct set s;
	char text[64];

	if (!set_open(&s, nr, both))
		return;
	snprintf(text, sizeof(text), "%s/%d", name, nr);
	pingpong_start(&p);
	report(text, pingpong_switch(&p, 2000));
	pingpong_stop(&p);
	set_close(&s);
}

static void fork_row(void)
{
	struct set s;

	if (!set_open(&s, MOST, true))
		return;
	report("fork+exit/6-inherited", measure(fork_loop, 100));
	set_close(&s);
}

static void fault_row(void)
{
	struct perf_event_attr a = event_attr(PERF_TYPE_SOFTWARE,
					      PERF_COUNT_SW_PAGE_FAULTS);
	double best = 1e18;
	int fd;

	a.disabled = 0;
	fd = event_open(&a, -1);
	if (fd < 0)
		fail("perf_event_open");
	for (int i = 0; i < 4; i++) {
		uint64_t before = event_read(fd).count, faults;
		double cost = fault_cost(1000, false);

		faults = event_read(fd).count - before;
		if (faults < 1000 || faults > 1010)
			fail("faults were not counted");
		if (cost < best)
			best = cost;
	}
	report("anon-fault/counted", best);
	close(fd);
}

void bench_sets(void)
{
	static const int sizes[] = { 1, 4, 6 };

	for (int i = 0; i < 3; i++)
		switch_row("switch-both", sizes[i], true);
	for (int i = 0; i < 3; i++)
		switch_row("switch-one", sizes[i], false);
	fork_row();
	fault_row();
}
