/* SPDX-License-Identifier: MIT */
/*
 * function_graph's text: calls as a program's, durations beside them.
 *
 * Task context, trace_mutex.  What one line leaves for the next is the
 * reader's own state.
 */
#include "graph.h"

#include <kernel/cpu.h>
#include <kernel/page.h>
#include <kernel/time.h>
#include <lib/minmax.h>
#include <lib/printf.h>
#include <lib/string.h>

#define PROC_WIDTH 14
#define INDENT	   2

struct trace_graph_state {
	struct {
		bool started;
		s32 pid;			/* of the last line */
		s32 depth;			/* calls open in it */
		u64 func[CALL_FRAMES];		/* those calls */
	} cpus[CONFIG_NR_CPUS];
};

struct trace_graph_state *trace_graph_state_new(void)
{
	return kzalloc(sizeof(struct trace_graph_state), GFP_KERNEL);
}

void graph_print_header(struct seq *s, const struct trace_instance *in)
{
	static const struct {
		enum trace_option opt;
		const char *line[2];
	} columns[] = {
		{ TRACE_OPT_GRAPH_ABSTIME,
		  { "     TIME       ", "      |         " } },
		{ TRACE_OPT_GRAPH_CPU, { " CPU", " |  " } },
		{ TRACE_OPT_GRAPH_PROC,
		  { "  TASK/PID       ", "   |    |        " } },
		{ TRACE_OPT_GRAPH_DURATION,
		  { "  DURATION   ", "   |   |      " } },
	};
	static const char *const calls[2] = {
		"               FUNCTION CALLS", "               |   |   |   |",
	};
	u32 line, i;

	for (line = 0; line < 2; line++) {
		seq_putc(s, '#');
		for (i = 0; i < ARRAY_SIZE(columns); i++)
			if (trace_option_on(in, columns[i].opt))
				seq_puts(s, columns[i].line[line]);
		seq_printf(s, "%s\n", calls[line]);
	}
}

/* --- columns ------------------------------------------------------------- */

static void print_spaces(struct seq *s, s32 n)
{
	while (n-- > 0)
		seq_putc(s, ' ');
}

static void print_cpu(struct seq *s, u32 cpu)
{
	u32 width = 1, n;

	for (n = nr_cpu_ids - 1; n >= 10; n /= 10)
		width++;
	seq_printf(s, " %*u) ", (int)width, cpu);
}

/* In the middle of its column. */
static void print_proc(struct seq *s, s32 pid)
{
	char comm[16], text[32];
	s32 left;

	trace_find_comm(pid, comm);
	left = PROC_WIDTH - (s32)scnprintf(text, sizeof(text), "%.7s-%d", comm,
					   pid);
	print_spaces(s, left / 2);
	seq_puts(s, text);
	print_spaces(s, left - left / 2);
}

/* Between the calls of two tasks. */
static void print_switch(struct seq *s, u32 cpu, s32 from, s32 to)
{
	static const char rule[] =
		" ------------------------------------------\n";

	seq_puts(s, rule);
	print_cpu(s, cpu);
	print_proc(s, from);
	seq_puts(s, " => ");
	print_proc(s, to);
	seq_printf(s, "\n%s\n", rule);
}

/* A mark for how long it was: as on Linux, powers of ten from 10 us on. */
static char mark(u64 ns)
{
	static const struct {
		u64 above;
		char mark;
	} marks[] = {
		{ NSEC_PER_SEC, '$' }, { 100000000, '@' }, { 10000000, '*' },
		{ 1000000, '#' },      { 100000, '!' },	   { 10000, '+' },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(marks); i++)
		if (ns > marks[i].above)
			return marks[i].mark;
	return ' ';
}

/* Seven digits of microseconds, as many of them behind the point as fit. */
static void print_duration(struct seq *s, const struct trace_instance *in,
			   u64 ns)
{
	char text[32];
	size_t len;

	if (!trace_option_on(in, TRACE_OPT_GRAPH_DURATION))
		return;
	seq_printf(s, "%c ", trace_option_on(in, TRACE_OPT_GRAPH_OVERHEAD) ?
				     mark(ns) : ' ');
	len = scnprintf(text, sizeof(text), "%llu",
			(unsigned long long)(ns / 1000));
	if (len < 7) {
		scnprintf(text + len, min_t(size_t, 9 - len, 5), ".%03llu",
			  (unsigned long long)(ns % 1000));
		len = strlen(text);
	}
	seq_printf(s, "%s us ", text);
	print_spaces(s, 8 - (s32)len);
	seq_puts(s, "|  ");
}

static void print_no_duration(struct seq *s, const struct trace_instance *in)
{
	if (trace_option_on(in, TRACE_OPT_GRAPH_DURATION))
		seq_puts(s, "              |  ");
}

