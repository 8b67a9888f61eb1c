/* SPDX-License-Identifier: MIT */
/*
 * Tracepoints as perf events: what they count, the records they carry, who
 * may see those, filters, groups, inheritance.
 *
 * tags: short
 * timeout: 120
 */
#define _GNU_SOURCE
#include "ktap.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CALLS 50
#define PAGES 8

static char tracefs[] = "/sys/kernel/tracing";

static int event_id(const char *name)
{
	char path[256], text[16] = "";
	int fd;

	snprintf(path, sizeof(path), "%s/events/%s/id", tracefs, name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		return -1;
	close(fd);
	return atoi(text);
}

static struct perf_event_attr attr_of(const char *name)
{
	struct perf_event_attr a = { .type = PERF_TYPE_TRACEPOINT,
				     .size = sizeof(a) };

	a.config = (uint64_t)event_id(name);
	return a;
}

static int open_at(struct perf_event_attr *a, pid_t pid, int cpu, int group)
{
	return (int)syscall(SYS_perf_event_open, a, pid, cpu, group, 0);
}

static int open_own(struct perf_event_attr *a)
{
	return open_at(a, 0, -1, -1);
}

static int open_error(struct perf_event_attr *a)
{
	int fd = open_own(a);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static void calls(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static uint64_t count_of(int fd)
{
	uint64_t v = ~0ull;

	if (read(fd, &v, sizeof(v)) != sizeof(v))
		return ~0ull;
	return v;
}

/* What CALLS calls of getppid add to the event. */
static uint64_t counted(struct perf_event_attr *a)
{
	int fd = open_own(a);
	uint64_t v;

	if (fd < 0)
		return ~0ull;
	ioctl(fd, PERF_EVENT_IOC_RESET, 0);
	calls(CALLS);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	v = count_of(fd);
	close(fd);
	return v;
}

static uint64_t counted_filtered(struct perf_event_attr *a, const char *filter)
{
	int fd = open_own(a);
	uint64_t v;

	if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter))
		return ~0ull;
	calls(CALLS);
	v = count_of(fd);
	close(fd);
	return v;
}

static void test_open(void)
{
	struct perf_event_attr a = attr_of("sched/sched_switch");

	OK((int)a.config > 0);
	EQ(open_error(&a), 0);
	a.config |= 1ull << 32;
	EQ(open_error(&a), EINVAL);
	a.config = 0xfffff;
	EQ(open_error(&a), EINVAL);
	a.config = 0;
	EQ(open_error(&a), EINVAL);
	/* Only trace_marker makes these: it opens, and counts nothing. */
	a = attr_of("ftrace/print");
	EQ(counted(&a), 0);
	a = attr_of("sched/sched_switch");
	a.sample_type = PERF_SAMPLE_BRANCH_STACK;
	a.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
	a.sample_period = 1;
	EQ(open_error(&a), EOPNOTSUPP);
}

/* No program runs on it, and the room for ids is cleared. */
static void test_query_bpf(void)
{
	struct perf_event_attr a = attr_of("sched/sched_switch");
	struct {
		struct perf_event_query_bpf head;
		uint32_t ids[64];
	} query = { .head = { .ids_len = 64, .prog_cnt = 7 }, .ids = { 7 } };
	int fd = open_own(&a);

	OK(fd >= 0);
	EQ(ioctl(fd, PERF_EVENT_IOC_QUERY_BPF, &query), 0);
	EQ(query.head.prog_cnt, 0);
	EQ(query.ids[0], 0);
	query.head.ids_len = 65;
	FAILS(ioctl(fd, PERF_EVENT_IOC_QUERY_BPF, &query), E2BIG);
	FAILS(ioctl(fd, PERF_EVENT_IOC_QUERY_BPF, NULL), EFAULT);
	close(fd);
}

static void test_count(void)
{
	struct perf_event_attr a = attr_of("syscalls/sys_enter_getppid");
	char filter[32];

	EQ(counted(&a), CALLS);
	a.exclude_user = 1;
	EQ(counted(&a), CALLS);
	a.exclude_user = 0;
	a.exclude_kernel = 1;
	EQ(counted(&a), CALLS);
	a = attr_of("syscalls/sys_exit_getppid");
	EQ(counted(&a), CALLS);
	a = attr_of("raw_syscalls/sys_enter");
	/* The calls, and the ioctl that ends it. */
	EQ(counted(&a), CALLS + 1);
	snprintf(filter, sizeof(filter), "id == %d", SYS_getppid);
	/* Before the filter came, the call that sets it was counted. */
	EQ(counted_filtered(&a, filter), CALLS + 1);
	a.exclude_user = 1;
	EQ(counted(&a), CALLS + 1);
	a.exclude_user = 0;
	a.exclude_kernel = 1;
	EQ(counted(&a), 0);
}

static void test_switches(void)
{
	struct timespec t = { 0, 1000000 };
	struct perf_event_attr a = attr_of("sched/sched_switch");
	int fd = open_own(&a), i;
	uint64_t n;

	EQ(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "prev_state == 1"), 0);
	for (i = 0; i < 5; i++)
		nanosleep(&t, NULL);
	/* One that is interrupted on its way to sleep leaves as a runner. */
	n = count_of(fd);
	OK_MSG(n >= 2 && n <= 5, "5 sleeps, %llu switches",
	       (unsigned long long)n);
	close(fd);
	a.exclude_kernel = 1;
	fd = open_own(&a);
	nanosleep(&t, NULL);
	EQ(count_of(fd), 0);
	close(fd);
	/* An event that stands for an amount counts the amount. */
	a = attr_of("sched/sched_stat_runtime");
	fd = open_own(&a);
	nanosleep(&t, NULL);
	OK(count_of(fd) > 1000);
	close(fd);
}

