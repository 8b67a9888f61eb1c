/* SPDX-License-Identifier: MIT */
/*
 * The files of one event in one instance: id, format, enable, filter, trigger.
 *
 * They may be open when their event goes: what is private to them is only
 * looked for, not looked at, and a file that is gone is ENODEV.  All of it is
 * under trace_mutex.
 */
#include "tracefs.h"

#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/reclaim.h>
#include <kernel/trace_filter.h>
#include <lib/atomic.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/printf.h>
#include <lib/string.h>

char *trace_text_copy(const char *text, size_t len)
{
	char *copy = kmalloc(len + 1, GFP_KERNEL);

	if (copy) {
		memcpy(copy, text, len);
		copy[len] = '\0';
	}
	return copy;
}

/* Without the white space around it; to be freed.  NULL: no memory. */
char *trace_text_stripped(const char *text)
{
	size_t len;

	while (isspace(*text))
		text++;
	len = strlen(text);
	while (len && isspace(text[len - 1]))
		len--;
	return trace_text_copy(text, len);
}

/* NULL: the event is gone. */
static struct trace_file *alive(const void *private)
{
	struct trace_instance *in;
	struct trace_file *f;

	trace_for_each_instance(in)
		list_for_each_entry(f, &in->files, link)
			if (f == private)
				return f;
	return NULL;
}

static int event_hold(void *private)
{
	struct trace_file *f;

	mutex_lock(&trace_mutex);
	f = alive(private);
	if (f) {
		ref_get(&f->refs);
		f->instance->opens++;
	}
	mutex_unlock(&trace_mutex);
	return f ? 0 : -ENODEV;
}

static void event_drop(void *private)
{
	struct trace_file *f = private;

	trace_instance_drop(f->instance);
	if (ref_put(&f->refs))
		kfree(f);
}

/* Run show on the event of a file.  0 or -ENODEV. */
static int show_event(struct seq *s, void *private,
		      void (*show)(struct seq *s, struct trace_file *f))
{
	struct trace_file *f;

	mutex_lock(&trace_mutex);
	f = alive(private);
	if (f)
		show(s, f);
	mutex_unlock(&trace_mutex);
	return f ? 0 : -ENODEV;
}

/* Run store on the event of a file, and a text.  len or -errno. */
static ssize_t store_event(const char *text, size_t len, void *private,
			   int (*store)(struct trace_file *f, const char *text))
{
	struct trace_file *f;
	int err;

	if (len >= PAGE_SIZE)
		return -EINVAL;
	mutex_lock(&trace_mutex);
	f = alive(private);
	err = f ? store(f, text) : -ENODEV;
	mutex_unlock(&trace_mutex);
	return err ? err : (ssize_t)len;
}

/* --- enable -------------------------------------------------------------- */

static void put_enable(struct seq *s, struct trace_file *f)
{
	seq_printf(s, "%c%s\n", f->linked && !f->muted ? '1' : '0',
		   f->soft || f->muted ? "*" : "");
}

static int enable_show(struct seq *s, void *private)
{
	return show_event(s, private, put_enable);
}

static int set_enable(struct trace_file *f, const char *text)
{
	u64 on;
	int err = parse_u64(text, 10, &on);

	if (err)
		return err;
	return on > 1 ? -EINVAL : trace_file_enable(f, on);
}

static ssize_t enable_store(const char *text, size_t len, void *private)
{
	return store_event(text, len, private, set_enable);
}

/* --- filter -------------------------------------------------------------- */

static void put_filter(struct seq *s, struct trace_file *f)
{
	seq_printf(s, "%s\n", f->filter_text ? f->filter_text : "none");
}

static int filter_show(struct seq *s, void *private)
{
	return show_event(s, private, put_filter);
}

static void set_filter(struct trace_file *f, struct trace_filter *filter,
		       char *text)
{
	struct trace_filter *old = f->filter;

	store_release(&f->filter, filter);
	kfree(f->filter_text);
	f->filter_text = text;
	if (old) {
		reclaim_sync();
		trace_filter_free(old);
	}
}

/* The text, then where it goes wrong: what `filter` shows afterwards. */
static char *with_error(const char *text, const struct trace_filter_error *e)
{
	size_t size = strlen(text) + e->pos + 128;
	char *out = kmalloc(size, GFP_KERNEL);

	if (!out)
		return NULL;
	if (e->text)
		snprintf(out, size, "%s\n%*s^\nparse_error: %s\n", text,
			 (int)e->pos, "", e->text);
	else
		snprintf(out, size, "%s\nError: (0)\n", text);
	return out;
}

int trace_apply_filter(struct trace_file *f, const char *text)
{
	struct trace_filter *filter = NULL;
	struct trace_filter_error e;
	int err;

	if (!strcmp(text, "0")) {
		set_filter(f, NULL, NULL);
		return 0;
	}
	err = trace_filter_compile(f->ev, text, &filter, &e);
	if (!err) {
		set_filter(f, filter, kstrdup(text, GFP_KERNEL));
		return 0;
	}
	set_filter(f, NULL, with_error(text, &e));
	trace_instance_error(f->instance, "event filter parse error", text,
			     e.text ? e.text : "Error", e.pos);
	return err;
}

static int filter_text(struct trace_file *f, const char *text)
{
	char *clean = trace_text_stripped(text);
	int err = clean ? trace_apply_filter(f, clean) : -ENOMEM;

	kfree(clean);
	return err;
}

static ssize_t filter_store(const char *text, size_t len, void *private)
{
	return store_event(text, len, private, filter_text);
}

/* --- trigger, format, id ------------------------------------------------- */

static int trigger_show(struct seq *s, void *private)
{
	return show_event(s, private, trace_triggers_show);
}

static int trigger_text(struct trace_file *f, const char *text)
{
	char *clean = trace_text_stripped(text);
	int err = clean ? trace_trigger_command(f, clean) : -ENOMEM;

	kfree(clean);
	return err;
}

static ssize_t trigger_store(const char *text, size_t len, void *private)
{
	return store_event(text, len, private, trigger_text);
}

static void put_format(struct seq *s, struct trace_file *f)
{
	trace_format_show(s, f->ev);
}

static int format_show(struct seq *s, void *private)
{
	return show_event(s, private, put_format);
}

static void put_id(struct seq *s, struct trace_file *f)
{
	seq_printf(s, "%u\n", f->ev->id);
}

static int id_show(struct seq *s, void *private)
{
	return show_event(s, private, put_id);
}

/* The first two are all that an event without a source has. */
const struct pseudo_file trace_event_files[TRACE_EVENT_FILES] = {
	{ .name = "id", .mode = 0440, .show = id_show },
	{ .name = "format", .mode = 0440, .show = format_show },
	{ .name = "enable", .mode = 0640, .show = enable_show,
	  .store = enable_store, .hold = event_hold, .drop = event_drop,
	  .store_empty = true },
	{ .name = "filter", .mode = 0640, .show = filter_show,
	  .store = filter_store, .hold = event_hold, .drop = event_drop,
	  .store_empty = true },
	{ .name = "trigger", .mode = 0640, .show = trigger_show,
	  .store = trigger_store },
};