static void print_begin(struct seq *s, const struct trace_instance *in,
			u32 cpu, u64 time, s32 pid)
{
	if (trace_option_on(in, TRACE_OPT_GRAPH_ABSTIME))
		seq_printf(s, "%5llu.%06llu |  ",
			   (unsigned long long)(time / NSEC_PER_SEC),
			   (unsigned long long)(time % NSEC_PER_SEC / 1000));
	if (trace_option_on(in, TRACE_OPT_GRAPH_CPU))
		print_cpu(s, cpu);
	if (trace_option_on(in, TRACE_OPT_GRAPH_PROC)) {
		print_proc(s, pid);
		seq_puts(s, " | ");
	}
}

/* --- lines --------------------------------------------------------------- */

/* A record as it lies in its page is aligned to a word only. */
union graph_record {
	struct trace_common common;
	struct graph_entry call;
	struct graph_exit ret;
};

static void fetch(union graph_record *out, const void *record)
{
	const struct trace_common *c = record;
	size_t size = c->type == TRACE_ID_GRAPH_EXIT  ? sizeof(out->ret) :
		      c->type == TRACE_ID_GRAPH_ENTRY ? GRAPH_ENTRY_SIZE :
							sizeof(out->common);

	memcpy(out, record, size);
}

/* Only a call and its own return make one line. */
static bool is_return_of(const struct graph_entry *call,
			 const union graph_record *next)
{
	return next->common.type == TRACE_ID_GRAPH_EXIT &&
	       next->common.pid == call->common.pid &&
	       next->ret.func == call->func;
}

static void print_overrun(struct seq *s, const struct trace_instance *in,
			  const struct graph_exit *ret)
{
	if (trace_option_on(in, TRACE_OPT_GRAPH_OVERRUN))
		seq_printf(s, " (Overruns: %u)\n", ret->overrun);
}

static void print_call(struct seq *s, const struct trace_instance *in,
		       const struct graph_entry *call,
		       const struct graph_exit *ret)
{
	if (ret)
		print_duration(s, in, ret->rettime - ret->calltime);
	else
		print_no_duration(s, in);
	print_spaces(s, call->depth * INDENT);
	trace_print_symbol(s, call->func, false);
	seq_puts(s, ret ? "();\n" : "() {\n");
	if (ret)
		print_overrun(s, in, ret);
}

/* known: the line that began it is above. */
static void print_return(struct seq *s, const struct trace_instance *in,
			 const struct graph_exit *ret, bool known)
{
	print_duration(s, in, ret->rettime - ret->calltime);
	print_spaces(s, ret->depth * INDENT);
	if (known && !trace_option_on(in, TRACE_OPT_GRAPH_TAIL)) {
		seq_puts(s, "}\n");
	} else {
		seq_puts(s, "} /* ");
		trace_print_symbol(s, ret->func, false);
		seq_puts(s, " */\n");
	}
	print_overrun(s, in, ret);
}

/* What is no call, as a remark in the one that is open. */
static void print_remark(struct seq *s, const struct trace_instance *in,
			 s32 depth, const void *record, u32 size)
{
	print_no_duration(s, in);
	print_spaces(s, depth > 0 ? (depth + 1) * INDENT : 0);
	seq_puts(s, "/* ");
	trace_print_text(s, record, size);
	if (s->len && s->buf[s->len - 1] == '\n')
		s->len--;
	seq_puts(s, " */\n");
}

/* What a line of that CPU and task goes on from. */
static void change_task(struct seq *s, struct trace_graph_state *state,
			u32 cpu, s32 pid)
{
	if (state->cpus[cpu].started && state->cpus[cpu].pid != pid)
		print_switch(s, cpu, state->cpus[cpu].pid, pid);
	state->cpus[cpu].started = true;
	state->cpus[cpu].pid = pid;
}

bool graph_print(struct seq *s, const struct trace_instance *in,
		 struct trace_graph_state *state, u32 cpu, u64 time,
		 const void *record, u32 size, const void *next)
{
	union graph_record now, then = { .common = { .type = 0 } };
	u64 none = 0, *func = &none;
	bool both;

	if (!state)
		return false;
	fetch(&now, record);
	change_task(s, state, cpu, now.common.pid);
	print_begin(s, in, cpu, time, now.common.pid);
	if (now.common.type != TRACE_ID_GRAPH_ENTRY &&
	    now.common.type != TRACE_ID_GRAPH_EXIT) {
		print_remark(s, in, state->cpus[cpu].depth, record, size);
		return false;
	}
	if ((u32)now.call.depth < CALL_FRAMES)
		func = &state->cpus[cpu].func[now.call.depth];
	if (now.common.type == TRACE_ID_GRAPH_EXIT) {
		print_return(s, in, &now.ret, *func == now.ret.func);
		*func = 0;
		state->cpus[cpu].depth = now.ret.depth - 1;
		return false;
	}
	if (next)
		fetch(&then, next);
	both = is_return_of(&now.call, &then);
	print_call(s, in, &now.call, both ? &then.ret : NULL);
	*func = both ? 0 : now.call.func;
	state->cpus[cpu].depth = now.call.depth - both;
	return both;
}