static void test_filter(void)
{
	static const struct {
		const char *text;
		int err;
	} cases[] = {
		{ "prev_pid == 0", 0 },
		{ "prev_comm ~ 'a*' && !(cpu & 1 || next_prio >= 0x10)", 0 },
		{ "common_pid != 0", 0 },
		{ "COMM == 'x'", 0 },
		{ "", EINVAL },
		{ "0", EINVAL },
		{ "nope == 1", EINVAL },
		{ "prev_pid = 1", EINVAL },
		{ "prev_pid == 'a'", EINVAL },
		{ "prev_comm == 1", EINVAL },
		{ "prev_pid == 09", EINVAL },
		{ "prev_comm < 'a'", EINVAL },
		{ "prev_pid == 1 &&", EINVAL },
		{ "prev_pid == 1 & next_pid == 2", EPERM },
		{ "prev_pid == 1)", EPERM },
		{ "(prev_pid == 1", ENOENT },
		{ "prev_comm == 'a", ESRCH },
	};
	struct perf_event_attr a = attr_of("sched/sched_switch");
	unsigned int i;
	int fd, err;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fd = open_own(&a);
		err = ioctl(fd, PERF_EVENT_IOC_SET_FILTER, cases[i].text) ?
			      errno : 0;
		OK_MSG(err == cases[i].err, "filter [%s]: %d", cases[i].text,
		       err);
		if (!err) {
			err = ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "junk") ?
				      errno : 0;
			OK_MSG(err == EEXIST, "a second one: %d", err);
		}
		close(fd);
	}
	fd = open_own(&a);
	err = ioctl(fd, PERF_EVENT_IOC_SET_FILTER, NULL) ? errno : 0;
	EQ(err, EFAULT);
	close(fd);
}

