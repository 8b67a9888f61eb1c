// SPDX-License-Identifier: MIT
/*
 * Trace events and probes: what an operation costs with one on it.
 *
 * The operation is getppid(2), or for uprobes a function of two instructions.
 * Each row says how often its event was hit, and that is checked against the
 * number of operations; so are the records of a sampled event.
 */
#define _GNU_SOURCE
#include "bench.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TRACEFS	   "/sys/kernel/tracing/"
#define DEVICES	   "/sys/bus/event_source/devices/"
#define RING_PAGES 1024
#define RETURNS	   1 /* config of kprobe and uprobe */

/* Two instructions. */
__attribute__((noinline, noclone)) static int plain(int n)
{
	return n + 1;
}

static long parent;

static void call_getppid(long loops)
{
	while (loops--)
		if (syscall(SYS_getppid) != parent)
			fail("getppid");
}

static void call_plain(long loops)
{
	int n = 0;

	for (long i = 0; i < loops; i++) {
		n = plain(n);
		__asm__ volatile("" : "+r"(n));
	}
	if (n != loops)
		fail("calls of a function");
}

/* The first number in a file. */
static long number_in(const char *path)
{
	char text[32] = "";
	int fd = open(path, O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		fail(path);
	close(fd);
	return atol(text);
}

static void write_to(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		fail(path);
	close(fd);
}

static struct perf_event_attr trace_attr(const char *event)
{
	char path[128];

	snprintf(path, sizeof(path), TRACEFS "events/%s/id", event);
	return event_attr(PERF_TYPE_TRACEPOINT, number_in(path));
}

/* Records since the last time; each must hold the event's own data. */
static uint64_t take_records(struct perf_event_mmap_page *page)
{
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t count = 0;
	char *data = (char *)page + page->data_offset;

	while (page->data_tail < head) {
		struct perf_event_header *h =
			(void *)(data + page->data_tail % page->data_size);

		if (h->type != PERF_RECORD_SAMPLE ||
		    h->size < sizeof(*h) + 4 * 8 + 4 + 12)
			fail("a record of an event");
		count++;
		page->data_tail += h->size;
	}
	return count;
}

/*
 * Least cost of an operation while the event is on, which counts `hits` of
 * each; with a ring, as many records as it counts.
 */
static double cost_with(int event, struct perf_event_mmap_page *page,
			void (*fn)(long loops), int hits)
{
	long loops = 2000;
	double best = 1e18;

	for (int i = 0; i < 4; i++) {
		uint64_t before = event_read(event).count, start, end;
		double cost;

		ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
		start = now();
		fn(loops);
		end = now();
		ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
		if (event_read(event).count - before != (uint64_t)loops * hits)
			fail("count of an event");
		if (page && take_records(page) != (uint64_t)loops * hits)
			fail("records of an event");
		cost = (double)(end - start) / loops;
		/* The first warms up. */
		if (i && cost < best)
			best = cost;
	}
	return best;
}

/* With an event of this attr, counted. */
static void counted(const char *name, struct perf_event_attr attr,
		    const char *filter, void (*fn)(long loops), int hits)
{
	int event = event_open(&attr, -1);

	if (event < 0)
		fail(name);
	if (filter && ioctl(event, PERF_EVENT_IOC_SET_FILTER, filter))
		fail(filter);
	report(name, cost_with(event, NULL, fn, hits));
	close(event);
}

static void sampled(const char *name, struct perf_event_attr attr)
{
	size_t bytes = (1 + RING_PAGES) * sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page;
	int event;

	attr.sample_period = 1;
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			   PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
			   PERF_SAMPLE_RAW;
	attr.wakeup_events = 1 << 30;
	event = event_open(&attr, -1);
	if (event < 0)
		fail(name);
	page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	if (page == MAP_FAILED)
		fail("ring");
	report(name, cost_with(event, page, call_getppid, 1));
	munmap(page, bytes);
	close(event);
}

static void tracepoints(void)
{
	struct perf_event_attr enter = trace_attr("syscalls/sys_enter_getppid");
	struct perf_event_attr raw = trace_attr("raw_syscalls/sys_enter");

	counted("tracepoint", enter, NULL, call_getppid, 1);
	sampled("tracepoint+sample+raw", enter);
	counted("tracepoint/another-call's",
		trace_attr("syscalls/sys_enter_umask"), NULL, call_getppid, 0);
	counted("filter/match", raw, "id == 173", call_getppid, 1);
	counted("filter/no-match", raw, "id == 172", call_getppid, 0);
	counted("filter/match-4", raw,
		"common_pid == 1 || id > 172 && id < 174 && id != 1",
		call_getppid, 1);
	/* All closed: as if they had never been. */
	report("tracepoint/off-again", measure(call_getppid, 2000));
}

/* How often an event is in the trace. */
static long trace_lines(const char *event)
{
	FILE *f = fopen(TRACEFS "trace", "r");
	char line[512];
	long count = 0;

	if (!f)
		fail("trace");
	while (fgets(line, sizeof(line), f))
		count += strstr(line, event) != NULL;
	fclose(f);
	return count;
}

/* A warming-up round, three that count, and all in the buffer. */
static void trace_buffer(void)
{
	const char *enable = TRACEFS "events/syscalls/sys_enter_getppid/enable";
	double cost;

	write_to(TRACEFS "trace", "");
	write_to(enable, "1");
	cost = measure(call_getppid, 1000);
	write_to(enable, "0");
	if (trace_lines("sys_getppid(") != 3 * 1000 + 101)
		fail("lines of the trace");
	write_to(TRACEFS "trace", "");
	report("trace-buffer", cost);
}

static struct perf_event_attr probe_attr(const char *pmu, uint64_t config,
					 const void *where, uint64_t offset)
{
	char path[128];
	struct perf_event_attr attr;

	snprintf(path, sizeof(path), DEVICES "%s/type", pmu);
	attr = event_attr(number_in(path), config);
	attr.config1 = (uintptr_t)where;
	attr.config2 = offset;
	return attr;
}

static const char *getppid_symbol(void)
{
	static const char *const names[] = { "__arm64_sys_getppid",
					     "sys_getppid" };
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[256], *name;

	if (!f)
		fail("kallsyms");
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		name = strrchr(line, ' ');
		for (int i = 0; name && i < 2; i++)
			if (!strcmp(name + 1, names[i])) {
				fclose(f);
				return names[i];
			}
	}
	fail("getppid of the kernel");
}

