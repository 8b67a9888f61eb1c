/* SPDX-License-Identifier: MIT */
/*
 * Probes where something else changes: mappings that grow, that the program
 * may write by now, whose code is executed while breakpoints come and go;
 * records that are larger than any buffer; the tracer's own functions.
 *
 * tags: short
 * timeout: 300
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define BREAK	0xd42000a0u
#define TRACING "/sys/kernel/tracing/"

extern const char __ehdr_start[];

static char self[256];
static volatile int sink;

/* Not in the first page: one before it is mapped below. */
__attribute__((noinline, noipa, aligned(4096))) static void target(void)
{
	sink++;
}

static uint64_t place(void)
{
	return (uint64_t)((const char *)(uintptr_t)target - __ehdr_start);
}

static int on_target(void)
{
	struct perf_event_attr a = { .size = sizeof(a) };
	unsigned int type = 0;
	FILE *f = fopen("/sys/bus/event_source/devices/uprobe/type", "r");

	if (!f || fscanf(f, "%u", &type) != 1)
		return -1;
	fclose(f);
	a.type = type;
	a.config1 = (uintptr_t)self;
	a.config2 = place();
	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

static long long count(int fd)
{
	uint64_t v = ~0ull;

	return read(fd, &v, sizeof(v)) == sizeof(v) ? (long long)v : -1;
}

/* --- mappings ------------------------------------------------------------ */

/* From the page before target's page, or from its own. */
static uint32_t *map_target(bool before, size_t pages)
{
	off_t page = (off_t)(place() & ~4095ull) - (before ? 4096 : 0);
	int fd = open(self, O_RDONLY);
	void *p = mmap(NULL, pages * 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE,
		       fd, page);

	close(fd);
	OK(p != MAP_FAILED);
	return p;
}

/* What the program may write by now is put back all the same. */
static void test_made_writable(void)
{
	uint32_t *p = map_target(false, 1), at = (place() & 4095) / 4;
	int probe = (int)WORKS(on_target());

	EQ(p[at], BREAK);
	WORKS(mprotect(p, 4096, PROT_READ | PROT_WRITE | PROT_EXEC));
	close(probe);
	OK(p[at] != BREAK);
	munmap(p, 4096);
}

static void test_grown(void)
{
	uint32_t *p = map_target(true, 2), at = 1024 + (place() & 4095) / 4;
	int probe;

	munmap(p + 1024, 4096);
	probe = (int)WORKS(on_target());
	OK(mremap(p, 4096, 2 * 4096, 0) == p);
	EQ(p[at], BREAK);
	close(probe);
	OK(p[at] != BREAK);
	munmap(p, 2 * 4096);
}

static volatile bool running;

static void *run_target(void *arg)
{
	long long *calls = arg;

	while (running) {
		target();
		++*calls;
	}
	return NULL;
}

static void test_while_executed(void)
{
	long long calls = 0;
	pthread_t thread;
	int i, bad = 0;

	running = true;
	pthread_create(&thread, NULL, run_target, &calls);
	for (i = 0; i < 50; i++) {
		int fd = on_target();
		long long before;

		if (fd < 0) {
			bad++;
			continue;
		}
		before = count(fd);
		target();
		bad += count(fd) != before + 1;
		close(fd);
	}
	running = false;
	pthread_join(thread, NULL);
	EQ(bad, 0);
	OK_MSG(calls > 0, "the other thread went on: %lld calls", calls);
}

/* --- definitions --------------------------------------------------------- */

static int put(const char *path, int flags, const char *text)
{
	int fd = open(path, O_WRONLY | flags);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = write(fd, text, strlen(text));
	n = n < 0 ? -errno : 0;
	close(fd);
	return (int)n;
}

/*
 * nr arrays of 512 bytes each: more than a page, and at 128 more than 16 bits
 * can say.  Refused, or accepted and then not recorded; never written
 * anywhere else.
 */
static void test_large_record(int nr)
{
	char text[4096];
	int i, n, err;

	n = snprintf(text, sizeof(text), "p:large schedule");
	for (i = 0; i < nr; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
			      " a%d=+0(%%sp):x64[64]", i);
	err = put(TRACING "kprobe_events", O_APPEND, text);
	OK_MSG(!err || err == -E2BIG, "%d arrays: %d", nr, err);
	if (err)
		return;
	EQ(put(TRACING "events/kprobes/large/enable", 0, "1"), 0);
	for (i = 0; i < 20; i++)
		usleep(1000);
	EQ(put(TRACING "events/kprobes/large/enable", 0, "0"), 0);
	EQ(put(TRACING "kprobe_events", O_APPEND, "-:large"), 0);
}

/* --- probes of what writes the trace buffer ------------------------------ */

static unsigned int ids[3];

static unsigned int id_of(const char *event)
{
	char path[128];
	unsigned int id = 0;
	FILE *f;

	snprintf(path, sizeof(path), TRACING "events/%s/id", event);
	f = fopen(path, "r");
	if (f && fscanf(f, "%u", &id) != 1)
		id = 0;
	if (f)
		fclose(f);
	return id;
}

static bool known(unsigned int type)
{
	return type == ids[0] || type == ids[1] || type == ids[2];
}

/* Does the page consist of whole entries of the three events?  Their number. */
static int walk(const uint8_t *page)
{
	uint32_t at = 16, end, n = 0, word, kind, len;
	uint64_t commit;

	memcpy(&commit, page + 8, 8);
	end = 16 + (commit & 0xfffff);
	if (end > 4096)
		return -1;
	while (at + 4 <= end) {
		uint16_t type;

		memcpy(&word, page + at, 4);
		at += 4;
		kind = word & 31;
		if (kind == 29 && !(word >> 5))
			break;
		if (kind == 30 || kind == 31) {
			at += 4;
			continue;
		}
		if (kind == 0 || kind == 29) {
			memcpy(&len, page + at, 4);
			if (len < 4 || len > end - at)
				return -1;
		} else {
			len = kind * 4;
			if (len > end - at)
				return -1;
		}
		memcpy(&type, page + at + (kind ? 0 : 4), 2);
		if (kind != 29 && !known(type))
			return -1;
		n += kind != 29;
		at += len;
	}
	return (int)n;
}

static void test_traced_tracer(void)
{
	long cpu, entries = 0, bad = 0;
	int i, fd, pipes[2];
	uint8_t page[4096];
	char path[128];

	if (put(TRACING "kprobe_events", O_APPEND, "p:nest memcpy")) {
		ktap_skip("a probe of the tracer's own", "not here");
		return;
	}
	EQ(put(TRACING "trace", O_TRUNC, "\n"), 0);
	ids[0] = id_of("kprobes/nest");
	ids[1] = id_of("sched/sched_switch");
	ids[2] = id_of("sched/sched_waking");
	EQ(put(TRACING "events/sched/sched_switch/enable", 0, "1"), 0);
	EQ(put(TRACING "events/sched/sched_waking/enable", 0, "1"), 0);
	EQ(put(TRACING "events/kprobes/nest/enable", 0, "1"), 0);
	WORKS(pipe(pipes));
	if (!fork()) {
		for (i = 0; i < 200; i++)
			usleep(100);
		_exit(write(pipes[1], "x", 1) != 1);
	}
	EQ(read(pipes[0], page, 1), 1);
	EQ(put(TRACING "events/kprobes/nest/enable", 0, "0"), 0);
	EQ(put(TRACING "events/sched/enable", 0, "0"), 0);
	for (cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++) {
		snprintf(path, sizeof(path),
			 TRACING "per_cpu/cpu%ld/trace_pipe_raw", cpu);
		fd = open(path, O_RDONLY | O_NONBLOCK);
		while (fd >= 0 && read(fd, page, 4096) == 4096) {
			int n = walk(page);

			bad += n < 0;
			entries += n < 0 ? 0 : n;
		}
		close(fd);
	}
	EQ(bad, 0);
	OK_MSG(entries > 200, "%ld entries", entries);
	EQ(put(TRACING "kprobe_events", O_APPEND, "-:nest"), 0);
	close(pipes[0]);
	close(pipes[1]);
	while (wait(NULL) > 0)
		;
}

int main(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	OK(n > 0);
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	test_made_writable();
	test_grown();
	test_while_executed();
	test_large_record(7);
	test_large_record(8);
	test_large_record(9);
	test_large_record(128);
	test_traced_tracer();
	return ktap_done();
}
