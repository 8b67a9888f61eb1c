/* SPDX-License-Identifier: MIT */
/*
 * Facts about trace events of a task that sleeps: what others do to it.
 *
 * All run on CPU 0.  The sleeper is awaited until it sleeps, so each wake-up
 * wakes it; a filter keeps out what else it may have been told of.
 *
 * only: tags
 * tags: facts
 */
#define _GNU_SOURCE
#include "facts.h"

#include <sched.h>

#define WAKES 20

struct sleeper {
	pid_t pid;
	int to;
};

static long event_id(const char *name)
{
	char path[128], number[16] = "";
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/id", name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, number, sizeof(number) - 1) < 1)
		exit(1);
	close(fd);
	return atol(number);
}

static void await_sleep(pid_t pid)
{
	char path[64], line[256], *state;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	for (;;) {
		fd = open(path, O_RDONLY);
		memset(line, 0, sizeof(line));
		if (fd < 0 || read(fd, line, sizeof(line) - 1) < 1)
			exit(1);
		close(fd);
		state = strrchr(line, ')');
		if (state && state[2] == 'S')
			return;
		usleep(1000);
	}
}

static void sleep_on(int from)
{
	char c;

	while (read(from, &c, 1) == 1)
		;
	_exit(0);
}

static struct sleeper sleeper(void)
{
	struct sleeper s;
	int p[2];

	if (pipe(p))
		exit(1);
	s.pid = fork();
	if (!s.pid) {
		close(p[1]);
		sleep_on(p[0]);
	}
	close(p[0]);
	s.to = p[1];
	await_sleep(s.pid);
	return s;
}

static void wake(struct sleeper s)
{
	for (int i = 0; i < WAKES; i++) {
		await_sleep(s.pid);
		if (write(s.to, "x", 1) != 1)
			exit(1);
	}
	await_sleep(s.pid);
}

/* Others may have the pipe's end, too. */
static void end(struct sleeper s)
{
	kill(s.pid, SIGKILL);
	close(s.to);
	waitpid(s.pid, NULL, 0);
}

static void about(int fd, pid_t pid)
{
	if (ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text("pid == %d", pid)))
		exit(1);
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
}

static long value(int fd)
{
	u64 v[16] = { 0 };

	return read(fd, v, sizeof(v)) > 0 ? (long)v[0] : -errno;
}

static struct perf_event_attr waking(void)
{
	return ATTR(PERF_TYPE_TRACEPOINT, event_id("sched/sched_waking"));
}

/* What WAKES wake-ups count. */
static void counted(const char *what, struct perf_event_attr a, int cpu,
		    bool disable)
{
	struct sleeper s = sleeper();
	int fd = must_open(&a, s.pid, cpu, -1, 0);

	about(fd, s.pid);
	if (disable)
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	wake(s);
	fact(number(value(fd)), "%d wake-ups, %s", WAKES, what);
	close(fd);
	end(s);
}

static void counts(void)
{
	struct perf_event_attr a = waking();

	counted("on the event's CPU", a, 0, false);
	counted("on another CPU", a, 1, false);
	counted("of an event on all CPUs", a, -1, false);
	a.disabled = 1;
	counted("of an event that never was on", a, 0, false);
	a.disabled = 0;
	counted("of an event that is off", a, 0, true);
	a.exclude_kernel = 1;
	counted("without the kernel", a, 0, false);
	a.exclude_kernel = 0;
	a.exclude_user = 1;
	counted("without user mode", a, 0, false);
	a = waking();
	a.config = event_id("sched/sched_wakeup");
	counted("as sched_wakeup", a, 0, false);
	a = waking();
	a.inherit = 1;
	counted("inherited", a, 0, false);
	a = waking();
	a.sigtrap = a.remove_on_exec = 1;
	a.sample_period = 1;
	counted("with SIGTRAP", a, 0, false);
}

