// SPDX-License-Identifier: MIT
/*
 * What all probe events have in common: fields, print format, the record.
 *
 * probe_event_emit runs with preemption off, for kprobes with everything
 * masked as well, so a record is built on the stack, or when it carries
 * strings in a buffer of this CPU.
 */
#include <arch/regs.h>
#include <kernel/cpu.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/probe_event.h>
#include <kernel/trace_event.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>

#include "event.h"

#define SMALL 512	/* record on the stack */
/* Record with strings, or with many arguments: what the trace buffer takes. */
#define LARGE 4048

/* The record and its length word together are a multiple of 8 bytes. */
static u32 round_size(u32 size)
{
	return ((size + 4 + 7) & ~7u) - 4;
}

/*
 * A kprobe's handler runs as the overflow interrupt does, which is how it is
 * made and not where the probe is: its record tells of the probed code.  That
 * interrupts are off there is the breakpoint's doing, as on Linux; a return is
 * seen without one.
 */
static void probed_context(struct probe_event *p, struct trace_common *c,
			   struct pt_regs *regs)
{
	c->flags &= ~TRACE_FLAG_NMI;
	if (current_info()->preempt_count & (IRQ_MASK & ~NMI_MASK))
		c->flags |= TRACE_FLAG_HARDIRQ;
	if (p->is_return && !regs_irqs_disabled(regs))
		c->flags &= ~TRACE_FLAG_IRQS_OFF;
}

void probe_event_emit(struct probe_event *p, struct pt_regs *regs,
		      const u64 addr[2])
{
	u32 at = sizeof(struct trace_common), size = p->ev.size, full;
	u64 small[SMALL / sizeof(u64)];
	u8 *record = p->buffer ? p->buffer[cpu_id()] : (u8 *)small;

	memcpy(record + at, addr, p->is_return ? 16 : 8);
	if (p->args)
		size = probe_args_store(p->args, regs, p->kind->is_user, record,
					size, LARGE - 8);
	full = round_size(size);
	memset(record + size, 0, full - size);
	trace_fill_common(p->head->ev.id,
			  (struct trace_common *)(void *)record);
	if (!p->kind->is_user)
		probed_context(p, (struct trace_common *)(void *)record, regs);
	trace_event_hand_out(&p->head->ev, record, full, regs, 1, NULL);
}

/* [trace_mutex] */
static int place(struct probe_event *p)
{
	int err = p->kind->place(p);

	if (!err)
		p->placed = true;
	return err;
}

/* [trace_mutex] */
static void unplace(struct probe_event *p)
{
	if (p->placed)
		p->kind->unplace(p);
	p->placed = false;
}

void probe_event_disable(struct trace_event *ev)
{
	struct probe_event *head = ev->private, *p;

	list_for_each_entry(p, &head->sites, site)
		unplace(p);
}

int probe_event_enable(struct trace_event *ev)
{
	struct probe_event *head = ev->private, *p;
	int err;

	list_for_each_entry(p, &head->sites, site) {
		err = place(p);
		if (err) {
			probe_event_disable(ev);
			return err;
		}
	}
	return 0;
}

int probe_event_join(struct probe_event *head, struct probe_event *p, bool now)
{
	int err = 0;

	mutex_lock(&trace_mutex);
	p->head = head;
	list_move_tail(&p->site, &head->sites);
	if (now && head->ev.users)
		err = place(p);
	if (err)
		list_del_init(&p->site);
	mutex_unlock(&trace_mutex);
	return err;
}

void probe_event_part(struct probe_event *p)
{
	mutex_lock(&trace_mutex);
	unplace(p);
	list_del_init(&p->site);
	mutex_unlock(&trace_mutex);
}

static const char *type_text(const struct probe_arg *arg)
{
	return arg->loc[0] ? arg->loc : fetch_types[arg->type].ctype;
}

static void make_field(struct trace_field *f, const struct probe_arg *arg)
{
	f->type = type_text(arg);
	f->name = arg->name;
	/* As observed, without the number. */
	f->array = arg->count && !arg->loc[0] ? "[]" : "";
	f->offset = arg->offset;
	f->size = arg->size;
	f->is_signed = fetch_types[arg->type].is_signed;
}

static void address_field(struct trace_field *f, const char *name, u32 nth)
{
	f->type = "unsigned long";
	f->name = name;
	f->array = "";
	f->offset = (u16)(sizeof(struct trace_common) + nth * 8);
	f->size = 8;
	f->is_signed = false;
}

static void make_fields(struct probe_event *p)
{
	struct trace_field *f = p->fields;
	u32 i;

	if (p->is_return) {
		address_field(f++, "__probe_func", 0);
		address_field(f++, "__probe_ret_ip", 1);
	} else {
		address_field(f++, "__probe_ip", 0);
	}
	for (i = 0; p->args && i < p->args->nr; i++)
		make_field(f++, &p->args->arg[i]);
	p->ev.nr_fields = (u16)(f - p->fields);
}

struct text {
	char *buf;
	size_t size, len;
};

static void __printf(2, 3) add(struct text *t, const char *fmt, ...)
{
	size_t room = t->len < t->size ? t->size - t->len : 0;
	va_list args;

	va_start(args, fmt);
	t->len += (size_t)vsnprintf(room ? t->buf + t->len : NULL, room, fmt,
				    args);
	va_end(args);
}

