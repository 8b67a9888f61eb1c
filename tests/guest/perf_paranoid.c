// SPDX-License-Identifier: MIT
/*
 * Facts about permission: perf_event_paranoid by capability by target.
 * only: tags
 * tags: facts
 * timeout: 400
 */
#define _GNU_SOURCE
#include <grp.h>
#include <linux/capability.h>
#include <sys/prctl.h>

#include <linux/hw_breakpoint.h>

#include "facts.h"

#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif
#define USER 1234

static const struct {
	const char *name;
	u64 caps;
} rights[] = {
	{ "nothing", 0 },
	{ "CAP_PERFMON", 1ull << CAP_PERFMON },
	{ "CAP_SYS_ADMIN", 1ull << CAP_SYS_ADMIN },
	{ "CAP_SYS_PTRACE", 1ull << CAP_SYS_PTRACE },
	{ "CAP_PERFMON and CAP_KILL", 1ull << CAP_PERFMON | 1ull << CAP_KILL },
};

/* Watched by breakpoints, used by nobody. */
static u64 quiet[2];

#define BREAKPOINT(kind, address, ...)                             \
	ATTR(PERF_TYPE_BREAKPOINT, 0, .bp_type = (kind), .bp_len = 8, \
	     .bp_addr = (u64)(address), ##__VA_ARGS__)
#define KERNEL_ADDRESS 0xffff800055550000

struct kind {
	const char *name;
	struct perf_event_attr attr;
};

static const struct kind kinds[] = {
	{ "sw", SW(PAGE_FAULTS) },
	{ "sw:u", SW(PAGE_FAULTS, .exclude_kernel = 1) },
	{ "dummy:u", SW(DUMMY, .exclude_kernel = 1) },
	{ "clock", SW(CPU_CLOCK) },
	{ "cycles", CYCLES() },
	{ "cycles:u", CYCLES(.exclude_kernel = 1) },
	{ "cycles:hu", CYCLES(.exclude_kernel = 1, .exclude_hv = 1) },
	{ "sampling:u", CYCLES(.exclude_kernel = 1, .sample_period = 100000) },
	{ "namespaces:u", SW(DUMMY, .exclude_kernel = 1, .namespaces = 1) },
	{ "phys:u", SW(DUMMY, .exclude_kernel = 1,
		       .sample_type = PERF_SAMPLE_PHYS_ADDR) },
	{ "ksymbol:u", SW(DUMMY, .exclude_kernel = 1, .ksymbol = 1) },
	{ "switch:u", SW(DUMMY, .exclude_kernel = 1, .context_switch = 1) },
	{ "sigtrap:u", SW(PAGE_FAULTS, .exclude_kernel = 1, .sigtrap = 1,
			  .remove_on_exec = 1) },
	{ "branches:u", CYCLES(.exclude_kernel = 1,
			       .sample_type = PERF_SAMPLE_BRANCH_STACK,
			       .branch_sample_type = 8) },
	{ "branches:k", CYCLES(.exclude_kernel = 1,
			       .sample_type = PERF_SAMPLE_BRANCH_STACK,
			       .branch_sample_type = 8 | 2) },
	{ "watch", BREAKPOINT(HW_BREAKPOINT_W, quiet) },
	{ "watch:u", BREAKPOINT(HW_BREAKPOINT_W, quiet, .exclude_kernel = 1) },
	{ "watch kernel", BREAKPOINT(HW_BREAKPOINT_RW, KERNEL_ADDRESS) },
	{ "watch kernel:u", BREAKPOINT(HW_BREAKPOINT_RW, KERNEL_ADDRESS,
				       .exclude_kernel = 1) },
	{ "intr:u", CYCLES(.exclude_kernel = 1, .sample_regs_intr = 1,
			   .sample_type = PERF_SAMPLE_REGS_INTR) },
};
#define KINDS (int)(sizeof(kinds) / sizeof(*kinds))

/* What the attr of a traced kind lacks here is filled in at the start. */
#define TRACED(...) ATTR(PERF_TYPE_TRACEPOINT, 0, ##__VA_ARGS__)
#define RECORDED .sample_period = 1, .sample_type = PERF_SAMPLE_RAW

static struct kind traced[] = {
	{ "event", TRACED() },
	{ "event:u", TRACED(.exclude_kernel = 1) },
	{ "sampled", TRACED(.sample_period = 1) },
	{ "sampled:u", TRACED(.sample_period = 1, .exclude_kernel = 1) },
	{ "recorded", TRACED(RECORDED) },
	{ "recorded:u", TRACED(RECORDED, .exclude_kernel = 1) },
	{ "call", TRACED() },
	{ "call recorded", TRACED(RECORDED) },
	{ "call recorded:u", TRACED(RECORDED, .exclude_kernel = 1) },
	{ "kprobe", TRACED() },
	{ "kprobe:u", TRACED(.exclude_kernel = 1) },
	{ "kprobe recorded", TRACED(RECORDED) },
	{ "uprobe", TRACED() },
	{ "uprobe:u", TRACED(.exclude_kernel = 1) },
	{ "uprobe recorded:u", TRACED(RECORDED, .exclude_kernel = 1) },
	{ "raw", ATTR(PERF_TYPE_RAW, 0x11) },
	{ "raw:u", ATTR(PERF_TYPE_RAW, 0x11, .exclude_kernel = 1) },
	{ "chain:u", CYCLES(.exclude_kernel = 1, .sample_period = 100000,
			    .sample_type = PERF_SAMPLE_CALLCHAIN) },
};
#define TRACED_KINDS (int)(sizeof(traced) / sizeof(*traced))

extern const char __ehdr_start[];
static char self[256];

static u64 number_in(const char *file)
{
	FILE *f = fopen(file, "r");
	unsigned long long n = 0;

	if (!f || fscanf(f, "%llu", &n) != 1)
		ktap_ok(false, "a number in %s", file);
	if (f)
		fclose(f);
	return n;
}

__attribute__((noinline, noipa)) static void never_called(void)
{
}

static void find_traced(void)
{
	u64 event = number_in("/sys/kernel/tracing/events/sched/sched_switch/id");
	u64 call = number_in("/sys/kernel/tracing/events/syscalls/"
			     "sys_enter_getppid/id");
	u32 k = number_in("/sys/bus/event_source/devices/kprobe/type");
	u32 u = number_in("/sys/bus/event_source/devices/uprobe/type");

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		ktap_ok(false, "/proc/self/exe");
	for (int i = 0; i < TRACED_KINDS; i++) {
		struct perf_event_attr *a = &traced[i].attr;

		if (!strncmp(traced[i].name, "call", 4)) {
			a->config = call;
		} else if (!strncmp(traced[i].name, "kprobe", 6)) {
			a->type = k;
			a->config1 = (u64)"pipe_write";
		} else if (!strncmp(traced[i].name, "uprobe", 6)) {
			a->type = u;
			a->config1 = (u64)self;
			a->config2 = (u64)((const char *)never_called -
					   __ehdr_start);
		} else if (a->type == PERF_TYPE_TRACEPOINT) {
			a->config = event;
		}
	}
}

static bool become(u64 caps)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct d[2] = {
		{ (u32)caps, (u32)caps, 0 },
		{ caps >> 32, caps >> 32, 0 },
	};

	return !prctl(PR_SET_KEEPCAPS, 1) && !setgroups(0, NULL) &&
	       !setresgid(USER, USER, USER) && !setresuid(USER, USER, USER) &&
	       !syscall(SYS_capset, &h, d);
}

