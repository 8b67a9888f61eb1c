/* SPDX-License-Identifier: MIT */
/*
 * An event whose signal to its owner would itself be an event: that one is
 * left out, as it would go on for ever.
 *
 * tags: short not-no-pmu
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define ID "/sys/kernel/tracing/events/signal/signal_generate/id"

static void go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static uint64_t number(const char *path)
{
	unsigned int n = 0;
	FILE *f = fopen(path, "r");

	if (f && fscanf(f, "%u", &n) != 1)
		n = 0;
	if (f)
		fclose(f);
	return n;
}

/* What the last CPU does; told to this process. */
static int open_event(void)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_TRACEPOINT,
		.config = number(ID),
		.size = sizeof(a),
		.sample_period = 1,
		.wakeup_events = 1,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &a, -1,
			      (int)sysconf(_SC_NPROCESSORS_ONLN) - 1, -1, 0);

	if (fd < 0 || mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
			   fd, 0) == MAP_FAILED)
		return -1;
	fcntl(fd, F_SETOWN, getpid());
	fcntl(fd, F_SETFL, O_ASYNC);
	return fd;
}

int main(void)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN), fd, status = 0;
	uint64_t n = 0;
	pid_t pid;

	if (cpus < 2) {
		ktap_skip("the signal of an event", "there is one CPU");
		return ktap_done();
	}
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	signal(SIGIO, SIG_IGN);
	go_to(0);
	fd = open_event();
	OK(fd >= 0);
	EQ(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	pid = fork();
	if (!pid) {
		go_to(cpus - 1);
		kill(getppid(), SIGURG);
		_exit(0);
	}
	usleep(300000);
	EQ(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	EQ(waitpid(pid, &status, 0), pid);
	EQ(status, 0);
	EQ(read(fd, &n, sizeof(n)), sizeof(n));
	OK_MSG(n >= 1 && n < 1000, "there was no echo: %llu",
	       (unsigned long long)n);
	close(fd);
	return ktap_done();
}