static void test_filter_values(void)
{
	static const struct {
		const char *text;
		int want;
	} cases[] = {
		{ "__syscall_nr == 173", CALLS },
		{ "__syscall_nr != 173", 0 },
		{ "!(__syscall_nr == 173)", 0 },
		{ "!!(__syscall_nr == 173)", CALLS },
		{ "__syscall_nr > 173 || __syscall_nr < 173", 0 },
		{ "__syscall_nr >= 173 && __syscall_nr <= 0xad", CALLS },
		{ "__syscall_nr & 1", CALLS },
		{ "__syscall_nr & 0x10", 0 },
		{ "comm == 'perf_tracepoint'", CALLS },
		{ "comm ~ 'perf_*' && comm ~ '*point' && comm ~ '*_tr*'", CALLS },
		{ "comm ~ 'perf'", 0 },
		{ "comm ~ 'p?rf_[st]race[!q]oint'", CALLS },
		{ "comm != 'perf_tracepoint'", 0 },
		{ "cpu < 1000 && common_pid > 0", CALLS },
		{ "__syscall_nr == 1 || (cpu >= 0 && !(comm == 'x'))", CALLS },
		{ "(__syscall_nr == 1 || __syscall_nr == 173) && cpu < 0", 0 },
		{ "__syscall_nr == -1", 0 },
		{ "__syscall_nr >= -2147483648", CALLS },
		{ "__syscall_nr > 2147483647", 0 },
		/* The upper bits do not fit and are lost. */
		{ "__syscall_nr == 4294967469", CALLS },
		{ "__syscall_nr < 2147483648", 0 },
		{ "cpu >= 4294967296", CALLS },
	};
	struct perf_event_attr a = attr_of("syscalls/sys_enter_getppid");
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t n = counted_filtered(&a, cases[i].text);

		OK_MSG(n == (uint64_t)cases[i].want, "[%s] lets %llu through",
		       cases[i].text, (unsigned long long)n);
	}
}

/* The only record of a ring, and how many there are. */
struct seen {
	int samples;
	uint16_t misc;
	uint32_t raw_size;
	unsigned char raw[128];
};

static void look(int fd, struct perf_event_mmap_page *page, struct seen *s)
{
	unsigned char *data = (unsigned char *)page + 4096;
	uint64_t at, head;

	memset(s, 0, sizeof(*s));
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	for (at = page->data_tail; at < head;) {
		struct perf_event_header *h = (void *)(data + at);

		if (h->type == PERF_RECORD_SAMPLE) {
			if (!s->samples++) {
				s->misc = h->misc;
				memcpy(&s->raw_size, h + 1, 4);
				memcpy(s->raw, (char *)(h + 1) + 4,
				       s->raw_size > 128 ? 128 : s->raw_size);
			}
		}
		at += h->size;
	}
}

static int sampled(struct perf_event_attr *a, int n, struct seen *s)
{
	int fd = open_own(a);
	void *map;

	map = mmap(NULL, (1 + PAGES) * 4096, PROT_READ | PROT_WRITE,
		   MAP_SHARED, fd, 0);
	if (fd < 0 || map == MAP_FAILED)
		return -1;
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	calls(n);
	look(fd, map, s);
	munmap(map, (1 + PAGES) * 4096);
	close(fd);
	return 0;
}