static int target(bool dumpable)
{
	int fds[2], pid;
	char c;

	if (pipe(fds))
		exit(1);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_DUMPABLE, dumpable);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (write(fds[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	if (read(fds[0], &c, 1) != 1)
		exit(1);
	close(fds[0]);
	close(fds[1]);
	return pid;
}

static const char *answers(const struct kind *list, int n, int pid, int cpu)
{
	static char out[600];
	int at = 0;

	for (int k = 0; k < n; k++)
		at += sprintf(out + at, "%s%s %s", k ? ", " : "", list[k].name,
			      tried_at(&list[k].attr, pid, cpu, -1, 0));
	return out;
}

static void ask(int level, const char *right, const char *where, int pid,
		int cpu)
{
	fact(answers(kinds, KINDS, pid, cpu), "paranoid %d, %s, %s", level,
	     right, where);
	fact(answers(traced, TRACED_KINDS, pid, cpu),
	     "paranoid %d, %s, %s, traced", level, right, where);
}

static void as(int level, int right, int roots)
{
	int same, hidden;

	if (!become(rights[right].caps)) {
		ktap_ok(false, "become: errno %d", errno);
		_exit(1);
	}
	ask(level, rights[right].name, "itself", 0, -1);
	ask(level, rights[right].name, "itself on cpu 1", 0, 1);
	ask(level, rights[right].name, "cpu 0", -1, 0);
	ask(level, rights[right].name, "root's task", roots, -1);
	prctl(PR_SET_DUMPABLE, 1);
	same = target(true);
	hidden = target(false);
	ask(level, rights[right].name, "its user's task", same, -1);
	ask(level, rights[right].name, "its user's hidden task", hidden, -1);
	kill(same, SIGKILL);
	kill(hidden, SIGKILL);
	_exit(0);
}

/* Commands on a descriptor that was opened with more rights. */
static void kept(void)
{
	struct perf_event_attr a = CYCLES(.sample_period = 100000,
					  .disabled = 1);
	int fd = must_open(&a, 0, -1, -1, 0), kid;
	u64 word = 1000;

	put_file(SYSCTL "perf_event_paranoid", "3");
	fflush(stdout);
	kid = fork();
	if (!kid) {
		u64 v;

		become(0);
		fact(number(SAYS(read(fd, &v, 8))), "kept: read");
		fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))),
		     "kept: ENABLE");
		fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_PERIOD, &word))),
		     "kept: PERIOD");
		fact(answer_of(SAYS(ioctl(fd, PERF_EVENT_IOC_QUERY_BPF, &v))),
		     "kept: QUERY_BPF");
		_exit(0);
	}
	waitpid(kid, NULL, 0);
	close(fd);
}

