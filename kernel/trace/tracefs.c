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

static struct pseudo_dir *events_dir;	/* [I] after boot */

/* The directory of a system, and what is in it beside events.  ERR_PTR. */
static struct pseudo_dir *system_dir(const char *system)
{
	struct pseudo_dir *dir = pseudo_mkdir(events_dir, system);
	struct pseudo_file file;
	u32 i;

	for (i = 0; !IS_ERR(dir) && i < ARRAY_SIZE(trace_system_files); i++) {
		file = trace_system_files[i];
		file.private = (void *)system;
		pseudo_create(dir, &file);	/* mostly there already */
	}
	return dir;
}

/* [trace_mutex] */
static int show_event(struct trace_event *ev)
{
	u32 i, nr = trace_event_has_source(ev) ? trace_nr_event_files : 2;
	struct pseudo_dir *dir = system_dir(ev->system);
	struct pseudo_file file;

	if (!IS_ERR(dir))
		dir = pseudo_mkdir(dir, ev->name);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	ev->dir = dir;
	ev->file = trace_file_new(ev);
	if (!ev->file)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		file = trace_event_files[i];
		file.private = ev->file;
		if (pseudo_create(dir, &file))
			return -ENOMEM;
	}
	return 0;
}

/* The last event of a system takes its directory along.  [trace_mutex] */
static void hide_event(struct trace_event *ev)
{
	struct trace_event *other;

	if (!ev->dir)
		return;
	pseudo_rmdir(ev->dir);
	ev->dir = NULL;
	trace_file_free(ev->file);
	ev->file = NULL;
	trace_for_each_event(other)
		if (other != ev && !strcmp(other->system, ev->system))
			return;
	pseudo_remove(events_dir, ev->system);
}

static void event_shown(struct trace_event *ev, bool on)
{
	if (!on)
		hide_event(ev);
	else if (show_event(ev))
		hide_event(ev);
}

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
	};
	struct trace_event *ev;
	u32 i;

	events_dir = pseudo_mkdir(tracefs_root, "events");
	if (IS_ERR(events_dir))
		return PTR_ERR(events_dir);
	for (i = 0; i < ARRAY_SIZE(events_files); i++)
		CHECK(!pseudo_create(events_dir, &events_files[i]));
	CHECK(!pseudo_create(events_dir, &trace_system_files[0]));
	for (i = 0; i < ARRAY_SIZE(files); i++)
		CHECK(!pseudo_create(tracefs_root, &files[i]));
	for (i = 0; i < trace_nr_control_files; i++)
		CHECK(!pseudo_create(tracefs_root, &trace_control_files[i]));
	trace_settings_boot();
	trace_pipe_boot();
	mutex_lock(&trace_mutex);
	trace_for_each_event(ev)
		event_shown(ev, true);
	trace_event_shown = event_shown;
	mutex_unlock(&trace_mutex);
	return 0;
}
INITCALL(INIT_LATE, trace_fs_boot);
