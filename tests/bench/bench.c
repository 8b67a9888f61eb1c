// SPDX-License-Identifier: MIT
/*
 * Costs of the kernel's operations, one line each: `bench NAME COST`.
 *
 * Its arguments name the parts that are wanted: base, counters, sets, samples,
 * tracing, growth; without one all are.  `wall` makes loops long enough to be
 * timed on a busy host, and takes growth only by name.
 */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void fail(const char *what)
{
	perror(what);
	exit(1);
}

uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

double measure(void (*fn)(long loops), long loops)
{
	double best = 1e18;

	fn(loops / 10 + 1);
	for (int i = 0; i < 3; i++) {
		uint64_t start = now();
		double cost;

		fn(loops);
		cost = (double)(now() - start) / loops;
		if (cost < best)
			best = cost;
	}
	return best;
}

void report(const char *name, double cost)
{
	printf("bench %s %.0f\n", name, cost);
	fflush(stdout);
}

static void clock_loop(long loops)
{
	uint64_t last = 0;

	while (loops--) {
		uint64_t t = now();

		if (t < last)
			fail("clock");
		last = t;
	}
}

static void null_loop(long loops)
{
	long parent = getppid();

	while (loops--)
		if (syscall(SYS_getppid) != parent)
			fail("getppid");
}

void pingpong_start(struct pingpong *p)
{
	unsigned char c;

	if (pipe(p->to) || pipe(p->from))
		fail("pipe");
	p->child = fork();
	if (p->child)
		return;
	while (read(p->to[0], &c, 1) == 1 && c != 255)
		if (write(p->from[1], &c, 1) != 1)
			_exit(1);
	_exit(0);
}

void pingpong_stop(struct pingpong *p)
{
	unsigned char end = 255;
	int status;

	if (write(p->to[1], &end, 1) != 1 ||
	    waitpid(p->child, &status, 0) != p->child || status)
		fail("end of ping-pong");
	for (int i = 0; i < 2; i++) {
		close(p->to[i]);
		close(p->from[i]);
	}
}

static struct pingpong *pair;

static void pingpong_loop(long loops)
{
	unsigned char c, d;

	for (long i = 0; i < loops; i++) {
		c = i % 200;
		if (write(pair->to[1], &c, 1) != 1 ||
		    read(pair->from[0], &d, 1) != 1 || c != d)
			fail("ping-pong");
	}
}

double pingpong_switch(struct pingpong *p, long switches)
{
	pair = p;
	return measure(pingpong_loop, switches / 2) / 2;
}

void fork_loop(long loops)
{
	while (loops--) {
		int status;
		pid_t pid = fork();

		if (pid == 0)
			_exit(7);
		if (waitpid(pid, &status, 0) != pid ||
		    WEXITSTATUS(status) != 7)
			fail("fork");
	}
}

/* The touches alone are timed. */
double fault_cost(long pages, bool read_first)
{
	long size = sysconf(_SC_PAGESIZE);
	volatile char *p = mmap(NULL, pages * size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t start, end;
	long sum = 0;

	if (p == MAP_FAILED)
		fail("mmap");
	madvise((void *)p, pages * size, MADV_NOHUGEPAGE);
	/* The tables of the range are there before the clock starts. */
	for (long i = 0; i < pages; i += 512)
		p[i * size] = 0;
	start = now();
	for (long i = 0; i < pages; i++) {
		if (read_first)
			sum += p[i * size];
		else
			p[i * size] = 1;
	}
	end = now();
	for (long i = 0; i < pages; i++)
		sum += p[i * size] != !read_first || p[i * size + 9] != 0;
	if (sum)
		fail("a page is not zero");
	munmap((void *)p, pages * size);
	return (double)(end - start) / pages;
}

static double least_fault(bool read_first)
{
	double best = 1e18;

	for (int i = 0; i < 4; i++) {
		double cost = fault_cost(1000, read_first);

		if (cost < best)
			best = cost;
	}
	return best;
}

static void bench_base(void)
{
	struct pingpong p;

	report("clock_gettime", measure(clock_loop, 10000));
	report("null-syscall", measure(null_loop, 10000));
	pingpong_start(&p);
	report("pipe-switch", pingpong_switch(&p, 2000));
	pingpong_stop(&p);
	report("fork+exit", measure(fork_loop, 100));
	report("anon-fault", least_fault(false));
	report("zero-page-fault", least_fault(true));
}

static bool wants(int argc, char **argv, const char *part)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], part))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	bool wall = wants(argc, argv, "wall");
	bool all = argc == 1 + wall;

	if (all || wants(argc, argv, "base"))
		bench_base();
	if (all || wants(argc, argv, "counters"))
		bench_counters();
	if (all || wants(argc, argv, "sets"))
		bench_sets();
	if (all || wants(argc, argv, "samples"))
		bench_samples(wall);
	if (all || wants(argc, argv, "tracing"))
		bench_tracing();
	if ((all && !wall) || wants(argc, argv, "growth"))
		bench_growth();
	return 0;
}
