// SPDX-License-Identifier: MIT
/*
 * Timers: POSIX timers, interval timers, the run-time limit, sleeping to a
 * time.  Nothing is expected to be on time, only not before it.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

#define MS 1000000LL
#define SEC 1000000000LL

/* The kernel's timer ids are plain numbers; glibc wraps some of them. */
#define ktimer_create(clock, ev, id) \
	syscall(SYS_timer_create, clock, ev, id)
#define ktimer_settime(id, how, in, out) \
	syscall(SYS_timer_settime, id, how, in, out)
#define ktimer_gettime(id, out) syscall(SYS_timer_gettime, id, out)
#define ktimer_overrun(id) syscall(SYS_timer_getoverrun, id)
#define ktimer_delete(id) syscall(SYS_timer_delete, id)

static volatile sig_atomic_t hits;

static void hit(int sig)
{
	hits++;
}

static void handle(int sig, int flags)
{
	struct sigaction sa = { .sa_handler = hit, .sa_flags = flags };

	hits = 0;
	sigaction(sig, &sa, NULL);
}

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

static void block(int sig)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

static void unblock(int sig)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* The signal or -1, with what came with it. */
static int take(int sig, siginfo_t *info, long long ns)
{
	struct timespec limit = ts_of(ns);
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, sig);
	return sigtimedwait(&set, info, &limit);
}

static void burn_until(clockid_t clock, long long until)
{
	while (now(clock) < until)
		;
}

static void timer_by_signal(void)
{
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = SIGRTMIN + 1,
			       .sigev_value.sival_int = 77 };
	struct itimerspec its = its_of(20 * MS, 0), old;
	long long start = now(CLOCK_MONOTONIC);
	siginfo_t info;
	int id = -1;

	block(SIGRTMIN + 1);
	WORKS(ktimer_create(CLOCK_MONOTONIC, &ev, &id));
	WORKS(ktimer_settime(id, 0, &its, NULL));
	WORKS(ktimer_gettime(id, &old));
	OK(ns_of(&old.it_value) > 0 && ns_of(&old.it_value) <= 20 * MS);
	EQ(take(SIGRTMIN + 1, &info, 10 * SEC), SIGRTMIN + 1);
	OK(now(CLOCK_MONOTONIC) - start >= 20 * MS);
	EQ(info.si_code, SI_TIMER);
	EQ(info.si_value.sival_int, 77);
	EQ(info.si_timerid, id);
	EQ(info.si_overrun, 0);
	WORKS(ktimer_gettime(id, &old));
	EQ(ns_of(&old.it_value), 0);
	WORKS(ktimer_delete(id));
	FAILS(ktimer_delete(id), EINVAL);
}

static void timer_overruns(void)
{
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = SIGRTMIN + 1 };
	struct itimerspec its = its_of(5 * MS, 5 * MS);
	siginfo_t info;
	int id = -1;

	WORKS(ktimer_create(CLOCK_BOOTTIME, &ev, &id));
	WORKS(ktimer_settime(id, 0, &its, NULL));
	usleep(104000);
	EQ(take(SIGRTMIN + 1, &info, 10 * SEC), SIGRTMIN + 1);
	OK_MSG(info.si_overrun >= 18, "overruns: %d", info.si_overrun);
	EQ(ktimer_overrun(id), info.si_overrun);
	EQ(take(SIGRTMIN + 1, &info, 10 * SEC), SIGRTMIN + 1);
	WORKS(ktimer_delete(id));
	FAILS(ktimer_overrun(id), EINVAL);
	/* One that was queued may outlive its timer. */
	take(SIGRTMIN + 1, &info, 0);
}

