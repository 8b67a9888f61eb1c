/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the bench program share: a clock, a way to report, events.
 *
 * A cost is nanoseconds of CLOCK_MONOTONIC_RAW per operation.  Under QEMU's
 * -icount shift=0 a nanosecond is a guest instruction.  Every loop runs once
 * to warm up, checks what it did, and takes the least of three.
 */
#ifndef SONDE_BENCH_H
#define SONDE_BENCH_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* Says what went wrong, with errno, and ends the program. */
__attribute__((noreturn)) void fail(const char *what);

uint64_t now(void);

/* Least cost of a round of fn, which goes through `loops` of them. */
double measure(void (*fn)(long loops), long loops);

void report(const char *name, double cost);

/* Two processes that pass one byte to and fro; a round is two switches. */
struct pingpong {
	int to[2], from[2];
	int child;
};

void pingpong_start(struct pingpong *p);
void pingpong_stop(struct pingpong *p);

/* Least cost of one switch. */
double pingpong_switch(struct pingpong *p, long switches);

/* Forks children that exit at once, and waits for them. */
void fork_loop(long loops);

/* Cost of touching a fresh page; read first, or written at once. */
double fault_cost(long pages, bool read_first);

/* An attr that counts, disabled, with both times. */
struct perf_event_attr event_attr(uint32_t type, uint64_t config);

/* An event on this task, wherever it runs. */
int event_open(struct perf_event_attr *attr, int group);

struct reading {
	uint64_t count, enabled, running;
};

struct reading event_read(int fd);

void bench_counters(void);
void bench_sets(void);
void bench_samples(bool wall);
void bench_tracing(void);
void bench_growth(void);

#endif
