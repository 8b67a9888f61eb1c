// SPDX-License-Identifier: MIT
/*
 * Costs of the kernel's operations, one line each: `bench NAME COST`.
 *
 * COST is nanoseconds of CLOCK_MONOTONIC_RAW per operation.  Under QEMU's
 * -icount shift=0 a nanosecond is a guest instruction.  Every loop runs once
 * to warm up, checks what it did, and takes the least of three.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* Least time of `loops` rounds of fn, per round. */
static double measure(void (*fn)(long loops), long loops)
{
	double best = 1e18;

	fn(loops / 10 + 1);
	for (int i = 0; i < 3; i++) {
		uint64_t start = now();
		double cost;

		fn(loops);
		cost = (double)(now() - start) / loops;
		if (cost < best)
			best = cost;
	}
	return best;
}

static void report(const char *name, double cost)
{
	printf("bench %s %.0f\n", name, cost);
	fflush(stdout);
}

static void clock_loop(long loops)
{
	uint64_t last = 0;

	while (loops--) {
		uint64_t t = now();

		if (t < last)
			fail("clock");
		last = t;
	}
}

static void null_loop(long loops)
{
	long parent = getppid();

	while (loops--)
		if (syscall(SYS_getppid) != parent)
			fail("getppid");
}

static void pipe_loop(long loops)
{
	int there[2], back[2];
	unsigned char c = 0, d;
	pid_t pid;

	if (pipe(there) || pipe(back))
		fail("pipe");
	pid = fork();
	if (pid == 0) {
		while (read(there[0], &c, 1) == 1 && c != 255)
			if (write(back[1], &c, 1) != 1)
				_exit(1);
		_exit(0);
	}
	/* A round is two switches. */
	for (long i = 0; i < loops / 2; i++) {
		c = i % 200;
		if (write(there[1], &c, 1) != 1 || read(back[0], &d, 1) != 1 ||
		    c != d)
			fail("ping-pong");
	}
	c = 255;
	if (write(there[1], &c, 1) != 1 || waitpid(pid, NULL, 0) != pid)
		fail("end of ping-pong");
	close(there[0]);
	close(there[1]);
	close(back[0]);
	close(back[1]);
}

static void fork_loop(long loops)
{
	while (loops--) {
		int status;
		pid_t pid = fork();

		if (pid == 0)
			_exit(7);
		if (waitpid(pid, &status, 0) != pid ||
		    WEXITSTATUS(status) != 7)
			fail("fork");
	}
}

/* The touches alone are timed; read first or written at once. */
static double fault_cost(long pages, bool read_first)
{
	long size = sysconf(_SC_PAGESIZE);
	volatile char *p = mmap(NULL, pages * size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t start, end;
	long sum = 0;

	if (p == MAP_FAILED)
		fail("mmap");
	madvise((void *)p, pages * size, MADV_NOHUGEPAGE);
	/* The tables of the range are there before the clock starts. */
	for (long i = 0; i < pages; i += 512)
		p[i * size] = 0;
	start = now();
	for (long i = 0; i < pages; i++) {
		if (read_first)
			sum += p[i * size];
		else
			p[i * size] = 1;
	}
	end = now();
	for (long i = 0; i < pages; i++)
		sum += p[i * size] != !read_first || p[i * size + 9] != 0;
	if (sum)
		fail("a page is not zero");
	munmap((void *)p, pages * size);
	return (double)(end - start) / pages;
}

static double least_fault(bool read_first)
{
	double best = 1e18;

	for (int i = 0; i < 4; i++) {
		double cost = fault_cost(1000, read_first);

		if (cost < best)
			best = cost;
	}
	return best;
}

static struct perf_event_attr attr;
static int event = -1;

static int open_event(void)
{
	return syscall(SYS_perf_event_open, &attr, 0, -1, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

static void choose(uint32_t type, uint64_t config)
{
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = type;
	attr.config = config;
	attr.disabled = 1;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;
}

static void open_loop(long loops)
{
	while (loops--) {
		int fd = open_event();

		if (fd < 0 || close(fd))
			fail("perf_event_open");
	}
}

static void read_loop(long loops)
{
	uint64_t value[3], last = 0;

	while (loops--) {
		if (read(event, value, sizeof(value)) != sizeof(value))
			fail("read");
		if (value[0] < last)
			fail("the count went back");
		last = value[0];
	}
}

static void toggle_loop(long loops)
{
	while (loops--)
		if (ioctl(event, PERF_EVENT_IOC_DISABLE, 0) ||
		    ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
			fail("enable");
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

	choose(type, config);
	event = open_event();
	if (event < 0)
		return;
	close(event);
	snprintf(text, sizeof(text), "open+close/%s", name);
	report(text, measure(open_loop, 300));
	event = open_event();
	ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	snprintf(text, sizeof(text), "read/%s", name);
	report(text, measure(read_loop, 2000));
	snprintf(text, sizeof(text), "disable+enable/%s", name);
	report(text, measure(toggle_loop, 1000));
	snprintf(text, sizeof(text), "reset/%s", name);
	report(text, measure(reset_loop, 1000));
	close(event);
}

__attribute__((noinline, noclone)) static void spin_loop(long loops)
{
	for (long i = 0; i < loops * 1000; i++)
		__asm__ volatile("");
}

static uint64_t ring_samples(struct perf_event_mmap_page *page)
{
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t count = 0, size = page->data_size;
	char *data = (char *)page + page->data_offset;

	for (uint64_t at = page->data_tail; at < head;) {
		struct perf_event_header *h = (void *)(data + at % size);

		if (h->type == PERF_RECORD_SAMPLE)
			count++;
		else if (h->type == PERF_RECORD_LOST)
			fail("lost records");
		at += h->size;
	}
	page->data_tail = head;
	return count;
}

/* What a sample adds to a loop, per sample. */
static void sample(const char *name, uint64_t sample_type)
{
	long loops = 4000;
	double without, best = 1e18;
	size_t bytes = 65 * sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page;

	choose(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	attr.sample_period = 20000;
	attr.sample_type = sample_type;
	attr.wakeup_events = 1 << 30;
	event = open_event();
	if (event < 0)
		return;
	page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	if (page == MAP_FAILED)
		fail("ring");
	without = measure(spin_loop, loops) * loops;
	for (int i = 0; i < 4; i++) {
		uint64_t start, count;
		double cost;

		ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
		start = now();
		spin_loop(loops);
		cost = now() - start;
		ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
		count = ring_samples(page);
		/* A loaded host may throttle all but a few. */
		if (count < 10)
			continue;
		cost = (cost - without) / count;
		if (cost < best)
			best = cost;
	}
	munmap(page, bytes);
	close(event);
	if (best < 1e18)
		report(name, best);
}

int main(int argc, char **argv)
{
	uint64_t basic = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			 PERF_SAMPLE_PERIOD;

	report("clock_gettime", measure(clock_loop, 10000));
	report("null-syscall", measure(null_loop, 10000));
	report("pipe-switch", measure(pipe_loop, 2000));
	report("fork+exit", measure(fork_loop, 100));
	report("anon-fault", least_fault(false));
	report("zero-page-fault", least_fault(true));
	counter("cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	counter("task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK);
	counter("page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS);
	sample("sample", basic);
	sample("sample+callchain", basic | PERF_SAMPLE_CALLCHAIN);
	return 0;
}
