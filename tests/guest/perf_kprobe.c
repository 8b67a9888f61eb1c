/* SPDX-License-Identifier: MIT */
/*
 * The kprobe PMU: what may be opened, where, what is counted and recorded,
 * returns, tasks, filters.
 *
 * tags: short
 * timeout: 240
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe_pmu.h"

/* The function behind getppid(2), and where it is. */
static const char *target;
static uint64_t target_addr;

static int simple(const char *name, uint64_t where, uint64_t config)
{
	return open_at(name, where, config, NULL, 0, -1);
}

static void calls(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static uint64_t address_of(const char *name, char *kind)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[512], sym[256];
	unsigned long long addr;
	uint64_t found = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx %c %255s", &addr, kind, sym) == 3 &&
		    !strcmp(sym, name)) {
			found = addr;
			break;
		}
	if (f)
		fclose(f);
	return found;
}

static bool find_target(void)
{
	static const char *const names[] = { "__arm64_sys_getppid",
					     "sys_getppid" };
	unsigned int i;
	char kind;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		target = names[i];
		target_addr = address_of(target, &kind);
		if (target_addr)
			return true;
	}
	return false;
}

static void test_sysfs(void)
{
	char text[64];

	OK(read_text("/sys/bus/event_source/devices/kprobe/format/retprobe",
		     text, sizeof(text)) && !strcmp(text, "config:0\n"));
}

static void test_errors(void)
{
	static char long_name[600];
	struct perf_event_attr branches = {
		.sample_type = PERF_SAMPLE_BRANCH_STACK,
		.sample_period = 1,
		.branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
	};

	FAILS(simple("no_such_function_anywhere", 0, 0), ENOENT);
	FAILS(simple("no_such_function_anywhere", 0, RETURNS), ENOENT);
	FAILS(simple((char *)8, 0, 0), EFAULT);
	FAILS(simple(NULL, 0, 0), EINVAL);
	FAILS(simple("", 0, 0), EINVAL);
	FAILS(simple(NULL, 0x1000, 0), ENOENT);
	FAILS(simple(NULL, target_addr + 1, 0), EINVAL);
	FAILS(simple(target, 2, 0), EINVAL);
	FAILS(simple(target, 4, RETURNS), EINVAL);
	memset(long_name, 'a', sizeof(long_name) - 1);
	FAILS(simple(long_name, 0, 0), E2BIG);
	FAILS(open_at(target, 0, 0, &branches, 0, -1), EOPNOTSUPP);
}

/* Entry code may not be probed. */
static void test_blacklist(void)
{
	char kind;
	uint64_t vectors = address_of("vectors", &kind);

	OK(vectors != 0);
	FAILS(simple(NULL, vectors + 0x200, 0), EINVAL);
}

static void test_counts(void)
{
	int by_name = (int)WORKS(simple(target, 0, 0));
	int by_addr = (int)WORKS(simple(NULL, target_addr, 0));
	int at_return = (int)WORKS(simple(target, 0, RETURNS));

	calls(100);
	EQ(count(by_name), 100);
	EQ(count(by_addr), 100);
	EQ(count(at_return), 100);
	ioctl(by_name, PERF_EVENT_IOC_DISABLE, 0);
	calls(50);
	EQ(count(by_name), 100);
	EQ(count(at_return), 150);
	close(by_addr);
	ioctl(by_name, PERF_EVENT_IOC_ENABLE, 0);
	calls(10);
	EQ(count(by_name), 110);
	close(at_return);
	calls(10);
	EQ(count(by_name), 120);
	close(by_name);
	calls(10);
}

/* Every instruction of the function that lets itself be probed. */
static void test_inside(void)
{
	int fds[16], i, n = 0;
	bool all = true;

	for (i = 0; i < 16; i++) {
		int fd = simple(target, 4 * i, 0);

		if (fd >= 0)
			fds[n++] = fd;
		else
			all &= errno == EINVAL;
	}
	OK_MSG(all && n > 1, "most instructions can be probed");
	calls(100);
	EQ(count(fds[0]), 100);
	for (i = 0; i < n; i++) {
		long long c = count(fds[i]);

		all &= c % 100 == 0;
		close(fds[i]);
	}
	OK_MSG(all, "each is executed each time, or never");
}

static void test_exclude(void)
{
	struct perf_event_attr no_kernel = { .exclude_kernel = 1 };
	struct perf_event_attr no_user = { .exclude_user = 1 };
	int k = (int)WORKS(open_at(target, 0, 0, &no_kernel, 0, -1));
	int u = (int)WORKS(open_at(target, 0, 0, &no_user, 0, -1));

	calls(20);
	EQ(count(k), 0);
	EQ(count(u), 20);
	close(k);
	close(u);
}

