/* SPDX-License-Identifier: MIT */
/*
 * Which tracepoints fire for what a program does, and what their records say:
 * allocations, timers, idle CPUs, cross-CPU interrupts.  trace_sched.c has the
 * scheduler's, the page cache's and those of locks.
 *
 * timeout: 120
 */
#define _GNU_SOURCE
#include "trace_watch.h"

#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>

/* --- allocations --------------------------------------------------------- */

static void test_kmalloc(void)
{
	struct watch *m = watch(0, "kmem/kmalloc", own("common_pid"));
	struct watch *f = watch(1, "kmem/kfree", own("common_pid"));
	int i, p[2], good = 0, freed = 0;

	for (i = 0; i < 20; i++)
		if (!pipe(p)) {
			close(p[0]);
			close(p[1]);
		}
	done(m);
	done(f);
	OK_MSG(m->n >= 20 && f->n >= 20, "kmalloc, kfree for 20 pipes: %d, %d",
	       m->n, f->n);
	for (i = 0; i < m->n; i++) {
		const struct rec *r = &m->recs[i];

		good += is_kernel(get(m, r, "call_site")) &&
			is_kernel(get(m, r, "ptr")) &&
			get(m, r, "bytes_req") > 0 &&
			get(m, r, "bytes_alloc") >= get(m, r, "bytes_req") &&
			get(m, r, "gfp_flags") && get(m, r, "node") >= -1 &&
			r->tid == (uint32_t)gettid();
		freed += find(f, "ptr", get(m, r, "ptr"), 0) >= 0;
	}
	OK_MSG(good == m->n, "each kmalloc says what it gave: %d of %d", good,
	       m->n);
	OK_MSG(freed >= 20, "what was given is freed: %d", freed);
}

static void test_caches(void)
{
	struct watch *a = watch(0, "kmem/kmem_cache_alloc", own("common_pid"));
	struct watch *f = watch(1, "kmem/kmem_cache_free", own("common_pid"));
	struct stat st;
	int i, good = 0;

	for (i = 0; i < 20; i++)
		stat("/proc/self/status", &st);
	done(a);
	done(f);
	OK_MSG(a->n >= 20 && f->n >= 20,
	       "kmem_cache_alloc, _free for 20 names: %d, %d", a->n, f->n);
	for (i = 0; i < a->n; i++) {
		const struct rec *r = &a->recs[i];

		good += is_kernel(get(a, r, "call_site")) &&
			is_kernel(get(a, r, "ptr")) &&
			get(a, r, "bytes_req") > 0 &&
			get(a, r, "bytes_alloc") >= get(a, r, "bytes_req");
	}
	EQ(good, a->n);
	for (good = i = 0; i < f->n; i++) {
		uint32_t at = (uint32_t)get(f, &f->recs[i], "name");

		good += (at & 0xffff) < sizeof(f->recs[i].raw) &&
			f->recs[i].raw[at & 0xffff];
	}
	OK_MSG(good == f->n, "each freed object names its cache");
}

static void test_pages(void)
{
	struct watch *a = watch(0, "kmem/mm_page_alloc", own("common_pid"));
	struct watch *f = watch(1, "kmem/mm_page_free", own("common_pid"));
	int i, good = 0, again = 0;
	size_t size = 256 * 4096;
	char *p;

	p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	madvise(p, size, MADV_NOHUGEPAGE);
	memset(p, 1, size);
	munmap(p, size);
	done(a);
	done(f);
	OK_MSG(a->n >= 256, "256 pages are allocated: %d", a->n);
	OK_MSG(f->n >= 192, "and freed, but for a few: %d", f->n);
	for (i = 0; i < a->n; i++) {
		const struct rec *r = &a->recs[i];

		good += get(a, r, "pfn") > 0 && get(a, r, "order") <= 10 &&
			get(a, r, "gfp_flags") > 0;
		again += find(f, "pfn", get(a, r, "pfn"), 0) >= 0;
	}
	EQ(good, a->n);
	OK_MSG(again >= 192, "the same frames: %d", again);
}

/* --- timers -------------------------------------------------------------- */

