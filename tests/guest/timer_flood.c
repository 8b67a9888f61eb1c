/* SPDX-License-Identifier: MIT */
/*
 * Timers with a period of one nanosecond, which nobody needs a right for: the
 * program that has them goes on, and their expirations are counted.
 *
 * Time is counted in instructions: a period is shorter than any interrupt.
 *
 * only: tags
 * tags: icount
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "ktap.h"

#define TIMERS 50

static volatile long work;

static void spin(void)
{
	long end = work + 1000000;

	while (work < end)
		work++;
}

static void test_timerfd(void)
{
	const struct itimerspec often = { { 0, 1 }, { 0, 1 } };
	struct itimerspec now;
	int fd[TIMERS], i, bad = 0;
	uint64_t n = 0;

	for (i = 0; i < TIMERS; i++) {
		fd[i] = timerfd_create(CLOCK_MONOTONIC, 0);
		bad += timerfd_settime(fd[i], 0, &often, NULL) != 0;
	}
	EQ(bad, 0);
	spin();
	EQ(read(fd[0], &n, sizeof(n)), sizeof(n));
	OK_MSG(n > 500000, "half a million expirations and more: %llu",
	       (unsigned long long)n);
	n = 0;
	spin();
	EQ(read(fd[0], &n, sizeof(n)), sizeof(n));
	OK_MSG(n > 500000, "and as many after that: %llu",
	       (unsigned long long)n);
	/* Asking for the time left sets it going again, too. */
	EQ(timerfd_gettime(fd[1], &now), 0);
	EQ(now.it_interval.tv_nsec, 1);
	for (i = 0; i < TIMERS; i++)
		close(fd[i]);
}

static void test_others(void)
{
	const struct itimerval often = { { 0, 1 }, { 0, 1 } }, none = { 0 };
	const struct itimerspec spec = { { 0, 1 }, { 0, 1 } };
	struct sigevent ev = { .sigev_notify = SIGEV_SIGNAL,
			       .sigev_signo = SIGALRM };
	timer_t t;

	signal(SIGALRM, SIG_IGN);
	EQ(setitimer(ITIMER_REAL, &often, NULL), 0);
	spin();
	EQ(setitimer(ITIMER_REAL, &none, NULL), 0);
	EQ(timer_create(CLOCK_MONOTONIC, &ev, &t), 0);
	EQ(timer_settime(t, 0, &spec, NULL), 0);
	spin();
	EQ(timer_delete(t), 0);
}

int main(void)
{
	test_timerfd();
	test_others();
	return ktap_done();
}