/* Where in the program's file the function is. */
static uint64_t file_offset(const void *fn)
{
	uintptr_t at = (uintptr_t)fn;
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];

	if (!f)
		fail("maps");
	while (fgets(line, sizeof(line), f)) {
		unsigned long from, to, offset;

		if (sscanf(line, "%lx-%lx %*s %lx", &from, &to, &offset) == 3 &&
		    from <= at && at < to) {
			fclose(f);
			return at - from + offset;
		}
	}
	fail("mapping of a function");
}

static void probes(void)
{
	const char *symbol = getppid_symbol();
	uint64_t at = file_offset(plain);

	counted("kprobe", probe_attr("kprobe", 0, symbol, 0), NULL,
		call_getppid, 1);
	counted("kretprobe", probe_attr("kprobe", RETURNS, symbol, 0), NULL,
		call_getppid, 1);
	counted("uprobe", probe_attr("uprobe", 0, "/proc/self/exe", at), NULL,
		call_plain, 1);
	counted("uretprobe",
		probe_attr("uprobe", RETURNS, "/proc/self/exe", at), NULL,
		call_plain, 1);
}

static struct perf_event_attr switch_attr;

static void bench_switch(void)
{
	struct pingpong p;
	int event;
	double cost;
	uint64_t count;

	switch_attr = trace_attr("sched/sched_switch");
	switch_attr.disabled = 0;
	event = event_open(&switch_attr, -1);
	if (event < 0)
		fail("sched_switch");
	pingpong_start(&p);
	count = event_read(event).count;
	cost = pingpong_switch(&p, 2000);
	/* Of several CPUs one may find the byte there, and not sleep. */
	if (event_read(event).count - count < 300)
		fail("switches of this task");
	report("pipe-switch/sched_switch", cost);
	pingpong_stop(&p);
	close(event);
}

void bench_tracing(void)
{
	if (access(TRACEFS "events", F_OK) &&
	    mount("tracefs", TRACEFS, "tracefs", 0, NULL))
		fail("tracefs");
	parent = getppid();
	tracepoints();
	bench_switch();
	trace_buffer();
	probes();
}