static void test_raw(void)
{
	struct perf_event_attr a = attr_of("syscalls/sys_enter_getppid");
	uint16_t type;
	int32_t pid, nr;
	struct seen s;

	a.disabled = 1;
	a.sample_period = 1;
	a.sample_type = PERF_SAMPLE_RAW;
	EQ(sampled(&a, 5, &s), 0);
	EQ(s.samples, 5);
	EQ(s.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
	EQ((s.raw_size + 4) % 8, 0);
	EQ(s.raw_size, 20);
	memcpy(&type, s.raw, 2);
	memcpy(&pid, s.raw + 4, 4);
	memcpy(&nr, s.raw + 8, 4);
	EQ(type, a.config);
	EQ(pid, getpid());
	EQ(nr, SYS_getppid);

	a.sample_period = 10;
	EQ(sampled(&a, 100, &s), 0);
	EQ(s.samples, 10);

	a = attr_of("raw_syscalls/sys_exit");
	a.disabled = 1;
	a.sample_period = 1;
	a.sample_type = PERF_SAMPLE_RAW;
	EQ(sampled(&a, 0, &s), 0);
	/* The ioctl that enables it is the first to end. */
	EQ(s.samples, 1);
	EQ(s.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_KERNEL);
	EQ(s.raw_size, 28);
	memcpy(&nr, s.raw + 8, 4);
	EQ(nr, SYS_ioctl);
}

static void test_group(void)
{
	struct perf_event_attr a = attr_of("syscalls/sys_enter_getppid");
	struct perf_event_attr b = attr_of("syscalls/sys_exit_getppid");
	uint64_t v[3] = { 0 };
	int lead, other;

	a.read_format = b.read_format = PERF_FORMAT_GROUP;
	a.disabled = 1;
	lead = open_own(&a);
	other = open_at(&b, 0, -1, lead);
	OK(lead >= 0 && other >= 0);
	calls(3);
	ioctl(lead, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	calls(CALLS);
	ioctl(lead, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
	EQ(read(lead, v, sizeof(v)), sizeof(v));
	EQ(v[0], 2);
	EQ(v[1], CALLS);
	EQ(v[2], CALLS);
	close(other);
	close(lead);
}

static void test_inherit(void)
{
	struct perf_event_attr a = attr_of("syscalls/sys_enter_getppid");
	int fd;

	a.inherit = 1;
	fd = open_own(&a);
	/* Set before the fork: it holds for the child as well. */
	EQ(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "__syscall_nr == 173"), 0);
	calls(CALLS);
	if (!fork()) {
		calls(CALLS);
		_exit(0);
	}
	wait(NULL);
	EQ(count_of(fd), 2 * CALLS);
	close(fd);
}

static void test_cpu(void)
{
	struct perf_event_attr a = attr_of("syscalls/sys_enter_getppid");
	cpu_set_t set;
	int fd;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	fd = open_at(&a, -1, 0, -1);
	OK(fd >= 0);
	EQ(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "comm == 'perf_tracepoint'"),
	   0);
	calls(CALLS);
	EQ(count_of(fd), CALLS);
	close(fd);
}

static void set_paranoid(int level)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "w");

	fprintf(f, "%d\n", level);
	fclose(f);
}

/* Answers of open for somebody without rights. */
static void test_rights(void)
{
	static const struct {
		int paranoid;
		const char *event;
		uint64_t sample;
		int exclude_kernel, err;
	} cases[] = {
		{ -1, "sched/sched_switch", PERF_SAMPLE_RAW, 0, 0 },
		{ 0, "sched/sched_switch", PERF_SAMPLE_RAW, 0, EPERM },
		{ 1, "sched/sched_switch", 0, 0, 0 },
		{ 1, "sched/sched_switch", PERF_SAMPLE_RAW, 0, EPERM },
		{ 1, "raw_syscalls/sys_enter", PERF_SAMPLE_RAW, 0, 0 },
		{ 1, "syscalls/sys_enter_getppid", PERF_SAMPLE_RAW, 0, 0 },
		{ 2, "syscalls/sys_enter_getppid", 0, 0, EACCES },
		{ 2, "sched/sched_switch", 0, 0, EACCES },
		{ 2, "sched/sched_switch", 0, 1, 0 },
		{ 2, "syscalls/sys_enter_getppid", PERF_SAMPLE_RAW, 1, 0 },
		{ 2, "sched/sched_switch", PERF_SAMPLE_RAW, 1, EPERM },
		{ 3, "sched/sched_switch", 0, 1, EACCES },
	};
	unsigned int i;
	int status;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct perf_event_attr a = attr_of(cases[i].event);

		a.sample_type = cases[i].sample;
		a.exclude_kernel = cases[i].exclude_kernel;
		set_paranoid(cases[i].paranoid);
		if (!fork()) {
			if (setgid(65534) || setuid(65534))
				_exit(99);
			_exit(open_error(&a));
		}
		wait(&status);
		OK_MSG(WEXITSTATUS(status) == cases[i].err,
		       "paranoid %d, %s%s%s: %d", cases[i].paranoid,
		       cases[i].event, cases[i].sample ? ", raw" : "",
		       cases[i].exclude_kernel ? ", user only" : "",
		       WEXITSTATUS(status));
	}
	set_paranoid(-1);
}

int main(void)
{
	test_open();
	test_query_bpf();
	test_count();
	test_switches();
	test_filter();
	test_filter_values();
	test_raw();
	test_group();
	test_inherit();
	test_rights();
	test_cpu();
	return ktap_done();
}
