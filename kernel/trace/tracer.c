/* SPDX-License-Identifier: MIT */
/*
 * available_tracers and current_tracer.
 *
 * Only the top instance has a choice; trace_mutex guards it.  A new tracer
 * begins with an empty buffer.
 */
#include "tracefs.h"

#include <kernel/cpu.h>
#include <kernel/lock.h>
#include <lib/ctype.h>
#include <lib/linkset.h>
#include <lib/err.h>
#include <lib/string.h>

LINKSET(const struct trace_tracer, trace_tracers);

static const struct trace_tracer nop = { .name = "nop" };
static const struct trace_tracer *current_tracer = &nop; /* [trace_mutex] */

const struct trace_tracer *trace_tracer_of(const struct trace_instance *in)
{
	return in == trace_top ? current_tracer : &nop;
}

static int available_show(struct seq *s, void *private)
{
	const struct trace_tracer *const *t;

	if (private == trace_top)
		linkset_for_each(t, trace_tracers)
			seq_printf(s, "%s ", (*t)->name);
	seq_printf(s, "%s\n", nop.name);
	return 0;
}

static int current_show(struct seq *s, void *private)
{
	mutex_lock(&trace_mutex);
	seq_printf(s, "%s\n", trace_tracer_of(private)->name);
	mutex_unlock(&trace_mutex);
	return 0;
}

/* The tracer of that name, white space behind it apart; NULL: none. */
static const struct trace_tracer *find(const struct trace_instance *in,
				       const char *text)
{
	const struct trace_tracer *const *t;
	size_t len = strlen(text);

	while (len && isspace(text[len - 1]))
		len--;
	if (len == strlen(nop.name) && !strncmp(text, nop.name, len))
		return &nop;
	if (in != trace_top)
		return NULL;
	linkset_for_each(t, trace_tracers)
		if (len == strlen((*t)->name) &&
		    !strncmp(text, (*t)->name, len))
			return *t;
	return NULL;
}

/* [trace_mutex] */
static int choose(const struct trace_tracer *t)
{
	u32 cpu;
	int err;

	if (t == current_tracer)
		return 0;
	err = t->start ? trace_instance_expand(trace_top) : 0;
	if (err)
		return err;
	if (current_tracer->stop)
		current_tracer->stop();
	current_tracer = &nop;
	for_each_possible_cpu(cpu)
		trace_buffer_clear(&trace_top->buffer, cpu);
	err = t->start ? t->start() : 0;
	if (!err)
		current_tracer = t;
	return err;
}

static ssize_t current_store(const char *text, size_t len, void *private)
{
	const struct trace_tracer *t = find(private, text);
	int err;

	if (!t)
		return -EINVAL;
	mutex_lock(&trace_mutex);
	err = private == trace_top ? choose(t) : 0;
	mutex_unlock(&trace_mutex);
	return err ? err : (ssize_t)len;
}

int trace_tracer_add(struct trace_instance *in)
{
	static const struct pseudo_file files[] = {
		{ .name = "available_tracers", .mode = 0440,
		  .show = available_show, .hold = trace_instance_hold,
		  .drop = trace_instance_drop },
		{ .name = "current_tracer", .mode = 0640,
		  .show = current_show, .store = current_store,
		  .hold = trace_instance_hold, .drop = trace_instance_drop,
		  .store_empty = true },
	};

	return pseudo_create_all(in->dir, files, ARRAY_SIZE(files), in);
}