static void sysctls(void)
{
	static const char *const names[] = {
		"perf_event_paranoid", "perf_event_mlock_kb",
		"perf_event_max_sample_rate", "perf_cpu_time_max_percent",
		"perf_event_max_stack", "perf_event_max_contexts_per_stack",
		"perf_user_access"
	};
	static const char *const values[] = {
		"-2", "-1", "0", "1", "2", "3", "4", "100", "101", "127", "1000",
		"640", "641", "100000", "4294967296", "x", "", " 5 ", "7 8", "0x10"
	};

	put_file(SYSCTL "perf_cpu_time_max_percent", "25");
	for (int n = 0; n < 7; n++) {
		char was[32] = "", now[32];
		const char *path = text(SYSCTL "%s", names[n]);
		char keep[100];
		int fd;

		snprintf(keep, sizeof(keep), "%s", path);
		fd = open(keep, O_RDONLY);
		if (fd < 0 || read(fd, was, 31) < 0)
			continue;
		close(fd);
		for (int v = 0; v < 20; v++) {
			int w = open(keep, O_WRONLY);
			long r = SAYS(write(w, values[v], strlen(values[v])));

			close(w);
			memset(now, 0, sizeof(now));
			fd = open(keep, O_RDONLY);
			if (read(fd, now, 31) > 0)
				now[strcspn(now, "\n")] = 0;
			close(fd);
			fact(text("%s, then %s", number(r), now),
			     "\"%s\" to %s", values[v], names[n]);
			put_file(SYSCTL "perf_cpu_time_max_percent", "25");
		}
		put_file(keep, was);
	}
	/* A rate cannot be set while nobody watches the time it takes. */
	for (int percent = 0; percent < 101; percent += 50) {
		put_file(SYSCTL "perf_cpu_time_max_percent",
			 text("%d", percent));
		fact(put_file(SYSCTL "perf_event_max_sample_rate", "5000") ?
			     "ok" : strerrorname_np(errno),
		     "a rate while percent is %d", percent);
	}
	put_file(SYSCTL "perf_cpu_time_max_percent", "25");
	put_file(SYSCTL "perf_event_max_sample_rate", "1000");
	for (int f = 999; f < 1002; f++) {
		struct perf_event_attr a = CYCLES(.freq = 1, .sample_freq = f);

		fact(tried(&a), "frequency %d of at most 1000", f);
	}
	settle();
}

/* A context limit that is in use may not be changed. */
static void in_use(void)
{
	struct perf_event_attr a = SW(PAGE_FAULTS,
				      .sample_type = PERF_SAMPLE_CALLCHAIN);
	int fd = must_open(&a, 0, -1, -1, 0);

	fact(put_file(SYSCTL "perf_event_max_stack", "100") ? "ok" :
	     strerrorname_np(errno), "max_stack while in use");
	fact(put_file(SYSCTL "perf_event_max_contexts_per_stack", "7") ? "ok" :
	     strerrorname_np(errno), "max_contexts while in use");
	close(fd);
	for (int size = 0; size < 130; size += 43) {
		put_file(SYSCTL "perf_event_max_stack", text("%d", size));
		a.sample_max_stack = 86;
		fact(tried(&a), "chain of 86, max_stack %d", size);
		a.sample_max_stack = 0;
		fact(tried(&a), "chain of 0, max_stack %d", size);
	}
	put_file(SYSCTL "perf_event_max_stack", "127");
}

int main(void)
{
	int roots;

	settle();
	find_traced();
	roots = target(true);
	for (int level = -1; level < 4; level++)
		for (int right = 0; right < 5; right++) {
			int pid;

			put_file(SYSCTL "perf_event_paranoid",
				 text("%d", level));
			fflush(stdout);
			pid = fork();
			if (!pid)
				as(level, right, roots);
			waitpid(pid, NULL, 0);
		}
	kill(roots, SIGKILL);
	kept();
	settle();
	sysctls();
	in_use();
	return ktap_done();
}