static void print_value(struct text *t, const struct probe_arg *arg, bool fmt,
			u32 nth)
{
	if (fmt)
		add(t, "%s", fetch_types[arg->type].printf);
	else if (fetch_is_string(arg->type) && arg->count)
		add(t, ", __get_str(%s[%u])", arg->name, nth);
	else if (fetch_is_string(arg->type))
		add(t, ", __get_str(%s)", arg->name);
	else if (arg->count)
		add(t, ", REC->%s[%u]", arg->name, nth);
	else
		add(t, ", REC->%s", arg->name);
}

static void print_args(struct text *t, const struct probe_args *args, bool fmt)
{
	u32 i, n;

	for (i = 0; i < args->nr; i++) {
		const struct probe_arg *arg = &args->arg[i];

		if (fmt)
			add(t, " %s=%s", arg->name, arg->count ? "{" : "");
		for (n = 0; n < (arg->count ? arg->count : 1); n++) {
			if (fmt && n)
				add(t, ",");
			print_value(t, arg, fmt, n);
		}
		if (fmt && arg->count)
			add(t, "}");
	}
}

/*
 * As observed, what `format` says is not what `trace` prints: names of the
 * kernel's places, and of a return first where it goes to.
 */
static void print_format(struct probe_event *p, struct text *t, bool shown)
{
	const char *one = !shown ? "%lx" : p->kind->is_user ? "0x%lx" : "%pS";
	const char *two = shown && !p->kind->is_user ? "%ps" : one;

	if (p->is_return)
		add(t, "\"(%s <- %s)", one, two);
	else
		add(t, "\"(%s)", one);
	if (p->args)
		print_args(t, p->args, true);
	if (!p->is_return)
		add(t, "\", REC->__probe_ip");
	else if (shown)
		add(t, "\", REC->__probe_ret_ip, REC->__probe_func");
	else
		add(t, "\", REC->__probe_func, REC->__probe_ret_ip");
	if (p->args)
		print_args(t, p->args, false);
}

/* NULL: no memory. */
static char *make_format(struct probe_event *p, bool shown)
{
	struct text t = { 0 };

	print_format(p, &t, shown);
	t.size = t.len + 1;
	t.len = 0;
	t.buf = kmalloc(t.size, GFP_KERNEL);
	if (t.buf)
		print_format(p, &t, shown);
	return t.buf;
}

static int make_buffers(struct probe_event *p)
{
	u32 cpu;

	if (!p->args || (!p->args->dynamic && p->ev.size <= SMALL - 16))
		return 0;
	p->buffer = kzalloc(sizeof(p->buffer[0]) * NR_CPUS, GFP_KERNEL);
	if (!p->buffer)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		p->buffer[cpu] = kmalloc(LARGE, GFP_KERNEL);
		if (!p->buffer[cpu])
			return -ENOMEM;
	}
	return 0;
}

int probe_event_init(struct probe_event *p, const struct probe_event_kind *kind,
		     const char *system, const char *name, bool is_return,
		     struct probe_args *args)
{
	u32 base = sizeof(struct trace_common) + (is_return ? 16 : 8);

	p->kind = kind;
	p->is_return = is_return;
	p->args = args;
	list_init(&p->link);
	p->head = p;
	list_init(&p->sites);
	list_init(&p->site);
	list_add(&p->site, &p->sites);
	p->system = kstrdup(system, GFP_KERNEL);
	p->name = kstrdup(name, GFP_KERNEL);
	p->fields = kzalloc(sizeof(p->fields[0]) * (2 + (args ? args->nr : 0)),
			    GFP_KERNEL);
	if (!p->system || !p->name || !p->fields)
		goto free;
	if (args)
		probe_args_layout(args, base);
	if (args && base + args->size > LARGE - 16) {
		probe_event_fini(p);
		return -E2BIG;
	}
	p->ev.size = (u16)(base + (args ? args->size : 0));
	make_fields(p);
	p->print_fmt = make_format(p, false);
	p->text_fmt = make_format(p, true);
	if (!p->print_fmt || !p->text_fmt || make_buffers(p))
		goto free;
	p->ev.system = p->system;
	p->ev.name = p->name;
	p->ev.fields = p->fields;
	p->ev.print_fmt = p->print_fmt;
	p->ev.text_fmt = p->text_fmt;
	p->ev.dynamic = true;
	p->ev.ops = kind->ops;
	p->ev.private = p;
	list_init(&p->ev.link);
	return 0;
free:
	probe_event_fini(p);
	return -ENOMEM;
}

void probe_event_fini(struct probe_event *p)
{
	u32 cpu;

	if (p->buffer) {
		for_each_possible_cpu(cpu)
			kfree(p->buffer[cpu]);
	}
	kfree(p->buffer);
	kfree(p->print_fmt);
	kfree(p->text_fmt);
	kfree(p->fields);
	kfree(p->name);
	kfree(p->system);
	probe_args_free(p->args);
	kfree(p->ev.perf);
}

struct trace_event *probe_event_share_local(struct trace_event *ev)
{
	mutex_lock(&trace_mutex);
	ev->refs++;
	mutex_unlock(&trace_mutex);
	return ev;
}

void probe_event_free_local(struct trace_event *ev)
{
	struct probe_event *p = ev->private;
	bool last;

	mutex_lock(&trace_mutex);
	last = !ev->refs;
	if (!last)
		ev->refs--;
	mutex_unlock(&trace_mutex);
	if (last)
		p->kind->destroy(p);
}
