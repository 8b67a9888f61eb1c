/* SPDX-License-Identifier: MIT */
/*
 * What an instance does with an event: whether it is on, what becomes of its
 * records; and the directories of systems: enable, filter.
 *
 * Everything is under trace_mutex but record(), which runs where the event
 * happens.  An event that is off here stays on for the perf counters that hang
 * on it, and for other instances.
 *
 * Triggers need an event while it is off: it is linked then, but muted.
 */
#include "tracefs.h"

#include <kernel/fs_pseudo.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/reclaim.h>
#include <kernel/trace_filter.h>
#include <lib/atomic.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/string.h>

static bool is_wanted(const struct trace_file *f, const void *rec)
{
	const struct trace_instance *in = f->instance;
	const struct trace_filter *filter = load_acquire(&f->filter);

	if (READ_ONCE(f->muted) || !READ_ONCE(in->buffer.on))
		return false;
	if (unlikely(READ_ONCE(in->event_pids.pids) ||
		     READ_ONCE(in->event_pids.no_pids)) &&
	    !trace_pids_want(f, rec))
		return false;
	return !filter || trace_filter_match(filter, rec);
}

/* Everything masked: the emitter's side. */
static void record(struct trace_sink *sink, struct trace_event *ev,
		   const void *rec, u32 size, struct pt_regs *regs)
{
	struct trace_file *f = container_of(sink, struct trace_file, sink);
	struct trace_instance *in = f->instance;

	if (unlikely(READ_ONCE(f->triggers)))
		trace_triggers_before(f);
	if (is_wanted(f, rec) && trace_buffer_write(&in->buffer, rec, size)) {
		trace_note_comm(in);
		if (unlikely(trace_option_on(in, TRACE_OPT_STACKTRACE)))
			trace_kernel_stack(in, regs);
	}
	if (unlikely(READ_ONCE(f->triggers)))
		trace_triggers_after(f, rec, regs);
}

/* --- the state of an event ----------------------------------------------- */

int trace_sink_link(struct trace_event *ev, struct trace_sink *sink)
{
	int err = -EINTR;

	if (!ev->ops || !ev->ops->exclusive || !ev->perf_users)
		err = trace_event_enable(ev);

	if (err)
		return err;
	sink->next = ev->sinks;
	reclaim_assign(ev->sinks, sink);
	return 0;
}

void trace_sink_unlink(struct trace_event *ev, struct trace_sink *sink)
{
	struct trace_sink **at = &ev->sinks;

	while (*at != sink)
		at = &(*at)->next;
	reclaim_assign(*at, sink->next);
	trace_event_disable(ev);
	/* The sink may be put on again at once. */
	reclaim_sync();
}

static int link_file(struct trace_file *f)
{
	int err = f->linked ? 0 : trace_instance_expand(f->instance);

	if (!err && !f->linked)
		err = trace_sink_link(f->ev, &f->sink);
	f->linked |= !err;
	return err;
}

static void unlink_file(struct trace_file *f)
{
	if (!f->linked)
		return;
	trace_sink_unlink(f->ev, &f->sink);
	f->linked = false;
	WRITE_ONCE(f->muted, false);
}

int trace_file_enable(struct trace_file *f, bool on)
{
	int err = 0;

	if (on)
		err = link_file(f);
	else if (!f->soft)
		unlink_file(f);
	if (!err && f->linked)
		WRITE_ONCE(f->muted, !on);
	return err;
}

/* A trigger needs it linked, or does so no longer. */
int trace_file_soft(struct trace_file *f, bool on)
{
	int err;

	if (!on) {
		ASSERT(f->soft);
		if (!--f->soft && READ_ONCE(f->muted))
			unlink_file(f);
		return 0;
	}
	if (!f->linked) {
		WRITE_ONCE(f->muted, true);
		err = link_file(f);
		if (err)
			return err;
	}
	f->soft++;
	return 0;
}

/* Which other task an event is about, for set_event_pid. */
static void note_task_field(struct trace_file *f)
{
	const struct trace_event *ev = f->ev;
	const char *name;
	u32 i;

	if (strcmp(ev->system, "sched"))
		return;
	f->is_switch = !strcmp(ev->name, "sched_switch");
	f->is_wakeup = !strcmp(ev->name, "sched_waking") ||
		       !strcmp(ev->name, "sched_wakeup") ||
		       !strcmp(ev->name, "sched_wakeup_new");
	name = f->is_switch ? "next_pid" : "pid";
	for (i = 0; i < ev->nr_fields; i++)
		if (!strcmp(ev->fields[i].name, name))
			f->pid_at = (u16)ev->fields[i].offset;
}

struct trace_file *trace_file_new(struct trace_instance *in,
				  struct trace_event *ev)
{
	struct trace_file *f = kzalloc(sizeof(*f), GFP_KERNEL);
	struct list_head *at = &in->files;
	struct trace_file *other;

