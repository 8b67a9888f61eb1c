/* SPDX-License-Identifier: MIT */
/*
 * The uprobe PMU on this program itself: what may be opened, counts, records,
 * every kind of instruction, returns, longjmp, faults and signals at the
 * probe, fork, threads, mappings, the counter of a place.
 *
 * tags: short
 * timeout: 900
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "probe_pmu.h"

#define SELF	"/proc/self/exe"

extern const char __ehdr_start[];

struct insn_row {
	const char *name;
	uint64_t (*fn)(uint64_t arg);
	const char *at;
};
extern const struct insn_row insn_rows[];

static char self[256];
static volatile int sink;
static uint16_t semaphore __attribute__((section(".data"), aligned(2))) = 0;

__attribute__((noinline, noipa)) static void target(void)
{
	sink++;
}

__attribute__((noinline, noipa)) static int depth(int n)
{
	int below = n ? depth(n - 1) + 1 : 0;

	sink++;
	return below;
}

static uint64_t offset_of(const void *p)
{
	return (uint64_t)((const char *)p - __ehdr_start);
}

static int on(const void *fn, uint64_t config)
{
	return open_at(self, offset_of(fn), config, NULL, 0, -1);
}

#define DEVICE "/sys/bus/event_source/devices/uprobe/"

static void test_sysfs(void)
{
	char text[64];

	OK(read_text(DEVICE "format/retprobe", text, sizeof(text)) &&
	   !strcmp(text, "config:0\n"));
	OK(read_text(DEVICE "format/ref_ctr_offset", text, sizeof(text)) &&
	   !strcmp(text, "config:32-63\n"));
}

static void test_errors(void)
{
	uint64_t at = offset_of(target);

	FAILS(open_at(NULL, at, 0, NULL, 0, -1), EINVAL);
	FAILS(open_at("", at, 0, NULL, 0, -1), EINVAL);
	FAILS(open_at("/", at, 0, NULL, 0, -1), EINVAL);
	FAILS(open_at("/no/such/file", at, 0, NULL, 0, -1), ENOENT);
	FAILS(open_at((char *)8, at, 0, NULL, 0, -1), EFAULT);
	FAILS(open_at(self, 1ull << 40, 0, NULL, 0, -1), EINVAL);
	FAILS(open_at(self, at + 2, 0, NULL, 0, -1), EINVAL);
	FAILS(open_at(self, at, 1ull << 32, NULL, 0, -1), EINVAL);
}

static void test_rights(void)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		int bad = 0;

		if (setresuid(1000, 1000, 1000))
			_exit(9);
		bad |= on(target, 0) != -1 || errno != EACCES;
		_exit(bad);
	}
	waitpid(pid, &status, 0);
	EQ(status, 0);
}

static void test_counts(void)
{
	uint32_t before = *(volatile uint32_t *)(uintptr_t)target;
	int a = (int)WORKS(on(target, 0)), b = (int)WORKS(on(target, 0));
	int r = (int)WORKS(on(target, RETURNS));
	uint32_t in_file = 0;
	int i, fd;

	for (i = 0; i < 1000; i++)
		target();
	EQ(count(a), 1000);
	EQ(count(b), 1000);
	EQ(count(r), 1000);
	/* A breakpoint in memory, and the file as it was. */
	EQ(*(volatile uint32_t *)(uintptr_t)target, 0xd42000a0);
	fd = open(self, O_RDONLY);
	EQ(pread(fd, &in_file, 4, (off_t)offset_of(target)), 4);
	EQ(in_file, before);
	close(fd);
	close(b);
	target();
	EQ(count(a), 1001);
	ioctl(a, PERF_EVENT_IOC_DISABLE, 0);
	target();
	EQ(count(a), 1001);
	EQ(count(r), 1002);
	close(a);
	close(r);
	EQ(*(volatile uint32_t *)(uintptr_t)target, before);
	target();
}

/* The same result with a probe as without. */
static void test_instructions(void)
{
	static const uint64_t args[] = { 0, 1, 3, 4, 6, 1ull << 32, 2ull << 32,
					 ~0ull };
	const struct insn_row *row;
	unsigned int i;

	for (row = insn_rows; row->name; row++) {
		uint64_t want[8], got[8];
		int fd;

		for (i = 0; i < 8; i++)
			want[i] = row->fn(args[i]);
		fd = on(row->at, 0);
		if (fd < 0 && errno == EINVAL &&
		    !strncmp(row->name, "ldr", 3)) {
			/* Linux has given up simulating these for programs. */
			ktap_skip(row->name, "may not be probed");
			continue;
		}
		if (fd < 0) {
			ktap_ok(false, "%s can be probed: errno %d", row->name,
				errno);
			continue;
		}
		for (i = 0; i < 8; i++)
			got[i] = row->fn(args[i]);
		OK_MSG(!memcmp(want, got, sizeof(want)) && count(fd) == 8,
		       "%s does what it does, %lld times", row->name,
		       count(fd));
		close(fd);
	}
}

