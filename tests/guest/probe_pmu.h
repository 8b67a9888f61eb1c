/* SPDX-License-Identifier: MIT */
/* The kprobe and uprobe PMUs as a program opens and reads them. */
#ifndef TESTS_GUEST_PROBE_PMU_H
#define TESTS_GUEST_PROBE_PMU_H

#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ktap.h"

#define RETURNS 1	/* config: when the function returns */

/* That of the PMU in question; main() reads it from sysfs. */
static uint32_t type;

/* name: a function or a file; more: what the event is besides a probe. */
static int open_at(const char *name, uint64_t where, uint64_t config,
		   struct perf_event_attr *more, pid_t pid, int cpu)
{
	struct perf_event_attr a = { 0 };

	if (more)
		a = *more;
	a.type = type;
	a.size = sizeof(a);
	a.config = config;
	a.config1 = (uintptr_t)name;
	a.config2 = where;
	return (int)syscall(SYS_perf_event_open, &a, pid, cpu, -1, 0);
}

static long long count(int fd)
{
	uint64_t v = ~0ull;

	return read(fd, &v, sizeof(v)) == sizeof(v) ? (long long)v : -1;
}

static bool read_text(const char *path, char *buf, size_t size)
{
	FILE *f = fopen(path, "r");
	size_t n;

	if (!f)
		return false;
	n = fread(buf, 1, size - 1, f);
	buf[n] = 0;
	fclose(f);
	return true;
}

#endif /* TESTS_GUEST_PROBE_PMU_H */
