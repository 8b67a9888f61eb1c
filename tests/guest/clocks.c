// SPDX-License-Identifier: MIT
/*
 * Clocks: reading all of them, those of other processes, setting the wall
 * clock and who follows it (timerfd), and what was used.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

#define MS 1000000LL
#define SEC 1000000000LL

static long long ns_of(const struct timespec *ts)
{
	return ts->tv_sec * SEC + ts->tv_nsec;
}

static struct timespec ts_of(long long ns)
{
	return (struct timespec){ ns / SEC, ns % SEC };
}

static struct itimerspec its_of(long long value, long long interval)
{
	return (struct itimerspec){ .it_value = ts_of(value),
				    .it_interval = ts_of(interval) };
}

static long long now(clockid_t clock)
{
	struct timespec ts;

	return syscall(SYS_clock_gettime, clock, &ts) ? -1 : ns_of(&ts);
}

static void burn_until(clockid_t clock, long long until)
{
	while (now(clock) < until)
		;
}

static void read_clocks(void)
{
	static const clockid_t all[] = {
		CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID,
		CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC_RAW,
		CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC_COARSE, CLOCK_BOOTTIME,
		CLOCK_REALTIME_ALARM, CLOCK_BOOTTIME_ALARM, CLOCK_TAI,
	};
	static const long long resolution[] = { 1, 1, 1, 1, 1, 4 * MS, 4 * MS,
						1, 1, 1, 1 };
	struct timespec res;

	for (int i = 0; i < 11; i++) {
		long long a = now(all[i]), b = now(all[i]);

		OK_MSG(a > 0 && b >= a, "clock %d goes on", all[i]);
		OK_MSG(!syscall(SYS_clock_getres, all[i], &res) &&
		       (ns_of(&res) == resolution[i] ||
			(i >= 8 && i <= 9 && ns_of(&res) >= 1)),
		       "clock %d: resolution %lld", all[i], ns_of(&res));
	}
	FAILS(now(10), EINVAL);
	FAILS(now(12), EINVAL);
	FAILS(syscall(SYS_clock_gettime, CLOCK_MONOTONIC, 8), EFAULT);
	FAILS(syscall(SYS_clock_getres, 12, &res), EINVAL);
	WORKS(syscall(SYS_clock_getres, CLOCK_MONOTONIC, NULL));
}

static void clocks_of_others(void)
{
	int status, ready[2];
	clockid_t clock;
	struct timespec ts = { 5, 0 };
	pid_t pid;
	char c;

	EQ(pipe(ready), 0);
	pid = fork();
	if (!pid) {
		burn_until(CLOCK_PROCESS_CPUTIME_ID, 30 * MS);
		status = write(ready[1], "x", 1);
		pause();
	}
	EQ(read(ready[0], &c, 1), 1);
	EQ(clock_getcpuclockid(pid, &clock), 0);
	OK(now(clock) >= 30 * MS && now(clock) < 10 * SEC);
	/* The thread form is for threads of one's own process. */
	FAILS(now(clock | 4), EINVAL);
	OK(now((~gettid() << 3) | 6) > 0);
	OK(now((~getpid() << 3) | 2) > 0);
	/* The old profiling clocks count too. */
	OK(now((~0U << 3) | 0) >= 0);
	OK(now((~0U << 3) | 1) >= 0);
	FAILS(syscall(SYS_clock_settime, clock, &ts), EPERM);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	FAILS(now(clock), EINVAL);
	EQ(clock_getcpuclockid(pid, &clock), ESRCH);
	close(ready[0]);
	close(ready[1]);
}

static void set_clocks(void)
{
	struct timespec ts = ts_of(now(CLOCK_REALTIME) + 1000 * SEC);
	struct timespec mono = ts_of(now(CLOCK_MONOTONIC));
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		int bad = setuid(1000);

		bad |= clock_settime(CLOCK_REALTIME, &ts) != -1 ||
		       errno != EPERM;
		bad |= settimeofday(&(struct timeval){ 1, 0 }, NULL) != -1 ||
		       errno != EPERM;
		_exit(bad);
	}
	waitpid(pid, &status, 0);
	EQ(status, 0);
	FAILS(syscall(SYS_clock_settime, CLOCK_MONOTONIC, &mono), EINVAL);
	FAILS(syscall(SYS_clock_settime, CLOCK_REALTIME, (void *)8), EFAULT);
	WORKS(clock_settime(CLOCK_REALTIME, &ts));
	OK(now(CLOCK_REALTIME) >= ns_of(&ts));
	OK(now(CLOCK_MONOTONIC) < ns_of(&mono) + 500 * SEC);
	ts = ts_of(now(CLOCK_REALTIME) - 1000 * SEC);
	WORKS(clock_settime(CLOCK_REALTIME, &ts));
}

