// SPDX-License-Identifier: MIT
/*
 * Scheduling as asked for: policies and priorities, nice levels and what they
 * are worth, affinity, and who may ask for what.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

#define SEC 1000000000LL

struct attr {
	unsigned int size, policy;
	unsigned long long flags;
	int nice;
	unsigned int priority;
	unsigned long long runtime, deadline, period;
	unsigned int util_min, util_max;
};

#define NO_SUCH_PID 0x3ffffffe

static long set_attr(int pid, struct attr *a, unsigned int flags)
{
	return syscall(SYS_sched_setattr, pid, a, flags);
}

static long get_attr(int pid, struct attr *a, unsigned int size,
		     unsigned int flags)
{
	return syscall(SYS_sched_getattr, pid, a, size, flags);
}

static long set_policy(int policy, int priority)
{
	struct sched_param p = { .sched_priority = priority };

	return syscall(SYS_sched_setscheduler, 0, policy, &p);
}

static long set_param(int priority)
{
	struct sched_param p = { .sched_priority = priority };

	return sched_setparam(0, &p);
}

/* Runs fn in a child; its exit status. */
static int in_child(int (*fn)(void))
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(fn());
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -status;
}

static void ranges(void)
{
	EQ(sched_get_priority_max(SCHED_FIFO), 99);
	EQ(sched_get_priority_min(SCHED_RR), 1);
	EQ(sched_get_priority_max(SCHED_OTHER), 0);
	EQ(sched_get_priority_min(SCHED_BATCH), 0);
	EQ(sched_get_priority_max(SCHED_IDLE), 0);
	EQ(sched_get_priority_max(6), 0);
	FAILS(sched_get_priority_max(4), EINVAL);
	FAILS(sched_get_priority_min(7), EINVAL);
	FAILS(sched_get_priority_min(-1), EINVAL);
}

static void policies(void)
{
	struct sched_param p = { -1 };
	struct timespec ts = { 1, 1 };

	EQ(sched_getscheduler(0), SCHED_OTHER);
	WORKS(set_policy(SCHED_RR, 20));
	EQ(sched_getscheduler(getpid()), SCHED_RR);
	WORKS(sched_getparam(0, &p));
	EQ(p.sched_priority, 20);
	WORKS(sched_rr_get_interval(0, &ts));
	OK(ts.tv_sec == 0 && ts.tv_nsec == 100000000);
	WORKS(set_param(30));
	FAILS(set_param(0), EINVAL);
	FAILS(set_param(100), EINVAL);
	WORKS(set_policy(SCHED_FIFO | SCHED_RESET_ON_FORK, 99));
	EQ(sched_getscheduler(0), SCHED_FIFO | SCHED_RESET_ON_FORK);
	WORKS(sched_rr_get_interval(0, &ts));
	OK(ts.tv_sec == 0 && ts.tv_nsec == 0);
	WORKS(sched_yield());
	WORKS(set_policy(SCHED_BATCH, 0));
	EQ(sched_getscheduler(0), SCHED_BATCH);
	WORKS(set_policy(SCHED_IDLE, 0));
	EQ(sched_getscheduler(0), SCHED_IDLE);
	WORKS(set_policy(SCHED_OTHER, 0));
	WORKS(sched_rr_get_interval(0, &ts));
	OK(ts.tv_sec == 0 && ts.tv_nsec > 0);

	FAILS(set_policy(SCHED_FIFO, 0), EINVAL);
	FAILS(set_policy(SCHED_FIFO, 100), EINVAL);
	FAILS(set_policy(SCHED_OTHER, 1), EINVAL);
	FAILS(set_policy(4, 0), EINVAL);
	FAILS(set_policy(99, 0), EINVAL);
	FAILS(set_policy(-1, 0), EINVAL);
	FAILS(syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, NULL), EINVAL);
	FAILS(syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, 8), EFAULT);
	FAILS(syscall(SYS_sched_setscheduler, -1, SCHED_FIFO, &p), EINVAL);
	FAILS(sched_setscheduler(NO_SUCH_PID, SCHED_OTHER, &p), ESRCH);
	FAILS(sched_getscheduler(NO_SUCH_PID), ESRCH);
	FAILS(sched_getscheduler(-1), EINVAL);
	FAILS(sched_getparam(NO_SUCH_PID, &p), ESRCH);
	FAILS(syscall(SYS_sched_getparam, 0, NULL), EINVAL);
	FAILS(syscall(SYS_sched_getparam, 0, 8), EFAULT);
	FAILS(sched_rr_get_interval(NO_SUCH_PID, &ts), ESRCH);
	FAILS(sched_rr_get_interval(-1, &ts), EINVAL);
	FAILS(syscall(SYS_sched_rr_get_interval, 0, 8), EFAULT);
}

