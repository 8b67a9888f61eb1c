/* SPDX-License-Identifier: MIT */
/*
 * Switching events on and off for the trace buffer, and filtering them:
 * events/SYSTEM/EVENT/{enable,filter,trigger}, events/SYSTEM/{enable,filter},
 * events/enable, set_event.
 *
 * Everything is under trace_mutex.  An event that is off here stays on for
 * the perf counters that hang on it.
 */
#include "tracefs.h"

#include <kernel/fs_pseudo.h>
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

static char *text_copy(const char *text, size_t len)
{
	char *copy = kmalloc(len + 1, GFP_KERNEL);

	if (copy) {
		memcpy(copy, text, len);
		copy[len] = '\0';
	}
	return copy;
}

/* Everything masked: the emitter's side. */
static void record(struct trace_sink *sink, struct trace_event *ev,
		   const void *rec, u32 size, struct pt_regs *regs)
{
	struct trace_file *f = container_of(sink, struct trace_file, sink);
	struct trace_filter *filter = load_acquire(&f->filter);

	if (!READ_ONCE(trace_buffer.on) ||
	    (filter && !trace_filter_match(filter, rec)))
		return;
	trace_note_comm();
	trace_buffer_write(&trace_buffer, rec, size);
}

struct trace_file *trace_file_new(struct trace_event *ev)
{
	struct trace_file *f = kzalloc(sizeof(*f), GFP_KERNEL);

	if (f) {
		f->ev = ev;
		f->sink.fn = record;
	}
	return f;
}

static void unlink_sink(struct trace_event *ev, struct trace_sink *sink)
{
	struct trace_sink **at = &ev->sinks;

	while (*at != sink)
		at = &(*at)->next;
	reclaim_assign(*at, sink->next);
}

