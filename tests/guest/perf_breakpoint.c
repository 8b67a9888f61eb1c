/* SPDX-License-Identifier: MIT */
/*
 * PERF_TYPE_BREAKPOINT: what may be opened, what is counted, samples,
 * synchronous signals, inheritance, changes of a live event.
 *
 * tags: short
 */
#define _GNU_SOURCE
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ktap.h"

#define KERNEL_ADDR 0xffff800008000000ull

static volatile uint64_t cell[8] __attribute__((aligned(64)));
static volatile int called;

__attribute__((noinline)) static void target(void)
{
	called++;
}

static int open_attr(struct perf_event_attr *a, pid_t pid, int cpu)
{
	return (int)syscall(SYS_perf_event_open, a, pid, cpu, -1, 0);
}

static struct perf_event_attr make(uint64_t addr, uint64_t len, uint32_t type)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(a),
		.bp_addr = addr,
		.bp_len = len,
		.bp_type = type,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return a;
}

static int open_bp(volatile void *addr, uint64_t len, uint32_t type)
{
	struct perf_event_attr a = make((uintptr_t)addr, len, type);

	return open_attr(&a, 0, -1);
}

static long long count(int fd)
{
	uint64_t v = ~0ull;

	return read(fd, &v, sizeof(v)) == sizeof(v) ? (long long)v : -1;
}

static void test_errors(void)
{
	struct perf_event_attr a;
	uint64_t len;
	int fd;

	FAILS(open_bp(cell, 8, 0), EINVAL);
	FAILS(open_bp(cell, 8, 7), EINVAL);
	FAILS(open_bp(cell, 8, 5), EINVAL);
	FAILS(open_bp(cell, 0, HW_BREAKPOINT_W), EINVAL);
	FAILS(open_bp(cell, 9, HW_BREAKPOINT_W), EINVAL);
	FAILS(open_bp(cell, 16, HW_BREAKPOINT_X), EINVAL);
	for (len = 1; len <= 8; len++) {
		fd = (int)WORKS(open_bp(cell, len, HW_BREAKPOINT_RW));
		close(fd);
		fd = (int)WORKS(open_bp((void *)target, len, HW_BREAKPOINT_X));
		close(fd);
	}
	a = make((uintptr_t)cell, 8, HW_BREAKPOINT_W);
	a.sample_type = PERF_SAMPLE_BRANCH_STACK;
	a.branch_sample_type = PERF_SAMPLE_BRANCH_ANY |
			       PERF_SAMPLE_BRANCH_USER;
	FAILS(open_attr(&a, 0, -1), EOPNOTSUPP);
	a = make(KERNEL_ADDR, 8, HW_BREAKPOINT_W);
	FAILS(open_attr(&a, 0, -1), EINVAL);
	FAILS(open_attr(&a, -1, 0), EINVAL);
	a.exclude_kernel = 0;
	FAILS(open_attr(&a, 0, -1), EINVAL);
	fd = (int)WORKS(open_attr(&a, -1, 0));
	close(fd);
	a = make((uintptr_t)cell, 8, HW_BREAKPOINT_W);
	a.use_clockid = 1;
	a.clockid = 0;
	FAILS(open_attr(&a, 0, -1), EINVAL);
}

static int fill(uint32_t type, int *fds, int most)
{
	int n = 0;

	while (n < most) {
		fds[n] = open_bp(type == HW_BREAKPOINT_X ?
					 (void *)target : (void *)cell,
				 4, type);
		if (fds[n] < 0)
			break;
		n++;
	}
	return n;
}

static void test_slots(void)
{
	int fds[32], other[32], n, m, err;
	struct perf_event_attr a = make((uintptr_t)cell, 4, HW_BREAKPOINT_W);

	n = fill(HW_BREAKPOINT_W, fds, 32);
	err = errno;
	OK_MSG(n == 4, "four watchpoints: %d", n);
	EQ(err, ENOSPC);
	FAILS(open_attr(&a, -1, 0), ENOSPC);
	m = fill(HW_BREAKPOINT_X, other, 32);
	OK_MSG(m == 6, "six breakpoints: %d", m);
	/* A child that has none of its own has all the slots. */
	if (!fork()) {
		int c[8];

		_exit(fill(HW_BREAKPOINT_RW, c, 8));
	}
	wait(&err);
	EQ(WEXITSTATUS(err), 4);
	a.bp_type = HW_BREAKPOINT_X;
	a.bp_addr = (uintptr_t)target;
	FAILS(ioctl(fds[0], PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &a), ENOSPC);
	while (m)
		close(other[--m]);
	close(fds[--n]);
	fds[n] = (int)WORKS(open_attr(&a, -1, 0));
	close(fds[n]);
	while (n)
		close(fds[--n]);
}

