/* SPDX-License-Identifier: MIT */
/*
 * Events of a CPU that is taken away and brought back: they stop for good,
 * enable does not resume them, new ones count; and a CPU that comes and goes
 * fifty times, or for half a minute, under load.
 *
 * tags: short not-no-pmu
 * timeout: 120
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

#define CPU 1
#define ONLINE "/sys/devices/system/cpu/cpu1/online"

static int set_online(int on)
{
	int fd = open(ONLINE, O_WRONLY), ok;

	if (fd < 0)
		return -1;
	ok = write(fd, on ? "1" : "0", 1) == 1;
	close(fd);
	return ok ? 0 : -1;
}

static int open_on(uint32_t type, uint64_t config, pid_t pid, int cpu)
{
	struct perf_event_attr a = {
		.type = type,
		.size = sizeof(a),
		.config = config,
	};

	return (int)syscall(SYS_perf_event_open, &a, pid, cpu, -1, 0);
}

static long long count(int fd)
{
	uint64_t v;

	return read(fd, &v, sizeof(v)) == sizeof(v) ? (long long)v : -1;
}

static void spin(void)
{
	volatile int i;

	for (i = 0; i < 3000000; i++)
		;
}

/* Does fd still count what CPU 1 does? */
static int moves(int fd)
{
	long long before = count(fd);

	spin();
	usleep(20000);
	return count(fd) != before;
}

static pid_t load(int cpu)
{
	cpu_set_t set;
	pid_t pid = fork();

	if (pid)
		return pid;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	for (;;)
		spin();
}

static void stop(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_frozen(uint32_t type, uint64_t config)
{
	int fd = open_on(type, config, -1, CPU), again;
	long long left;
	pid_t busy = load(CPU);

	OK(fd >= 0);
	OK(moves(fd));
	EQ(set_online(0), 0);
	left = count(fd);
	OK(left > 0);
	OK(!moves(fd));
	FAILS(open_on(type, config, -1, CPU), ENODEV);
	WORKS(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	EQ(set_online(1), 0);
	stop(busy);
	busy = load(CPU);
	EQ(count(fd), left);
	WORKS(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));
	WORKS(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	OK(!moves(fd));
	again = (int)WORKS(open_on(type, config, -1, CPU));
	OK(moves(again));
	close(again);
	close(fd);
	stop(busy);
}

/* 0 if we may be pinned to cpu and are there then. */
static int go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) || sched_getcpu() != cpu;
}

static void test_loop(void)
{
	time_t end = time(NULL) + 30;
	int i, bad = 0, lost = 0, task, fd;
	pid_t busy[4];

	task = open_on(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, -1);
	for (i = 0; i < 4; i++)
		busy[i] = load(i & 1);
	for (i = 0; i < 50 && time(NULL) < end; i++) {
		fd = open_on(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, -1,
			     CPU);
		bad += set_online(0) != 0;
		bad += set_online(1) != 0;
		lost += go_to(CPU);
		lost += go_to(0);
		close(fd);
	}
	EQ(bad, 0);
	EQ(lost, 0);
	OK(count(task) > 0);
	close(task);
	for (i = 0; i < 4; i++)
		stop(busy[i]);
}

int main(void)
{
	if (access(ONLINE, W_OK)) {
		ktap_skip("CPU 1 goes and comes", "it cannot here");
		return ktap_done();
	}
	test_frozen(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
	test_frozen(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);
	test_loop();
	return ktap_done();
}
