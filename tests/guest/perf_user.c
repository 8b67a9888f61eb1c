// SPDX-License-Identifier: MIT
/*
 * Facts about what a program reads without a call: counters by the control
 * page, time by the virtual counter; and what is trapped instead.
 * only: tags
 * tags: facts
 * timeout: 100
 */
#define _GNU_SOURCE
#include <setjmp.h>

#include "perf_work.h"

static sigjmp_buf out;

static void caught(int sig)
{
	siglongjmp(out, sig);
}

static u64 cycle_counter(void)
{
	u64 v;

	asm volatile("isb\n\tmrs %0, pmccntr_el0" : "=r"(v));
	return v;
}

static u64 event_counter(u32 n)
{
	u64 v = 0;

	switch (n) {
	case 0: asm volatile("isb\n\tmrs %0, pmevcntr0_el0" : "=r"(v)); break;
	case 1: asm volatile("isb\n\tmrs %0, pmevcntr1_el0" : "=r"(v)); break;
	case 2: asm volatile("isb\n\tmrs %0, pmevcntr2_el0" : "=r"(v)); break;
	case 3: asm volatile("isb\n\tmrs %0, pmevcntr3_el0" : "=r"(v)); break;
	}
	return v;
}

static u64 virtual_counter(void)
{
	u64 v;

	asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(v));
	return v;
}

/* The signal that reading the counter brings, or 0. */
static int touch_counter(void)
{
	struct sigaction sa = { .sa_handler = caught, .sa_flags = SA_NODEFER };
	int sig;

	sigaction(SIGILL, &sa, NULL);
	sig = sigsetjmp(out, 1);
	if (!sig)
		cycle_counter();
	signal(SIGILL, SIG_DFL);
	return sig;
}

static void write_counter(void)
{
	struct sigaction sa = { .sa_handler = caught, .sa_flags = SA_NODEFER };
	int sig;

	sigaction(SIGILL, &sa, NULL);
	sig = sigsetjmp(out, 1);
	if (!sig)
		asm volatile("msr pmccntr_el0, xzr");
	fact(number(sig), "signal to one that writes the counter");
	sig = sigsetjmp(out, 1);
	if (!sig)
		asm volatile("msr pmcntenset_el0, xzr");
	fact(number(sig), "signal to one that starts counters");
	signal(SIGILL, SIG_DFL);
}

