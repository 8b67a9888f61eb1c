// SPDX-License-Identifier: MIT
/*
 * A program that gains rights is counted no longer by those who had fewer:
 * events on a task end when it executes a set-uid program, and go on when it
 * executes an ordinary one.  Whoever opens while it executes is in time, and
 * then loses the event, or too late.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

static void set_paranoid(const char *level)
{
	int fd = open("/proc/sys/kernel/perf_event_paranoid", O_WRONLY);

	if (fd < 0 || write(fd, level, strlen(level)) < 0)
		OK_MSG(false, "perf_event_paranoid can be set");
	close(fd);
}

static bool copy_self(const char *to, mode_t mode)
{
	char buf[65536];
	int in = open("/proc/self/exe", O_RDONLY);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0755);
	ssize_t n;

	while ((n = read(in, buf, sizeof(buf))) > 0)
		if (write(out, buf, (size_t)n) != n)
			return false;
	close(in);
	close(out);
	return in >= 0 && out >= 0 && !n && !chmod(to, mode);
}

static uint64_t count(int fd)
{
	uint64_t value = 0;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		return UINT64_MAX;
	return value;
}

/* The executed copy: does the inherited descriptor still count? */
static int counted(int fd)
{
	uint64_t first = count(fd);
	volatile int i;

	for (i = 0; i < 2000000; i++)
		;
	return count(fd) > first ? 10 : 20;
}

/* 10: it was counted after the exec; 20: it was not. */
static int run(const char *path)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1,
	};
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		char number[16];
		int fd;

		if (setresuid(1000, 1000, 1000))
			_exit(1);
		fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
		if (fd < 0)
			_exit(2);
		snprintf(number, sizeof(number), "%d", fd);
		execl(path, path, number, NULL);
		_exit(3);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The program with more rights: says so, and runs until it is let go. */
static int victim(int said, int go)
{
	volatile unsigned int i = 0;
	char c;

	if (geteuid() || write(said, "", 1) != 1)
		return 1;
	fcntl(go, F_SETFL, O_NONBLOCK);
	while (read(go, &c, 1) < 0)
		i++;
	return 0;
}

#define TRIES 64

/* Events of somebody on a program that he starts: how many still count? */
static int leaks(const char *path, int *opened)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.exclude_kernel = 1,
	};
	int said[2], go[2], fds[TRIES], n = 0, bad = 0;
	uint64_t was[TRIES];
	pid_t pid;
	char c;

	if (pipe(said) || pipe(go))
		return 100;
	pid = fork();
	if (!pid) {
		char numbers[2][16];

		snprintf(numbers[0], 16, "%d", said[1]);
		snprintf(numbers[1], 16, "%d", go[0]);
		execl(path, path, numbers[0], numbers[1], NULL);
		_exit(3);
	}
	fcntl(said[0], F_SETFL, O_NONBLOCK);
	while (read(said[0], &c, 1) < 0) {
		int fd;

		if (n == TRIES)
			close(fds[--n]);
		fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, 0);
		if (fd >= 0)
			fds[n++] = fd;
		else
			bad += errno != EACCES && errno != ESRCH;
	}
	/* It has its rights, and runs. */
	bad += syscall(SYS_perf_event_open, &attr, pid, -1, -1, 0) != -1 ||
	       errno != EACCES;
	for (int i = 0; i < n; i++)
		was[i] = count(fds[i]);
	usleep(20000);
	for (int i = 0; i < n; i++) {
		bad += count(fds[i]) != was[i];
		close(fds[i]);
	}
	*opened += n;
	if (write(go[1], "", 1) != 1)
		bad++;
	waitpid(pid, NULL, 0);
	for (int i = 0; i < 2; i++) {
		close(said[i]);
		close(go[i]);
	}
	return bad;
}

static void test_race(const char *path)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		int opened = 0, bad = 0;

		/* Who changes who it is may not be looked at. */
		if (setresuid(1000, 1000, 1000) || prctl(PR_SET_DUMPABLE, 1))
			_exit(99);
		for (int i = 0; i < 40; i++)
			bad += leaks(path, &opened);
		_exit(bad ? bad : opened ? 0 : 98);
	}
	waitpid(pid, &status, 0);
	ktap_ok(WIFEXITED(status) && !WEXITSTATUS(status),
		"opened while it executes: %#x", status);
}

int main(int argc, char **argv)
{
	if (argc == 3)
		return victim(atoi(argv[1]), atoi(argv[2]));
	if (argc == 2)
		return counted(atoi(argv[1]));
	set_paranoid("2");
	OK(copy_self("/tmp/plain", 0755));
	OK(copy_self("/tmp/setuid", 04755));
	EQ(run("/tmp/plain"), 10);
	EQ(run("/tmp/setuid"), 20);
	test_race("/tmp/setuid");
	unlink("/tmp/plain");
	unlink("/tmp/setuid");
	return ktap_done();
}