int trace_file_enable(struct trace_file *f, bool on)
{
	int err;

	if (f->on == on)
		return 0;
	if (!on) {
		unlink_sink(f->ev, &f->sink);
		trace_event_disable(f->ev);
		/* The sink may be put on again at once. */
		reclaim_sync();
		f->on = false;
		return 0;
	}
	err = trace_buffer_expand();
	if (!err)
		err = trace_event_enable(f->ev);
	if (err)
		return err;
	f->sink.next = f->ev->sinks;
	reclaim_assign(f->ev->sinks, &f->sink);
	f->on = true;
	return 0;
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

void trace_file_free(struct trace_file *f)
{
	if (!f)
		return;
	trace_file_enable(f, false);
	set_filter(f, NULL, NULL);
	kfree(f);
}

static int parse_switch(const char *text, bool *on)
{
	u64 v;

	if (parse_u64(text, 0, &v) || v > 1)
		return -EINVAL;
	*on = v;
	return 0;
}

/* --- one event ----------------------------------------------------------- */

/*
 * A file may be open when its event goes: what is private to it is only looked
 * for, not looked at.  [trace_mutex]  NULL: the event is gone.
 */
static struct trace_file *alive(const void *private)
{
	struct trace_event *ev;

	trace_for_each_event(ev)
		if (ev->file == private)
			return ev->file;
	return NULL;
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

static void put_enable(struct seq *s, struct trace_file *f)
{
	seq_puts(s, f->on ? "1\n" : "0\n");
}

static int enable_show(struct seq *s, void *private)
{
	return show_event(s, private, put_enable);
}

static ssize_t enable_store(const char *text, size_t len, void *private)
{
	struct trace_file *f;
	bool on;
	int err = parse_switch(text, &on);

	if (err)
		return err;
	mutex_lock(&trace_mutex);
	f = alive(private);
	err = f ? trace_file_enable(f, on) : -ENODEV;
	mutex_unlock(&trace_mutex);
	return err ? err : (ssize_t)len;
}

static void put_filter(struct seq *s, struct trace_file *f)
{
	seq_printf(s, "%s\n", f->filter_text ? f->filter_text : "none");
}

static int filter_show(struct seq *s, void *private)
{
	return show_event(s, private, put_filter);
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

/* [trace_mutex] */
static int apply_filter(struct trace_file *f, const char *text)
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
	trace_error_log("event filter parse error", text,
			e.text ? e.text : "Error", e.pos);
	return err;
}

/* Without the white space around it; to be freed.  NULL: no memory. */
static char *stripped(const char *text)
{
	size_t len;

	while (isspace(*text))
		text++;
	len = strlen(text);
	while (len && isspace(text[len - 1]))
		len--;
	return text_copy(text, len);
}

static ssize_t filter_store(const char *text, size_t len, void *private)
{
	char *clean = stripped(text);
	struct trace_file *f;
	int err = -ENOMEM;

	if (clean) {
		mutex_lock(&trace_mutex);
		f = alive(private);
		err = f ? apply_filter(f, clean) : -ENODEV;
		mutex_unlock(&trace_mutex);
	}
	kfree(clean);
	return err ? err : (ssize_t)len;
}

static int trigger_show(struct seq *s, void *private)
{
	seq_puts(s, "# Available triggers:\n#\n");
	return 0;
}

static ssize_t trigger_store(const char *text, size_t len, void *private)
{
	return -EINVAL;
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
const struct pseudo_file trace_event_files[] = {
	{ .name = "id", .mode = 0440, .show = id_show },
	{ .name = "format", .mode = 0440, .show = format_show },
	{ .name = "enable", .mode = 0640, .show = enable_show,
	  .store = enable_store },
	{ .name = "filter", .mode = 0640, .show = filter_show,
	  .store = filter_store },
	{ .name = "trigger", .mode = 0640, .show = trigger_show,
	  .store = trigger_store },
};
const u32 trace_nr_event_files = ARRAY_SIZE(trace_event_files);

/* --- a system; all of them ----------------------------------------------- */

static struct trace_file *file_of(struct trace_event *ev)
{
	return trace_event_has_source(ev) ? ev->file : NULL;
}

static bool in_system(const struct trace_event *ev, const char *system)
{
	return !system || !strcmp(ev->system, system);
}

/* 0, 1, X: some are on, ?: there is none. */
static int system_enable_show(struct seq *s, void *private)
{
	struct trace_event *ev;
	u32 on = 0, off = 0;

	mutex_lock(&trace_mutex);
	trace_for_each_event(ev)
		if (in_system(ev, private) && file_of(ev)) {
			if (file_of(ev)->on)
				on++;
			else
				off++;
		}
	mutex_unlock(&trace_mutex);
	seq_printf(s, "%c\n", on && off ? 'X' : on ? '1' : off ? '0' : '?');
	return 0;
}

/* [trace_mutex] Those whose system and name match; -EINVAL: none does. */
static int enable_matching(const char *system, const char *name, bool on)
{
	struct trace_event *ev;
	int err = -EINVAL;

	trace_for_each_event(ev) {
		if (!file_of(ev) || !in_system(ev, system) ||
		    (name && strcmp(ev->name, name)))
			continue;
		err = trace_file_enable(file_of(ev), on);
		if (err)
			break;
	}
	return err;
}

static ssize_t system_enable_store(const char *text, size_t len, void *private)
{
	bool on;
	int err = parse_switch(text, &on);

	if (err)
		return err;
	mutex_lock(&trace_mutex);
	err = enable_matching(private, NULL, on);
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

static ssize_t system_filter_store(const char *text, size_t len, void *private)
{
	char *clean = stripped(text);
	struct trace_event *ev;
	bool any = false;

	if (!clean)
		return -ENOMEM;
	mutex_lock(&trace_mutex);
	trace_for_each_event(ev)
		if (in_system(ev, private) && file_of(ev) &&
		    !apply_filter(file_of(ev), clean))
			any = true;
	mutex_unlock(&trace_mutex);
	kfree(clean);
	return any ? (ssize_t)len : -EINVAL;
}

const struct pseudo_file trace_system_files[2] = {
	{ .name = "enable", .mode = 0640, .show = system_enable_show,
	  .store = system_enable_store },
	{ .name = "filter", .mode = 0640, .show = system_filter_show,
	  .store = system_filter_store },
};

/* --- set_event ----------------------------------------------------------- */

/* One word: [!]system:event, system:*, system, event.  [trace_mutex] */
static int set_one(char *word)
{
	bool on = *word != '!';
	char *system = word + !on, *name = strchr(system, ':');

	if (!name) {
		int err = enable_matching(system, NULL, on);

		return err == -EINVAL ? enable_matching(NULL, system, on) :
					err;
	}
	*name++ = '\0';
	return enable_matching(!*system || !strcmp(system, "*") ? NULL : system,
			       !*name || !strcmp(name, "*") ? NULL : name, on);
}

int trace_set_events(const char *text)
{
	int err = 0;

	mutex_lock(&trace_mutex);
	while (*text && !err) {
		size_t len = strcspn(text, " \t\n");
		char *word;

		if (len) {
			word = text_copy(text, len);
			err = word ? set_one(word) : -ENOMEM;
			kfree(word);
		}
		text += len;
		text += *text != '\0';
	}
	mutex_unlock(&trace_mutex);
	return err;
}

static int set_event_show(struct seq *s, void *private)
{
	struct trace_event *ev;

	mutex_lock(&trace_mutex);
	trace_for_each_event(ev)
		if (file_of(ev) && file_of(ev)->on)
			seq_printf(s, "%s:%s\n", ev->system, ev->name);
	mutex_unlock(&trace_mutex);
	return 0;
}

static void set_event_clear(void *private)
{
	mutex_lock(&trace_mutex);
	enable_matching(NULL, NULL, false);
	mutex_unlock(&trace_mutex);
}

static int set_event_open(struct inode *inode, struct file *file)
{
	return seq_open_show(file, set_event_show, NULL);
}

static ssize_t set_event_write(struct file *file, struct uio *from, u64 *pos)
{
	size_t n = from->left;
	char *text;
	int err;

	if (n > PAGE_SIZE)
		n = PAGE_SIZE;
	text = kmalloc(n + 1, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	err = uio_get(from, text, n) == n ? 0 : -EFAULT;
	text[n] = '\0';
	if (!err)
		err = trace_set_events(text);
	kfree(text);
	return err ? err : (ssize_t)n;
}

static const struct file_ops set_event_fops = {
	.open = set_event_open,
	.release = seq_release,
	.read = seq_read,
	.write = set_event_write,
	.llseek = seq_llseek,
};

const struct pseudo_file trace_control_files[] = {
	{ .name = "set_event", .mode = 0640, .fops = &set_event_fops,
	  .truncate = set_event_clear },
};
const u32 trace_nr_control_files = ARRAY_SIZE(trace_control_files);
