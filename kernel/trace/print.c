/* SPDX-License-Identifier: MIT */
/*
 * Entries of a trace buffer as lines of text: `trace` and `trace_pipe`.
 * Task context, trace_mutex held against events that go.
 */
#include "tracefs.h"

#include <kernel/cpu.h>
#include <kernel/time.h>
#include <lib/minmax.h>
#include <lib/string.h>

static u64 word_at(const char *at)
{
	u64 v;

	memcpy(&v, at, sizeof(v));
	return v;
}

static const struct trace_event *event_of(u32 id)
{
	struct trace_event *ev;

	trace_for_each_event(ev)
		if (ev->id == id)
			return ev;
	return NULL;
}

/* Calls: no format of theirs is needed to say it as Linux does. */
static void print_call(struct seq *s, const struct trace_event *ev,
		       const char *rec)
{
	u32 i;

	if (!strncmp(ev->name, "sys_exit_", 9)) {
		seq_printf(s, "sys_%s -> 0x%llx\n", ev->name + 9,
			   (unsigned long long)word_at(rec + 16));
		return;
	}
	seq_printf(s, "sys_%s(", ev->name + strlen("sys_enter_"));
	for (i = 1; i < ev->nr_fields; i++)
		seq_printf(s, "%s%s: %llx", i > 1 ? ", " : "",
			   ev->fields[i].name,
			   (unsigned long long)word_at(rec +
					       ev->fields[i].offset));
	seq_puts(s, ")\n");
}

static void print_stack(struct seq *s, const char *rec, u32 size)
{
	u32 at;

	seq_puts(s, "<stack trace>\n");
	for (at = 16; at + sizeof(u64) <= size; at += sizeof(u64)) {
		seq_puts(s, " => ");
		trace_print_symbol(s, word_at(rec + at), false);
		seq_putc(s, '\n');
	}
}

/* A number of the writer's, then bytes. */
static void print_raw(struct seq *s, const char *rec, u32 size)
{
	u32 at, id;

	memcpy(&id, rec + 8, sizeof(id));
	seq_printf(s, "# %x buf:", id);
	for (at = 12; at < size; at++)
		seq_printf(s, " %02x", (u8)rec[at]);
	seq_putc(s, '\n');
}

static void print_flags(struct seq *s, const struct trace_common *c)
{
	seq_putc(s, c->flags & TRACE_FLAG_IRQS_OFF ? 'd' : '.');
	seq_putc(s, c->flags & TRACE_FLAG_NEED_RESCHED ? 'N' : '.');
	seq_putc(s, c->flags & TRACE_FLAG_NMI	    ? 'z' :
		    c->flags & TRACE_FLAG_HARDIRQ ? 'h' :
						    '.');
	if (c->preempt_count & 0xf)
		seq_putc(s, "0123456789abcdef"[c->preempt_count & 0xf]);
	else
		seq_putc(s, '.');
	seq_putc(s, '.');
}

/* Who, where, when. */
static void print_context(struct seq *s, const struct trace_instance *in,
			  u32 cpu, u64 time, const struct trace_common *c)
{
	char comm[16];
	s32 tgid;

	trace_find_comm(c->pid, comm);
	seq_printf(s, "%16.16s-%-7d ", comm, c->pid);
	if (trace_option_on(in, TRACE_OPT_RECORD_TGID)) {
		tgid = trace_find_tgid(c->pid);
		if (tgid < 0)
			seq_puts(s, "(-------) ");
		else
			seq_printf(s, "(%7d) ", tgid);
	}
	seq_printf(s, "[%03u] ", cpu);
	if (trace_option_on(in, TRACE_OPT_IRQ_INFO))
		print_flags(s, c);
	if (trace_clock_in_ns(&in->buffer))
		seq_printf(s, " %5llu.%06llu: ",
			   (unsigned long long)(time / NSEC_PER_SEC),
			   (unsigned long long)(time % NSEC_PER_SEC / 1000));
	else
		seq_printf(s, " %12llu: ", (unsigned long long)time);
}

static void print_function(struct seq *s, const char *rec)
{
	trace_print_symbol(s, word_at(rec + 8), false);
	seq_puts(s, " <-");
	trace_print_symbol(s, word_at(rec + 16), false);
	seq_putc(s, '\n');
}

void trace_print_text(struct seq *s, const void *record, u32 size)
{
	const struct trace_common *c = record;
	const struct trace_event *ev = event_of(c->type);
	const char *rec = record;

	switch (c->type) {
	case TRACE_ID_FUNCTION:
		print_function(s, rec);
		return;
	case TRACE_ID_PRINT:
		seq_puts(s, "tracing_mark_write: ");
		seq_write(s, rec + 16, strnlen(rec + 16, size - 16));
		return;
	case TRACE_ID_RAW_DATA:
		print_raw(s, rec, size);
		return;
	case TRACE_ID_KERNEL_STACK:
		print_stack(s, rec, size);
		return;
	}
	if (!ev) {
		seq_printf(s, "Unknown type %u\n", c->type);
		return;
	}
	if (!strcmp(ev->system, "syscalls")) {
		print_call(s, ev, record);
		return;
	}
	seq_printf(s, "%s: ", ev->name);
	trace_print_format(s, ev, record, size);
	seq_putc(s, '\n');
}

void trace_print_entry(struct seq *s, const struct trace_instance *in, u32 cpu,
		       u64 time, const void *record, u32 size)
{
	if (trace_option_on(in, TRACE_OPT_CONTEXT_INFO))
		print_context(s, in, cpu, time, record);
	trace_print_text(s, record, size);
}

void trace_print_header(struct seq *s, const struct trace_instance *in,
			u64 entries, u64 written)
{
	bool flags = trace_option_on(in, TRACE_OPT_IRQ_INFO);
	bool tgid = trace_option_on(in, TRACE_OPT_RECORD_TGID);
	u32 cpu, nr = 0, i, indent = tgid ? 42 : 32;
	static const char *const legend[] = {
		"_-----=> irqs-off/BH-disabled", "/ _----=> need-resched",
		"| / _---=> hardirq/softirq",	 "|| / _--=> preempt-depth",
		"||| / _-=> migrate-disable",	 "|||| /     delay",
	};

	const struct trace_tracer *tracer = trace_tracer_of(in);

	seq_printf(s, "# tracer: %s\n#\n", tracer->name);
	if (tracer->header) {
		tracer->header(s, in);
		return;
	}
	if (!trace_option_on(in, TRACE_OPT_CONTEXT_INFO))
		return;
	for_each_online_cpu(cpu)
		nr++;
	seq_printf(s, "# entries-in-buffer/entries-written: %llu/%llu   #P:%u\n"
		      "#\n",
		   (unsigned long long)entries, (unsigned long long)written,
		   nr);
	for (i = 0; flags && i < ARRAY_SIZE(legend); i++)
		seq_printf(s, "#%*s%s\n", (int)(indent - min(i, 2u)), "",
			   legend[i]);
	seq_printf(s, "#           TASK-PID    %s CPU#  %s  TIMESTAMP  "
		      "FUNCTION\n",
		   tgid ? "   TGID   " : "", flags ? "|||||" : " ");
	seq_printf(s, "#              | |      %s   |   %s     |         |\n",
		   tgid ? "     |    " : "", flags ? "|||||" : " ");
}
