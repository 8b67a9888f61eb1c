/* SPDX-License-Identifier: MIT */
/*
 * Facts: what a kernel answers, to be compared with what another answers.
 *
 * A test that includes this prints `ok N - fact = answer`.  The reference's
 * answers are tests/conformance/NAME.txt; a fact passes if the answer is the
 * same.  An answer is a relation or a bound wherever the value would vary.
 */
#ifndef TESTS_GUEST_FACTS_H
#define TESTS_GUEST_FACTS_H

#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define PAGE 4096ul

typedef uint64_t u64;
typedef uint32_t u32;

__attribute__((format(printf, 2, 3), unused))
static void fact(const char *answer, const char *what, ...)
{
	va_list args;

	printf("ok %d - ", ++ktap_count);
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	printf(" = %s\n", answer);
	fflush(stdout);
}

/* One of a few static strings: good for some uses in one call. */
__attribute__((format(printf, 1, 2), unused))
static const char *text(const char *format, ...)
{
	static char buffers[8][512];
	static int at;
	char *out = buffers[at++ % 8];
	va_list args;

	va_start(args, format);
	vsnprintf(out, sizeof(buffers[0]), format, args);
	va_end(args);
	return out;
}

__attribute__((unused)) static const char *answer_of(long r)
{
	return r >= 0 ? "ok" : strerrorname_np((int)-r);
}

__attribute__((unused)) static const char *number(long r)
{
	return r >= 0 ? text("%ld", r) : strerrorname_np((int)-r);
}

/* A call's value, or the negative errno. */
#define SAYS(call)                               \
	({                                       \
		long says_ = (long)(call);       \
		says_ == -1 ? -errno : says_;    \
	})

__attribute__((unused))
static long open_event(const struct perf_event_attr *attr, int pid, int cpu,
		       int group, unsigned long flags)
{
	return SAYS(syscall(SYS_perf_event_open, attr, pid, cpu, group, flags));
}

/* Open for oneself; the answer, with nothing left open. */
__attribute__((unused))
static const char *tried_at(const struct perf_event_attr *attr, int pid,
			    int cpu, int group, unsigned long flags)
{
	long fd = open_event(attr, pid, cpu, group, flags);

	if (fd >= 0)
		close((int)fd);
	return answer_of(fd);
}

__attribute__((unused))
static const char *tried(const struct perf_event_attr *attr)
{
	return tried_at(attr, 0, -1, -1, 0);
}

/* An event that must open, or the test is over. */
__attribute__((unused))
static int must_open(const struct perf_event_attr *attr, int pid, int cpu,
		     int group, unsigned long flags)
{
	long fd = open_event(attr, pid, cpu, group, flags);

	if (fd < 0) {
		ktap_ok(false, "type %u config %llu opens: %s", attr->type,
			(unsigned long long)attr->config, answer_of(fd));
		exit(ktap_done());
	}
	return (int)fd;
}

#define ATTR(kind, what, ...)                                       \
	((struct perf_event_attr){ .size = 128, .type = (kind),     \
				   .config = (what), ##__VA_ARGS__ })
#define SW(what, ...) ATTR(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##what, \
			   ##__VA_ARGS__)
#define CYCLES(...) ATTR(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, \
			 ##__VA_ARGS__)

__attribute__((unused)) static bool put_file(const char *path, const char *s)
{
	int fd = open(path, O_WRONLY | O_TRUNC);
	bool ok = fd >= 0 && write(fd, s, strlen(s)) == (ssize_t)strlen(s);

	if (fd >= 0)
		close(fd);
	return ok;
}

#define SYSCTL "/proc/sys/kernel/"

/* Nothing refuses for the rate or for who asks. */
__attribute__((unused)) static void settle(void)
{
	put_file(SYSCTL "perf_cpu_time_max_percent", "25");
	put_file(SYSCTL "perf_event_max_sample_rate", "100000");
	put_file(SYSCTL "perf_cpu_time_max_percent", "0");
	put_file(SYSCTL "perf_event_paranoid", "1");
	put_file(SYSCTL "perf_event_mlock_kb", "516");
}

/* Make n page faults in fresh memory. */
__attribute__((unused)) static void fault(int n)
{
	char *p = mmap(NULL, n * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(p, n * PAGE, MADV_NOHUGEPAGE);
	for (int i = 0; i < n; i++)
		((volatile char *)p)[i * PAGE] = 1;
	munmap(p, n * PAGE);
}

/* --- the ring ----------------------------------------------------------- */

struct ring {
	struct perf_event_mmap_page *page;
	unsigned char *data;
	u64 size, at;
	int pages;
};

__attribute__((unused))
static bool ring_map_as(struct ring *r, int fd, int pages, int prot)
{
	void *p = mmap(NULL, (pages + 1) * PAGE, prot, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return false;
	*r = (struct ring){ p, (unsigned char *)p + PAGE, pages * PAGE, 0,
			    pages };
	return true;
}

__attribute__((unused)) static void ring_map(struct ring *r, int fd, int pages)
{
	if (ring_map_as(r, fd, pages, PROT_READ | PROT_WRITE))
		return;
	ktap_ok(false, "a ring of %d pages is mapped: %s", pages,
		strerrorname_np(errno));
	exit(ktap_done());
}

__attribute__((unused)) static void ring_unmap(struct ring *r)
{
	munmap(r->page, (r->pages + 1) * PAGE);
}

/* The next record copied out, or NULL; the tail is not moved. */
__attribute__((unused))
static struct perf_event_header *ring_next(struct ring *r)
{
	static union {
		struct perf_event_header header;
		unsigned char bytes[65536];
	} record;
	u64 head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
	u32 size;

	if (r->at >= head)
		return NULL;
	for (u32 i = 0; i < 8; i++)
		record.bytes[i] = r->data[(r->at + i) % r->size];
	size = record.header.size;
	for (u32 i = 8; i < size; i++)
		record.bytes[i] = r->data[(r->at + i) % r->size];
	r->at += size ? size : head - r->at;
	return &record.header;
}

__attribute__((unused)) static void ring_consume(struct ring *r)
{
	__atomic_store_n(&r->page->data_tail, r->at, __ATOMIC_RELEASE);
}

#endif /* TESTS_GUEST_FACTS_H */
