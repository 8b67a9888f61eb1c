// SPDX-License-Identifier: MIT
/* One event: open, read, enable and disable, reset; a group; a ring. */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GROUP	   5
#define RING_PAGES 64

static struct perf_event_attr attr;
static int event, members[GROUP];

struct perf_event_attr event_attr(uint32_t type, uint64_t config)
{
	struct perf_event_attr a;

	memset(&a, 0, sizeof(a));
	a.size = sizeof(a);
	a.type = type;
	a.config = config;
	a.disabled = 1;
	a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			PERF_FORMAT_TOTAL_TIME_RUNNING;
	return a;
}

int event_open(struct perf_event_attr *a, int group)
{
	return syscall(SYS_perf_event_open, a, 0, -1, group,
		       PERF_FLAG_FD_CLOEXEC);
}

struct reading event_read(int fd)
{
	struct reading r;

	if (read(fd, &r, sizeof(r)) != sizeof(r))
		fail("read");
	return r;
}

static void open_loop(long loops)
{
	while (loops--) {
		int fd = event_open(&attr, -1);

		if (fd < 0 || close(fd))
			fail("perf_event_open");
	}
}

static void read_loop(long loops)
{
	uint64_t last = 0;

	while (loops--) {
		struct reading r = event_read(event);

		if (r.count < last)
			fail("the count went back");
		last = r.count;
	}
}

static void toggle_loop(long loops)
{
	struct reading before = event_read(event), after;

	while (loops--)
		if (ioctl(event, PERF_EVENT_IOC_DISABLE, 0) ||
		    ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
			fail("enable");
	after = event_read(event);
	if (after.enabled <= before.enabled)
		fail("it is not enabled");
}

static void reset_loop(long loops)
{
	while (loops--)
		if (ioctl(event, PERF_EVENT_IOC_RESET, 0))
			fail("reset");
}

static void counter(const char *name, uint32_t type, uint64_t config)
{
	char text[64];

	attr = event_attr(type, config);
	event = event_open(&attr, -1);
	if (event < 0)
		return;
	close(event);
	snprintf(text, sizeof(text), "open+close/%s", name);
	report(text, measure(open_loop, 300));
	event = event_open(&attr, -1);
	ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	snprintf(text, sizeof(text), "read/%s", name);
	report(text, measure(read_loop, 2000));
	snprintf(text, sizeof(text), "disable+enable/%s", name);
	report(text, measure(toggle_loop, 1000));
	snprintf(text, sizeof(text), "reset/%s", name);
	report(text, measure(reset_loop, 1000));
	close(event);
}

/* --- a group ----------------------------------------------------------- */

static void group_values(uint64_t value[GROUP])
{
	uint64_t data[3 + GROUP];

	if (read(members[0], data, sizeof(data)) != sizeof(data) ||
	    data[0] != GROUP || data[1] != data[2])
		fail("read of a group");
	memcpy(value, data + 3, sizeof(uint64_t) * GROUP);
}

static void group_read_loop(long loops)
{
	uint64_t value[GROUP], last[GROUP] = { 0 };

	while (loops--) {
		group_values(value);
		for (int i = 0; i < GROUP; i++)
			if (value[i] <= last[i])
				fail("a member does not count");
		memcpy(last, value, sizeof(last));
	}
}

static void group_toggle_loop(long loops)
{
	uint64_t before[GROUP], after[GROUP];

	group_values(before);
	while (loops--)
		if (ioctl(members[0], PERF_EVENT_IOC_DISABLE,
			  PERF_IOC_FLAG_GROUP) ||
		    ioctl(members[0], PERF_EVENT_IOC_ENABLE,
			  PERF_IOC_FLAG_GROUP))
			fail("enable a group");
	group_values(after);
	for (int i = 0; i < GROUP; i++)
		if (after[i] <= before[i])
			fail("a member is not enabled");
}

static void group(void)
{
	/* Cycles five times over: one is in the cycle counter. */
	attr = event_attr(PERF_TYPE_RAW, 0x11);
	attr.read_format |= PERF_FORMAT_GROUP;
	attr.disabled = 0;
	for (int i = 0; i < GROUP; i++) {
		members[i] = event_open(&attr, i ? members[0] : -1);
		if (members[i] < 0)
			return;
	}
	report("group-read/5", measure(group_read_loop, 1000));
	report("group-disable+enable/5", measure(group_toggle_loop, 300));
	for (int i = 0; i < GROUP; i++)
		close(members[i]);
}

/* --- a ring ------------------------------------------------------------ */

static void ring_loop(long loops)
{
	size_t page = sysconf(_SC_PAGESIZE), bytes = (1 + RING_PAGES) * page;

	while (loops--) {
		volatile struct perf_event_mmap_page *p =
			mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
			     event, 0);

		if (p == MAP_FAILED)
			fail("map a ring");
		if (p->data_offset != page || p->data_size != bytes - page ||
		    p->data_head)
			fail("shape of a ring");
		if (munmap((void *)p, bytes))
			fail("unmap a ring");
	}
}

static void ring(void)
{
	attr = event_attr(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
	attr.sample_period = 1;
	event = event_open(&attr, -1);
	if (event < 0)
		fail("perf_event_open");
	report("ring-map+unmap/64", measure(ring_loop, 100));
	close(event);
}

void bench_counters(void)
{
	counter("cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	counter("task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	counter("page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	group();
	ring();
}