static void test_hrtimer(void)
{
	struct watch *init = watch(0, "timer/hrtimer_init", own("common_pid"));
	struct watch *start = watch(1, "timer/hrtimer_start", NULL);
	struct watch *in = watch(2, "timer/hrtimer_expire_entry", NULL);
	struct watch *out = watch(3, "timer/hrtimer_expire_exit", NULL);
	struct timespec now;
	int64_t t, fn, expires;
	int s, e, x;

	clock_gettime(CLOCK_MONOTONIC, &now);
	sleep_ns(3000000);
	done(init);
	done(start);
	done(in);
	done(out);
	EQ(init->n, 1);
	t = get(init, &init->recs[0], "hrtimer");
	OK(is_kernel(t));
	EQ(get(init, &init->recs[0], "clockid"), CLOCK_MONOTONIC);
	for (s = find(start, "hrtimer", t, 0);
	     s >= 0 && start->recs[s].time < init->recs[0].time;)
		s = find(start, "hrtimer", t, s + 1);
	OK_MSG(s >= 0, "the timer of a sleep is started");
	if (s < 0)
		return;
	fn = get(start, &start->recs[s], "function");
	expires = get(start, &start->recs[s], "softexpires");
	OK(is_kernel(fn));
	EQ(get(start, &start->recs[s], "was_armed"), 0);
	OK(expires <= get(start, &start->recs[s], "expires"));
	OK_MSG(expires >= now.tv_sec * 1000000000ll + now.tv_nsec + 3000000,
	       "it ends when it was asked to");
	for (e = find(in, "hrtimer", t, 0);
	     e >= 0 && in->recs[e].time < start->recs[s].time;)
		e = find(in, "hrtimer", t, e + 1);
	OK_MSG(e >= 0, "it expires");
	if (e < 0)
		return;
	EQ(get(in, &in->recs[e], "function"), fn);
	OK(get(in, &in->recs[e], "now") >= expires);
	x = find(out, "hrtimer", t, 0);
	while (x >= 0 && out->recs[x].time < in->recs[e].time)
		x = find(out, "hrtimer", t, x + 1);
	OK_MSG(x >= 0 && out->recs[x].cpu == in->recs[e].cpu,
	       "and that ends on the same CPU");
}

static void on_alarm(int sig)
{
}

static void test_itimer(void)
{
	struct itimerval v = { .it_value = { 0, 5000 } };
	struct itimerval busy = { .it_value = { 0, 20000 },
				  .it_interval = { 7, 8 } };
	struct watch *state = watch(1, "timer/itimer_state", own("common_pid"));
	struct watch *end = watch(2, "timer/itimer_expire", NULL);
	volatile int seen = 0;
	struct rec *r;
	int at;

	signal(SIGALRM, on_alarm);
	signal(SIGPROF, on_alarm);
	setitimer(ITIMER_REAL, &v, NULL);
	sleep_ns(2000000000);
	setitimer(ITIMER_PROF, &busy, NULL);
	do {
		struct itimerval left;

		getitimer(ITIMER_PROF, &left);
		seen = left.it_value.tv_sec == 7 || left.it_value.tv_sec == 6;
	} while (!seen);
	setitimer(ITIMER_PROF, &(struct itimerval){ 0 }, NULL);
	done(state);
	done(end);
	EQ(state->n, 3);
	r = state->recs;
	EQ(get(state, &r[0], "which"), ITIMER_REAL);
	EQ(get(state, &r[0], "expires"), 0);
	EQ(get(state, &r[0], "value_sec"), 0);
	EQ(get(state, &r[0], "value_nsec"), 5000000);
	EQ(get(state, &r[0], "interval_sec"), 0);
	EQ(get(state, &r[1], "which"), ITIMER_PROF);
	OK(get(state, &r[1], "expires") >= 20000000);
	EQ(get(state, &r[1], "value_nsec"), 20000000);
	EQ(get(state, &r[1], "interval_sec"), 7);
	EQ(get(state, &r[1], "interval_nsec"), 8000);
	EQ(get(state, &r[2], "expires"), 0);
	at = find(end, "pid", getpid(), 0);
	OK_MSG(at >= 0, "ITIMER_REAL's end is seen");
	EQ(get(end, &end->recs[at], "which"), ITIMER_REAL);
	EQ(get(end, &end->recs[at], "now"), 0);
	at = find(end, "pid", getpid(), at + 1);
	OK_MSG(at >= 0, "and ITIMER_PROF's");
	EQ(get(end, &end->recs[at], "which"), ITIMER_PROF);
	OK(get(end, &end->recs[at], "now") >= 20000000);
	EQ(count(end, "pid", getpid()), 2);
}