static void test_tasks(void)
{
	struct perf_event_attr inherit = { .inherit = 1 };
	int own = (int)WORKS(simple(target, 0, 0));
	int family = (int)WORKS(open_at(target, 0, 0, &inherit, 0, -1));
	pid_t pid = fork();

	if (!pid) {
		calls(30);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	calls(5);
	EQ(count(own), 5);
	EQ(count(family), 35);
	close(own);
	close(family);
}

static void test_rights(void)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		int bad = 0;

		if (setresuid(1000, 1000, 1000))
			_exit(9);
		bad |= simple(target, 0, 0) != -1 || errno != EACCES;
		bad |= simple("nowhere", 0, 0) != -1 || errno != EACCES;
		_exit(bad);
	}
	waitpid(pid, &status, 0);
	EQ(status, 0);
}

struct record {
	struct perf_event_header head;
	uint64_t ip;
	uint32_t pid, tid;
	uint32_t raw_size;
	/* the record as `format` would describe it */
	uint16_t type;
	uint8_t flags, preempt;
	int32_t common_pid;
	uint64_t addr[2];
} __attribute__((packed));

static int sample(uint64_t config, struct perf_event_mmap_page **page)
{
	struct perf_event_attr a = {
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_RAW,
		.sample_period = 1,
	};
	int fd = (int)WORKS(open_at(target, 0, config, &a, 0, -1));

	*page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	OK(*page != MAP_FAILED);
	return fd;
}

static void test_records(void)
{
	struct perf_event_mmap_page *page;
	struct record *r;
	int fd = sample(0, &page);

	calls(3);
	r = (void *)((char *)page + 4096);
	EQ(r->head.type, PERF_RECORD_SAMPLE);
	EQ(r->head.misc & PERF_RECORD_MISC_CPUMODE_MASK,
	   PERF_RECORD_MISC_KERNEL);
	EQ(r->ip, target_addr);
	EQ(r->pid, getpid());
	EQ(r->raw_size, 20);
	EQ(r->common_pid, getpid());
	EQ(r->addr[0], target_addr);
	EQ(page->data_head, 3 * r->head.size);
	munmap(page, 3 * 4096);
	close(fd);

	fd = sample(RETURNS, &page);
	calls(3);
	r = (void *)((char *)page + 4096);
	EQ(r->raw_size, 28);
	EQ(r->addr[0], target_addr);
	OK(r->addr[1] != target_addr && (int64_t)r->addr[1] < 0);
	EQ(r->ip, r->addr[1]);
	EQ(page->data_head, 3 * r->head.size);
	munmap(page, 3 * 4096);
	close(fd);
}

static void test_filter(void)
{
	char text[64];
	int fd = (int)WORKS(simple(target, 0, 0));

	snprintf(text, sizeof(text), "common_pid == %d", getpid() + 1);
	WORKS(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text));
	calls(10);
	EQ(count(fd), 0);
	close(fd);
	/* Only the fields that all events have are known to the filter. */
	fd = (int)WORKS(simple(target, 0, 0));
	FAILS(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "__probe_ip == 1"), EINVAL);
	FAILS(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "no_such_field == 1"),
	      EINVAL);
	snprintf(text, sizeof(text), "common_pid == %d", getpid());
	WORKS(ioctl(fd, PERF_EVENT_IOC_SET_FILTER, text));
	calls(10);
	EQ(count(fd), 10);
	close(fd);
}

#define THREADS 4
#define EACH	10000

static void *caller(void *arg)
{
	calls(EACH);
	return NULL;
}

static void test_threads(void)
{
	struct perf_event_attr inherit = { .inherit = 1 };
	int entry = (int)WORKS(open_at(target, 0, 0, &inherit, 0, -1));
	int ret = (int)WORKS(open_at(target, 0, RETURNS, &inherit, 0, -1));
	pthread_t t[THREADS];
	int i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, caller, NULL);
	for (i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	EQ(count(entry), THREADS * EACH);
	EQ(count(ret), THREADS * EACH);
	close(entry);
	close(ret);
}

/* Probes come and go while others call. */
static void test_churn(void)
{
	int i, fd, keep = (int)WORKS(simple(target, 0, 0));
	pid_t pid = fork();

	if (!pid)
		for (;;)
			calls(1000);
	for (i = 0; i < 100; i++) {
		fd = simple(target, 0, i & RETURNS);
		calls(1);
		if (fd < 0 || count(fd) != 1)
			break;
		close(fd);
	}
	EQ(i, 100);
	EQ(count(keep), 100);
	kill(pid, 9);
	waitpid(pid, NULL, 0);
	close(keep);
}

int main(void)
{
	char text[32];

	if (!read_text("/sys/bus/event_source/devices/kprobe/type", text,
		       sizeof(text))) {
		ktap_ok(false, "there is a kprobe PMU");
		return ktap_done();
	}
	type = (uint32_t)atoi(text);
	OK(find_target());
	test_sysfs();
	test_errors();
	test_blacklist();
	test_counts();
	test_inside();
	test_exclude();
	test_tasks();
	test_rights();
	test_records();
	test_filter();
	test_threads();
	test_churn();
	return ktap_done();
}