static int policy_of_child(void)
{
	return sched_getscheduler(0) * 16 + getpriority(PRIO_PROCESS, 0);
}

static void inheritance(void)
{
	WORKS(set_policy(SCHED_FIFO, 5));
	EQ(in_child(policy_of_child), SCHED_FIFO * 16);
	WORKS(set_policy(SCHED_FIFO | SCHED_RESET_ON_FORK, 5));
	EQ(in_child(policy_of_child), SCHED_OTHER);
	WORKS(set_policy(SCHED_OTHER, 0));
	WORKS(setpriority(PRIO_PROCESS, 0, 3));
	EQ(in_child(policy_of_child), 3);
	WORKS(setpriority(PRIO_PROCESS, 0, 0));
}

static void attributes(void)
{
	struct { struct attr a; char more[64]; } big = { 0 };
	struct attr a = { .size = sizeof(a), .policy = SCHED_RR,
			  .priority = 7 };

	WORKS(set_attr(0, &a, 0));
	memset(&a, 0x55, sizeof(a));
	WORKS(get_attr(0, &a, sizeof(a), 0));
	EQ(a.size, sizeof(a));
	EQ(a.policy, SCHED_RR);
	EQ(a.priority, 7);
	EQ(a.nice, 0);
	EQ(a.flags, 0);
	memset(&a, 0x55, sizeof(a));
	WORKS(get_attr(0, &a, 48, 0));
	EQ(a.size, 48);
	EQ(a.util_min, 0x55555555);
	WORKS(get_attr(0, &big.a, sizeof(big), 0));
	EQ(big.a.size, sizeof(a));
	FAILS(get_attr(0, &a, 47, 0), EINVAL);
	FAILS(get_attr(0, &a, 4097, 0), EINVAL);
	FAILS(get_attr(0, &a, 48, 1), EINVAL);
	FAILS(get_attr(0, NULL, 48, 0), EINVAL);
	FAILS(get_attr(NO_SUCH_PID, &a, 48, 0), ESRCH);
	FAILS(get_attr(0, (void *)8, 48, 0), EFAULT);

	/* No size is the first one; a longer one must be zero beyond. */
	a = (struct attr){ .policy = SCHED_OTHER, .nice = 4 };
	WORKS(set_attr(0, &a, 0));
	EQ(getpriority(PRIO_PROCESS, 0), 4);
	a.nice = 99;
	WORKS(set_attr(0, &a, 0));
	EQ(getpriority(PRIO_PROCESS, 0), 19);
	a.nice = 0;
	WORKS(set_attr(0, &a, 0));
	a.size = 47;
	FAILS(set_attr(0, &a, 0), E2BIG);
	EQ(a.size, sizeof(a));
	memset(&big, 0, sizeof(big));
	big.a.size = sizeof(big);
	WORKS(set_attr(0, &big.a, 0));
	big.more[5] = 1;
	FAILS(set_attr(0, &big.a, 0), E2BIG);
	EQ(big.a.size, sizeof(a));
	a.size = 5000;
	FAILS(set_attr(0, &a, 0), E2BIG);
	a.size = 48;
	FAILS(set_attr(0, &a, 1), EINVAL);
	FAILS(set_attr(0, NULL, 0), EINVAL);
	FAILS(set_attr(0, (void *)8, 0), EFAULT);
	FAILS(set_attr(NO_SUCH_PID, &a, 0), ESRCH);
	a.flags = 1ULL << 40;
	FAILS(set_attr(0, &a, 0), EINVAL);
	a.flags = 0;
	a.policy = 4;
	FAILS(set_attr(0, &a, 0), EINVAL);
	/* SCHED_FLAG_KEEP_ALL: nothing changes. */
	a = (struct attr){ .size = 48, .flags = 0x18, .nice = 9 };
	WORKS(set_attr(0, &a, 0));
	EQ(getpriority(PRIO_PROCESS, 0), 0);
}

static void nice_levels(void)
{
	WORKS(setpriority(PRIO_PROCESS, 0, 5));
	EQ(syscall(SYS_getpriority, PRIO_PROCESS, 0), 15);
	/* A group of its own: what starts the tests keeps its priority. */
	WORKS(setpgid(0, 0));
	WORKS(setpriority(PRIO_PGRP, 0, 6));
	EQ(getpriority(PRIO_PGRP, 0), 6);
	WORKS(setpriority(PRIO_PROCESS, 0, 100));
	EQ(getpriority(PRIO_PROCESS, 0), 19);
	WORKS(setpriority(PRIO_PROCESS, 0, -100));
	EQ(getpriority(PRIO_PROCESS, 0), -20);
	WORKS(setpriority(PRIO_PROCESS, 0, 0));
	FAILS(setpriority(3, 0, 0), EINVAL);
	FAILS(getpriority(-1, 0), EINVAL);
	FAILS(setpriority(PRIO_PROCESS, NO_SUCH_PID, 0), ESRCH);
	FAILS(getpriority(PRIO_PGRP, NO_SUCH_PID), ESRCH);
	FAILS(getpriority(PRIO_USER, 4711), ESRCH);
	OK(getpriority(PRIO_USER, 0) <= 0);
}

