/* SPDX-License-Identifier: MIT */
/*
 * Event filters: an expression over an event's fields, compiled once and
 * evaluated on records without allocation.
 *
 *   expr := and ('||' and)*	     and := not ('&&' not)*
 *   not := '!' not | '(' expr ')' | FIELD op VALUE
 *   op := == != < <= > >= & ~
 *
 * FIELD is one of the event's, or a common one, or comm, cpu.  ~ matches a
 * glob.  Pure code: also compiled for the host.
 */
#ifndef SONDE_KERNEL_TRACE_FILTER_H
#define SONDE_KERNEL_TRACE_FILTER_H

#include <lib/types.h>

struct trace_event;
struct trace_filter;

struct trace_filter_error {
	const char *text;	/* as error_log says it, NULL: none */
	u32 pos;		/* in the expression */
};

/*
 * 0 and *out, or -EINVAL with *err filled in (err may be NULL), or -ENOMEM.
 * Task context.
 */
int trace_filter_compile(const struct trace_event *ev, const char *text,
			 struct trace_filter **out,
			 struct trace_filter_error *err);
void trace_filter_free(struct trace_filter *f);

/* Any context; the record starts with struct trace_common. */
bool trace_filter_match(const struct trace_filter *f, const void *record);

#endif /* SONDE_KERNEL_TRACE_FILTER_H */
