/* SPDX-License-Identifier: MIT */
/*
 * tracefs: the tree of events and the files beside it.
 *
 * Entry point: an initcall, after which trace_event_shown keeps events/ in
 * step with the registry.  trace_mutex is held where events come and go.
 */
#include "tracefs.h"

#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>

/* --- events/ ------------------------------------------------------------- */

/* The directory of a system, and what is in it beside events; NULL: none. */
static struct trace_system *system_of(struct trace_instance *in,
				      const char *name)
{
	struct trace_system *sys;

	list_for_each_entry(sys, &in->systems, link)
		if (sys->name && !strcmp(sys->name, name))
			return sys;
	sys = kzalloc(sizeof(*sys), GFP_KERNEL);
	if (!sys)
		return NULL;
	sys->instance = in;
	sys->name = kstrdup(name, GFP_KERNEL);
	if (!sys->name) {
		kfree(sys);
		return NULL;
	}
	list_add_tail(&sys->link, &in->systems);
	return sys;
}

static struct pseudo_dir *system_dir(struct trace_instance *in,
				     const char *name)
{
	struct trace_system *sys = system_of(in, name);
	struct pseudo_dir *dir;
	int err;

	if (!sys)
		return ERR_PTR(-ENOMEM);
	if (sys->dir)
		return sys->dir;
	dir = pseudo_mkdir(in->events, name);
	if (IS_ERR(dir))
		return dir;
	err = pseudo_create_all(dir, trace_system_files,
				ARRAY_SIZE(trace_system_files), sys);
	if (err) {
		pseudo_rmdir(dir);
		return ERR_PTR(err);
	}
	sys->dir = dir;
	return dir;
}

/* [trace_mutex] */
static int show_event(struct trace_instance *in, struct trace_event *ev)
{
	u32 nr = trace_event_has_source(ev) ? TRACE_EVENT_FILES : 2;
	struct pseudo_dir *dir = system_dir(in, ev->system);
	struct trace_file *f;

	if (!IS_ERR(dir))
		dir = pseudo_mkdir(dir, ev->name);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	f = trace_file_new(in, ev);
	if (!f) {
		pseudo_rmdir(dir);
		return -ENOMEM;
	}
	f->dir = dir;
	return pseudo_create_all(dir, trace_event_files, nr, f);
}

/* The last event of a system takes its directory along.  [trace_mutex] */
static void hide_event(struct trace_file *f)
{
	struct trace_instance *in = f->instance;
	const char *system = f->ev->system;
	struct trace_system *sys;
	struct trace_file *other;

	pseudo_rmdir(f->dir);
	trace_file_remove(f);
	list_for_each_entry(other, &in->files, link)
		if (!strcmp(other->ev->system, system))
			return;
	sys = system_of(in, system);
	if (sys && sys->dir) {
		pseudo_rmdir(sys->dir);
		sys->dir = NULL;
	}
}

static void event_shown(struct trace_event *ev, bool on)
{
	struct trace_instance *in;
	int err = 0;

	if (on)
		trace_for_each_instance(in)
			err = err ? err : show_event(in, ev);
	if (!on || err)
		while (ev->files)
			hide_event(ev->files);
}

int trace_events_add(struct trace_instance *in)
{
	struct trace_system *all = kzalloc(sizeof(*all), GFP_KERNEL);
	struct trace_event *ev;
	int err;

	if (!all)
		return -ENOMEM;
	all->instance = in;
	list_add_tail(&all->link, &in->systems);
	in->events = pseudo_mkdir(in->dir, "events");
	err = pseudo_create_all(in->events, trace_system_files, 1, all);
	trace_for_each_event(ev)
		err = err ? err : show_event(in, ev);
	return err;
}

/* The directories are gone already, and nobody has the files open. */
void trace_events_remove(struct trace_instance *in)
{
	struct trace_system *sys, *next;
	struct trace_file *f, *more;

	if (in->event_pids.following)
		trace_pids_follow(in, &in->event_pids, false);
	list_for_each_entry_safe(f, more, &in->files, link)
		trace_file_remove(f);
	list_for_each_entry_safe(sys, next, &in->systems, link) {
		list_del(&sys->link);
		kfree(sys->name);
		kfree(sys);
	}
}

/* --- at the top ---------------------------------------------------------- */

static int available_show(struct seq *s, void *private)
{
	struct trace_event *ev;

	mutex_lock(&trace_mutex);
	trace_for_each_event(ev)
		if (trace_event_has_source(ev))
			seq_printf(s, "%s:%s\n", ev->system, ev->name);
	mutex_unlock(&trace_mutex);
	return 0;
}

static int header_event_show(struct seq *s, void *private)
{
	seq_puts(s, "# compressed entry header\n"
		    "\ttype_len    :    5 bits\n"
		    "\ttime_delta  :   27 bits\n"
		    "\tarray       :   32 bits\n"
		    "\n"
		    "\tpadding     : type == 29\n"
		    "\ttime_extend : type == 30\n"
		    "\ttime_stamp : type == 31\n"
		    "\tdata max type_len  == 28\n");
	return 0;
}

static int header_page_show(struct seq *s, void *private)
{
	seq_puts(s, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n");
	seq_printf(s, "\tfield: char data;\toffset:16;\tsize:%u;\tsigned:0;\n",
		   (u32)PAGE_SIZE - 16);
	return 0;
}

static int readme_show(struct seq *s, void *private)
{
	seq_puts(s, trace_readme);
	return 0;
}

static int trace_fs_boot(void)
{
	static const struct pseudo_file events_files[] = {
		{ .name = "header_event", .mode = 0440,
		  .show = header_event_show },
		{ .name = "header_page", .mode = 0440,
		  .show = header_page_show },
	};
	static const struct pseudo_file files[] = {
		{ .name = "available_events", .mode = 0440,
		  .show = available_show },
		{ .name = "printk_formats", .mode = 0440,
		  .show = trace_strings_show },
		{ .name = "README", .mode = 0440, .show = readme_show },
	};

	mutex_lock(&trace_mutex);
	trace_cmdlines_boot();
	trace_instances_boot();
	CHECK(!pseudo_create_all(trace_top->events, events_files,
				 ARRAY_SIZE(events_files), NULL));
	CHECK(!pseudo_create_all(tracefs_root, files, ARRAY_SIZE(files), NULL));
	trace_event_shown = event_shown;
	mutex_unlock(&trace_mutex);
	return 0;
}
INITCALL(INIT_LATE, trace_fs_boot);