static void timer_without_signal(void)
{
	struct sigevent ev = { .sigev_notify = SIGEV_NONE };
	struct itimerspec its = its_of(40 * MS, 40 * MS), got;
	int id = -1;

	WORKS(ktimer_create(CLOCK_MONOTONIC, &ev, &id));
	WORKS(ktimer_settime(id, 0, &its, NULL));
	usleep(50000);
	WORKS(ktimer_gettime(id, &got));
	OK(ns_of(&got.it_value) > 0 && ns_of(&got.it_value) <= 40 * MS);
	EQ(ns_of(&got.it_interval), 40 * MS);
	its = its_of(1 * MS, 0);
	WORKS(ktimer_settime(id, 0, &its, &got));
	EQ(ns_of(&got.it_interval), 40 * MS);
	usleep(10000);
	WORKS(ktimer_gettime(id, &got));
	EQ(ns_of(&got.it_value), 0);
	WORKS(ktimer_delete(id));
}

static void timer_at_a_time(void)
{
	struct itimerspec its = its_of(now(CLOCK_REALTIME) + 30 * MS, 0);
	long long at = ns_of(&its.it_value);
	siginfo_t info;
	int id = -1;

	block(SIGALRM);
	WORKS(ktimer_create(CLOCK_REALTIME, NULL, &id));
	WORKS(ktimer_settime(id, TIMER_ABSTIME, &its, NULL));
	EQ(take(SIGALRM, &info, 10 * SEC), SIGALRM);
	OK(now(CLOCK_REALTIME) >= at);
	EQ(info.si_value.sival_int, id);
	/* The past is at once. */
	its = its_of(SEC, 0);
	WORKS(ktimer_settime(id, TIMER_ABSTIME, &its, NULL));
	EQ(take(SIGALRM, &info, 10 * SEC), SIGALRM);
	WORKS(ktimer_delete(id));
}

static int thread_tid;

static void *wait_for_signal(void *arg)
{
	siginfo_t info;

	__atomic_store_n(&thread_tid, gettid(), __ATOMIC_RELEASE);
	return (void *)(long)take(SIGRTMIN + 2, &info, 10 * SEC);
}

static void timer_to_a_thread(void)
{
	struct sigevent ev = { .sigev_notify = SIGEV_THREAD_ID,
			       .sigev_signo = SIGRTMIN + 2 };
	struct itimerspec its = its_of(10 * MS, 0);
	siginfo_t info;
	pthread_t thread;
	void *got;
	int id = -1;

	block(SIGRTMIN + 2);
	pthread_create(&thread, NULL, wait_for_signal, NULL);
	while (!__atomic_load_n(&thread_tid, __ATOMIC_ACQUIRE))
		usleep(1000);
	ev._sigev_un._tid = thread_tid;
	WORKS(ktimer_create(CLOCK_MONOTONIC, &ev, &id));
	WORKS(ktimer_settime(id, 0, &its, NULL));
	/* Only that thread sees it. */
	FAILS(take(SIGRTMIN + 2, &info, 50 * MS), EAGAIN);
	pthread_join(thread, &got);
	EQ((long)got, SIGRTMIN + 2);
	/* The thread is gone: the timer goes on in vain. */
	WORKS(ktimer_settime(id, 0, &its, NULL));
	usleep(30000);
	WORKS(ktimer_delete(id));
	ev._sigev_un._tid = 1;
	FAILS(ktimer_create(CLOCK_MONOTONIC, &ev, &id), EINVAL);
}

/* The signal of a timer that is due: a loaded machine's tick may be late. */
static int take_late(int sig, siginfo_t *info, clockid_t clock)
{
	int ret = -1;

	for (int i = 0; ret < 0 && i < 2000; i++) {
		burn_until(clock, now(clock) + MS);
		ret = take(sig, info, 0);
	}
	return ret;
}