static void timers_by_descriptor(void)
{
	struct itimerspec its = its_of(10 * MS, 10 * MS), got;
	unsigned long long n = 0;
	struct timespec ts;
	int fd = WORKS(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK));

	FAILS(read(fd, &n, 8), EAGAIN);
	WORKS(timerfd_settime(fd, 0, &its, NULL));
	usleep(55000);
	EQ(read(fd, &n, 8), 8);
	OK_MSG(n >= 5, "expirations: %llu", n);
	FAILS(read(fd, &n, 4), EINVAL);
	WORKS(timerfd_gettime(fd, &got));
	OK(ns_of(&got.it_value) <= 10 * MS);
	EQ(ns_of(&got.it_interval), 10 * MS);
	its = its_of(0, 0);
	WORKS(timerfd_settime(fd, 0, &its, &got));
	FAILS(read(fd, &n, 8), EAGAIN);
	FAILS(timerfd_settime(fd, 8, &its, NULL), EINVAL);
	FAILS(timerfd_settime(1, 0, &its, NULL), EINVAL);
	FAILS(timerfd_create(CLOCK_MONOTONIC_RAW, 0), EINVAL);
	FAILS(timerfd_create(CLOCK_MONOTONIC, 1), EINVAL);
	close(fd);

	/* A set of the clock cancels who asked for that, and moves others. */
	fd = WORKS(timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK));
	its = its_of(now(CLOCK_REALTIME) + 500 * SEC, 0);
	WORKS(timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
			      &its, NULL));
	ts = ts_of(now(CLOCK_REALTIME) + 1 * SEC);
	WORKS(clock_settime(CLOCK_REALTIME, &ts));
	FAILS(read(fd, &n, 8), ECANCELED);
	its = its_of(now(CLOCK_REALTIME) + 500 * SEC, 0);
	WORKS(timerfd_settime(fd, TFD_TIMER_ABSTIME, &its, NULL));
	ts = ts_of(now(CLOCK_REALTIME) + 1000 * SEC);
	WORKS(clock_settime(CLOCK_REALTIME, &ts));
	usleep(10000);
	EQ(read(fd, &n, 8), 8);
	EQ(n, 1);
	ts = ts_of(now(CLOCK_REALTIME) - 1001 * SEC);
	WORKS(clock_settime(CLOCK_REALTIME, &ts));
	close(fd);
}

static long long tv_ns(struct timeval tv)
{
	return tv.tv_sec * SEC + tv.tv_usec * 1000;
}

static void usage(void)
{
	struct rusage self, thread, child;
	long ticks = syscall(SYS_times, NULL);
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		burn_until(CLOCK_PROCESS_CPUTIME_ID, 60 * MS);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	WORKS(getrusage(RUSAGE_THREAD, &thread));
	WORKS(getrusage(RUSAGE_SELF, &self));
	WORKS(getrusage(RUSAGE_CHILDREN, &child));
	FAILS(getrusage(2, &self), EINVAL);
	FAILS(getrusage(RUSAGE_SELF, (void *)8), EFAULT);
	OK(tv_ns(child.ru_utime) + tv_ns(child.ru_stime) >= 60 * MS);
	OK(tv_ns(self.ru_utime) + tv_ns(self.ru_stime) >=
	   tv_ns(thread.ru_utime) + tv_ns(thread.ru_stime));
	OK_MSG(self.ru_maxrss > 100, "resident: %ld", self.ru_maxrss);
	OK_MSG(self.ru_minflt > 10, "faults: %ld", self.ru_minflt);
	OK_MSG(self.ru_nvcsw > 0, "waits: %ld", self.ru_nvcsw);
	OK(syscall(SYS_times, NULL) >= ticks + 6);
}

/* Absolute timers and sleeps of the wall clock follow it, relative ones not. */
static void follow_the_wall_clock(void)
{
	struct itimerspec its = { .it_value.tv_sec = 3600 }, left;
	struct sigevent by_signal = { .sigev_notify = SIGEV_SIGNAL,
				      .sigev_signo = SIGUSR1 };
	struct timespec now, later, patience = { 10, 0 };
	timer_t relative, absolute;
	int pid, status = -1;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	clock_gettime(CLOCK_REALTIME, &now);
	WORKS(timer_create(CLOCK_REALTIME, NULL, &relative));
	WORKS(timer_settime(relative, 0, &its, NULL));
	WORKS(timer_create(CLOCK_REALTIME, &by_signal, &absolute));
	its.it_value.tv_sec += now.tv_sec;
	WORKS(timer_settime(absolute, TIMER_ABSTIME, &its, NULL));
	pid = fork();
	if (!pid)
		_exit(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME,
				      &its.it_value, NULL));
	usleep(100000);
	later = (struct timespec){ now.tv_sec + 7200, 0 };
	WORKS(clock_settime(CLOCK_REALTIME, &later));
	EQ(sigtimedwait(&set, NULL, &patience), SIGUSR1);
	EQ(sigtimedwait(&set, NULL, &patience), SIGCHLD);
	kill(pid, SIGKILL);
	EQ(waitpid(pid, &status, 0), pid);
	EQ(status, 0);
	WORKS(timer_gettime(relative, &left));
	OK(left.it_value.tv_sec > 3000 && left.it_value.tv_sec < 3600);
	WORKS(clock_settime(CLOCK_REALTIME, &now));
	WORKS(timer_gettime(relative, &left));
	OK(left.it_value.tv_sec > 3000 && left.it_value.tv_sec < 3600);
	timer_delete(relative);
	timer_delete(absolute);
}

int main(void)
{
	read_clocks();
	clocks_of_others();
	set_clocks();
	timers_by_descriptor();
	follow_the_wall_clock();
	usage();
	return ktap_done();
}