/* As a user without privilege. */
static int unprivileged(void)
{
	struct rlimit five = { 5, 5 }, none = { 0, 0 };

	setrlimit(RLIMIT_RTPRIO, &none);
	setrlimit(RLIMIT_NICE, &none);
	if (setuid(1000))
		return 1;
	if (set_policy(SCHED_FIFO, 1) != -1 || errno != EPERM)
		return 2;
	if (setpriority(PRIO_PROCESS, 0, -1) != -1 || errno != EACCES)
		return 3;
	if (setpriority(PRIO_PROCESS, 0, 5) ||
	    setpriority(PRIO_PROCESS, 0, 4) != -1 || errno != EACCES)
		return 4;
	if (setpriority(PRIO_PROCESS, 1, 5) != -1 || errno != EPERM)
		return 5;
	if (sched_setscheduler(1, SCHED_OTHER, &(struct sched_param){ 0 }) !=
	    -1 || errno != EPERM)
		return 6;
	/* Down to idle, and not up again. */
	if (set_policy(SCHED_BATCH, 0) || set_policy(SCHED_IDLE, 0) ||
	    set_policy(SCHED_OTHER, 0) != -1 || errno != EPERM)
		return 7;
	if (setrlimit(RLIMIT_RTPRIO, &five) != -1 || errno != EPERM)
		return 8;
	if (sched_setaffinity(1, 8, (void *)&(long){ 1 }) != -1 ||
	    errno != EPERM)
		return 9;
	return 0;
}

static int within_limits(void)
{
	struct rlimit five = { 5, 5 }, nice = { 25, 25 };

	if (setrlimit(RLIMIT_RTPRIO, &five) ||
	    setrlimit(RLIMIT_NICE, &nice) || setuid(1000))
		return 1;
	if (set_policy(SCHED_FIFO, 6) != -1 || errno != EPERM)
		return 2;
	if (set_policy(SCHED_FIFO, 5) || set_policy(SCHED_RR, 3))
		return 3;
	if (set_param(6) != -1 || errno != EPERM)
		return 4;
	if (set_policy(SCHED_OTHER | SCHED_RESET_ON_FORK, 0))
		return 5;
	if (set_policy(SCHED_OTHER, 0) != -1 || errno != EPERM)
		return 6;
	if (setpriority(PRIO_PROCESS, 0, -5))
		return 7;
	if (setpriority(PRIO_PROCESS, 0, -6) != -1 || errno != EACCES)
		return 8;
	return 0;
}

static long long cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec * SEC + ts.tv_nsec;
}

static long long wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * SEC + ts.tv_nsec;
}

static void pin(int pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(pid, sizeof(set), &set);
}

/* Two on one CPU for 1.5 s; each one's run time. */
static void race(int first_policy, int first_nice, int second_policy,
		 int second_nice, long long *ran)
{
	int policy[] = { first_policy, second_policy };
	int nice[] = { first_nice, second_nice };
	volatile long long *out = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid[2];

	for (int i = 0; i < 2; i++) {
		pid[i] = fork();
		if (pid[i])
			continue;
		pin(0, 0);
		setpriority(PRIO_PROCESS, 0, nice[i]);
		set_policy(policy[i], 0);
		out[2 + i] = 1;
		while (!out[4])
			usleep(1000);
		for (long long t = cpu_ns();;)
			out[i] = cpu_ns() - t;
	}
	while (!out[2] || !out[3])
		usleep(1000);
	set_policy(SCHED_FIFO, 10);
	out[4] = 1;
	usleep(1500000);
	ran[0] = out[0];
	ran[1] = out[1];
	for (int i = 0; i < 2; i++) {
		kill(pid[i], SIGKILL);
		waitpid(pid[i], NULL, 0);
	}
	set_policy(SCHED_OTHER, 0);
	munmap((void *)out, 4096);
}

