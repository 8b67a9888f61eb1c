/* SPDX-License-Identifier: MIT */
/*
 * trace_options and options/NAME: switches of an instance.  Only those that
 * mean something here have a name.
 */
#include "tracefs.h"

#include <kernel/lock.h>
#include <kernel/pseudo.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/string.h>

/* In the order in which trace_options lists them. */
static const char *const names[TRACE_OPT_COUNT] = {
	[TRACE_OPT_ANNOTATE] = "annotate",
	[TRACE_OPT_CONTEXT_INFO] = "context-info",
	[TRACE_OPT_RECORD_CMD] = "record-cmd",
	[TRACE_OPT_RECORD_TGID] = "record-tgid",
	[TRACE_OPT_OVERWRITE] = "overwrite",
	[TRACE_OPT_DISABLE_ON_FREE] = "disable_on_free",
	[TRACE_OPT_IRQ_INFO] = "irq-info",
	[TRACE_OPT_MARKERS] = "markers",
	[TRACE_OPT_EVENT_FORK] = "event-fork",
	[TRACE_OPT_STACKTRACE] = "stacktrace",
	[TRACE_OPT_FUNCTION_TRACE] = "function-trace",
	[TRACE_OPT_FUNCTION_FORK] = "function-fork",
	[TRACE_OPT_FUNC_STACK] = "func_stack_trace",
	[TRACE_OPT_GRAPH_OVERRUN] = "funcgraph-overrun",
	[TRACE_OPT_GRAPH_CPU] = "funcgraph-cpu",
	[TRACE_OPT_GRAPH_OVERHEAD] = "funcgraph-overhead",
	[TRACE_OPT_GRAPH_PROC] = "funcgraph-proc",
	[TRACE_OPT_GRAPH_DURATION] = "funcgraph-duration",
	[TRACE_OPT_GRAPH_ABSTIME] = "funcgraph-abstime",
	[TRACE_OPT_GRAPH_IRQS] = "funcgraph-irqs",
	[TRACE_OPT_GRAPH_TAIL] = "funcgraph-tail",
};

static u32 options_of(const struct trace_instance *in)
{
	return in == trace_top ? TRACE_OPT_COUNT : TRACE_OPT_FUNCTION_TRACE;
}

/* [trace_mutex] */
static int set_option(struct trace_instance *in, u32 opt, bool on)
{
	int err = 0;

	if (trace_option_on(in, opt) == on)
		return 0;
	if (opt == TRACE_OPT_EVENT_FORK)
		err = trace_pids_follow(in, &in->event_pids, on);
	if (opt == TRACE_OPT_FUNCTION_FORK)
		err = trace_pids_follow(in, &in->function_pids, on);
	if (err)
		return err;
	if (on)
		fetch_or_relaxed(&in->options, 1u << opt);
	else
		fetch_and_relaxed(&in->options, ~(1u << opt));
	if (opt == TRACE_OPT_OVERWRITE)
		WRITE_ONCE(in->buffer.overwrite, on);
	return 0;
}

/* --- trace_options ------------------------------------------------------- */

static int options_show(struct seq *s, void *private)
{
	const struct trace_instance *in = private;
	u32 i;

	for (i = 0; i < options_of(in); i++)
		seq_printf(s, "%s%s\n", trace_option_on(in, i) ? "" : "no",
			   names[i]);
	return 0;
}

/* The option of that name, without the white space around it; -EINVAL. */
static int find_option(const struct trace_instance *in, const char *text,
		       bool *on)
{
	size_t len;
	u32 i;

	while (isspace(*text))
		text++;
	*on = strncmp(text, "no", 2);
	text += *on ? 0 : 2;
	len = strlen(text);
	while (len && isspace(text[len - 1]))
		len--;
	for (i = 0; i < options_of(in); i++)
		if (strlen(names[i]) == len && !strncmp(text, names[i], len))
			return (int)i;
	return -EINVAL;
}

static ssize_t options_store(const char *text, size_t len, void *private)
{
	bool on;
	int err, opt = find_option(private, text, &on);

	if (opt < 0)
		return opt;
	mutex_lock(&trace_mutex);
	err = set_option(private, (u32)opt, on);
	mutex_unlock(&trace_mutex);
	return err ? err : (ssize_t)len;
}

/* --- options/NAME -------------------------------------------------------- */

static int option_show(struct seq *s, void *private)
{
	struct trace_instance *in;

	mutex_lock(&trace_mutex);
	in = trace_instance_of(private);
	seq_puts(s, trace_option_on(in, (u32)((u8 *)private - in->option)) ?
			    "1\n" : "0\n");
	mutex_unlock(&trace_mutex);
	return 0;
}

static ssize_t option_store(const char *text, size_t len, void *private)
{
	struct trace_instance *in;
	u64 v;
	int err = parse_u64(text, 10, &v);

	if (err)
		return err;
	if (v > 1)
		return -EINVAL;
	mutex_lock(&trace_mutex);
	in = trace_instance_of(private);
	err = set_option(in, (u32)((u8 *)private - in->option), v);
	mutex_unlock(&trace_mutex);
	return err ? err : (ssize_t)len;
}

int trace_options_add(struct trace_instance *in)
{
	static const struct pseudo_file all = {
		.name = "trace_options", .mode = 0640, .show = options_show,
		.store = options_store, .hold = trace_instance_hold,
		.drop = trace_instance_drop, .store_empty = true,
	};
	struct pseudo_file one = {
		.mode = 0640, .show = option_show, .store = option_store,
		.hold = trace_instance_hold, .drop = trace_instance_drop,
		.store_empty = true,
	};
	struct pseudo_dir *dir = pseudo_mkdir(in->dir, "options");
	int err = pseudo_create_all(in->dir, &all, 1, in);
	u32 i;

	for (i = 0; i < options_of(in) && !err; i++) {
		/* Names of threads are of the whole machine. */
		if (in != trace_top && i == TRACE_OPT_RECORD_CMD)
			continue;
		one.name = names[i];
		err = pseudo_create_all(dir, &one, 1, &in->option[i]);
	}
	return err;
}
