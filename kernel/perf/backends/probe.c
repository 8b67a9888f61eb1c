// SPDX-License-Identifier: MIT
/*
 * What perf events on kernel probes and on probes in programs share.
 */
#include <kernel/perf_pmu.h>
#include <kernel/perf_trace.h>
#include <kernel/probe_event.h>
#include <lib/err.h>

int perf_trace_probe_init(struct perf_counter *c,
	struct trace_event *(*make)(const struct perf_event_attr *attr))
{
	struct perf_counter *parent = perf_pmu_parent(c);
	struct trace_event *ev;
	int err;

	if (c->attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return -EOPNOTSUPP;
	ev = parent ? probe_event_share_local(perf_trace_event(parent)) :
		      make(c->attr);
	if (IS_ERR(ev))
		return (int)PTR_ERR(ev);
	err = perf_trace_attach(c, ev);
	if (err)
		probe_event_free_local(ev);
	return err;
}

void perf_trace_probe_destroy(struct perf_counter *c)
{
	probe_event_free_local(perf_trace_detach(c));
}
