/* SPDX-License-Identifier: MIT */
/*
 * Probes as trace events, for the perf backends: one event that nobody else
 * sees, made from what perf_event_open(2) says and not registered.  It is
 * free when nobody has it enabled.  Task context.
 */
#ifndef SONDE_KERNEL_PROBE_EVENT_H
#define SONDE_KERNEL_PROBE_EVENT_H

#include <lib/types.h>

struct trace_event;

/*
 * At symbol + offset, or at offset when symbol is NULL; is_return: at the
 * returns of the function there.  Only made; enabling says whether a probe
 * can be there.  ERR_PTR: -ENOENT no such symbol, -EADDRNOTAVAIL several,
 * -EINVAL, -ENOMEM.
 */
struct trace_event *kprobe_event_local(const char *symbol, u64 offset,
				       bool is_return);

/*
 * At byte offset of the file at path; ref_ctr: offset of a counter in it, or
 * 0.  ERR_PTR: what looking the path up says, -EINVAL no regular file.
 */
struct trace_event *uprobe_event_local(const char *path, u64 offset,
				       u64 ref_ctr, bool is_return);

/* One more user of an event made here: it is freed once for each. */
struct trace_event *probe_event_share_local(struct trace_event *ev);

/* Free an event made here. */
void probe_event_free_local(struct trace_event *ev);

#endif /* SONDE_KERNEL_PROBE_EVENT_H */