/* As a program is told to: index, offset and counter under the lock. */
static bool user_read(struct perf_event_mmap_page *p, u64 *value)
{
	u32 seq, idx;
	u64 v;

	do {
		seq = __atomic_load_n(&p->lock, __ATOMIC_ACQUIRE);
		idx = p->index;
		v = p->offset;
		if (!p->cap_user_rdpmc || !idx)
			return false;
		{
			u64 pmc = idx == 32 ? cycle_counter() :
					      event_counter(idx - 1);
			int shift = 64 - p->pmc_width;

			v += (u64)((int64_t)(pmc << shift) >> shift);
		}
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (p->lock != seq || seq & 1);
	*value = v;
	return true;
}

/* The user's value lies between those of two calls. */
static void counters(u64 config1, int access, int pid)
{
	struct perf_event_attr a = CYCLES(.config1 = config1);
	const char *what = text("config1 %d, access %d, %s", (int)config1,
				access, pid ? "of a CPU" : "own");
	int odd = 0, able = 0, sig;
	struct ring r;
	long fd;

	put_file(SYSCTL "perf_user_access", access ? "1" : "0");
	fd = open_event(&a, pid, pid ? 0 : -1, -1, 0);
	if (fd < 0) {
		fact(answer_of(fd), "user counter, %s", what);
		return;
	}
	ring_map(&r, fd, 1);
	sig = touch_counter();
	for (int i = 0; i < 100 && !sig; i++) {
		u64 before, v, after;

		if (read(fd, &before, 8) != 8 || !user_read(r.page, &v) ||
		    read(fd, &after, 8) != 8)
			continue;
		able++;
		odd += v < before || v > after;
		if (i % 10 == 0)
			usleep(1000);
	}
	fact(text("signal %d, read %d times, %d odd", sig, able, odd),
	     "user counter, %s", what);
	ring_unmap(&r);
	close(fd);
	/* Linux leaves on what an event has had, for whoever comes next. */
	if (!access || !(config1 & 2))
		fact(number(touch_counter()), "signal after its end, %s", what);
}

/* Time of a sample, told from the counter around it. */
static void times(void)
{
	struct perf_event_attr a = FAULTS(.sample_type = PERF_SAMPLE_TIME);
	int fd = must_open(&a, 0, -1, -1, 0), early = 0, late = 0, n = 0;
	struct perf_event_header *h;
	struct ring r;

	ring_map(&r, fd, 8);
	for (int i = 0; i < 50; i++) {
		struct perf_event_mmap_page *p = r.page;
		u64 c[2], t[2];
		u32 seq;

		c[0] = virtual_counter();
		touch(fd);
		c[1] = virtual_counter();
		h = ring_next(&r);
		if (!h)
			continue;
		n++;
		do {
			seq = __atomic_load_n(&p->lock, __ATOMIC_ACQUIRE);
			for (int k = 0; k < 2; k++) {
				u64 cyc = p->time_cycles +
					  ((c[k] - p->time_cycles) &
					   p->time_mask);
				u64 quot = cyc >> p->time_shift;
				u64 rem = cyc & ((1ull << p->time_shift) - 1);

				t[k] = p->time_zero + quot * p->time_mult +
				       ((rem * p->time_mult) >> p->time_shift);
			}
			__atomic_thread_fence(__ATOMIC_ACQUIRE);
		} while (p->lock != seq);
		/* Either side rounds to a tick of the counter. */
		early += ((u64 *)(h + 1))[0] + 200 < t[0];
		late += ((u64 *)(h + 1))[0] > t[1] + 200;
	}
	fact(text("%d samples, %d early, %d late", n, early, late),
	     "time of samples by the counter");
	ring_unmap(&r);
	close(fd);
}

/* Time of the event, from the page alone. */
static void own_times(void)
{
	struct perf_event_attr a = SW(TASK_CLOCK, .read_format = 3);
	int fd = must_open(&a, 0, -1, -1, 0), odd = 0;
	struct ring r;

	ring_map(&r, fd, 1);
	for (int i = 0; i < 20; i++) {
		struct perf_event_mmap_page *p = r.page;
		u64 before[3], after[3], enabled, cyc, quot, rem;
		u32 seq;

		usleep(1000);
		if (read(fd, before, 24) != 24)
			break;
		do {
			seq = __atomic_load_n(&p->lock, __ATOMIC_ACQUIRE);
			cyc = virtual_counter();
			cyc = p->time_cycles + ((cyc - p->time_cycles) &
						p->time_mask);
			quot = cyc >> p->time_shift;
			rem = cyc & ((1ull << p->time_shift) - 1);
			enabled = p->time_enabled + p->time_offset +
				  quot * p->time_mult +
				  ((rem * p->time_mult) >> p->time_shift);
			__atomic_thread_fence(__ATOMIC_ACQUIRE);
		} while (p->lock != seq);
		if (read(fd, after, 24) != 24)
			break;
		odd += enabled + 20000 < before[1] ||
		       enabled > after[1] + 20000;
	}
	fact(number(odd), "times of the page that are not those of read");
	fact(r.page->lock & 1 ? "odd" : "even", "its lock");
	ring_unmap(&r);
	close(fd);
}

int main(void)
{
	settle();
	bind_to(0, 0);
	make_fresh();
	fact(number(touch_counter()), "signal without an event");
	for (int access = 0; access < 2; access++)
		for (int config1 = 0; config1 < 4; config1++)
			for (int pid = 0; pid >= -1; pid--)
				counters(config1, access, pid);
	write_counter();
	put_file(SYSCTL "perf_user_access", "0");
	times();
	own_times();
	return ktap_done();
}
