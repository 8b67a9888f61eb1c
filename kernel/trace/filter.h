/* SPDX-License-Identifier: MIT */
/*
 * The compiled form of an event filter, shared by the parser (filter_parse.c),
 * the terms (filter_term.c) and the evaluation (filter.c).
 *
 * A filter is a list of terms.  Each has two exits, the number of the term
 * that follows when it holds and when it does not; FILTER_YES and FILTER_NO
 * end the evaluation.
 */
#ifndef SONDE_TRACE_FILTER_PRIVATE_H
#define SONDE_TRACE_FILTER_PRIVATE_H

#include <kernel/trace_filter.h>
#include <lib/types.h>

#define FILTER_YES 0xfffeu
#define FILTER_NO  0xffffu
#define FILTER_STRING_MAX 256

enum filter_op {
	OP_GLOB, OP_NE, OP_EQ, OP_LE, OP_LT, OP_GE, OP_GT, OP_BAND, OP_COUNT,
};

/* Where the value comes from. */
enum filter_source {
	FROM_NUMBER,		/* in the record */
	FROM_BITS,		/* a number, of which bits matter */
	FROM_NUMBERS,		/* an array of them: no value, no match */
	FROM_ARRAY,		/* char[n] in the record */
	FROM_TAIL,		/* __data_loc */
	FROM_POINTER,		/* char * of the kernel */
	FROM_USER,		/* char * of user space */
	FROM_COMM,		/* of the running task */
	FROM_CPU,
	FROM_CPU_BITS,
};

struct filter_term {
	u16 exits[2];		/* where to go: [1] it holds, [0] it does not */
	u8 op;			/* enum filter_op */
	u8 source;		/* enum filter_source */
	u8 size;		/* of a number */
	bool is_signed;
	bool negate;
	bool glob;		/* match text as a pattern */
	u16 offset;
	u16 length;		/* FROM_ARRAY */
	u8 unused;		/* signed number: bits above it in a word */
	union {
		/* FROM_NUMBER, FROM_CPU: value - low <= span, or negated. */
		struct {
			u64 low, span;	/* FROM_BITS: low has the bits */
		};
		const char *text;	/* in the filter's strings */
	};
};

struct trace_filter {
	u32 nr;
	char *strings;		/* owned: the texts of all terms */
	struct filter_term terms[];
};

/*
 * One term at str, whose index in the expression is at; its strings go to
 * *strings.  Returns the characters taken or a negative errno.
 */
int filter_term_parse(const struct trace_event *ev, const char *str, u32 at,
		      struct filter_term *term, char **strings,
		      struct trace_filter_error *err);

/* The range of a term whose other parts are there; size 1, 2, 4 or 8. */
void filter_term_range(struct filter_term *t, u64 value);

/* What evaluation asks the running kernel (filter_env.c). */
const char *trace_filter_comm(void);
u32 trace_filter_cpu(void);
/* Copy a string from a pointer found in a record; false: it is not there. */
bool trace_filter_fetch(const char *str, bool user, char *buf, u32 size);

#endif /* SONDE_TRACE_FILTER_PRIVATE_H */