static void test_counts(void)
{
	int w = open_bp(cell, 8, HW_BREAKPOINT_W);
	int r = open_bp(cell, 8, HW_BREAKPOINT_R);
	int rw = open_bp(cell, 8, HW_BREAKPOINT_RW);
	int x = open_bp((void *)target, 8, HW_BREAKPOINT_X);
	int i;
	uint64_t sum = 0;

	for (i = 0; i < 100; i++)
		cell[0] = (uint64_t)i;
	for (i = 0; i < 50; i++)
		sum += cell[0];
	for (i = 0; i < 30; i++)
		target();
	cell[1] = sum;
	EQ(count(w), 100);
	EQ(count(r), 50);
	EQ(count(rw), 150);
	EQ(count(x), 30);
	WORKS(ioctl(w, PERF_EVENT_IOC_DISABLE, 0));
	cell[0] = 1;
	EQ(count(w), 100);
	WORKS(ioctl(w, PERF_EVENT_IOC_ENABLE, 0));
	cell[0] = 1;
	EQ(count(w), 101);
	WORKS(ioctl(w, PERF_EVENT_IOC_RESET, 0));
	EQ(count(w), 0);
	close(w);
	close(r);
	close(rw);
	close(x);
}

static void test_parts(void)
{
	volatile uint8_t *bytes = (volatile uint8_t *)cell;
	int i, fd = open_bp(bytes + 3, 2, HW_BREAKPOINT_W);

	for (i = 0; i < 8; i++)
		bytes[i] = 1;
	EQ(count(fd), 2);
	cell[0] = 0;
	EQ(count(fd), 3);
	cell[1] = 0;
	EQ(count(fd), 3);
	close(fd);
	/* A watchpoint lies within eight aligned bytes. */
	FAILS(open_bp(bytes + 6, 3, HW_BREAKPOINT_W), EINVAL);
	fd = (int)WORKS(open_bp(bytes + 6, 2, HW_BREAKPOINT_W));
	for (i = 0; i < 16; i++)
		bytes[i] = 1;
	EQ(count(fd), 2);
	close(fd);
}

/* What the kernel writes on our behalf is not ours. */
static void test_kernel_copy(void)
{
	int fd = open_bp(cell, 8, HW_BREAKPOINT_W), p[2];

	WORKS(pipe(p));
	EQ(write(p[1], "12345678", 8), 8);
	EQ(read(p[0], (void *)cell, 8), 8);
	EQ(count(fd), 0);
	close(p[0]);
	close(p[1]);
	close(fd);
}

static void test_samples(void)
{
	struct perf_event_attr a = make((uintptr_t)cell, 8, HW_BREAKPOINT_W);
	struct perf_event_mmap_page *page;
	struct perf_event_header *h;
	uint64_t *body;
	int fd, i;

	a.sample_period = 10;
	a.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR |
			PERF_SAMPLE_PERIOD;
	fd = (int)WORKS(open_attr(&a, 0, -1));
	page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	OK(page != MAP_FAILED);
	for (i = 0; i < 100; i++)
		cell[0] = (uint64_t)i;
	EQ(count(fd), 100);
	h = (void *)((char *)page + page->data_offset);
	body = (void *)(h + 1);
	EQ(h->type, PERF_RECORD_SAMPLE);
	EQ(h->misc, PERF_RECORD_MISC_USER);
	EQ(body[1], (uintptr_t)cell);
	OK_MSG(body[0] - (uintptr_t)test_samples < 4096, "ip is in here");
	EQ(body[2], 1);
	EQ(page->data_head, 100 * (8 + 24));
	munmap(page, 3 * 4096);
	close(fd);

	a.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
	fd = (int)WORKS(open_attr(&a, 0, -1));
	page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	for (i = 0; i < 100; i++)
		cell[0] = (uint64_t)i;
	EQ(page->data_head, 10 * (8 + 16));
	munmap(page, 3 * 4096);
	close(fd);
}

static volatile sig_atomic_t traps;
static siginfo_t last;
static volatile int trap_fd;

static void on_trap(int sig, siginfo_t *info, void *context)
{
	if (++traps > 5)
		_exit(9);
	last = *info;
	/* The instruction has not executed and would hit again. */
	ioctl(trap_fd, PERF_EVENT_IOC_DISABLE, 0);
}

