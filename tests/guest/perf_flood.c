/* SPDX-License-Identifier: MIT */
/*
 * More samples by the clock than a CPU has time for: a hundred events, each
 * every ten microseconds, none of them throttled.  A program goes on there.
 *
 * Time is counted in instructions, so that what is too much is too much on
 * every machine.
 *
 * only: tags
 * tags: icount
 * timeout: 120
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ktap.h"

#define EVENTS	100
#define RATE   "/proc/sys/kernel/perf_event_max_sample_rate"

/* Returns what was there; 0: it cannot be read. */
static int exchange(const char *path, int value)
{
	FILE *f = fopen(path, "r+");
	int old = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%d", &old) != 1)
		old = 0;
	rewind(f);
	fprintf(f, "%d\n", value);
	fclose(f);
	return old;
}

static int open_clock(void)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.size = sizeof(a),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CALLCHAIN,
		.disabled = 1,
	};

	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

int main(void)
{
	int rate = exchange(RATE, 1000000);
	int fds[EVENTS], opened = 0, mapped = 0, i;
	volatile long work = 0;

	for (i = 0; i < EVENTS; i++) {
		fds[i] = open_clock();
		opened += fds[i] >= 0;
		mapped += mmap(NULL, 2 * 4096, PROT_READ, MAP_SHARED, fds[i],
			       0) != MAP_FAILED;
	}
	EQ(opened, EVENTS);
	EQ(mapped, EVENTS);
	for (i = 0; i < EVENTS; i++)
		ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0);
	while (work < 3000000)
		work++;
	for (i = 0; i < EVENTS; i++)
		close(fds[i]);
	OK_MSG(true, "it went on");
	exchange(RATE, rate);
	return ktap_done();
}
