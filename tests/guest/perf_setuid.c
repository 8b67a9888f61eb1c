// SPDX-License-Identifier: MIT
/*
 * A program that gains rights is counted no longer by those who had fewer:
 * events on a task end when it executes a set-uid program, and go on when it
 * executes an ordinary one.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdint.h>
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

int main(int argc, char **argv)
{
	if (argc == 2)
		return counted(atoi(argv[1]));
	set_paranoid("2");
	OK(copy_self("/tmp/plain", 0755));
	OK(copy_self("/tmp/setuid", 04755));
	EQ(run("/tmp/plain"), 10);
	EQ(run("/tmp/setuid"), 20);
	unlink("/tmp/plain");
	unlink("/tmp/setuid");
	return ktap_done();
}
