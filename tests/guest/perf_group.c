// SPDX-License-Identifier: MIT
/*
 * Facts about groups: who may join whom, reads, leaders that go away.
 * only: tags
 * tags: facts
 */
#define _GNU_SOURCE
#include <sched.h>

#include "facts.h"

static void go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static struct perf_event_attr kinds[] = {
	SW(PAGE_FAULTS), SW(CPU_CLOCK), SW(TASK_CLOCK), SW(DUMMY), CYCLES(),
	ATTR(PERF_TYPE_RAW, 0x11), SW(BPF_OUTPUT), SW(CONTEXT_SWITCHES)
};
static const char *const names[] = {
	"faults", "cpu-clock", "task-clock", "dummy", "cycles", "raw",
	"bpf-output", "switches"
};
#define KINDS 8

static void pairs(void)
{
	for (int l = 0; l < KINDS; l++)
		for (int m = 0; m < KINDS; m++)
			for (int where = 0; where < 2; where++) {
				int pid = where ? -1 : 0, cpu = where ? 0 : -1;
				int fd = must_open(&kinds[l], pid, cpu, -1, 0);

				fact(tried_at(&kinds[m], pid, cpu, fd, 0),
				     "%s led by %s on %s", names[m], names[l],
				     where ? "cpu" : "task");
				close(fd);
			}
}

/* A leader and a member that differ in one thing. */
#define DIFFER(...)                                               \
	do {                                                      \
		struct perf_event_attr l = SW(PAGE_FAULTS);       \
		struct perf_event_attr m = SW(CPU_CLOCK);         \
		long fd_;                                         \
		__VA_ARGS__;                                      \
		fd_ = open_event(&l, 0, -1, -1, 0);               \
		fact(fd_ < 0 ? answer_of(fd_) :                   \
		     tried_at(&m, 0, -1, fd_, 0), "leader and member {%s}", \
		     #__VA_ARGS__);                               \
		close(fd_);                                       \
	} while (0)

static void differences(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS), b = SW(CPU_CLOCK);
	int lead, member;

	DIFFER(l.inherit = 1; m.inherit = 1);
	DIFFER(l.inherit = 1);
	DIFFER(m.inherit = 1);
	DIFFER(l.pinned = 1);
	DIFFER(m.pinned = 1);
	DIFFER(l.exclusive = 1);
	DIFFER(m.exclusive = 1);
	DIFFER(l.use_clockid = 1);
	DIFFER(m.use_clockid = 1);
	DIFFER(m.use_clockid = m.clockid = 1);
	DIFFER(l.use_clockid = l.clockid = 1; m.use_clockid = 1; m.clockid = 4);
	DIFFER(l.use_clockid = l.clockid = 1; m.use_clockid = m.clockid = 1);
	DIFFER(l.disabled = 1);
	DIFFER(m.read_format = 15);
	DIFFER(l.read_format = 8);
	DIFFER(l.sample_period = 10);
	DIFFER(l.enable_on_exec = 1; m.remove_on_exec = 1);
	lead = must_open(&a, 0, -1, -1, 0);
	member = must_open(&b, 0, -1, lead, 0);
	fact(tried_at(&b, 0, -1, member, 0), "led by a member");
	fact(tried_at(&b, -1, 0, lead, 0), "a cpu's led by a task's");
	fact(tried_at(&b, 0, 0, lead, 0), "on a cpu led by one on any");
	close(lead);
	fact(tried_at(&b, 0, -1, member, 0), "led by an orphan");
	close(member);
	lead = must_open(&a, -1, 0, -1, 0);
	fact(tried_at(&b, -1, 1, lead, 0), "cpu 1's led by cpu 0's");
	fact(tried_at(&b, 0, 0, lead, 0), "a task's led by a cpu's");
	fact(tried_at(&b, 0, -1, lead, 0), "a free task's led by a cpu's");
	close(lead);
	a.pinned = 1;
	lead = must_open(&a, 0, 0, -1, 0);
	fact(tried_at(&b, 0, 1, lead, 0), "task on cpu 1 led by on cpu 0");
	fact(tried_at(&b, 0, 0, lead, 0), "task on cpu 0 led by on cpu 0");
	close(lead);
}