	if (!f)
		return NULL;
	ref_init(&f->refs);
	f->instance = in;
	f->ev = ev;
	f->sink.fn = record;
	note_task_field(f);
	f->next = ev->files;
	ev->files = f;
	/* Mostly the newest has the highest number. */
	list_for_each_entry_reverse(other, &in->files, link)
		if (other->ev->id < ev->id) {
			at = &other->link;
			break;
		}
	list_add(&f->link, at);
	return f;
}

void trace_file_remove(struct trace_file *f)
{
	struct trace_file **at = &f->ev->files;

	trace_triggers_free(f);
	f->soft = 0;
	unlink_file(f);
	trace_apply_filter(f, "0");
	while (*at != f)
		at = &(*at)->next;
	*at = f->next;
	list_del_init(&f->link);
	f->ev = NULL;
	if (ref_put(&f->refs))
		kfree(f);
}

struct trace_file *trace_file_find(struct trace_instance *in,
				   const char *system, const char *name)
{
	struct trace_file *f;

	list_for_each_entry(f, &in->files, link)
		if (!strcmp(f->ev->system, system) &&
		    !strcmp(f->ev->name, name))
			return f;
	return NULL;
}

/* --- a system ------------------------------------------------------------ */

/* [trace_mutex] It is only looked for; NULL: it is gone. */
static struct trace_system *system_of(const void *private)
{
	struct trace_instance *in;
	struct trace_system *sys;

	trace_for_each_instance(in)
		list_for_each_entry(sys, &in->systems, link)
			if (sys == private)
				return sys;
	return NULL;
}

static bool is_in(const struct trace_file *f, const char *system)
{
	return trace_event_has_source(f->ev) &&
	       (!system || !strcmp(f->ev->system, system));
}

/* 0, 1, X: some are on, ?: there is none. */
static int system_enable_show(struct seq *s, void *private)
{
	struct trace_system *sys;
	struct trace_file *f;
	u32 on = 0, off = 0;

	mutex_lock(&trace_mutex);
	sys = system_of(private);
	if (sys)
		list_for_each_entry(f, &sys->instance->files, link)
			if (is_in(f, sys->name)) {
				on += f->linked;
				off += !f->linked;
			}
	mutex_unlock(&trace_mutex);
	if (!sys)
		return -ENODEV;
	seq_printf(s, "%c\n", on && off ? 'X' : on ? '1' : off ? '0' : '?');
	return 0;
}

int trace_enable_matching(struct trace_instance *in, const char *system,
			  const char *name, bool on)
{
	struct trace_file *f;
	int err = -EINVAL;

	list_for_each_entry(f, &in->files, link) {
		if (!is_in(f, system) || (name && strcmp(f->ev->name, name)))
			continue;
		err = trace_file_enable(f, on);
		if (err)
			break;
	}
	return err;
}

static ssize_t system_enable_store(const char *text, size_t len, void *private)
{
	struct trace_system *sys;
	u64 on;
	int err = parse_u64(text, 10, &on);

	if (err)
		return err;
	if (on > 1)
		return -EINVAL;
	mutex_lock(&trace_mutex);
	sys = system_of(private);
	err = sys ? trace_enable_matching(sys->instance, sys->name, NULL, on) :
		    -ENODEV;
	mutex_unlock(&trace_mutex);
	return err ? err : (ssize_t)len;
}

static int system_filter_show(struct seq *s, void *private)
{
	seq_puts(s, "### global filter ###\n"
		    "# Use this to set filters for multiple events.\n"
		    "# Only events with the given fields will be affected.\n"
		    "# If no events are modified, an error message will be "
		    "displayed here\n");
	return 0;
}

/* Events that the expression does not fit keep none; nobody is told. */
static ssize_t system_filter_store(const char *text, size_t len, void *private)
{
	struct trace_system *sys;
	struct trace_file *f;
	char *clean;

	if (len >= PAGE_SIZE)
		return -EINVAL;
	clean = trace_text_stripped(text);
	if (!clean)
		return -ENOMEM;
	mutex_lock(&trace_mutex);
	sys = system_of(private);
	if (sys)
		list_for_each_entry(f, &sys->instance->files, link)
			if (is_in(f, sys->name))
				trace_apply_filter(f, clean);
	mutex_unlock(&trace_mutex);
	kfree(clean);
	return sys ? (ssize_t)len : -ENODEV;
}

static int system_hold(void *private)
{
	struct trace_system *sys;

	mutex_lock(&trace_mutex);
	sys = system_of(private);
	if (sys)
		sys->instance->opens++;
	mutex_unlock(&trace_mutex);
	return sys ? 0 : -ENODEV;
}

/* A system's description stays as long as its instance. */
static void system_drop(void *private)
{
	struct trace_system *sys = private;

	trace_instance_drop(sys->instance);
}

const struct pseudo_file trace_system_files[2] = {
	{ .name = "enable", .mode = 0640, .show = system_enable_show,
	  .store = system_enable_store, .hold = system_hold,
	  .drop = system_drop, .store_empty = true },
	{ .name = "filter", .mode = 0640, .show = system_filter_show,
	  .store = system_filter_store, .hold = system_hold,
	  .drop = system_drop },
};
