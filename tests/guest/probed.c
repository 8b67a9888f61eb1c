// SPDX-License-Identifier: MIT
/*
 * A program with lines, named arguments and a marker with a counter, for the
 * client tests of perf probe.  Not a test.
 * only: tags
 *
 *   probed N    weighs N items; prints how often the marker was wanted
 */
#include <stdio.h>
#include <stdlib.h>

/* With Debian's systemtap-sdt-dev (scripts/setup), else without markers. */
#if __has_include(<sys/sdt.h>)
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
unsigned short sonde_weighed_semaphore __attribute__((section(".probes")));
#define MARK(a, b) STAP_PROBE2(sonde, weighed, a, b)
#define WANTED	   __atomic_load_n(&sonde_weighed_semaphore, __ATOMIC_RELAXED)
#else
#define MARK(a, b) (void)0
#define WANTED	   0
#endif

struct item {
	const char *name;
	int grams;
	struct item *next;
};

static volatile long sink;
static long wanted;

__attribute__((noinline)) long weigh(const struct item *item, int count);
long weigh(const struct item *item, int count)
{
	long total = 0;

	for (; item; item = item->next) {
		total += (long)item->grams * count;
		sink = total;
	}
	if (WANTED) {
		wanted++;
		MARK(count, total);
	}
	return total;
}

int main(int argc, char **argv)
{
	struct item pear = { "pear", 150, NULL };
	struct item apple = { "apple", 100, &pear };
	int i, n = argc > 1 ? atoi(argv[1]) : 0;

	for (i = 1; i <= n; i++)
		if (weigh(&apple, i) != 250l * i)
			return 1;
	printf("wanted %ld of %d times\n", wanted, n);
	return 0;
}
