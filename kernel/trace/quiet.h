/* SPDX-License-Identifier: MIT */
/*
 * Events that this kernel has no source for, with the layouts and print
 * formats of Linux 6.1: clients (perf kwork, perf lock, perf kmem, perf
 * timechart) open them by name and do without their records.  Switching one
 * on works and does nothing.  CAVEATS.md lists them.
 */
#ifndef SONDE_TRACE_QUIET_H
#define SONDE_TRACE_QUIET_H

#include <kernel/trace_event.h>
#include <lib/types.h>

extern const struct trace_event_ops trace_quiet_ops;
int trace_quiet_register(struct trace_event *events, u32 nr);

#define QUIET(system_, name_, size_)                                    \
	{ .system = #system_, .name = #name_, .fields = name_##_fields, \
	  .nr_fields = ARRAY_SIZE(name_##_fields), .size = size_,       \
	  .print_fmt = name_##_print, .ops = &trace_quiet_ops }

#endif /* SONDE_TRACE_QUIET_H */
