// SPDX-License-Identifier: MIT
/*
 * Restartable sequences: registration, the number of the CPU, and sections
 * that do not survive preemption, migration or a signal.
 *
 * The C library registers an area of its own for the first thread; it is
 * taken back here, as a program may.
 */
#define _GNU_SOURCE
#include <linux/rseq.h>
#include <sched.h>
#include <signal.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

#define SIG 0x53053053u
#define LEN 32

static struct rseq area __attribute__((aligned(32)));

static long reg(void *at, unsigned int len, int flags, unsigned int sig)
{
	return syscall(SYS_rseq, at, len, flags, sig);
}

/*
 * Stand in a section of two instructions that loops until the section is
 * aborted, or until *stop.  True if the abort handler was reached.
 */
static int stand_in_section(struct rseq_cs *cs, volatile int *stop);

#ifdef __aarch64__
static int stand_in_section(struct rseq_cs *cs, volatile int *stop)
{
	unsigned long start, after, abort_ip;
	int aborted;

	asm volatile("adr %0, 1f\n\tadr %1, 2f\n\tadr %2, 3f"
		     "\n\tb 4f\n"
		     "\t.inst 0x53053053\n"
		     "3:\tmov %w3, #1\n\tb 5f\n"
		     "4:\tstp %0, %1, [%4, #8]\n"
		     "\tsub %1, %1, %0\n\tstr %1, [%4, #16]\n"
		     "\tstr %2, [%4, #24]\n"
		     "\tmov %w3, #0\n"
		     "\tstr %4, [%5]\n"
		     "1:\tldr %w1, [%6]\n"
		     "\tcbz %w1, 1b\n"
		     "2:\n"
		     "5:\n"
		     : "=&r"(start), "=&r"(after), "=&r"(abort_ip),
		       "=&r"(aborted)
		     : "r"(cs), "r"(&area.rseq_cs), "r"(stop)
		     : "memory");
	return aborted;
}
#endif

static volatile int stop_flag, signals;

static void on_alarm(int sig)
{
	signals++;
}

static void alarm_in(int us)
{
	struct itimerval itv = { .it_value.tv_usec = us };

	setitimer(ITIMER_REAL, &itv, NULL);
}

static void registration(void)
{
	char *raw = (char *)&area;

	FAILS(reg(raw + 8, LEN, 0, SIG), EINVAL);
	FAILS(reg(&area, 16, 0, SIG), EINVAL);
	FAILS(reg(&area, LEN, 2, SIG), EINVAL);
	FAILS(reg((void *)(1L << 50), LEN, 0, SIG), EFAULT);
	FAILS(reg(&area, LEN, RSEQ_FLAG_UNREGISTER, SIG), EINVAL);
	area.cpu_id = (unsigned int)RSEQ_CPU_ID_UNINITIALIZED;
	WORKS(reg(&area, LEN, 0, SIG));
	EQ(area.cpu_id, sched_getcpu());
	EQ(area.cpu_id_start, area.cpu_id);
	FAILS(reg(&area, LEN, 0, SIG), EBUSY);
	FAILS(reg(&area, LEN, 0, SIG + 1), EPERM);
	FAILS(reg(raw + 32, LEN, 0, SIG), EINVAL);
	FAILS(reg(&area, LEN, RSEQ_FLAG_UNREGISTER, SIG + 1), EPERM);
	FAILS(reg(&area, LEN, RSEQ_FLAG_UNREGISTER | 2, SIG), EINVAL);
	FAILS(reg(&area, 16, RSEQ_FLAG_UNREGISTER, SIG), EINVAL);
	WORKS(reg(&area, LEN, RSEQ_FLAG_UNREGISTER, SIG));
	EQ(area.cpu_id, (unsigned int)RSEQ_CPU_ID_UNINITIALIZED);
	EQ(area.cpu_id_start, 0);
	FAILS(reg(&area, LEN, RSEQ_FLAG_UNREGISTER, SIG), EINVAL);
}

