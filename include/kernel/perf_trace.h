/* SPDX-License-Identifier: MIT */
/*
 * What the tracing backends of perf share: counters that hang on a trace
 * event.  Implemented by kernel/perf/backends/tracepoint.c; a backend for
 * probes makes or finds its struct trace_event in event_init and uses these
 * for everything else.
 */
#ifndef SONDE_KERNEL_PERF_TRACE_H
#define SONDE_KERNEL_PERF_TRACE_H

#include <lib/types.h>

struct perf_counter;
struct perf_event_attr;
struct trace_event;

/*
 * Attach c to ev: switches the source on.  Takes over the caller's reference
 * on ev if it succeeds.  0 or a negative errno.  Task context (event_init).
 */
int perf_trace_attach(struct perf_counter *c, struct trace_event *ev);
/* The event of c, detached; the caller has its reference again. */
struct trace_event *perf_trace_detach(struct perf_counter *c);

/* What c is attached to. */
struct trace_event *perf_trace_event(const struct perf_counter *c);

/*
 * event_init of an event with a probe of its own, rights checked: make() gives
 * the probe of attr, or ERR_PTR; a copy shares its parent's.  And its end.
 */
int perf_trace_probe_init(struct perf_counter *c,
	struct trace_event *(*make)(const struct perf_event_attr *attr));
void perf_trace_probe_destroy(struct perf_counter *c);

/* perf_pmu_ops of a tracing backend. */
int perf_trace_add(struct perf_counter *c, u32 flags);
void perf_trace_del(struct perf_counter *c, u32 flags);
void perf_trace_start(struct perf_counter *c, u32 flags);
void perf_trace_stop(struct perf_counter *c, u32 flags);
int perf_trace_set_filter(struct perf_counter *c, const char *text);

#endif /* SONDE_KERNEL_PERF_TRACE_H */
