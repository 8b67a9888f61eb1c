/* SPDX-License-Identifier: MIT */
/*
 * raw_syscalls and syscalls: enter and exit of every call there is.
 *
 * The events of syscalls are made at boot from the call table's records
 * of SYSCALLn(); sys_NAME's arguments are its fields.  All of them hang on
 * two keys, so that the entry path asks one question; behind it the number of
 * the call finds its event.
 *
 * Where a call's own argument has another name or type than the one that
 * clients know from Linux, syscall_abi.c says so.
 */
#include "event.h"
#include "syscall_abi.h"

#include <arch/syscall.h>
#include <kernel/init.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/pseudo.h>
#include <kernel/syscall.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/sort.h>

/* What is listed but not there stays a weak zero. */
#define SYSCALL_NR(number, name) \
	extern const struct syscall_meta syscall_meta_##name __weak;
#include <arch/impl/syscall_nr.h>
#undef SYSCALL_NR

static const struct syscall_meta *const metas[ARCH_NR_SYSCALLS] = {
#define SYSCALL_NR(number, name) [number] = &syscall_meta_##name,
#include <arch/impl/syscall_nr.h>
#undef SYSCALL_NR
};

DEFINE_STATIC_KEY(trace_key_syscall_enter);
DEFINE_STATIC_KEY(trace_key_syscall_exit);

#define ARG_BYTES 8

/* One call: its two events and what they need. */
struct call_events {
	struct trace_event enter, exit;
	char name[2][40];
	struct trace_field fields[1 + 6];
};

static struct call_events *calls[ARCH_NR_SYSCALLS];	/* [I] after boot */

/* --- on and off --------------------------------------------------------- */

static int enter_enable(struct trace_event *ev)
{
	static_key_inc(&trace_key_syscall_enter);
	return 0;
}

static void enter_disable(struct trace_event *ev)
{
	static_key_dec(&trace_key_syscall_enter);
}

static int exit_enable(struct trace_event *ev)
{
	static_key_inc(&trace_key_syscall_exit);
	return 0;
}

static void exit_disable(struct trace_event *ev)
{
	static_key_dec(&trace_key_syscall_exit);
}

/* "fd: 0x%08lx, buf: 0x%08lx", ((unsigned long)(REC->fd)), ... */
static void enter_print(struct trace_event *ev, struct seq *s)
{
	u32 i;

	seq_puts(s, "\"");
	for (i = 1; i < ev->nr_fields; i++)
		seq_printf(s, "%s%s: 0x%%0%ulx", i > 1 ? ", " : "",
			   ev->fields[i].name, (u32)sizeof(long));
	seq_puts(s, "\"");
	for (i = 1; i < ev->nr_fields; i++)
		seq_printf(s, ", ((unsigned long)(REC->%s))",
			   ev->fields[i].name);
}

static const struct trace_event_ops enter_ops = {
	.enable = enter_enable,
	.disable = enter_disable,
	.show_print = enter_print,
};
static const struct trace_event_ops exit_ops = {
	.enable = exit_enable,
	.disable = exit_disable,
};
static const struct trace_event_ops raw_enter_ops = {
	.enable = enter_enable,
	.disable = enter_disable,
};

/* --- raw_syscalls -------------------------------------------------------- */

struct raw_enter {
	struct trace_common common;
	long id;
	unsigned long args[6];
};
static const struct trace_field raw_enter_fields[] = {
	{ "long", "id", "", 8, 8, true },
	{ "unsigned long", "args", "[6]", 16, 48, false },
};
static struct trace_event raw_enter_event = {
	.cap_any = true,
	.system = "raw_syscalls",
	.name = "sys_enter",
	.fields = raw_enter_fields,
	.nr_fields = ARRAY_SIZE(raw_enter_fields),
	.size = sizeof(struct raw_enter),
	.print_fmt = "\"NR %ld (%lx, %lx, %lx, %lx, %lx, %lx)\", REC->id, "
		     "REC->args[0], REC->args[1], REC->args[2], "
		     "REC->args[3], REC->args[4], REC->args[5]",
	.ops = &raw_enter_ops,
};
LINKSET_ADD(trace_events, raw_enter_event);

struct call_exit {
	struct trace_common common;
	long id;
	long ret;
};
static const struct trace_field raw_exit_fields[] = {
	{ "long", "id", "", 8, 8, true },
	{ "long", "ret", "", 16, 8, true },
};
static struct trace_event raw_exit_event = {
	.cap_any = true,
	.system = "raw_syscalls",
	.name = "sys_exit",
	.fields = raw_exit_fields,
	.nr_fields = ARRAY_SIZE(raw_exit_fields),
	.size = sizeof(struct call_exit),
	.print_fmt = "\"NR %ld = %ld\", REC->id, REC->ret",
	.ops = &exit_ops,
};
LINKSET_ADD(trace_events, raw_exit_event);