static void shares(void)
{
	long long ran[2];

	race(SCHED_OTHER, 0, SCHED_OTHER, 0, ran);
	OK_MSG(ran[0] * 2 > ran[1] && ran[1] * 2 > ran[0],
	       "equals share: %lld, %lld", ran[0], ran[1]);
	/* Nice 0 weighs 1024, nice 10 weighs 110. */
	race(SCHED_OTHER, 0, SCHED_OTHER, 10, ran);
	OK_MSG(ran[0] > 3 * ran[1] && ran[1] > 0 && ran[0] < 100 * ran[1],
	       "nice 0 against 10: %lld, %lld", ran[0], ran[1]);
	race(SCHED_OTHER, 0, SCHED_IDLE, 0, ran);
	OK_MSG(ran[0] > 20 * ran[1], "normal against idle: %lld, %lld",
	       ran[0], ran[1]);
}

static int affinity_of_child(void)
{
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	return CPU_COUNT(&set) == 1 && CPU_ISSET(0, &set) ? sched_getcpu() : 9;
}

static void affinity(void)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set, all;
	unsigned int cpu = 9, node = 9;
	long word = 0;

	WORKS(sched_getaffinity(0, sizeof(all), &all));
	EQ(CPU_COUNT(&all), cpus);
	EQ(syscall(SYS_sched_getaffinity, 0, 8, &word), 8);
	EQ(word, (1L << cpus) - 1);
	FAILS(syscall(SYS_sched_getaffinity, 0, 4, &word), EINVAL);
	FAILS(syscall(SYS_sched_getaffinity, 0, 8, 8), EFAULT);
	FAILS(syscall(SYS_sched_getaffinity, NO_SUCH_PID, 8, &word), ESRCH);
	CPU_ZERO(&set);
	FAILS(sched_setaffinity(0, sizeof(set), &set), EINVAL);
	CPU_SET(63, &set);
	FAILS(sched_setaffinity(0, sizeof(set), &set), EINVAL);
	FAILS(sched_setaffinity(NO_SUCH_PID, sizeof(all), &all), ESRCH);
	FAILS(syscall(SYS_sched_setaffinity, 0, 8, 8), EFAULT);
	FAILS(syscall(SYS_sched_setaffinity, 0, 0, &all), EINVAL);
	/* A short mask will do; CPUs that are not there do not count. */
	WORKS(syscall(SYS_sched_setaffinity, 0, 1, &(char){ 1 }));
	EQ(in_child(affinity_of_child), 0);
	CPU_SET(0, &set);
	WORKS(sched_setaffinity(0, sizeof(set), &set));
	WORKS(sched_getaffinity(0, sizeof(set), &set));
	EQ(CPU_COUNT(&set), 1);
	WORKS(syscall(SYS_getcpu, &cpu, &node, NULL));
	EQ(cpu, 0);
	EQ(node, 0);
	WORKS(syscall(SYS_getcpu, NULL, NULL, NULL));
	FAILS(syscall(SYS_getcpu, 8, NULL, NULL), EFAULT);
	for (int i = cpus - 1; i >= 0; i--) {
		pin(0, i);
		EQ(sched_getcpu(), i);
	}
	sched_setaffinity(0, sizeof(all), &all);
}

/* Another one that runs is taken off its CPU. */
static void move_a_running_one(void)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN), moved = 0;
	volatile int *where = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = fork();

	if (!pid) {
		for (;;)
			*where = sched_getcpu();
	}
	for (int i = 0; i < 20; i++) {
		long long end = wall_ns() + 5 * SEC;

		pin(pid, i % cpus);
		while (*where != i % cpus && wall_ns() < end)
			usleep(1000);
		usleep(2000);
		moved += *where == i % cpus;
	}
	EQ(moved, 20);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	munmap((void *)where, 4096);
}

/* FIFO goes before all others of its CPU, and the higher before the lower. */
static void strict_priority(void)
{
	volatile int *n = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	cpu_set_t all;
	pid_t pid;
	int before;

	sched_getaffinity(0, sizeof(all), &all);
	pin(0, 0);
	WORKS(set_policy(SCHED_FIFO, 10));
	pid = fork();
	if (!pid) {
		set_policy(SCHED_FIFO, 9);
		for (;;)
			++*n;
	}
	for (int i = 0; i < 2000 && !*n; i++)
		usleep(1000);
	before = *n;
	OK(before > 0);
	for (long long end = wall_ns() + SEC / 20; wall_ns() < end;)
		sched_yield();
	EQ(*n, before);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	set_policy(SCHED_OTHER, 0);
	sched_setaffinity(0, sizeof(all), &all);
	munmap((void *)n, 4096);
}

int main(void)
{
	ranges();
	policies();
	inheritance();
	attributes();
	nice_levels();
	EQ(in_child(unprivileged), 0);
	EQ(in_child(within_limits), 0);
	affinity();
	move_a_running_one();
	strict_priority();
	shares();
	return ktap_done();
}
