/* SPDX-License-Identifier: MIT */
/*
 * Inside the function tracers: which functions, and who is told of calls.
 *
 * A function is known by its number in the kernel's symbol table.  A tracer
 * puts a kprobe on the entry of each one that the sets ask for, so that a
 * function nobody traces costs nothing.
 */
#ifndef SONDE_TRACE_FUNCTION_H
#define SONDE_TRACE_FUNCTION_H

#include "tracefs.h"

#include <kernel/kprobe.h>

/* Files that each hold a set of functions. */
enum function_set {
	FUNCTION_SET_FILTER,	    /* set_ftrace_filter: only these */
	FUNCTION_SET_NOTRACE,	    /* set_ftrace_notrace: not these */
	FUNCTION_SET_GRAPH,	    /* set_graph_function: begin at these */
	FUNCTION_SET_GRAPH_NOTRACE, /* set_graph_notrace: nor what they call */
	FUNCTION_SETS,
};

/*
 * function_sets.c, all [trace_mutex]: make the table of functions at first
 * need (0 or -ENOMEM); is a set empty, is a function in it; is it traced.
 */
int function_sets_init(void);
bool function_set_is_empty(enum function_set set);
bool function_set_has(enum function_set set, u32 number);
bool function_is_wanted(u32 number);

/* A function that is being traced. */
struct traced_function {
	struct kretprobe probe;
	u32 number;		/* [I] of its symbol */
	bool is_root;		/* [a] set_graph_function names it, or nobody */
	bool is_quiet;		/* [a] set_graph_notrace names it */
};

/*
 * functions.c, all [trace_mutex]: place probes, with returns or without, on
 * what is wanted; follow a change of the sets; take them all away.  0 or
 * -errno, and nothing is placed.
 */
struct function_ops {
	void (*hit)(struct kprobe *p, struct pt_regs *regs);
	bool (*entered)(struct kretprobe *rp, struct pt_regs *regs,
			u64 *cookie);	/* or this and the next */
	void (*returned)(struct kretprobe *rp, struct pt_regs *regs, u64 func,
			 u64 ret, u64 cookie);
};
int functions_trace(const struct function_ops *ops);
int functions_update(void);
void functions_stop(void);
/* Numbers of those traced now, in order: the first >= from; false: none. */
bool functions_next_traced(u32 from, u32 *number);

/* May current's calls be recorded?  In a handler. */
bool functions_are_on(void);

#endif /* SONDE_TRACE_FUNCTION_H */