static jmp_buf out;

__attribute__((noinline, noipa)) static void leave(int n)
{
	if (n)
		leave(n - 1);
	else if (sink >= 0)
		longjmp(out, 1);
	sink++;
}

static void test_returns(void)
{
	int fd = (int)WORKS(on(depth, RETURNS)), l, i;

	EQ(depth(20), 20);
	EQ(count(fd), 21);
	close(fd);
	l = (int)WORKS(on(leave, RETURNS));
	fd = (int)WORKS(on(target, RETURNS));
	for (i = 0; i < 50; i++) {
		if (!setjmp(out))
			leave(5);
		target();
	}
	EQ(count(fd), 50);
	EQ(count(l), 0);
	close(fd);
	close(l);
	target();
}

static volatile uint64_t fault_pc;
static sigjmp_buf recover;

static void on_fault(int sig, siginfo_t *info, void *context)
{
	fault_pc = ((ucontext_t *)context)->uc_mcontext.pc;
	siglongjmp(recover, 1);
}

__attribute__((noinline, noipa)) static int load(int *p)
{
	return *p;
}

static void test_fault(void)
{
	struct sigaction act = { .sa_sigaction = on_fault,
				 .sa_flags = SA_SIGINFO };
	int fd = (int)WORKS(on(load, 0));

	sigaction(SIGSEGV, &act, NULL);
	if (!sigsetjmp(recover, 1))
		load(NULL);
	EQ(fault_pc, (uintptr_t)load);
	EQ(count(fd), 1);
	signal(SIGSEGV, SIG_DFL);
	close(fd);
}

static volatile int strange, alarms;
extern char etext[];

static void on_alarm(int sig, siginfo_t *info, void *context)
{
	uint64_t pc = ((ucontext_t *)context)->uc_mcontext.pc;

	alarms++;
	if (pc < (uintptr_t)__ehdr_start || pc >= (uintptr_t)etext)
		strange++;
}

/* A signal never shows the place where the instruction is executed. */
static void test_signals(void)
{
	struct sigaction act = { .sa_sigaction = on_alarm,
				 .sa_flags = SA_SIGINFO | SA_RESTART };
	struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { 0 };
	const struct insn_row *push = insn_rows;
	long long calls = 0;
	int fd;

	while (strcmp(push->name, "push"))
		push++;
	fd = (int)WORKS(on(push->at, 0));
	sigaction(SIGALRM, &act, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (alarms < 50) {
		push->fn(1);
		calls++;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	EQ(strange, 0);
	EQ(count(fd), calls);
	close(fd);
}

static void test_tasks(void)
{
	struct perf_event_attr inherit = { .inherit = 1 };
	int own = (int)WORKS(on(target, 0)), status = 0;
	int family = (int)WORKS(open_at(self, offset_of(target), 0, &inherit,
					0, -1));
	int ret = (int)WORKS(open_at(self, offset_of(depth), RETURNS, &inherit,
				     0, -1));
	pid_t pid = fork();

	if (!pid) {
		target();
		target();
		_exit(depth(3) != 3);
	}
	waitpid(pid, &status, 0);
	EQ(status, 0);
	target();
	EQ(count(own), 1);
	EQ(count(family), 3);
	EQ(count(ret), 4);
	close(own);
	close(family);
	close(ret);
}

__attribute__((noinline, noipa)) static pid_t fork_inside(void)
{
	pid_t pid = fork();

	sink++;
	return pid;
}

/* A call that is under way returns in both. */
static void test_fork_inside(void)
{
	struct perf_event_attr inherit = { .inherit = 1 };
	int fd = (int)WORKS(open_at(self, offset_of(fork_inside), RETURNS,
				    &inherit, 0, -1));
	int status = 0;
	pid_t pid = fork_inside();

	if (!pid)
		_exit(0);
	waitpid(pid, &status, 0);
	EQ(status, 0);
	EQ(count(fd), 2);
	close(fd);
}

#define THREADS 4
#define EACH	2000

struct thread {
	pthread_t id;
	const struct insn_row *push;
	long long hits, returns;
};

/* Each counts what it does itself. */
static void *caller(void *arg)
{
	struct thread *t = arg;
	int i, entry = on(t->push->at, 0), ret = on(target, RETURNS);

	for (i = 0; i < EACH; i++) {
		target();
		t->push->fn(1);
	}
	t->hits = count(entry);
	t->returns = count(ret);
	close(entry);
	close(ret);
	return NULL;
}

static void test_threads(void)
{
	const struct insn_row *push = insn_rows;
	struct thread t[THREADS];
	int i;

	while (strcmp(push->name, "push"))
		push++;
	for (i = 0; i < THREADS; i++) {
		t[i].push = push;
		pthread_create(&t[i].id, NULL, caller, &t[i]);
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(t[i].id, NULL);
		EQ(t[i].hits, EACH);
		EQ(t[i].returns, EACH);
	}
}

static void test_mappings(void)
{
	uint64_t at = offset_of(target), page = at & ~4095ull;
	int fd = open(self, O_RDONLY), probe;
	uint32_t *p, *q;

	p = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
		 (off_t)page);
	OK(p != MAP_FAILED && p[(at & 4095) / 4] != 0xd42000a0);
	probe = (int)WORKS(on(target, 0));
	EQ(p[(at & 4095) / 4], 0xd42000a0);
	q = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
		 (off_t)page);
	EQ(q[(at & 4095) / 4], 0xd42000a0);
	p = mremap(p, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED,
		   mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0));
	EQ(p[(at & 4095) / 4], 0xd42000a0);
	munmap(q, 4096);
	close(probe);
	OK(p[(at & 4095) / 4] != 0xd42000a0);
	munmap(p, 4096);
	close(fd);
}

