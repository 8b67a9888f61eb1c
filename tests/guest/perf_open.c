// SPDX-License-Identifier: MIT
/*
 * Facts about perf_event_open's own arguments and the order of its checks.
 * only: tags
 * tags: facts
 */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/resource.h>

#include "facts.h"

static int pipe_fd, leader_fd, zombie, child;

static void flags(void)
{
	struct perf_event_attr attr = SW(PAGE_FAULTS);

	for (int bit = 0; bit < 64; bit++) {
		fact(tried_at(&attr, 0, -1, -1, 1ul << bit), "flag bit %d, no "
		     "group", bit);
		if (bit < 8)
			fact(tried_at(&attr, 0, -1, leader_fd, 1ul << bit),
			     "flag bit %d, with a group", bit);
	}
	for (int pid = -1; pid < 2; pid++)
		for (int cpu = -1; cpu < 2; cpu++)
			fact(tried_at(&attr, pid, cpu, -1,
				      PERF_FLAG_PID_CGROUP),
			     "cgroup %d on cpu %d", pid, cpu);
	fact(tried_at(&attr, pipe_fd, 0, -1, PERF_FLAG_PID_CGROUP),
	     "cgroup of a pipe");
	fact(tried_at(&attr, leader_fd, 0, -1, PERF_FLAG_PID_CGROUP),
	     "cgroup of an event");
	for (int cloexec = 0; cloexec < 2; cloexec++) {
		int fd = must_open(&attr, 0, -1, -1,
				   cloexec ? PERF_FLAG_FD_CLOEXEC : 0);

		fact(text("%d", fcntl(fd, F_GETFD)), "FD flags, cloexec %d",
		     cloexec);
		fact(text("%#o", fcntl(fd, F_GETFL)), "file flags, cloexec %d",
		     cloexec);
		close(fd);
	}
}

static void targets(void)
{
	static const int cpus[] = { -2147483647 - 1, -100, -2, -1, 0, 1, 3, 4,
				    5, 63, 255, 256, 4095, 65536, 2147483647 };
	struct perf_event_attr list[] = { SW(PAGE_FAULTS), CYCLES(),
					  SW(CPU_CLOCK) };

	for (int k = 0; k < 3; k++)
		for (int i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
			const int pids[] = { -1, 0, 1, -2, child, zombie,
					     0x7fffffff, 0x3fffff };
			const char *const names[] = {
				"-1", "0", "1", "-2", "a child", "a zombie",
				"int's largest", "a large one"
			};

			for (int p = 0; p < 8; p++)
				fact(tried_at(&list[k], pids[p], cpus[i], -1,
					      0),
				     "type %d config %d pid %s cpu %d",
				     list[k].type, (int)list[k].config,
				     names[p], cpus[i]);
		}
}

static void group_fds(void)
{
	static const int fds[] = { -1, -2, -100, 0, 1, 99, 1023, 1 << 20 };
	struct perf_event_attr attr = SW(PAGE_FAULTS);

	for (int i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		for (unsigned long f = 0; f < 4; f++)
			fact(tried_at(&attr, 0, -1, fds[i], f),
			     "group fd %d flags %lu", fds[i], f);
	for (unsigned long f = 0; f < 4; f++) {
		fact(tried_at(&attr, 0, -1, pipe_fd, f),
		     "group fd of a pipe, flags %lu", f);
		fact(tried_at(&attr, 0, -1, leader_fd, f),
		     "group fd of an event, flags %lu", f);
	}
}

/*
 * Each way to be wrong, worst first as Linux checks them, with every other:
 * the answer says which of two is looked at first.
 */
struct wrong {
	const char *name;
	struct perf_event_attr *attr;
	int pid, cpu, group;
	unsigned long flags;
};

static void spoil(int fault, struct perf_event_attr **attr, int *pid, int *cpu,
		  int *group, unsigned long *f)
{
	switch (fault) {
	case 0: *f |= 1ul << 40; break;
	case 1: *attr = NULL; break;
	case 2: (*attr)->size = 1; break;
	case 3: (*attr)->read_format = 1 << 20; break;
	case 4: (*attr)->sample_period = 1ull << 63; break;
	case 5: *f |= PERF_FLAG_PID_CGROUP; break;
	case 6: *group = 999; break;
	case 7: *pid = 0x3ffffe; break;
	case 8: (*attr)->inherit = 1; break;
	case 9: *cpu = 70000; break;
	case 10: (*attr)->inherit = 1;
		 (*attr)->sample_type = PERF_SAMPLE_READ; break;
	case 11: (*attr)->type = 77; break;
	case 12: (*attr)->use_clockid = 1; (*attr)->clockid = 33; break;
	case 13: (*attr)->pinned = 1; *group = leader_fd; break;
	case 14: (*attr)->aux_output = 1; break;
	case 15: *group = pipe_fd; break;
	case 16: *pid = zombie; break;
	case 17: (*attr)->type = 0; (*attr)->config = 12; break;
	case 18: (*attr)->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		 (*attr)->branch_sample_type = 8; break;
	case 19: (*attr)->exclude_idle = 1; (*attr)->type = 0; break;
	case 20: *group = leader_fd; *f |= PERF_FLAG_FD_OUTPUT; break;
	case 21: *pid = -1; *cpu = -1; break;
	}
}

static void order(void)
{
	static const char *const names[] = {
		"flag", "attr NULL", "size", "read_format", "period", "cgroup",
		"group fd", "no pid", "inherit", "cpu", "inherit and read",
		"type", "clock", "pinned member", "aux", "pipe as group",
		"zombie", "hardware 12", "branches", "exclude_idle",
		"no ring to share", "no target"
	};
	int n = sizeof(names) / sizeof(*names);

	for (int a = 0; a < n; a++)
		for (int b = a + 1; b < n; b++) {
			struct perf_event_attr attr = SW(PAGE_FAULTS);
			struct perf_event_attr *p = &attr;
			int pid = 0, cpu = -1, group = -1;
			unsigned long f = 0;

			spoil(a, &p, &pid, &cpu, &group, &f);
			if (p)
				spoil(b, &p, &pid, &cpu, &group, &f);
			fact(tried_at(p, pid, cpu, group, f), "%s, %s",
			     names[a], names[b]);
		}
}

static void descriptors(void)
{
	struct rlimit old, none = { 3, 3 };
	struct perf_event_attr attr = SW(PAGE_FAULTS), bad = SW(PAGE_FAULTS);

	getrlimit(RLIMIT_NOFILE, &old);
	none.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_NOFILE, &none);
	fact(tried(&attr), "no descriptor left");
	fact(tried_at(&attr, 0, -1, 999, 0), "no descriptor left, bad group");
	bad.sample_period = 1ull << 63;
	fact(tried(&bad), "no descriptor left, bad period");
	setrlimit(RLIMIT_NOFILE, &old);
}

int main(void)
{
	struct perf_event_attr attr = SW(DUMMY);
	int fds[2];

	settle();
	if (pipe(fds))
		return 1;
	pipe_fd = fds[0];
	leader_fd = must_open(&attr, 0, -1, -1, 0);
	zombie = fork();
	if (!zombie)
		_exit(0);
	waitid(P_PID, zombie, NULL, WEXITED | WNOWAIT);
	child = fork();
	if (!child) {
		pause();
		_exit(0);
	}
	flags();
	targets();
	group_fds();
	order();
	descriptors();
	kill(child, SIGKILL);
	while (wait(NULL) > 0)
		;
	return ktap_done();
}
