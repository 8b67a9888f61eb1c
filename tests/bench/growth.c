// SPDX-License-Identifier: MIT
/*
 * How costs grow with the number of events on a task: NAME@N for 1, 10, 100
 * and 1000 of them.  Software events all count; of hardware events those
 * count that find a counter, in turns.
 */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST 1000

static int fds[MOST];

static void report_at(const char *op, const char *kind, int nr, double cost)
{
	char text[64];

	snprintf(text, sizeof(text), "%s/%s@%d", op, kind, nr);
	report(text, cost);
}

/* Cost of each; -1: there is no such event. */
static double open_all(struct perf_event_attr *attr, int nr, bool group)
{
	uint64_t start = now();

	for (int i = 0; i < nr; i++) {
		fds[i] = event_open(attr, group && i ? fds[0] : -1);
		if (fds[i] < 0 && !i)
			return -1;
		if (fds[i] < 0)
			fail("perf_event_open");
	}
	return (double)(now() - start) / nr;
}

static double close_all(int nr)
{
	uint64_t start = now();

	for (int i = 0; i < nr; i++)
		close(fds[i]);
	return (double)(now() - start) / nr;
}

static int last;

static void read_loop(long loops)
{
	uint64_t enabled = 0;

	while (loops--) {
		struct reading r = event_read(last);

		if (r.enabled <= enabled)
			fail("time stands still");
		enabled = r.enabled;
	}
}

static void toggle_loop(long loops)
{
	while (loops--)
		if (ioctl(last, PERF_EVENT_IOC_DISABLE, 0) ||
		    ioctl(last, PERF_EVENT_IOC_ENABLE, 0))
			fail("enable");
}

static long rounds(int nr)
{
	return nr < 100 ? 200 : nr < 1000 ? 50 : 10;
}

static void one_task(const char *kind, struct perf_event_attr *attr, int nr)
{
	struct pingpong p;
	double opened = open_all(attr, nr, false);
	struct reading before, after;

	if (opened < 0)
		return;
	last = fds[nr - 1];
	report_at("open", kind, nr, opened);
	report_at("read", kind, nr, measure(read_loop, rounds(nr)));
	report_at("disable+enable", kind, nr,
		  measure(toggle_loop, rounds(nr)));
	before = event_read(last);
	pingpong_start(&p);
	report_at("switch-one", kind, nr, pingpong_switch(&p, rounds(nr) * 2));
	pingpong_stop(&p);
	after = event_read(last);
	if (after.enabled <= before.enabled)
		fail("switched out and never in");
	report_at("close", kind, nr, close_all(nr));
}

static void family(const char *kind, struct perf_event_attr *attr, int nr)
{
	struct perf_event_attr a = *attr;
	struct reading before, after;
	struct pingpong p;

	a.inherit = 1;
	if (open_all(&a, nr, false) < 0)
		return;
	pingpong_start(&p);
	report_at("switch-both", kind, nr, pingpong_switch(&p, rounds(nr) * 2));
	pingpong_stop(&p);
	before = event_read(fds[0]);
	report_at("fork+exit", kind, nr, measure(fork_loop, rounds(nr) / 10));
	after = event_read(fds[0]);
	if (after.enabled <= before.enabled)
		fail("nothing came from the children");
	close_all(nr);
}

static void faults(const char *kind, struct perf_event_attr *attr, int nr)
{
	uint64_t before, counted;
	double best = 1e18;

	if (open_all(attr, nr, false) < 0)
		return;
	for (int i = 0; i < 3; i++) {
		double cost;

		before = event_read(fds[nr - 1]).count;
		cost = fault_cost(20, false);
		counted = event_read(fds[nr - 1]).count - before;
		if (counted < 20 || counted > 25)
			fail("faults were not counted");
		if (cost < best)
			best = cost;
	}
	report_at("anon-fault", kind, nr, best);
	close_all(nr);
}

static uint64_t *values;
static int members;

static void group_loop(long loops)
{
	long size = (3 + members) * sizeof(*values);

	while (loops--)
		if (read(fds[0], values, size) != size ||
		    values[0] != (uint64_t)members)
			fail("read of a group");
}

static void group(const char *kind, struct perf_event_attr *attr, int nr)
{
	struct perf_event_attr a = *attr;
	double opened;

	a.read_format |= PERF_FORMAT_GROUP;
	opened = open_all(&a, nr, true);
	if (opened < 0)
		return;
	members = nr;
	values = malloc((3 + nr) * sizeof(*values));
	if (!values)
		fail("memory");
	report_at("group-open", kind, nr, opened);
	report_at("group-read", kind, nr, measure(group_loop, rounds(nr)));
	report_at("group-close", kind, nr, close_all(nr));
	free(values);
}

void bench_growth(void)
{
	struct perf_event_attr sw = event_attr(PERF_TYPE_SOFTWARE,
					       PERF_COUNT_SW_PAGE_FAULTS);
	struct perf_event_attr hw = event_attr(PERF_TYPE_HARDWARE,
					       PERF_COUNT_HW_CPU_CYCLES);
	struct rlimit files = { MOST + 100, MOST + 100 };

	sw.disabled = hw.disabled = 0;
	if (setrlimit(RLIMIT_NOFILE, &files))
		fail("limit of files");
	for (int nr = 1; nr <= MOST; nr *= 10) {
		one_task("page-faults", &sw, nr);
		one_task("cycles", &hw, nr);
		family("page-faults", &sw, nr);
		family("cycles", &hw, nr);
		faults("page-faults", &sw, nr);
		group("page-faults", &sw, nr);
	}
}
