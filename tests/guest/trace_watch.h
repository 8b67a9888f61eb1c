/* SPDX-License-Identifier: MIT */
/*
 * Records of tracepoints from all CPUs, in order, and their fields by name.
 *
 * Fields are found by the event's `format`; rings are of all CPUs, because the
 * end of a timer or a wake-up is somebody else's.
 */
#ifndef TESTS_GUEST_TRACE_WATCH_H
#define TESTS_GUEST_TRACE_WATCH_H

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

#define MAX_CPUS 8
#define PAGES	 64	/* of a ring's data */
#define SETS	 4	/* watched at the same time */
#define MAX_RECS 4096

static const char tracefs[] __attribute__((unused)) = "/sys/kernel/tracing";

/* One event on all CPUs. */
struct watch {
	const char *name;	/* "timer/hrtimer_init" */
	char *format;
	int fds[MAX_CPUS];
	struct perf_event_mmap_page *rings[MAX_CPUS];
	int n, lost;
	struct rec {
		uint64_t time;
		uint32_t tid, cpu;
		unsigned char raw[120];
	} recs[MAX_RECS];
};

static struct watch sets[SETS];
static int nr_cpus;

__attribute__((unused)) static char *read_text(const char *path)
{
	char *buf = calloc(1, 16384);
	int fd = open(path, O_RDONLY);

	if (fd < 0 || read(fd, buf, 16383) < 0)
		buf[0] = '\0';
	close(fd);
	return buf;
}

__attribute__((unused))
static char *event_file(const char *name, const char *file)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/events/%s/%s", tracefs, name, file);
	return read_text(path);
}

__attribute__((unused)) static bool event_exists(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/events/%s", tracefs, name);
	return !access(path, F_OK);
}

__attribute__((unused))
static int open_event(const char *name, pid_t pid, int cpu, bool records)
{
	struct perf_event_attr a = { .type = PERF_TYPE_TRACEPOINT,
				     .size = sizeof(a) };
	char *id = event_file(name, "id");

	a.config = strtoull(id, NULL, 10);
	free(id);
	if (records) {
		/* With the period, what stands for many is one record. */
		a.sample_period = 1;
		a.wakeup_events = 1 << 20;
		a.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
				PERF_SAMPLE_RAW;
	}
	return (int)syscall(SYS_perf_event_open, &a, pid, cpu, -1, 0);
}

__attribute__((unused))
static uint64_t value_of(int fd)
{
	uint64_t v = 0;

	return read(fd, &v, sizeof(v)) == sizeof(v) ? v : ~0ull;
}

__attribute__((unused))
static struct watch *watch(int set, const char *name, const char *filter)
{
	struct watch *w = &sets[set];
	int cpu;

	w->name = name;
	w->n = w->lost = 0;
	w->format = event_file(name, "format");
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		w->fds[cpu] = open_event(name, -1, cpu, true);
		w->rings[cpu] = mmap(NULL, (1 + PAGES) * 4096,
				     PROT_READ | PROT_WRITE, MAP_SHARED,
				     w->fds[cpu], 0);
		if (w->fds[cpu] < 0 || w->rings[cpu] == MAP_FAILED ||
		    (filter && ioctl(w->fds[cpu], PERF_EVENT_IOC_SET_FILTER,
				     filter))) {
			OK_MSG(false, "%s can be watched: errno %d", name,
			       errno);
			exit(1);
		}
	}
	return w;
}

__attribute__((unused))
static void take(struct watch *w, const unsigned char *data, uint64_t at)
{
	unsigned char buf[512];
	struct rec *r = &w->recs[w->n];
	struct perf_event_header h;
	uint32_t i, raw;

	for (i = 0; i < sizeof(buf); i++)
		buf[i] = data[(at + i) % (PAGES * 4096)];
	memcpy(&h, buf, sizeof(h));
	if (h.type == PERF_RECORD_LOST)
		w->lost++;
	if (h.type != PERF_RECORD_SAMPLE || w->n == MAX_RECS)
		return;
	memcpy(&r->tid, buf + 12, 4);
	memcpy(&r->time, buf + 16, 8);
	memcpy(&r->cpu, buf + 24, 4);
	memcpy(&raw, buf + 40, 4);
	memset(r->raw, 0, sizeof(r->raw));
	memcpy(r->raw, buf + 44, raw < sizeof(r->raw) ? raw : sizeof(r->raw));
	w->n++;
}

__attribute__((unused)) static int by_time(const void *a, const void *b)
{
	const struct rec *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* Switch off and read. */
__attribute__((unused)) static void done(struct watch *w)
{
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++)
		ioctl(w->fds[cpu], PERF_EVENT_IOC_DISABLE, 0);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		struct perf_event_mmap_page *p = w->rings[cpu];
		const unsigned char *data = (unsigned char *)p + 4096;
		uint64_t head = __atomic_load_n(&p->data_head,
						__ATOMIC_ACQUIRE);
		uint64_t at = p->data_tail;

		while (at < head) {
			uint16_t size;

			take(w, data, at);
			size = (uint16_t)(data[(at + 6) % (PAGES * 4096)] |
					  data[(at + 7) % (PAGES * 4096)] << 8);
			at += size;
		}
		munmap(p, (1 + PAGES) * 4096);
		close(w->fds[cpu]);
	}
	qsort(w->recs, w->n, sizeof(w->recs[0]), by_time);
}

/* A number of a record. */
__attribute__((unused))
static int64_t get(const struct watch *w, const struct rec *r,
		   const char *field)
{
	char want[64];
	const char *line;
	int offset, size, is_signed;
	uint64_t v = 0;

	snprintf(want, sizeof(want), "%s;", field);
	for (line = w->format; (line = strstr(line, want)); line++)
		if (line[-1] == ' ' || line[-1] == '*')
			break;
	if (!line ||
	    sscanf(line + strlen(want), " offset:%d; size:%d; signed:%d;",
		   &offset, &size, &is_signed) != 3) {
		OK_MSG(false, "%s has %s", w->name, field);
		exit(1);
	}
	memcpy(&v, r->raw + offset, size);
	if (is_signed && size == 4)
		return (int32_t)v;
	return (int64_t)v;
}

/* Records from the at-th on whose field has the value; the first, or -1. */
__attribute__((unused))
static int find(const struct watch *w, const char *field, int64_t value,
		int at)
{
	for (; at < w->n; at++)
		if (get(w, &w->recs[at], field) == value)
			return at;
	return -1;
}

__attribute__((unused))
static int count(const struct watch *w, const char *field, int64_t value)
{
	int n = 0, at = -1;

	while ((at = find(w, field, value, at + 1)) >= 0)
		n++;
	return n;
}

__attribute__((unused)) static const char *own(const char *field)
{
	static char text[64];

	snprintf(text, sizeof(text), "%s == %d", field, (int)gettid());
	return text;
}

__attribute__((unused)) static void sleep_ns(long ns)
{
	struct timespec t = { ns / 1000000000, ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

__attribute__((unused)) static bool is_kernel(int64_t addr)
{
	return (uint64_t)addr >> 48 == 0xffff;
}

__attribute__((unused)) static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* First of all. */
__attribute__((unused)) static void watch_start(void)
{
	nr_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (nr_cpus > MAX_CPUS)
		nr_cpus = MAX_CPUS;
}

#endif /* TESTS_GUEST_TRACE_WATCH_H */
