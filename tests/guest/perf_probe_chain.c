/* SPDX-License-Identifier: MIT */
/*
 * Call chains while return probes have exchanged return addresses: those of
 * the kernel are as without, those of programs show the trampoline.
 *
 * tags: short
 * timeout: 120
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ktap.h"

#define RETURNS 1
#define PAGE	4096
#define DATA	(8 * PAGE)

/* What writes to a pipe, and what that calls, on every kernel. */
#define OUTER "pipe_write"
#define INNER "mutex_lock"

extern const char __ehdr_start[];

static volatile int sink;
static char self[256];

static uint32_t probe_type(const char *pmu)
{
	char path[128];
	unsigned int n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type",
		 pmu);
	f = fopen(path, "r");
	if (f && fscanf(f, "%u", &n) != 1)
		n = 0;
	if (f)
		fclose(f);
	return n;
}

/* Disabled; with samples of the chain alone, or without. */
static int open_probe(const char *pmu, const char *where, uint64_t offset,
		      uint64_t config, bool sampled)
{
	struct perf_event_attr a = {
		.type = probe_type(pmu),
		.size = sizeof(a),
		.config = config,
		.config1 = (uintptr_t)where,
		.config2 = offset,
		.disabled = 1,
	};

	if (sampled) {
		a.sample_period = 1;
		a.sample_type = PERF_SAMPLE_CALLCHAIN;
		a.exclude_callchain_kernel = pmu[0] == 'u';
		a.exclude_callchain_user = pmu[0] == 'k';
	}
	return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

static long long count(int fd)
{
	uint64_t v = ~0ull;

	return read(fd, &v, sizeof(v)) == sizeof(v) ? (long long)v : -1;
}

/* The records that fd writes while fn runs, the last of equal length. */
static size_t record(int fd, void (*fn)(void), char *out)
{
	struct perf_event_mmap_page *page;
	size_t size;

	page = mmap(NULL, PAGE + DATA, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		    0);
	if (page == MAP_FAILED)
		return 0;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	fn();
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	size = page->data_head < DATA ? page->data_head : DATA;
	memcpy(out, (char *)page + PAGE, size);
	munmap(page, PAGE + DATA);
	return size;
}

static int pipe_ends[2];

static void write_pipe(void)
{
	if (write(pipe_ends[1], "", 1) != 1)
		sink++;
}

/* The same call with and without a return probe in the chain. */
static void test_kernel(void)
{
	static char before[DATA], during[DATA], of_return[DATA];
	int inner = (int)WORKS(open_probe("kprobe", INNER, 0, 0, true));
	int outer = (int)WORKS(open_probe("kprobe", OUTER, 0, RETURNS, true));
	int again = (int)WORKS(open_probe("kprobe", OUTER, 0, RETURNS, false));
	uint64_t *chain, *plain;
	size_t size;

	OK(!pipe(pipe_ends));
	write_pipe();
	size = record(inner, write_pipe, before);
	OK_MSG(size > 0, "%zu bytes of records", size);
	ioctl(again, PERF_EVENT_IOC_ENABLE, 0);
	ioctl(outer, PERF_EVENT_IOC_ENABLE, 0);
	EQ(record(inner, write_pipe, during), size);
	ioctl(outer, PERF_EVENT_IOC_DISABLE, 0);
	EQ(count(outer), 1);
	EQ(count(again), 1);
	OK_MSG(!memcmp(before, during, size),
	       "chains of the kernel are as without return probes");
	/* header, nr, PERF_CONTEXT_KERNEL, where it returns to, .. */
	OK(record(outer, write_pipe, of_return) > 0);
	EQ(count(again), 2);
	chain = (uint64_t *)of_return + 1;
	plain = (uint64_t *)before + 1;
	EQ(chain[1], plain[1]);
	EQ(chain[0] + 1, plain[0]);
	OK_MSG(!memcmp(&chain[2], &plain[3], (chain[0] - 1) * 8),
	       "the chain of a return is that of the caller");
	close(inner);
	close(outer);
	close(again);
}

__attribute__((noinline, noipa)) static void inner(void)
{
	sink++;
}

__attribute__((noinline, noipa)) static void outer(void)
{
	inner();
	sink++;
}

__attribute__((noinline, noipa)) static void outermost(void)
{
	outer();
	sink++;
}

static uint64_t offset_of(const void *p)
{
	return (uint64_t)((const char *)p - __ehdr_start);
}

/* Where the kernel keeps the trampoline of this process. */
static bool find_trampoline(uint64_t *start)
{
	FILE *f = fopen("/proc/self/maps", "r");
	unsigned long long at = 0;
	char line[512];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f))
		found = strstr(line, "[uprobes]") &&
			sscanf(line, "%llx", &at) == 1;
	if (f)
		fclose(f);
	*start = at;
	return found;
}

static void test_user(void)
{
	static uint64_t words[2][DATA / 8];
	int in = (int)WORKS(open_probe("uprobe", self, offset_of(inner), 0,
				       true));
	uint64_t i, trampoline, differ = 0, where = 0;
	size_t size[2];
	int round, out = -1;

	/* One call for both: its own return address is in the chain. */
	for (round = 0; round < 2; round++) {
		if (round)
			out = (int)WORKS(open_probe("uprobe", self,
						    offset_of(outer), RETURNS,
						    false));
		ioctl(out, PERF_EVENT_IOC_ENABLE, 0);
		size[round] = record(in, outermost, (char *)words[round]);
	}
	OK(size[0] > 0);
	EQ(size[0], size[1]);
	EQ(count(out), 1);
	OK(find_trampoline(&trampoline));
	for (i = 0; i < size[0] / 8; i++) {
		if (words[0][i] == words[1][i])
			continue;
		differ++;
		where = words[1][i];
	}
	EQ(differ, 1);
	EQ(where, trampoline);
	close(in);
	close(out);
}

int main(void)
{
	OK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	test_kernel();
	test_user();
	return ktap_done();
}