static void test_counter(void)
{
	uint64_t config = offset_of(&semaphore) << 32;
	volatile uint16_t *s = &semaphore;
	int a, b;

	EQ(*s, 0);
	a = (int)WORKS(open_at(self, offset_of(target), config, NULL, 0, -1));
	EQ(*s, 1);
	b = (int)WORKS(open_at(self, offset_of(depth), config, NULL, 0, -1));
	EQ(*s, 2);
	FAILS(on(target, 0), EINVAL);
	target();
	EQ(count(a), 1);
	close(a);
	EQ(*s, 1);
	close(b);
	EQ(*s, 0);
}

static void test_records(void)
{
	struct perf_event_attr a = {
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_RAW,
		.sample_period = 1,
	};
	int fd = (int)WORKS(open_at(self, offset_of(target), 0, &a, 0, -1));
	struct perf_event_mmap_page *page;
	struct record {
		struct perf_event_header head;
		uint64_t ip;
		uint32_t raw_size;
		uint16_t type;
		uint8_t flags, preempt;
		int32_t pid;
		uint64_t addr;
	} __attribute__((packed)) *r;

	page = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	target();
	r = (void *)((char *)page + 4096);
	EQ(r->head.type, PERF_RECORD_SAMPLE);
	EQ(r->head.misc & PERF_RECORD_MISC_CPUMODE_MASK, PERF_RECORD_MISC_USER);
	EQ(r->ip, (uintptr_t)target);
	EQ(r->raw_size, 20);
	EQ(r->addr, (uintptr_t)target);
	EQ(page->data_head, r->head.size);
	munmap(page, 3 * 4096);
	close(fd);
}

/* Probes come and go while processes of the same file do. */
static void test_churn(void)
{
	int i, bad = 0;
	pid_t pid = fork();

	if (!pid) {
		for (;;) {
			pid_t child = fork();

			target();
			if (!child) {
				target();
				_exit(depth(2) != 2);
			}
			if (waitpid(child, &i, 0) != child || i)
				_exit(1);
		}
	}
	for (i = 0; i < 50; i++) {
		const void *fn = i & 1 ? (void *)target : (void *)depth;
		int fd = on(fn, i & RETURNS);

		target();
		depth(1);
		bad += fd < 0 || count(fd) != (i & 1 ? 1 : 2);
		close(fd);
	}
	EQ(bad, 0);
	EQ(waitpid(pid, &i, WNOHANG), 0);
	kill(pid, SIGKILL);
	waitpid(pid, &i, 0);
}

/* Whose probe goes with its memory: only the mapping holds the event. */
static int probed_and_gone(void)
{
	int fd = on(target, 0);

	if (fd < 0 || mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
			   fd, 0) == MAP_FAILED)
		return 1;
	close(fd);
	return 0;
}

/*
 * Processes end while others put breakpoints into all spaces of the program:
 * the last to let go of a space, and of the probe mapped there, may be one of
 * those.
 */
static void test_ends(void)
{
	int i, j, status, bad = 0;

	for (i = 0; i < 4; i++) {
		if (fork())
			continue;
		for (j = 0; j < 60; j++) {
			if (!fork())
				_exit(probed_and_gone());
			close(on(depth, 0));
			wait(&status);
			bad |= status;
		}
		_exit(bad != 0);
	}
	while (wait(&status) > 0)
		bad |= status;
	EQ(bad, 0);
	close(on(target, 0));
}

int main(void)
{
	char text[32];
	ssize_t n = readlink(SELF, self, sizeof(self) - 1);

	OK(n > 0);
	if (!read_text(DEVICE "type", text, sizeof(text))) {
		ktap_ok(false, "there is a uprobe PMU");
		return ktap_done();
	}
	type = (uint32_t)atoi(text);
	test_sysfs();
	test_errors();
	test_rights();
	test_counts();
	test_instructions();
	test_returns();
	test_fault();
	test_signals();
	test_tasks();
	test_fork_inside();
	test_threads();
	test_mappings();
	test_counter();
	test_records();
	test_churn();
	test_ends();
	return ktap_done();
}
