/* SPDX-License-Identifier: MIT */
/*
 * Probes where something else changes: mappings that grow, that the program
 * may write by now, whose code is executed while breakpoints come and go;
 * records that are larger than any buffer.
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
	return ktap_done();
}
