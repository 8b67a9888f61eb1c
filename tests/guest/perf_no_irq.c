// SPDX-License-Identifier: MIT
/*
 * Facts about a PMU without an interrupt (scripts/mkdtb pmu-no-irq): it
 * counts, and refuses to sample.
 * only: tags
 * tags: pmu-no-irq
 */
#define _GNU_SOURCE
#include "facts.h"

static const char *counts(const struct perf_event_attr *a, int pid, int cpu)
{
	int fd = must_open(a, pid, cpu, -1, 0);
	u64 was = 0, now = 0;

	if (read(fd, &was, 8) != 8)
		return "unreadable";
	for (volatile int i = 0; i < 100000; i++)
		;
	if (read(fd, &now, 8) != 8)
		return "unreadable";
	close(fd);
	return now > was ? "counts" : "does not count";
}

int main(void)
{
	static const struct {
		const char *name;
		u32 type;
		u64 config;
	} kinds[] = {
		{ "hardware", PERF_TYPE_HARDWARE, 0 },
		{ "raw", PERF_TYPE_RAW, 0x11 },
		{ "its type", 8, 0x11 },
		{ "cache", PERF_TYPE_HW_CACHE, 0 },
		{ "software", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	};

	settle();
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct perf_event_attr a = ATTR(kinds[i].type,
						kinds[i].config);
		const char *name = kinds[i].name;

		fact(tried(&a), "%s, counting", name);
		fact(tried_at(&a, -1, 0, -1, 0), "%s, counting a CPU", name);
		if (kinds[i].type != PERF_TYPE_HW_CACHE) {
			fact(counts(&a, 0, -1), "%s on a task", name);
			fact(counts(&a, -1, 0), "%s on CPU 0", name);
		}
		a.sample_period = 100003;
		fact(tried(&a), "%s, sampling", name);
		fact(tried_at(&a, -1, 0, -1, 0), "%s, sampling a CPU", name);
		a.freq = 1;
		a.sample_freq = 1000;
		fact(tried(&a), "%s, by frequency", name);
	}
	return ktap_done();
}