static void crowds(void)
{
	static const struct perf_event_attr many[] = {
		CYCLES(), SW(DUMMY), ATTR(PERF_TYPE_RAW, 0x11),
		ATTR(PERF_TYPE_RAW, 0x1e), SW(PAGE_FAULTS)
	};

	for (int k = 0; k < 5; k++) {
		int fds[64], n = 0;
		long fd = 0;

		while (n < 20) {
			fd = open_event(&many[k], 0, -1, n ? fds[0] : -1, 0);
			if (fd < 0)
				break;
			fds[n++] = fd;
		}
		fact(text("%d, then %s", n, answer_of(fd)),
		     "members of type %u config %#x", many[k].type,
		     (u32)many[k].config);
		while (n)
			close(fds[--n]);
		/* The same led by a software event. */
		fds[n++] = must_open(&many[1], 0, -1, -1, 0);
		while (n < 20) {
			fd = open_event(&many[k], 0, -1, fds[0], 0);
			if (fd < 0)
				break;
			fds[n++] = fd;
		}
		fact(text("%d, then %s", n, answer_of(fd)),
		     "led by dummy, type %u config %#x", many[k].type,
		     (u32)many[k].config);
		while (n)
			close(fds[--n]);
	}
}

static void read_sizes(void)
{
	/* Reads grow with each member until one would be too long. */
	for (int format = 8; format < 32; format += 8) {
		struct perf_event_attr attr = SW(DUMMY, .read_format = format);
		int first = must_open(&attr, 0, -1, -1, 0), n = 1;
		long fd;

		while ((fd = open_event(&attr, 0, -1, first, 0)) >= 0 &&
		       n < 1000)
			n++;
		fact(text("%d, then %s", n, answer_of(fd)),
		     "most members, format %d", format);
		for (int i = first; i < first + 1010; i++)
			close(i);
	}
}

static void orphans(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS, .read_format = 12);
	u64 v[32];
	int lead = must_open(&a, 0, -1, -1, 0), one, two;

	a.read_format = 15;
	one = must_open(&a, 0, -1, lead, 0);
	a.read_format = 8 | 4;
	two = must_open(&a, 0, -1, lead, 0);
	fact(number(SAYS(read(lead, v, sizeof(v)))), "bytes from the leader");
	fact(text("%d", (int)v[0]), "members in it");
	fact(number(SAYS(read(one, v, sizeof(v)))), "bytes from a member");
	fact(text("%d", (int)v[0]), "members in that");
	close(two);
	fact(number(SAYS(read(lead, v, sizeof(v)))), "bytes without one");
	close(lead);
	fact(number(SAYS(read(one, v, sizeof(v)))), "bytes of an orphan");
	fact(text("%d", (int)v[0]), "members of an orphan");
	v[3] = 0;
	fault(10);
	v[1] = v[3];
	fact(number(SAYS(read(one, v, sizeof(v)))), "bytes afterwards");
	fact(v[3] >= 10 ? "at least 10" : text("%d", (int)v[3]),
	     "faults an orphan counts");
	close(one);
}

static u64 value_of(int fd)
{
	u64 v[16] = { 0 };

	return read(fd, v, sizeof(v)) < 8 ? 0 : v[0];
}

/* What disabling and enabling one or all of a group does. */
static void switching(void)
{
	static const unsigned long cmds[] = { PERF_EVENT_IOC_ENABLE,
					      PERF_EVENT_IOC_DISABLE };

	for (int first = 0; first < 4; first++)
		for (int step = 0; step < 8; step++) {
			struct perf_event_attr a =
				SW(PAGE_FAULTS, .disabled = first & 1);
			struct perf_event_attr b =
				SW(PAGE_FAULTS, .disabled = first >> 1);
			int lead = must_open(&a, 0, -1, -1, 0);
			int one = must_open(&b, 0, -1, lead, 0);
			u64 was[2];

			ioctl(step & 2 ? one : lead, cmds[step & 1],
			      step & 4 ? PERF_IOC_FLAG_GROUP : 0);
			was[0] = value_of(lead);
			was[1] = value_of(one);
			fault(8);
			fact(text("leader %s, member %s",
				  value_of(lead) > was[0] ? "counts" : "stands",
				  value_of(one) > was[1] ? "counts" : "stands"),
			     "leader %s, member %s, %s %s%s",
			     first & 1 ? "off" : "on", first >> 1 ? "off" : "on",
			     step & 1 ? "disable" : "enable",
			     step & 2 ? "the member" : "the leader",
			     step & 4 ? " with its group" : "");
			close(lead);
			close(one);
		}
}