static void timer_of_run_time(void)
{
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = SIGRTMIN + 1 };
	struct itimerspec its = its_of(30 * MS, 20 * MS), got;
	clockid_t clocks[] = { CLOCK_PROCESS_CPUTIME_ID,
			       CLOCK_THREAD_CPUTIME_ID };

	for (int i = 0; i < 2; i++) {
		long long start = now(clocks[i]);
		siginfo_t info;
		int id = -1;

		WORKS(ktimer_create(clocks[i], &ev, &id));
		WORKS(ktimer_settime(id, 0, &its, NULL));
		WORKS(ktimer_gettime(id, &got));
		OK(ns_of(&got.it_value) > 0 && ns_of(&got.it_value) <= 30 * MS);
		/* It stands still while we sleep; on a loaded machine the
		 * little that we run may take long. */
		if (take(SIGRTMIN + 1, &info, 60 * MS) < 0)
			EQ(errno, EAGAIN);
		else
			OK(now(clocks[i]) - start >= 30 * MS);
		burn_until(clocks[i], start + 80 * MS);
		EQ(take_late(SIGRTMIN + 1, &info, clocks[i]), SIGRTMIN + 1);
		OK(info.si_overrun <= (now(clocks[i]) - start) / (20 * MS));
		burn_until(clocks[i], now(clocks[i]) + 30 * MS);
		EQ(take_late(SIGRTMIN + 1, &info, clocks[i]), SIGRTMIN + 1);
		WORKS(ktimer_delete(id));
		take(SIGRTMIN + 1, &info, 0);
	}
}

static void timer_errors(void)
{
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = 65 };
	struct itimerspec its = its_of(SEC, 0);
	int id = -1, other = -1;

	FAILS(ktimer_create(CLOCK_MONOTONIC, &ev, &id), EINVAL);
	ev.sigev_signo = 0;
	FAILS(ktimer_create(CLOCK_MONOTONIC, &ev, &id), EINVAL);
	ev.sigev_signo = SIGALRM;
	ev.sigev_notify = 99;
	FAILS(ktimer_create(CLOCK_MONOTONIC, &ev, &id), EINVAL);
	FAILS(ktimer_create(10, NULL, &id), EINVAL);
	FAILS(ktimer_create(77, NULL, &id), EINVAL);
	FAILS(ktimer_create(CLOCK_MONOTONIC_RAW, NULL, &id), EOPNOTSUPP);
	FAILS(ktimer_create(CLOCK_MONOTONIC_COARSE, NULL, &id), EOPNOTSUPP);
	FAILS(ktimer_create(CLOCK_MONOTONIC, (void *)8, &id), EFAULT);
	FAILS(ktimer_create(CLOCK_MONOTONIC, NULL, (void *)8), EFAULT);
	WORKS(ktimer_create(CLOCK_MONOTONIC, NULL, &id));
	WORKS(ktimer_create(CLOCK_TAI, NULL, &other));
	OK(id >= 0 && other > id);
	FAILS(ktimer_settime(id, 0, NULL, NULL), EINVAL);
	FAILS(ktimer_settime(id, 0, (void *)8, NULL), EFAULT);
	FAILS(ktimer_settime(999, 0, &its, NULL), EINVAL);
	FAILS(ktimer_gettime(999, &its), EINVAL);
	FAILS(ktimer_gettime(id, (void *)8), EFAULT);
	its.it_value.tv_nsec = SEC;
	FAILS(ktimer_settime(id, 0, &its, NULL), EINVAL);
	its = its_of(SEC, 0);
	its.it_value.tv_sec = -1;
	FAILS(ktimer_settime(id, 0, &its, NULL), EINVAL);
	WORKS(ktimer_delete(id));
	WORKS(ktimer_delete(other));
}

static void timers_of_a_child(void)
{
	struct itimerspec its = its_of(20 * MS, 0);
	struct itimerval itv = { .it_value.tv_usec = 200000 };
	int id = -1, status;
	pid_t pid;

	unblock(SIGALRM);
	handle(SIGALRM, 0);
	WORKS(ktimer_create(CLOCK_MONOTONIC, NULL, &id));
	WORKS(ktimer_settime(id, 0, &its, NULL));
	setitimer(ITIMER_REAL, &itv, NULL);
	pid = fork();
	if (!pid) {
		/* No timer is inherited. */
		getitimer(ITIMER_REAL, &itv);
		errno = 0;
		_exit(ktimer_gettime(id, &its) != -1 || errno != EINVAL ||
		      itv.it_value.tv_usec);
	}
	while (waitpid(pid, &status, 0) < 0)
		;
	EQ(status, 0);
	while (hits < 2)
		usleep(10000);
	EQ(hits, 2);
	WORKS(ktimer_delete(id));
}

