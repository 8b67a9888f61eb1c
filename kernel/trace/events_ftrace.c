/* SPDX-License-Identifier: MIT */
/*
 * Records that no tracepoint makes: what is written to trace_marker and
 * trace_marker_raw.  Their numbers are below all others, and fixed: clients
 * know them.
 */
#include "event.h"

static const struct trace_field print_fields[] = {
	{ "unsigned long", "ip", "", 8, 8, false },
	{ "char", "buf", "[]", 16, 0, false },
};
static struct trace_event print_event = {
	.system = "ftrace",
	.name = "print",
	.id = TRACE_ID_PRINT,
	.fields = print_fields,
	.nr_fields = ARRAY_SIZE(print_fields),
	.size = 16,
	.print_fmt = "\"%ps: %s\", (void *)REC->ip, REC->buf",
};
LINKSET_ADD(trace_events, print_event);

static const struct trace_field raw_fields[] = {
	{ "unsigned int", "id", "", 8, 4, false },
	{ "char", "buf", "[]", 12, 0, false },
};
static struct trace_event raw_event = {
	.system = "ftrace",
	.name = "raw_data",
	.id = TRACE_ID_RAW_DATA,
	.fields = raw_fields,
	.nr_fields = ARRAY_SIZE(raw_fields),
	.size = 12,
	.print_fmt = "\"id:%04x %08x\", REC->id, (int)REC->buf[0]",
};
LINKSET_ADD(trace_events, raw_event);
