/* SPDX-License-Identifier: MIT */
/*
 * Instances: the one that tracefs itself is, and those that mkdir makes in
 * instances/.
 *
 * trace_mutex guards the list and who is open.  An instance whose files are
 * open cannot be removed, so that what is private to them stays valid; before
 * a file is open, its instance is only looked for, not looked at.
 */
#include "tracefs.h"

#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/reclaim.h>
#include <kernel/fs_pseudo.h>
#include <lib/err.h>
#include <lib/string.h>

LIST_HEAD(trace_instances);
static struct trace_instance top;
struct trace_instance *const trace_top = &top;
static struct pseudo_dir *instances_dir;	/* [I] after boot */

#define DEFAULT_PERCENT 50
#define DEFAULT_OPTIONS                                               \
	(1u << TRACE_OPT_ANNOTATE | 1u << TRACE_OPT_CONTEXT_INFO |    \
	 1u << TRACE_OPT_RECORD_CMD | 1u << TRACE_OPT_OVERWRITE |     \
	 1u << TRACE_OPT_IRQ_INFO | 1u << TRACE_OPT_MARKERS |         \
	 1u << TRACE_OPT_FUNCTION_TRACE |                             \
	 1u << TRACE_OPT_GRAPH_CPU | 1u << TRACE_OPT_GRAPH_OVERHEAD | \
	 1u << TRACE_OPT_GRAPH_DURATION | 1u << TRACE_OPT_GRAPH_IRQS)

struct trace_instance *trace_instance_of(const void *private)
{
	struct trace_instance *in;

	trace_for_each_instance(in)
		if ((const char *)private >= (const char *)in &&
		    (const char *)private < (const char *)(in + 1))
			return in;
	return NULL;
}

int trace_instance_hold(void *private)
{
	struct trace_instance *in;

	mutex_lock(&trace_mutex);
	in = trace_instance_of(private);
	if (in)
		in->opens++;
	mutex_unlock(&trace_mutex);
	return in ? 0 : -ENODEV;
}

void trace_instance_drop(void *private)
{
	struct trace_instance *in;

	mutex_lock(&trace_mutex);
	in = trace_instance_of(private);
	CHECK(in && in->opens);
	in->opens--;
	mutex_unlock(&trace_mutex);
}

int trace_instance_open(struct file *file, void *private,
			int (*show)(struct seq *s, void *private))
{
	int err = trace_instance_hold(private);

	if (err)
		return err;
	err = seq_open_show(file, show, private);
	if (err)
		trace_instance_drop(private);
	return err;
}

void trace_instance_release(struct file *file)
{
	trace_instance_drop(seq_file_private(file));
	seq_release(file);
}

/* [trace_mutex] */
static struct trace_instance *find(const char *name)
{
	struct trace_instance *in;

	trace_for_each_instance(in)
		if (in->name && !strcmp(in->name, name))
			return in;
	return NULL;
}

/* [trace_mutex] All files of an instance whose directory is there. */
static int fill(struct trace_instance *in)
{
	static int (*const parts[])(struct trace_instance *in) = {
		trace_tracer_add,   trace_settings_add, trace_options_add,
		trace_set_event_add, trace_pids_add,	trace_pipe_add,
		trace_marker_add,   trace_errors_add,	trace_events_add,
	};
	u32 i;
	int err = 0;

	in->percent = DEFAULT_PERCENT;
	in->options = DEFAULT_OPTIONS;
	list_init(&in->files);
	list_init(&in->systems);
	trace_buffer_init(&in->buffer);
	list_add_tail(&in->link, &trace_instances);
	for (i = 0; i < ARRAY_SIZE(parts) && !err; i++)
		err = parts[i](in);
	return err;
}

/* [trace_mutex] Nobody has it open. */
static void destroy(struct trace_instance *in)
{
	pseudo_rmdir(in->dir);
	list_del(&in->link);
	trace_events_remove(in);
	trace_pids_remove(in);
	trace_errors_free(in);
	reclaim_sync();
	trace_buffer_free(&in->buffer);
	kfree(in->name);
	kfree(in);
}

/* [trace_mutex] */
static int create(const char *name)
{
	struct trace_instance *in;
	int err;

	if (find(name))
		return -EEXIST;
	in = kzalloc(sizeof(*in), GFP_KERNEL);
	if (!in)
		return -ENOMEM;
	in->name = kstrdup(name, GFP_KERNEL);
	in->dir = in->name ? pseudo_mkdir(instances_dir, name) :
			     ERR_PTR(-ENOMEM);
	if (IS_ERR(in->dir)) {
		err = PTR_ERR(in->dir);
		kfree(in->name);
		kfree(in);
		return err;
	}
	err = fill(in);
	if (!err)
		err = trace_instance_expand(in);
	if (err)
		destroy(in);
	return err;
}

static int instance_mkdir(const char *name)
{
	int err;

	mutex_lock(&trace_mutex);
	err = create(name);
	mutex_unlock(&trace_mutex);
	return err;
}

static int instance_rmdir(const char *name)
{
	struct trace_instance *in;
	int err = 0;

	mutex_lock(&trace_mutex);
	in = find(name);
	if (!in)
		err = -ENODEV;
	else if (in->opens)
		err = -EBUSY;
	else
		destroy(in);
	mutex_unlock(&trace_mutex);
	return err;
}

/* [trace_mutex] */
void trace_instances_boot(void)
{
	static const struct pseudo_dir_ops ops = {
		.mkdir = instance_mkdir,
		.rmdir = instance_rmdir,
	};

	top.dir = tracefs_root;
	CHECK(!fill(&top));
	instances_dir = pseudo_mkdir(tracefs_root, "instances");
	CHECK(!IS_ERR(instances_dir));
	pseudo_set_ops(instances_dir, &ops);
}
