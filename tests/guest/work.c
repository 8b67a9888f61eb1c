// SPDX-License-Identifier: MIT
/*
 * A program whose profile is known, for the client tests.  Not a test.
 * only: tags
 *
 *   work share N     N rounds: hot_large, hot_medium and hot_small run 6, 3
 *                    and 1 times the same loop
 *   work deep N      the same loop under outer -> middle -> inner
 *   work touch N     touch N fresh pages
 *   work spin MS     burn CPU time until MS milliseconds of it are used
 *   work sleep MS    the same, asleep
 *   work threads N R N threads, R rounds of hot_large each
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define UNIT 20000

static volatile unsigned long sink;

/* Each hot function holds its own loop, so that no other gets its samples. */
#define HOT(name, times)                                                  \
	__attribute__((noinline)) void name(void);                        \
	void name(void)                                                   \
	{                                                                 \
		unsigned long x = sink;                                   \
									  \
		for (long i = 0; i < (times) * UNIT; i++)                 \
			__asm__ volatile("add %0, %0, #3\n\teor %0, %0, #7" \
					 : "+r"(x));                      \
		sink = x;                                                 \
	}

HOT(hot_large, 6)
HOT(hot_medium, 3)
HOT(hot_small, 1)

__attribute__((noinline)) void inner(void);
__attribute__((noinline)) void middle(void);
__attribute__((noinline)) void outer(void);

void inner(void)
{
	hot_large();
	sink++;
}

void middle(void)
{
	inner();
	sink++;
}

void outer(void)
{
	middle();
	sink++;
}

static void touch(long pages)
{
	long size = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, pages * size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	/* Huge pages would make one fault of many. */
	madvise(p, pages * size, MADV_NOHUGEPAGE);
	for (long i = 0; i < pages; i++)
		((volatile char *)p)[i * size] = 1;
}

static void spin(long ms)
{
	struct timespec now;

	do {
		hot_small();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < ms);
}

static void *thread(void *arg)
{
	for (long i = 0; i < (long)arg; i++)
		hot_large();
	return NULL;
}

static void threads(long count, long rounds)
{
	pthread_t ids[64];

	if (count > 64)
		count = 64;
	for (long i = 0; i < count; i++)
		if (pthread_create(&ids[i], NULL, thread, (void *)rounds))
			exit(1);
	for (long i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 0;

	if (!strcmp(what, "share")) {
		for (long i = 0; i < n; i++) {
			hot_large();
			hot_medium();
			hot_small();
		}
	} else if (!strcmp(what, "deep")) {
		for (long i = 0; i < n; i++)
			outer();
	} else if (!strcmp(what, "touch")) {
		touch(n);
	} else if (!strcmp(what, "spin")) {
		spin(n);
	} else if (!strcmp(what, "sleep")) {
		usleep(n * 1000);
	} else if (!strcmp(what, "threads") && argc > 3) {
		threads(n, atol(argv[3]));
	} else {
		fprintf(stderr, "work: what?\n");
		return 2;
	}
	return 0;
}