static const char *goes_on(int fd, u64 was)
{
	return value_of(fd) > was ? "counts" : "stands";
}

/* A group of software events moves when hardware joins it. */
static void moved(int pid, int cpu)
{
	struct perf_event_attr a = SW(CPU_CLOCK, .read_format = 8 | 3);
	struct perf_event_attr c = CYCLES();
	const char *where = pid ? "cpu" : "task";
	int lead, soft, hard;
	u64 v[8], was[8], one, two;

	lead = must_open(&a, pid, cpu, -1, 0);
	a.read_format = 0;
	soft = must_open(&a, pid, cpu, lead, 0);
	hard = must_open(&c, pid, cpu, lead, 0);
	if (read(lead, was, sizeof(was)) < 0)
		return;
	fault(32);
	fact(number(SAYS(read(lead, v, sizeof(v)))), "bytes, moved on %s",
	     where);
	fact(text("%s enabled, leader %s, soft %s, hard %s",
		  v[1] - was[1] == v[2] - was[2] ? "runs while" : "odd while",
		  v[3] > was[3] ? "counts" : "stands",
		  v[4] > was[4] ? "counts" : "stands",
		  v[5] > was[5] ? "counts" : "stands"), "moved on %s", where);
	/* Members of a leader that goes. */
	close(lead);
	one = value_of(soft);
	two = value_of(hard);
	fault(32);
	fact(text("soft %s, hard %s", goes_on(soft, one), goes_on(hard, two)),
	     "their leader gone on %s", where);
	ioctl(soft, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	one = value_of(soft);
	two = value_of(hard);
	fault(32);
	fact(text("soft %s, hard %s", goes_on(soft, one), goes_on(hard, two)),
	     "one of them off on %s", where);
	close(soft);
	close(hard);
	/* And a leader whose member goes. */
	lead = must_open(&a, pid, cpu, -1, 0);
	hard = must_open(&c, pid, cpu, lead, 0);
	close(hard);
	one = value_of(lead);
	fault(32);
	fact(goes_on(lead, one), "its hardware gone on %s", where);
	close(lead);
}

static void pinned(void)
{
	struct perf_event_attr a = CYCLES(.pinned = 1);
	int fds[10], n = 0;
	long fd, last = 0;
	u64 v;

	/* More counters than there are: the last pinned ones read nothing. */
	while (n < 10 && (fd = open_event(&a, 0, -1, -1, 0)) >= 0)
		fds[n++] = fd;
	fault(4);
	for (int i = 0; i < n; i++)
		fact(number(last = SAYS(read(fds[i], &v, 8))),
		     "bytes from pinned %d of %d", i, n);
	fact(answer_of(SAYS(ioctl(fds[n - 1], PERF_EVENT_IOC_ENABLE, 0))),
	     "enable one that did not fit");
	fact(number(SAYS(read(fds[n - 1], &v, 8))), "bytes from it then");
	close(fds[0]);
	fact(answer_of(SAYS(ioctl(fds[n - 1], PERF_EVENT_IOC_ENABLE, 0))),
	     "enable it when one is free");
	fact(number(SAYS(read(fds[n - 1], &v, 8))), "bytes from it after that");
	for (int i = 1; i < n; i++)
		close(fds[i]);
}

int main(void)
{
	settle();
	pairs();
	differences();
	crowds();
	read_sizes();
	orphans();
	switching();
	moved(0, -1);
	go_to(0);
	moved(-1, 0);
	pinned();
	return ktap_done();
}
