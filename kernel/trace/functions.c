/* SPDX-License-Identifier: MIT */
/*
 * The probes of the function tracers: one on each function that is wanted.
 *
 * All under trace_mutex but what handlers read: everything masked, flags of a
 * traced function, which lives until no handler can run any more.
 */
#include "function.h"

#include <kernel/init.h>
#include <kernel/ksym.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <lib/err.h>

static const struct function_ops *tracing;	/* [trace_mutex] NULL: off */
static struct traced_function **traced;		/* [trace_mutex] by number */

static s32 enabled = 1;	/* [a] kernel.ftrace_enabled */

bool functions_are_on(void)
{
	const struct trace_instance *in = trace_top;

	return READ_ONCE(in->buffer.on) && READ_ONCE(enabled) &&
	       trace_pids_want_current(&in->function_pids);
}

bool functions_next_traced(u32 from, u32 *number)
{
	for (; traced && from < ksym_count(); from++)
		if (traced[from]) {
			*number = from;
			return true;
		}
	return false;
}

static void set_flags(struct traced_function *f)
{
	WRITE_ONCE(f->is_root, function_set_is_empty(FUNCTION_SET_GRAPH) ||
			       function_set_has(FUNCTION_SET_GRAPH, f->number));
	WRITE_ONCE(f->is_quiet,
		   function_set_has(FUNCTION_SET_GRAPH_NOTRACE, f->number));
}

static struct traced_function *new_traced(u32 number)
{
	struct traced_function *f = kzalloc(sizeof(*f), GFP_KERNEL);
	char type, name[KSYM_NAME_MAX];

	if (!f)
		return NULL;
	f->number = number;
	set_flags(f);
	ksym_get(number, &f->probe.entry.addr, &type, name);
	f->probe.in_frames = true;
	f->probe.entered = tracing->entered;
	f->probe.returned = tracing->returned;
	f->probe.entry.hit = tracing->hit;
	return f;
}

static struct traced_function *of(struct kprobe *entry)
{
	return container_of(entry, struct traced_function, probe.entry);
}

static void free_chain(struct kprobe *chain)
{
	struct kprobe *next;

	for (; chain; chain = next) {
		next = chain->chain;
		kfree(of(chain));
	}
}

/* Those that are not wanted, or all of them. */
static void remove(bool all)
{
	struct kprobe *chain = NULL;
	u32 i;

	for (i = 0; functions_next_traced(i, &i); i++) {
		if (!all && function_is_wanted(i))
			continue;
		traced[i]->probe.entry.chain = chain;
		chain = &traced[i]->probe.entry;
		traced[i] = NULL;
	}
	if (!chain)
		return;
	if (tracing->hit)
		kprobes_unregister(chain);
	else
		kretprobes_unregister(chain);
	free_chain(chain);
}

/* Those that are wanted. */
static int add(void)
{
	struct kprobe *chain = NULL, *p;
	struct traced_function *f;
	u32 i;
	int err = 0;

	for (i = 0; !err && i < ksym_count(); i++) {
		if (traced[i] || !function_is_wanted(i))
			continue;
		f = new_traced(i);
		if (!f) {
			err = -ENOMEM;
			break;
		}
		f->probe.entry.chain = chain;
		chain = &f->probe.entry;
	}
	if (!err)
		err = tracing->hit ? kprobes_register(chain) :
				     kretprobes_register(chain);
	if (err) {
		free_chain(chain);
		return err;
	}
	for (p = chain; p; p = p->chain)
		traced[of(p)->number] = of(p);
	return 0;
}

int functions_update(void)
{
	u32 i;
	int err;

	if (!tracing)
		return 0;
	remove(false);
	for (i = 0; functions_next_traced(i, &i); i++)
		set_flags(traced[i]);
	err = add();
	if (err)
		remove(true);
	return err;
}

int functions_trace(const struct function_ops *ops)
{
	int err = function_sets_init();

	ASSERT(!tracing);
	if (!err && !ops->hit)
		err = call_frames_use();
	if (err)
		return err;
	traced = kzalloc(ksym_count() * sizeof(struct traced_function *),
			 GFP_KERNEL);
	if (!traced)
		return -ENOMEM;
	tracing = ops;
	err = functions_update();
	if (err)
		functions_stop();
	return err;
}

void functions_stop(void)
{
	remove(true);
	tracing = NULL;
	kfree(traced);
	traced = NULL;
}

static int functions_boot(void)
{
	static struct sysctl ctl = {
		.path = "kernel/ftrace_enabled", .mode = 0644,
		.value = &enabled,
	};

	sysctl_register(&ctl);
	return 0;
}
INITCALL(INIT_LATE, functions_boot);
