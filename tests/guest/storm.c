/* SPDX-License-Identifier: MIT */
/*
 * Tasks that come and go while every few microseconds an overflow wakes a
 * thread of high priority: each step of fork, exec and exit is preempted
 * sooner or later.  Processes, threads and programs, some with memory that
 * has to be given back.
 *
 *   storm [ROUNDS [PERIOD]]
 *
 * tags: short
 * timeout: 120
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define ROUNDS	  30
#define PERIOD	  60013
#define RING	  8		/* pages of data */
#define MOST_CPUS 64
#define CHUNK	  (1L << 20)
#define MANY	  5000		/* wake-ups; half as many on a quiet machine */

static struct perf_event_mmap_page *rings[MOST_CPUS];
static struct pollfd fds[MOST_CPUS];
static int nr_rings;
static uint64_t period = PERIOD;
static volatile long wakeups, samples;
static volatile bool ready;

static int open_on(int cpu, bool hardware)
{
	struct perf_event_attr a = {
		.type = hardware ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE,
		.config = hardware ? PERF_COUNT_HW_CPU_CYCLES :
				     PERF_COUNT_SW_CPU_CLOCK,
		.size = sizeof(a),
		.sample_period = hardware ? period : 100000,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID,
		.wakeup_events = 1,
		.inherit = 1,
		.disabled = 1,
	};

	return (int)syscall(SYS_perf_event_open, &a, 0, cpu, -1, 0);
}

/* A ring on every CPU that there is. */
static bool open_rings(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	for (int cpu = 0; cpu < cpus && cpu < MOST_CPUS; cpu++) {
		int fd = open_on(cpu, true);
		void *p;

		if (fd < 0)
			fd = open_on(cpu, false);
		if (fd < 0)
			continue;
		p = mmap(NULL, (1 + RING) * 4096, PROT_READ | PROT_WRITE,
			 MAP_SHARED, fd, 0);
		if (p == MAP_FAILED)
			return false;
		rings[nr_rings] = p;
		fds[nr_rings].fd = fd;
		fds[nr_rings++].events = POLLIN;
	}
	return nr_rings > 0;
}

/*
 * Where the machine is slower than the events come, nothing else would run:
 * after many wake-ups the next ones come half as often.
 */
static void calm_down(void)
{
	period *= 2;
	for (int i = 0; i < nr_rings; i++)
		ioctl(fds[i].fd, PERF_EVENT_IOC_PERIOD, &period);
}

/* Empties every ring, at a priority above all that is watched. */
static void *drain(void *arg)
{
	struct sched_param sp = { .sched_priority = 50 };

	/* Older than the events, which therefore do not watch it. */
	while (!ready)
		usleep(1000);
	sched_setscheduler(0, SCHED_FIFO, &sp);
	for (;;) {
		poll(fds, (nfds_t)nr_rings, -1);
		if (++wakeups % MANY == 0)
			calm_down();
		for (int i = 0; i < nr_rings; i++) {
			uint64_t head = __atomic_load_n(&rings[i]->data_head,
							__ATOMIC_ACQUIRE);

			samples += head != rings[i]->data_tail;
			__atomic_store_n(&rings[i]->data_tail, head,
					 __ATOMIC_RELEASE);
		}
	}
	return arg;
}

/* Nobody slows the overflows down.  Returns what to put back. */
static int set_percent(int percent)
{
	FILE *f = fopen("/proc/sys/kernel/perf_cpu_time_max_percent", "r+");
	int old = 25;

	if (!f)
		return old;
	if (fscanf(f, "%d", &old) != 1)
		old = 25;
	rewind(f);
	fprintf(f, "%d\n", percent);
	fclose(f);
	return old;
}

static void *brief(void *arg)
{
	return arg;
}

static void touch(void)
{
	char *p = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (long at = 0; p != MAP_FAILED && at < CHUNK; at += 4096)
		p[at] = 1;
}

/* What one child does with its life. */
static void child(int kind, char **argv)
{
	pthread_t t[3];

	switch (kind) {
	case 0:
		_exit(7);
	case 1:		/* its threads are still there when it goes */
		for (int i = 0; i < 3; i++)
			pthread_create(&t[i], NULL, brief, NULL);
		_exit(7);
	case 2:
		for (int i = 0; i < 3; i++)
			if (!pthread_create(&t[i], NULL, brief, NULL))
				pthread_join(t[i], NULL);
		_exit(7);
	case 3:
		touch();
		_exit(7);
	default:
		execl("/proc/self/exe", argv[0], "--seven", NULL);
		_exit(1);
	}
}

static int round_of(char **argv)
{
	int good = 0, status;

	for (int kind = 0; kind < 5; kind++) {
		pid_t pid = fork();

		if (pid == 0)
			child(kind, argv);
	}
	for (int i = 0; i < 5; i++)
		if (wait(&status) > 0)
			good += WIFEXITED(status) && WEXITSTATUS(status) == 7;
	return good;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : ROUNDS, good = 0;
	pthread_t t;
	int percent;

	if (argc > 1 && !strcmp(argv[1], "--seven"))
		return 7;
	if (argc > 2)
		period = (uint64_t)atol(argv[2]);
	percent = set_percent(0);
	if (!OK(!pthread_create(&t, NULL, drain, NULL)) || !OK(open_rings()))
		return ktap_done();
	ready = true;
	for (int i = 0; i < nr_rings; i++)
		ioctl(fds[i].fd, PERF_EVENT_IOC_ENABLE, 0);
	for (long i = 0; i < rounds; i++)
		good += round_of(argv);
	EQ(good, 5 * rounds);
	set_percent(percent);
	OK(wakeups > 0 && samples > 0);
	printf("# %ld wake-ups, %ld pieces\n", wakeups, samples);
	return ktap_done();
}
