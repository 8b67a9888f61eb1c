/* SPDX-License-Identifier: MIT */
/*
 * Work that is sampled: one fault at a known place, time spent in the kernel.
 */
#ifndef TESTS_GUEST_PERF_WORK_H
#define TESTS_GUEST_PERF_WORK_H

#include <time.h>

#include "records.h"

static char *fresh;
static int used;

/* One fault of this program's own code at a known address. */
static __attribute__((noinline, unused)) void touch(int fd)
{
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	*(volatile char *)(fresh + used++ * PAGE + 8) = 1;
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

#define FAULTS(...) SW(PAGE_FAULTS, .sample_period = 1, .disabled = 1, \
		       .exclude_kernel = 1, ##__VA_ARGS__)

__attribute__((unused)) static void make_fresh(void)
{
	fresh = mmap(NULL, 2048 * PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(fresh, 2048 * PAGE, MADV_NOHUGEPAGE);
}

__attribute__((unused))
static void spin(int fd, struct ring *r, int samples)
{
	struct timespec t;
	u64 first = r->page->data_head;

	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	/* Much of it inside the kernel. */
	for (int i = 0; i < 1000000; i++) {
		syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
		if (__atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE) -
		    first >= samples * 32)
			break;
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

__attribute__((unused)) static void spin_ms(int ms)
{
	struct timespec a, b;

	clock_gettime(CLOCK_MONOTONIC, &a);
	do
		clock_gettime(CLOCK_MONOTONIC, &b);
	while ((b.tv_sec - a.tv_sec) * 1000 +
	       (b.tv_nsec - a.tv_nsec) / 1000000 < ms);
}

#endif /* TESTS_GUEST_PERF_WORK_H */