/* Again where the signal comes before the sleep. */
static void test_cancel(void)
{
	struct itimerval v = { .it_value = { 0, 5000 } };
	int fd = open_event("timer/hrtimer_cancel", 0, -1, false), i;

	sleep_ns(1000000);
	EQ(value_of(fd), 0);
	for (i = 0; i < 20 && !value_of(fd); i++) {
		setitimer(ITIMER_REAL, &v, NULL);
		sleep_ns(500000000);
	}
	OK_MSG(value_of(fd) >= 1, "the timer of a sleep that a signal ends is "
	       "cancelled: %d", (int)value_of(fd));
	close(fd);
}

static void test_tick(void)
{
	struct watch *tick = watch(0, "timer/tick_stop", "success == 1");
	struct watch *idle = watch(1, "power/cpu_idle", NULL);
	int i, good = 0, tries;

	for (tries = 0; tries < 10; tries++)
		sleep_ns(20000000);
	done(tick);
	done(idle);
	OK_MSG(tick->n > 0, "an idle CPU's tick stops: %d", tick->n);
	EQ(count(tick, "dependency", 0), tick->n);
	OK_MSG(idle->n > 0, "CPUs are idle: %d", idle->n);
	for (i = 0; i < idle->n; i++)
		good += get(idle, &idle->recs[i], "cpu_id") ==
				(int64_t)idle->recs[i].cpu &&
			idle->recs[i].tid == 0;
	EQ(good, idle->n);
	OK_MSG(count(idle, "state", 0xffffffff) > 0 &&
	       count(idle, "state", 0xffffffff) < idle->n,
	       "they begin and end to be");
	EQ(event_exists("exceptions"), 0);
}

/* --- cross-CPU interrupts ------------------------------------------------ */

static int wake_pipe[2];

static void *sleeper(void *arg)
{
	char c;

	pin(1);
	while (read(wake_pipe[0], &c, 1) == 1)
		;
	return NULL;
}

static void test_ipi(void)
{
	char *strings = read_text("/sys/kernel/tracing/printk_formats");
	struct watch *raise, *in, *out, *irq;
	int i, known = 0, to_one = 0, named = 0;
	pthread_t thread;

	if (nr_cpus < 2 || pipe(wake_pipe))
		return ktap_skip("cross-CPU interrupts", "one CPU");
	raise = watch(0, "ipi/ipi_raise", own("common_pid"));
	in = watch(1, "ipi/ipi_entry", NULL);
	out = watch(2, "ipi/ipi_exit", NULL);
	irq = watch(3, "irq/irq_handler_entry", NULL);
	pin(0);
	pthread_create(&thread, NULL, sleeper, NULL);
	for (i = 0; i < 40; i++) {
		sleep_ns(3000000);
		if (write(wake_pipe[1], "x", 1) != 1)
			break;
	}
	done(raise);
	done(in);
	done(out);
	done(irq);
	close(wake_pipe[1]);
	pthread_join(thread, NULL);
	close(wake_pipe[0]);
	OK_MSG(raise->n >= 1, "waking on an idle CPU sends it one: %d",
	       raise->n);
	for (i = 0; i < raise->n; i++) {
		const struct rec *r = &raise->recs[i];
		uint32_t at = (uint32_t)get(raise, r, "target_cpus");
		char addr[32];

		snprintf(addr, sizeof(addr), "0x%llx : ",
			 (long long)get(raise, r, "reason"));
		known += !!strstr(strings, addr);
		to_one += at >> 16 >= 4 && r->raw[at & 0xffff] == 2;
	}
	OK_MSG(known == raise->n, "printk_formats knows all reasons: %d of %d",
	       known, raise->n);
	OK_MSG(to_one >= 1, "some go to CPU 1 alone: %d", to_one);
	OK_MSG(in->n >= 1 && out->n >= 1, "they begin and end: %d, %d", in->n,
	       out->n);
	for (i = 0; i < irq->n; i++) {
		uint32_t at = (uint32_t)get(irq, &irq->recs[i], "name");

		named += !strcmp((char *)irq->recs[i].raw + (at & 0xffff),
				 "IPI");
	}
	OK_MSG(named >= 1, "and are interrupts named IPI: %d", named);
	free(strings);
}

int main(void)
{
	watch_start();
	test_kmalloc();
	test_caches();
	test_pages();
	test_hrtimer();
	test_itimer();
	test_cancel();
	test_tick();
	test_ipi();
	return ktap_done();
}
