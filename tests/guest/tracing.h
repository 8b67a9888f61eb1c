/* SPDX-License-Identifier: MIT */
/* The instance that facts about trace buffers use, and its files. */
#ifndef TESTS_GUEST_TRACING_H
#define TESTS_GUEST_TRACING_H

#include <sched.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "facts.h"

#define TRACING "/sys/kernel/tracing/"
#define INST	TRACING "instances/facts/"

__attribute__((unused))
static const char *path(const char *dir, const char *name)
{
	return text("%s%s", dir, name);
}

__attribute__((unused)) static long write_text(const char *file, const char *s)
{
	int fd = open(file, O_WRONLY);
	long r = fd < 0 ? -errno : SAYS(write(fd, s, strlen(s)));

	if (fd >= 0)
		close(fd);
	return r;
}

__attribute__((unused)) static char *read_all(const char *file)
{
	static char buf[1 << 20];
	int fd = open(file, O_RDONLY);
	ssize_t n, len = 0;

	while (fd >= 0 && len < (ssize_t)sizeof(buf) - 1 &&
	       (n = read(fd, buf + len, sizeof(buf) - 1 - len)) > 0)
		len += n;
	if (fd >= 0)
		close(fd);
	buf[len] = 0;
	return buf;
}

__attribute__((unused)) static const char *line_of(const char *file)
{
	return text("%.*s", (int)strcspn(read_all(file), "\n"), read_all(file));
}

__attribute__((unused)) static int count(const char *hay, const char *needle)
{
	int n = 0;

	while ((hay = strstr(hay, needle)))
		n++, hay += strlen(needle);
	return n;
}

/* Of this program's CPU. */
__attribute__((unused)) static long stat_of(const char *dir, const char *what)
{
	char *s = strstr(read_all(path(dir, "per_cpu/cpu0/stats")), what);

	return s ? atol(s + strlen(what)) : -1;
}

__attribute__((unused)) static void emptied(const char *dir)
{
	put_file(path(dir, "trace"), "");
}

__attribute__((unused)) static void mark(const char *dir, int n)
{
	int fd = open(path(dir, "trace_marker"), O_WRONLY);

	for (int i = 0; i < n; i++)
		if (write(fd, "0123456789012345678901234567890123456789", 40)
		    != 40)
			break;
	close(fd);
}

/* On CPU 0, with nothing on. */
__attribute__((unused)) static void begin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	put_file(TRACING "set_event", "");
	put_file(TRACING "trace", "");
}

#endif /* TESTS_GUEST_TRACING_H */
