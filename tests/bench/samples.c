// SPDX-License-Identifier: MIT
/* What one sample of cycles adds to the program that it interrupts. */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define RING_PAGES 1024
#define PERIOD	   20000
#define STACK	   1024
#define USER_REGS  ((1ull << 33) - 1)

__attribute__((noinline, noclone)) static void spin_loop(long loops)
{
	for (long i = 0; i < loops * 1000; i++)
		__asm__ volatile("");
}

/* Samples in the ring, none of them shorter than it must be. */
static uint64_t ring_samples(struct perf_event_mmap_page *page, uint64_t least)
{
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t count = 0, size = page->data_size;
	char *data = (char *)page + page->data_offset;

	for (uint64_t at = page->data_tail; at < head;) {
		struct perf_event_header *h = (void *)(data + at % size);

		if (h->type == PERF_RECORD_SAMPLE) {
			if (h->size < least)
				fail("a sample is too short");
			count++;
		} else if (h->type == PERF_RECORD_LOST) {
			fail("lost records");
		}
		at += h->size;
	}
	page->data_tail = head;
	return count;
}

/*
 * The same loop with and without, in turn: a host that grows busier between
 * two long measurements would make the difference.
 */
static double cost_of(int event, struct perf_event_mmap_page *page, long loops,
		      uint64_t least)
{
	double without = 1e18, with = 1e18, each = 0;

	for (int i = 0; i < 6; i++) {
		uint64_t start = now(), count;
		double cost;

		spin_loop(loops);
		cost = now() - start;
		if (cost < without)
			without = cost;
		ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
		start = now();
		spin_loop(loops);
		cost = now() - start;
		ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
		count = ring_samples(page, least);
		/* A loaded host may throttle all but a few. */
		if (count >= 10 && cost < with) {
			with = cost;
			each = count;
		}
	}
	return each ? (with - without) / each : -1;
}

static void sample(const char *name, uint64_t type, uint64_t least, long loops)
{
	struct perf_event_attr attr = event_attr(PERF_TYPE_HARDWARE,
						 PERF_COUNT_HW_CPU_CYCLES);
	size_t bytes = (1 + RING_PAGES) * sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page;
	double cost;
	int event;

	attr.sample_period = PERIOD;
	attr.sample_type = type;
	attr.wakeup_events = 1 << 30;
	if (type & PERF_SAMPLE_REGS_USER)
		attr.sample_regs_user = USER_REGS;
	if (type & PERF_SAMPLE_STACK_USER)
		attr.sample_stack_user = STACK;
	event = event_open(&attr, -1);
	if (event < 0)
		return;
	page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
	if (page == MAP_FAILED)
		fail("ring");
	cost = cost_of(event, page, loops, least);
	munmap(page, bytes);
	close(event);
	if (cost >= 0)
		report(name, cost);
}

void bench_samples(bool wall)
{
	uint64_t basic = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			 PERF_SAMPLE_PERIOD;
	long loops = wall ? 40000 : 4000;

	sample("sample", basic, 40, loops);
	sample("sample+callchain", basic | PERF_SAMPLE_CALLCHAIN, 40 + 16,
	       loops);
	/* As far as the stack reaches, but it is never that short. */
	sample("sample+regs+stack",
	       basic | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
	       40 + 8 + 33 * 8 + 8 + STACK, wall ? loops / 20 : loops);
}
