// SPDX-License-Identifier: MIT
/*
 * Rates, where virtual time counts instructions: what a frequency converges
 * to, what a period yields, how many samples a tick lets through, what the
 * limit on time does.
 * only: tags
 * tags: icount
 * timeout: 300
 */
#define _GNU_SOURCE
#include "perf_work.h"

/* Instructions of user code alone, so that the load is steady. */
static __attribute__((noinline)) void burn_ms(int ms)
{
	/* Three instructions a turn, of a nanosecond each. */
	u64 n = (u64)ms * 1000000 / 3;

	asm volatile("1: subs %0, %0, #1\n\tnop\n\tb.ne 1b" : "+r"(n));
}

static u64 count_of(int fd)
{
	u64 v[4] = { 0 };

	return read(fd, v, sizeof(v)) < 8 ? 0 : v[0];
}

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static int samples_in(struct ring *r, u64 *periods)
{
	struct perf_event_header *h;
	int n = 0;

	while ((h = ring_next(r))) {
		if (h->type != PERF_RECORD_SAMPLE)
			continue;
		n++;
		*periods += ((u64 *)(h + 1))[1];
	}
	ring_consume(r);
	return n;
}

/*
 * Settle for a second, then look at the next one.  The ring is emptied
 * between short pieces, so that nothing is lost.
 */
static void frequency(const char *name, struct perf_event_attr a, int freq)
{
	u64 periods = 0, start, ns, before;
	int fd, n = 0;
	struct ring r;

	a.freq = 1;
	a.sample_freq = freq;
	a.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	a.disabled = 1;
	fd = must_open(&a, 0, -1, -1, 0);
	ring_map(&r, fd, 64);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 20; i++) {
		burn_ms(50);
		samples_in(&r, &periods);
	}
	periods = 0;
	before = count_of(fd);
	start = now_ns();
	for (int i = 0; i < 20; i++) {
		burn_ms(50);
		n += samples_in(&r, &periods);
	}
	ns = now_ns() - start;
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	{
		double got = n * 1e9 / ns;
		double off = (double)periods / (count_of(fd) - before) - 1;

		OK_MSG(got > freq * 0.95 && got < freq * 1.05,
		       "%s at %d: %.1f a second", name, freq, got);
		/* Sum of the periods is the count, but for the last ones. */
		OK_MSG(off > -0.05 && off < 0.05,
		       "%s at %d: periods are %+.2f %% off the count", name,
		       freq, off * 100);
	}
	ring_unmap(&r);
	close(fd);
}

/* Every period ends in one sample. */
static void period(const char *name, struct perf_event_attr a, u64 length)
{
	u64 periods = 0, count;
	struct ring r;
	int fd, n = 0;

	a.sample_period = length;
	a.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	a.disabled = 1;
	fd = must_open(&a, 0, -1, -1, 0);
	ring_map(&r, fd, 64);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 10; i++) {
		burn_ms(20);
		n += samples_in(&r, &periods);
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	n += samples_in(&r, &periods);
	count = count_of(fd) / length;
	OK_MSG(n >= count - count / 50 - 2 && n <= count + 2,
	       "%s, period %llu: %d samples of %llu", name,
	       (unsigned long long)length, n, (unsigned long long)count);
	EQ(periods / length, n);
	ring_unmap(&r);
	close(fd);
}

/*
 * A period much longer than the turns between sleeps: what is left of it waits
 * for the next turn.
 */
static void left_over(const char *name, struct perf_event_attr a)
{
	u64 periods = 0, count;
	struct ring r;
	int fd, n = 0;

	a.sample_period = 10000000;
	a.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	a.disabled = 1;
	fd = must_open(&a, 0, -1, -1, 0);
	ring_map(&r, fd, 8);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 80; i++) {
		burn_ms(3);
		usleep(1000);
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	n = samples_in(&r, &periods);
	count = count_of(fd) / a.sample_period;
	OK_MSG(count >= 20 && n >= count - 1 && n <= count + 1,
	       "%s, 80 turns: %d samples of %llu", name, n,
	       (unsigned long long)count);
	ring_unmap(&r);
	close(fd);
}