/* A child of the event's task. */
static void inherited(void)
{
	struct perf_event_attr a = waking();
	int wakes[2], go[2], told[2], fd;
	struct sleeper child;
	pid_t pid;
	char c;

	a.inherit = 1;
	if (pipe(wakes) || pipe(go) || pipe(told))
		exit(1);
	pid = fork();
	if (!pid) {
		close(wakes[1]);
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		pid = fork();
		if (!pid)
			sleep_on(wakes[0]);
		if (write(told[1], &pid, sizeof(pid)) != sizeof(pid))
			_exit(1);
		waitpid(pid, NULL, 0);
		_exit(0);
	}
	fd = must_open(&a, pid, 0, -1, 0);
	if (write(go[1], "x", 1) != 1 ||
	    read(told[0], &child.pid, sizeof(pid)) != sizeof(pid))
		exit(1);
	child.to = wakes[1];
	about(fd, child.pid);
	wake(child);
	fact(number(value(fd)), "%d wake-ups of a child", WAKES);
	close(child.to);
	waitpid(pid, NULL, 0);
	fact(number(value(fd)), "%d wake-ups of a child that is gone", WAKES);
	close(fd);
}

static void grouped(const char *what, struct perf_event_attr first,
		    struct perf_event_attr second, bool first_off)
{
	struct sleeper s = sleeper();
	int lead, member;

	first.disabled = first_off;
	lead = must_open(&first, s.pid, 0, -1, 0);
	member = must_open(&second, s.pid, 0, lead, 0);
	if (first.type == PERF_TYPE_TRACEPOINT)
		about(lead, s.pid);
	if (second.type == PERF_TYPE_TRACEPOINT)
		about(member, s.pid);
	wake(s);
	fact(number(value(first.type == PERF_TYPE_TRACEPOINT ? lead : member)),
	     "%d wake-ups, %s", WAKES, what);
	close(member);
	close(lead);
	end(s);
}

static void groups(void)
{
	grouped("led by faults", SW(PAGE_FAULTS), waking(), false);
	grouped("led by faults that are off", SW(PAGE_FAULTS), waking(), true);
	grouped("leading faults", waking(), SW(PAGE_FAULTS), false);
	grouped("led by cycles", CYCLES(), waking(), false);
	grouped("leading cycles", waking(), CYCLES(), false);
}

/* They count and leave no sample. */
static void sampled(void)
{
	struct perf_event_attr a = waking();
	struct sleeper s = sleeper();
	struct perf_event_header *h;
	struct ring r;
	int fd, n = 0;

	a.sample_period = 1;
	a.sample_type = PERF_SAMPLE_TID;
	fd = must_open(&a, s.pid, 0, -1, 0);
	about(fd, s.pid);
	ring_map(&r, fd, 8);
	wake(s);
	while ((h = ring_next(&r)))
		n += h->type == PERF_RECORD_SAMPLE;
	fact(number(n), "%d wake-ups, samples", WAKES);
	fact(number(value(fd)), "%d wake-ups, sampling", WAKES);
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	fact(number(value(fd)), "after RESET");
	wake(s);
	fact(number(value(fd)), "%d wake-ups after RESET", WAKES);
	ring_unmap(&r);
	close(fd);
	end(s);
}

/* The filter is the event's, and there may be several. */
static void several(void)
{
	struct perf_event_attr a = waking();
	struct sleeper s = sleeper(), other = sleeper();
	int one = must_open(&a, s.pid, 0, -1, 0);
	int two = must_open(&a, s.pid, 0, -1, 0);
	int three = must_open(&a, s.pid, 0, -1, 0);
	int own = must_open(&a, 0, 0, -1, 0);

	about(one, s.pid);
	about(two, s.pid);
	about(three, other.pid);
	about(own, s.pid);
	wake(s);
	wake(other);
	fact(number(value(one)), "%d wake-ups, first of two", WAKES);
	fact(number(value(two)), "%d wake-ups, second of two", WAKES);
	fact(number(value(three)), "%d wake-ups of somebody else", WAKES);
	fact(number(value(own)), "%d wake-ups, the waker's own event", WAKES);
	close(two);
	wake(s);
	fact(number(value(one)), "%d wake-ups, one of two closed", 2 * WAKES);
	end(s);
	fact(number(value(one)), "when the sleeper is gone");
	end(other);
}

int main(void)
{
	cpu_set_t set;

	settle();
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 1;
	counts();
	inherited();
	groups();
	sampled();
	several();
	return ktap_done();
}
