/* SPDX-License-Identifier: MIT */
/*
 * Cross-CPU calls against the stopping of all CPUs: two CPUs switch events of
 * a third on and off without end, while the first places and takes away
 * probes in kernel text.  Nobody waits for ever.
 *
 * tags: short not-no-pmu
 * timeout: 120
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <time.h>

#include "probe_pmu.h"

#define ROUNDS	300	/* at most, */
#define SECONDS 10	/* and no new one after these */

static volatile bool stop;
static volatile long calls[2];
static int cpus;

static void go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu % cpus, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* The last CPU runs neither the callers nor the one that stops them. */
static void *caller(void *arg)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(a),
	};
	long me = (long)(intptr_t)arg;
	int fd = (int)syscall(SYS_perf_event_open, &a, -1, cpus - 1, -1, 0);

	go_to((int)me + 1);
	while (fd >= 0 && !stop) {
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		calls[me]++;
	}
	return NULL;
}

static int probe(void)
{
	int fd = open_at("sys_getppid", 0, RETURNS, NULL, 0, -1);

	if (fd < 0)
		fd = open_at("__arm64_sys_getppid", 0, RETURNS, NULL, 0, -1);
	return fd;
}

int main(void)
{
	time_t end = time(NULL) + SECONDS;
	int i, bad = 0, fd;
	char text[32];
	pthread_t t[2];

	cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (!OK(read_text("/sys/bus/event_source/devices/kprobe/type", text,
			  sizeof(text))))
		return ktap_done();
	type = (uint32_t)atoi(text);
	go_to(0);
	for (i = 0; i < 2; i++)
		EQ(pthread_create(&t[i], NULL, caller, (void *)(intptr_t)i), 0);
	for (i = 0; i < ROUNDS && time(NULL) < end; i++) {
		fd = probe();
		bad += fd < 0 || count(fd) < 0;
		close(fd);
	}
	stop = true;
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	EQ(bad, 0);
	OK_MSG(calls[0] > 0 && calls[1] > 0, "both called");
	printf("# %ld and %ld calls\n", calls[0], calls[1]);
	return ktap_done();
}
