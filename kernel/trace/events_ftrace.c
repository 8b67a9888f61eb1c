/* SPDX-License-Identifier: MIT */
/*
 * Records that no tracepoint makes: those of the function tracers, what is
 * written to trace_marker and trace_marker_raw, and stacks.  Their numbers are
 * below all others, and fixed: clients know them.
 */
#include "event.h"

static const struct trace_field function_fields[] = {
	{ "unsigned long", "ip", "", 8, 8, false },
	{ "unsigned long", "parent_ip", "", 16, 8, false },
};
static struct trace_event function_event = {
	.system = "ftrace",
	.name = "function",
	.id = TRACE_ID_FUNCTION,
	.fields = function_fields,
	.nr_fields = ARRAY_SIZE(function_fields),
	.size = 24,
	.print_fmt = "\" %ps <-- %ps\", (void *)REC->ip, "
		     "(void *)REC->parent_ip",
};
LINKSET_ADD(trace_events, function_event);

static const struct trace_field graph_entry_fields[] = {
	{ "unsigned long", "func", "", 8, 8, false },
	{ "int", "depth", "", 16, 4, true },
};
static struct trace_event graph_entry_event = {
	.system = "ftrace",
	.name = "funcgraph_entry",
	.id = TRACE_ID_GRAPH_ENTRY,
	.fields = graph_entry_fields,
	.nr_fields = ARRAY_SIZE(graph_entry_fields),
	.size = 20,
	.print_fmt = "\"--> %ps (%d)\", (void *)REC->func, REC->depth",
};
LINKSET_ADD(trace_events, graph_entry_event);

static const struct trace_field graph_exit_fields[] = {
	{ "unsigned long", "func", "", 8, 8, false },
	{ "int", "depth", "", 16, 4, true },
	{ "unsigned int", "overrun", "", 20, 4, false },
	{ "unsigned long long", "calltime", "", 24, 8, false },
	{ "unsigned long long", "rettime", "", 32, 8, false },
};
static struct trace_event graph_exit_event = {
	.system = "ftrace",
	.name = "funcgraph_exit",
	.id = TRACE_ID_GRAPH_EXIT,
	.fields = graph_exit_fields,
	.nr_fields = ARRAY_SIZE(graph_exit_fields),
	.size = 40,
	.print_fmt = "\"<-- %ps (%d) (start: %llx  end: %llx) over: %d\", "
		     "(void *)REC->func, REC->depth, REC->calltime, "
		     "REC->rettime, REC->depth",
};
LINKSET_ADD(trace_events, graph_exit_event);

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

/* The callers go on behind those that the format names. */
#define CALLERS                                                          \
	"\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" "                       \
	"\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" "                       \
	"\"\\t=> %ps\\n\\t=> %ps\\n\", "                                 \
	"(void *)REC->caller[0], (void *)REC->caller[1], "               \
	"(void *)REC->caller[2], (void *)REC->caller[3], "               \
	"(void *)REC->caller[4], (void *)REC->caller[5], "               \
	"(void *)REC->caller[6], (void *)REC->caller[7]"

static const struct trace_field kernel_stack_fields[] = {
	{ "int", "size", "", 8, 4, true },
	{ "unsigned long", "caller", "[8]", 16, 64, false },
};
static struct trace_event kernel_stack_event = {
	.system = "ftrace",
	.name = "kernel_stack",
	.id = TRACE_ID_KERNEL_STACK,
	.fields = kernel_stack_fields,
	.nr_fields = ARRAY_SIZE(kernel_stack_fields),
	.size = 80,
	.print_fmt = CALLERS,
};
LINKSET_ADD(trace_events, kernel_stack_event);

static const struct trace_field user_stack_fields[] = {
	{ "unsigned int", "tgid", "", 8, 4, false },
	{ "unsigned long", "caller", "[8]", 16, 64, false },
};
static struct trace_event user_stack_event = {
	.system = "ftrace",
	.name = "user_stack",
	.id = TRACE_ID_USER_STACK,
	.fields = user_stack_fields,
	.nr_fields = ARRAY_SIZE(user_stack_fields),
	.size = 80,
	.print_fmt = CALLERS,
};
LINKSET_ADD(trace_events, user_stack_event);