static void follows_the_cpu(void)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN), right = 0;
	cpu_set_t set, all;

	sched_getaffinity(0, sizeof(all), &all);
	for (int i = 0; i < 3 * cpus; i++) {
		CPU_ZERO(&set);
		CPU_SET(i % cpus, &set);
		sched_setaffinity(0, sizeof(set), &set);
		right += area.cpu_id == i % cpus &&
			 area.cpu_id_start == i % cpus;
	}
	EQ(right, 3 * cpus);
	sched_setaffinity(0, sizeof(all), &all);
}

static void aborted_by_signal(void)
{
	static struct rseq_cs cs __attribute__((aligned(32)));

	signal(SIGALRM, on_alarm);
	signals = stop_flag = 0;
	alarm_in(20000);
	EQ(stand_in_section(&cs, &stop_flag), 1);
	EQ(area.rseq_cs, 0);
	/* Preemption without a signal comes before or with it. */
	while (!signals)
		;
	EQ(signals, 1);
	stop_flag = 1;
	EQ(stand_in_section(&cs, &stop_flag), 0);
}

/* Another on the same CPU: the section ends though nothing is delivered. */
static void aborted_by_preemption(void)
{
	static struct rseq_cs cs __attribute__((aligned(32)));
	cpu_set_t set, all;
	pid_t pid;

	sched_getaffinity(0, sizeof(all), &all);
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
	pid = fork();
	if (!pid) {
		for (;;)
			;
	}
	stop_flag = 0;
	EQ(stand_in_section(&cs, &stop_flag), 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	sched_setaffinity(0, sizeof(all), &all);
}

/* What a child dies of, when fn makes its area unusable. */
static int death_of(void (*fn)(void))
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		fn();
		raise(SIGALRM);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void wild_section(void)
{
	area.rseq_cs = 8;
}

static void kernel_section(void)
{
	area.rseq_cs = 1ULL << 60;
}

static void bad_version(void)
{
	static struct rseq_cs cs __attribute__((aligned(32)));

	cs.version = 1;
	area.rseq_cs = (unsigned long)&cs;
}

static void wrong_signature(void)
{
	static struct rseq_cs cs __attribute__((aligned(32)));
	static unsigned int code[4];

	cs.start_ip = (unsigned long)on_alarm;
	cs.post_commit_offset = 4;
	cs.abort_ip = (unsigned long)&code[2];
	area.rseq_cs = (unsigned long)&cs;
}

/* A section in which we do not stand is only forgotten. */
static void other_section(void)
{
	static struct rseq_cs cs __attribute__((aligned(32)));
	static unsigned int code[4] = { SIG, SIG, SIG, SIG };

	cs.start_ip = (unsigned long)on_alarm;
	cs.post_commit_offset = 4;
	cs.abort_ip = (unsigned long)&code[2];
	area.rseq_cs = (unsigned long)&cs;
	raise(SIGALRM);
	if (area.rseq_cs)
		abort();
	_exit(0);
}

static void children(void)
{
	int status = -1;
	pid_t pid = fork();

	/* A child has it registered as its parent had. */
	if (!pid)
		_exit(reg(&area, LEN, RSEQ_FLAG_UNREGISTER, SIG) ? errno : 0);
	waitpid(pid, &status, 0);
	EQ(status, 0);
	EQ(death_of(wild_section), SIGSEGV);
	EQ(death_of(kernel_section), SIGSEGV);
	EQ(death_of(bad_version), SIGSEGV);
	EQ(death_of(wrong_signature), SIGSEGV);
	EQ(death_of(other_section), 0);
}

int main(void)
{
	void *own = (char *)__builtin_thread_pointer() + __rseq_offset;

	if (__rseq_size)
		EQ(reg(own, 32, RSEQ_FLAG_UNREGISTER, RSEQ_SIG), 0);
	registration();
	WORKS(reg(&area, LEN, 0, SIG));
	follows_the_cpu();
#ifdef __aarch64__
	aborted_by_signal();
	aborted_by_preemption();
#endif
	children();
	WORKS(reg(&area, LEN, RSEQ_FLAG_UNREGISTER, SIG));
	return ktap_done();
}