static const struct trace_field exit_fields[] = {
	{ "int", "__syscall_nr", "", 8, 4, true },
	{ "long", "ret", "", 16, 8, true },
};

/* --- the hooks' bodies --------------------------------------------------- */

static struct call_events *call_of(long nr)
{
	return (unsigned long)nr < ARCH_NR_SYSCALLS ? calls[nr] : NULL;
}

static void take_args(unsigned long args[6], const struct pt_regs *regs)
{
	args[0] = (unsigned long)regs_syscall_arg(regs, 0);
	args[1] = (unsigned long)regs_syscall_arg(regs, 1);
	args[2] = (unsigned long)regs_syscall_arg(regs, 2);
	args[3] = (unsigned long)regs_syscall_arg(regs, 3);
	args[4] = (unsigned long)regs_syscall_arg(regs, 4);
	args[5] = (unsigned long)regs_syscall_arg(regs, 5);
}

/*
 * Events of syscalls are about the user's frame; the raw ones are not.  Mostly
 * it is another call's event that is on.
 */
void trace_syscall_enter_body(struct pt_regs *regs, long nr)
{
	struct call_events *call = call_of(nr);
	bool raw = READ_ONCE(raw_enter_event.users);
	bool own = call && READ_ONCE(call->enter.users);
	struct raw_enter r;

	if (!raw && !own)
		return;
	r.id = nr;
	take_args(r.args, regs);
	if (raw)
		TRACE_EMIT(&raw_enter_event, &r, sizeof(r), 1, NULL);
	if (own) {
		r.id = (u32)nr;
		trace_event_emit(&call->enter, &r, call->enter.size, regs);
	}
}

void trace_syscall_exit_body(struct pt_regs *regs, long nr, long ret)
{
	struct call_events *call = call_of(nr);
	struct call_exit r = { .id = nr, .ret = ret };

	if (READ_ONCE(raw_exit_event.users))
		TRACE_EMIT(&raw_exit_event, &r, sizeof(r), 1, NULL);
	if (call && READ_ONCE(call->exit.users)) {
		r.id = (u32)nr;
		trace_event_emit(&call->exit, &r, sizeof(r), regs);
	}
}

/* --- making them --------------------------------------------------------- */

static int abi_order(const void *name, const void *call)
{
	return strcmp(name, ((const struct trace_abi_call *)call)->name);
}

static const struct trace_abi_call *abi_of(const char *name)
{
	return bsearch(name, trace_abi_calls, trace_abi_nr,
		       sizeof(trace_abi_calls[0]), abi_order);
}

static void fill_fields(struct call_events *c, const struct syscall_meta *meta,
			const struct trace_abi_call *abi)
{
	u32 i, nr = abi && abi->args ? abi->nr_args : meta->nr_args;

	c->fields[0] = exit_fields[0];
	for (i = 0; i < nr; i++) {
		struct trace_field *f = &c->fields[1 + i];

		f->type = abi && abi->args ? abi->args[2 * i] : meta->types[i];
		f->name = abi && abi->args ? abi->args[2 * i + 1] :
					     meta->names[i];
		f->array = "";
		f->offset = (u16)(16 + ARG_BYTES * i);
		f->size = ARG_BYTES;
	}
	c->enter.fields = c->fields;
	c->enter.nr_fields = (u16)(1 + nr);
	c->enter.size = (u16)(16 + ARG_BYTES * nr);
	c->exit.fields = exit_fields;
	c->exit.nr_fields = ARRAY_SIZE(exit_fields);
	c->exit.size = sizeof(struct call_exit);
	c->exit.print_fmt = "\"0x%lx\", REC->ret";
}

static int make_call(long nr, const struct syscall_meta *meta)
{
	const struct trace_abi_call *abi = abi_of(meta->name);
	const char *name = abi ? abi->shown : meta->name;
	struct call_events *c = kzalloc(sizeof(*c), GFP_KERNEL);
	int err;

	if (!c)
		return -ENOMEM;
	snprintf(c->name[0], sizeof(c->name[0]), "sys_enter_%s", name);
	snprintf(c->name[1], sizeof(c->name[1]), "sys_exit_%s", name);
	fill_fields(c, meta, abi);
	c->enter.system = c->exit.system = "syscalls";
	c->enter.name = c->name[0];
	c->exit.name = c->name[1];
	c->enter.ops = &enter_ops;
	c->exit.ops = &exit_ops;
	c->enter.cap_any = c->exit.cap_any = true;
	err = trace_event_register(&c->exit);
	if (!err)
		err = trace_event_register(&c->enter);
	calls[nr] = c;
	return err;
}

static int syscall_events_boot(void)
{
	int err = 0;
	long nr;

	for (nr = 0; nr < ARCH_NR_SYSCALLS && !err; nr++)
		if (metas[nr])
			err = make_call(nr, metas[nr]);
	CHECK(!err);
	return err;
}
INITCALL(INIT_FS, syscall_events_boot);