static void test_sigtrap(void)
{
	struct perf_event_attr a = make((uintptr_t)cell, 8, HW_BREAKPOINT_W);
	struct sigaction sa = { .sa_sigaction = on_trap,
				.sa_flags = SA_SIGINFO };
	uint64_t data;

	sigaction(SIGTRAP, &sa, NULL);
	a.sample_period = 1;
	a.sigtrap = 1;
	a.remove_on_exec = 1;
	a.sig_data = 0x1234567;
	trap_fd = (int)WORKS(open_attr(&a, 0, -1));
	cell[0] = 77;
	EQ(traps, 1);
	EQ(cell[0], 77);
	EQ(last.si_code, 6);
	EQ((uintptr_t)last.si_addr, (uintptr_t)cell);
	memcpy(&data, (char *)&last + 24, sizeof(data));
	EQ(data, 0x1234567);
	close(trap_fd);
	signal(SIGTRAP, SIG_DFL);
}

static void test_inherit(void)
{
	struct perf_event_attr a = make((uintptr_t)cell, 8, HW_BREAKPOINT_W);
	int fd, i;

	a.inherit = 1;
	fd = (int)WORKS(open_attr(&a, 0, -1));
	for (i = 0; i < 3; i++) {
		if (!fork()) {
			cell[0] = 1;
			cell[0] = 2;
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	cell[0] = 3;
	EQ(count(fd), 7);
	close(fd);
}

static void test_modify(void)
{
	struct perf_event_attr a = make((uintptr_t)cell, 8, HW_BREAKPOINT_W);
	int fd = (int)WORKS(open_attr(&a, 0, -1));

	cell[0] = 1;
	a.bp_addr = (uintptr_t)&cell[2];
	WORKS(ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &a));
	cell[0] = 1;
	EQ(count(fd), 1);
	cell[2] = 1;
	EQ(count(fd), 2);
	a.bp_type = HW_BREAKPOINT_X;
	a.bp_addr = (uintptr_t)target;
	WORKS(ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &a));
	cell[2] = 1;
	target();
	EQ(count(fd), 3);
	a.disabled = 1;
	WORKS(ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &a));
	target();
	EQ(count(fd), 3);
	a.disabled = 0;
	a.bp_len = 0;
	FAILS(ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &a), EINVAL);
	a.bp_len = 8;
	a.sample_period = 5;
	FAILS(ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &a), EINVAL);
	a.sample_period = 0;
	a.type = PERF_TYPE_SOFTWARE;
	FAILS(ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &a), EINVAL);
	FAILS(ioctl(fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, NULL), EFAULT);
	close(fd);
}

/* Where the kernel enters for a call; see /proc/kallsyms. */
static uint64_t symbol(const char *name)
{
	char line[256], have[200];
	unsigned long long addr;
	uint64_t found = 0;
	FILE *f = fopen("/proc/kallsyms", "r");

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx %*c %199s", &addr, have) == 2 &&
		    !strcmp(have, name)) {
			found = addr;
			break;
		}
	}
	if (f)
		fclose(f);
	return found;
}

static void test_kernel_exec(void)
{
	struct perf_event_attr a = make(0, 8, HW_BREAKPOINT_X);
	uint64_t addr = symbol("__arm64_sys_getppid");
	cpu_set_t set;
	int fd, i;

	if (!addr)
		addr = symbol("sys_getppid");
	if (!addr) {
		ktap_skip("breakpoint in the kernel", "no symbol");
		return;
	}
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	a.bp_addr = addr;
	a.exclude_kernel = 0;
	fd = (int)WORKS(open_attr(&a, -1, 0));
	for (i = 0; i < 20; i++)
		syscall(SYS_getppid);
	OK_MSG(count(fd) >= 20, "kernel executions counted: %lld", count(fd));
	close(fd);
}

static void test_privilege(void)
{
	struct perf_event_attr a = make(KERNEL_ADDR, 8, HW_BREAKPOINT_W);
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "w");

	a.exclude_kernel = 0;
	if (!f || fputs("-1\n", f) < 0 || fclose(f) || setuid(65534)) {
		ktap_skip("kernel addresses need rights", "not root");
		return;
	}
	FAILS(open_attr(&a, -1, 0), EPERM);
	/* An instruction there would end in user code, past the wrap. */
	a = make(~0ull, 1, HW_BREAKPOINT_X);
	FAILS(open_attr(&a, 0, -1), EINVAL);
	a.exclude_kernel = 0;
	FAILS(open_attr(&a, 0, -1), EPERM);
	close((int)WORKS(open_bp(cell, 8, HW_BREAKPOINT_W)));
}

int main(void)
{
	test_errors();
	test_slots();
	test_counts();
	test_parts();
	test_kernel_copy();
	test_samples();
	test_sigtrap();
	test_inherit();
	test_modify();
	test_kernel_exec();
	test_privilege();
	return ktap_done();
}