static void interval_real(void)
{
	struct itimerval itv = { { 0, 10000 }, { 0, 10000 } }, old;
	struct timespec a_second = { 1, 0 }, left;
	long long start = now(CLOCK_MONOTONIC);

	handle(SIGALRM, 0);
	WORKS(setitimer(ITIMER_REAL, &itv, NULL));
	while (hits < 5)
		pause();
	OK(now(CLOCK_MONOTONIC) - start >= 50 * MS);
	WORKS(getitimer(ITIMER_REAL, &old));
	EQ(old.it_interval.tv_usec, 10000);
	OK(old.it_value.tv_usec <= 10000);
	memset(&itv, 0, sizeof(itv));
	WORKS(setitimer(ITIMER_REAL, &itv, &old));
	EQ(old.it_interval.tv_usec, 10000);

	/* alarm() reports what was left; a sleep says what it lost. */
	EQ(alarm(100), 0);
	EQ(alarm(0), 100);
	itv.it_value.tv_usec = 20000;
	setitimer(ITIMER_REAL, &itv, NULL);
	FAILS(nanosleep(&a_second, &left), EINTR);
	OK(ns_of(&left) > 0 && ns_of(&left) < SEC);
	itv.it_value.tv_usec = 1000000;
	FAILS(setitimer(ITIMER_REAL, &itv, NULL), EINVAL);
	FAILS(setitimer(3, &old, NULL), EINVAL);
	FAILS(getitimer(-1, &old), EINVAL);
	FAILS(getitimer(ITIMER_REAL, (void *)8), EFAULT);
	FAILS(setitimer(ITIMER_REAL, (void *)8, NULL), EFAULT);
}

static void interval_of_run_time(void)
{
	struct itimerval itv = { { 0, 20000 }, { 0, 20000 } }, got;
	int which[] = { ITIMER_VIRTUAL, ITIMER_PROF };
	int sig[] = { SIGVTALRM, SIGPROF };

	for (int i = 0; i < 2; i++) {
		long long start = now(CLOCK_PROCESS_CPUTIME_ID);
		volatile unsigned long n = 0;
		struct timespec nap = { 0, 50 * MS };

		handle(sig[i], 0);
		WORKS(setitimer(which[i], &itv, NULL));
		nanosleep(&nap, NULL);
		/* A nap is no run time; a slow machine's calls may be. */
		OK(hits == 0 || now(CLOCK_PROCESS_CPUTIME_ID) - start >=
				20 * MS);
		while (hits < 3 && n < 4000000000UL)
			n++;
		EQ(hits, 3);
		OK(now(CLOCK_PROCESS_CPUTIME_ID) - start >= 40 * MS);
		WORKS(getitimer(which[i], &got));
		OK(got.it_value.tv_usec > 0 && got.it_value.tv_usec <= 24000);
		memset(&got, 0, sizeof(got));
		WORKS(setitimer(which[i], &got, NULL));
	}
}

static void child_at_its_limit(void)
{
	struct rlimit limit = { 1, 2 };
	volatile unsigned long n = 0;

	handle(SIGXCPU, 0);
	if (setrlimit(RLIMIT_CPU, &limit))
		_exit(1);
	while (!hits)
		n++;
	if (now(CLOCK_PROCESS_CPUTIME_ID) < SEC)
		_exit(2);
	for (;;)
		n++;
}

