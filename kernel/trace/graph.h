/* SPDX-License-Identifier: MIT */
/*
 * Inside function_graph: its records, and their text.
 */
#ifndef SONDE_TRACE_GRAPH_H
#define SONDE_TRACE_GRAPH_H

#include "function.h"

struct graph_entry {
	struct trace_common common;
	u64 func;
	s32 depth;
};
/* As clients know it: without the padding. */
#define GRAPH_ENTRY_SIZE (OFFSET_OF(struct graph_entry, depth) + sizeof(s32))

struct graph_exit {
	struct trace_common common;
	u64 func;
	s32 depth;
	u32 overrun;
	u64 calltime, rettime;
};

/* graph_print.c */
void graph_print_header(struct seq *s, const struct trace_instance *in);
bool graph_print(struct seq *s, const struct trace_instance *in,
		 struct trace_graph_state *state, u32 cpu, u64 time,
		 const void *record, u32 size, const void *next);

#endif /* SONDE_TRACE_GRAPH_H */
