/* SPDX-License-Identifier: MIT */
/*
 * A kernel of one CPU for the perf engine: a clock the test moves, timers and
 * irq_work that run when it does, tasks that are switched by call.
 */
#ifndef SONDE_UNIT_PERF_FAKE_H
#define SONDE_UNIT_PERF_FAKE_H

#include "../../../kernel/perf/internal.h"
#include "../../../kernel/perf/ring.h"

#define FAKE_COUNTERS 2

/* Boot the engine once. */
void fake_boot(void);
/* What passes with each look at the clock. */
extern u64 fake_clock_step;
/* Let ns pass: events count at their rates, timers fire on the way. */
void fake_run(u64 ns);
/* Switch the CPU to task. */
void fake_switch(struct task *task);
struct task *fake_task(void);		/* a new one */
struct task *fake_fork(u64 flags);	/* of current */
void fake_exit(struct task *task);	/* switches to it and back */
void fake_flush(void);			/* irq_work and reclaim */

/* The fake PMU: type 100, config2 is events per microsecond. */
#define FAKE_TYPE 100
extern u32 fake_adds, fake_dels;	/* how often it was programmed */
extern u32 fake_overflows;
extern struct pt_regs fake_regs;

/* Open, attached to task (NULL: the CPU); IS_ERR on refusal. */
struct perf_event *fake_open(const struct perf_event_attr *attr,
			     struct task *task, struct perf_event *leader);
struct perf_ring *fake_map(struct perf_event *e, u32 pages, bool overwrite);

#endif /* SONDE_UNIT_PERF_FAKE_H */