static void run_time_limit(void)
{
	struct rusage ru;
	int status = -1;
	pid_t pid = fork();
	long long ns;

	if (!pid)
		child_at_its_limit();
	EQ(wait4(pid, &status, 0, &ru), pid);
	OK_MSG(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
	       "SIGXCPU at the soft limit, SIGKILL at the hard: %x", status);
	ns = ru.ru_utime.tv_sec * SEC + ru.ru_utime.tv_usec * 1000 +
	     ru.ru_stime.tv_sec * SEC + ru.ru_stime.tv_usec * 1000;
	OK_MSG(ns >= 1900 * MS, "it ran %lld ns", ns);
}

static void sleep_to_a_time(void)
{
	struct timespec ts = ts_of(now(CLOCK_MONOTONIC) + 30 * MS), left;
	struct itimerval itv = { .it_value.tv_usec = 10000 };
	long long at = ns_of(&ts);

	EQ(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL), 0);
	OK(now(CLOCK_MONOTONIC) >= at);
	EQ(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL), 0);
	ts = ts_of(now(CLOCK_REALTIME) + 20 * MS);
	at = ns_of(&ts);
	EQ(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &ts, NULL), 0);
	OK(now(CLOCK_REALTIME) >= at);
	/* An absolute sleep leaves the remainder alone. */
	handle(SIGALRM, 0);
	setitimer(ITIMER_REAL, &itv, NULL);
	ts = ts_of(now(CLOCK_MONOTONIC) + SEC);
	left.tv_nsec = 4711;
	EQ(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, &left), EINTR);
	EQ(left.tv_nsec, 4711);
	/* SA_RESTART restarts no sleep. */
	handle(SIGALRM, SA_RESTART);
	setitimer(ITIMER_REAL, &itv, NULL);
	ts = ts_of(SEC);
	EQ(clock_nanosleep(CLOCK_BOOTTIME, 0, &ts, &left), EINTR);
	OK(ns_of(&left) > 0 && ns_of(&left) < SEC);
	ts.tv_nsec = SEC;
	EQ(clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL), EINVAL);
	ts.tv_nsec = 0;
	EQ(clock_nanosleep(77, 0, &ts, NULL), EINVAL);
	FAILS(syscall(SYS_clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0, &ts,
		      NULL), EOPNOTSUPP);
	FAILS(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC_RAW, 0, &ts, NULL),
	      EOPNOTSUPP);
	FAILS(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (void *)8, NULL),
	      EFAULT);
}

/* A stop and a continue do not end a sleep, nor make it begin again. */
static void sleep_over_a_stop(void)
{
	long long start = now(CLOCK_MONOTONIC);
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		struct timespec ts = ts_of(200 * MS);

		_exit(nanosleep(&ts, NULL) ? errno : 0);
	}
	usleep(50000);
	kill(pid, SIGSTOP);
	EQ(waitpid(pid, &status, WUNTRACED), pid);
	OK(WIFSTOPPED(status));
	usleep(50000);
	kill(pid, SIGCONT);
	EQ(waitpid(pid, &status, 0), pid);
	EQ(status, 0);
	OK(now(CLOCK_MONOTONIC) - start >= 200 * MS);
}

static void *burn(void *arg)
{
	burn_until(CLOCK_THREAD_CPUTIME_ID, 30 * MS);
	return NULL;
}

static void sleep_on_run_time(void)
{
	long long start = now(CLOCK_PROCESS_CPUTIME_ID);
	struct timespec ts = ts_of(10 * MS);
	pthread_t thread;

	pthread_create(&thread, NULL, burn, NULL);
	EQ(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &ts, NULL), 0);
	OK(now(CLOCK_PROCESS_CPUTIME_ID) - start >= 10 * MS);
	pthread_join(thread, NULL);
}

int main(void)
{
	timer_by_signal();
	timer_overruns();
	timer_without_signal();
	timer_at_a_time();
	timer_to_a_thread();
	timer_of_run_time();
	timer_errors();
	timers_of_a_child();
	interval_real();
	interval_of_run_time();
	run_time_limit();
	sleep_to_a_time();
	sleep_over_a_stop();
	sleep_on_run_time();
	return ktap_done();
}