static void set_rate(int rate)
{
	put_file(SYSCTL "perf_cpu_time_max_percent", "25");
	put_file(SYSCTL "perf_event_max_sample_rate", text("%d", rate));
	put_file(SYSCTL "perf_cpu_time_max_percent", "0");
}

/* What is too much for a tick waits for the next one. */
static void throttled(const char *name, struct perf_event_attr a, int rate)
{
	int fd, on = 0, off = 0, n = 0, burst = 0, most = 0;
	struct perf_event_header *h;
	struct ring r;

	set_rate(rate);
	a.sample_type = PERF_SAMPLE_IP;
	a.disabled = 1;
	fd = must_open(&a, 0, -1, -1, 0);
	ring_map(&r, fd, 256);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	burn_ms(400);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	while ((h = ring_next(&r))) {
		if (h->type == PERF_RECORD_SAMPLE) {
			n++;
			burst++;
		} else if (h->type == PERF_RECORD_THROTTLE) {
			on++;
		} else if (h->type == PERF_RECORD_UNTHROTTLE) {
			burst = 0;
			off++;
		}
		most = burst > most ? burst : most;
	}
	OK_MSG(on >= 90 && on <= 102, "%s at %d: throttled %d times in 400 ms",
	       name, rate, on);
	OK_MSG(on - off == 0 || on - off == 1, "%s at %d: and let go %d times",
	       name, rate, off);
	/*
	 * A tick that is not quite full is not throttled, and the next one
	 * may be full; one sample may be on its way at either end.
	 */
	OK_MSG(most >= rate / 250 && most <= 2 * (rate / 250) + 2,
	       "%s at %d: %d samples in a tick", name, rate, most);
	OK_MSG(n <= 101 * (rate / 250 + 1), "%s at %d: %d samples", name, rate,
	       n);
	ring_unmap(&r);
	close(fd);
	settle();
}

static int rate_now(void)
{
	char s[32] = "";
	int fd = open(SYSCTL "perf_event_max_sample_rate", O_RDONLY);

	if (read(fd, s, 31) < 0)
		s[0] = 0;
	close(fd);
	return atoi(s);
}

/* Interrupts that take too much of the time bring the rate down. */
static void lowered(int percent)
{
	struct perf_event_attr a = CYCLES(
		.sample_period = 20000, .disabled = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN |
			       PERF_SAMPLE_REGS_USER,
		.sample_regs_user = 0x1ffffffff);
	struct ring r;
	int fd, rate;

	put_file(SYSCTL "perf_cpu_time_max_percent", "25");
	put_file(SYSCTL "perf_event_max_sample_rate", "100000");
	put_file(SYSCTL "perf_cpu_time_max_percent", text("%d", percent));
	fd = must_open(&a, 0, -1, -1, 0);
	ring_map(&r, fd, 8);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	burn_ms(400);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	rate = rate_now();
	if (percent == 0 || percent == 100)
		EQ(rate, 100000);
	else
		OK_MSG(rate > 0 && rate < 100000,
		       "at %d percent the rate comes down: %d", percent, rate);
	ring_unmap(&r);
	close(fd);
	settle();
}

int main(void)
{
	static const int freqs[] = { 100, 1000, 10000 };
	struct perf_event_attr cycles = CYCLES(.exclude_kernel = 1);
	struct perf_event_attr cpu = SW(CPU_CLOCK), task = SW(TASK_CLOCK);

	settle();
	for (int i = 0; i < 3; i++) {
		frequency("cycles", cycles, freqs[i]);
		frequency("cpu-clock", cpu, freqs[i]);
		frequency("task-clock", task, freqs[i]);
	}
	period("cycles", cycles, 1000000);
	period("cycles", cycles, 100003);
	period("cpu-clock", cpu, 1000000);
	period("task-clock", task, 1000000);
	left_over("cycles", cycles);
	left_over("task-clock", task);
	throttled("cycles", CYCLES(
		.sample_period = 100000), 2500);
	throttled("cpu-clock", SW(CPU_CLOCK,
		.sample_period = 100000), 2500);
	throttled("cycles", CYCLES(
		.sample_period = 50000), 5000);
	lowered(0);
	lowered(1);
	lowered(100);
	return ktap_done();
}
