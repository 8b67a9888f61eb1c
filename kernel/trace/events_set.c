/* SPDX-License-Identifier: MIT */
/*
 * set_event: which events of an instance are on, as a list of names.
 */
#include "tracefs.h"

#include <kernel/fs_pseudo.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <lib/err.h>
#include <lib/string.h>

/* One word: [!]system:event, system:*, system, event.  [trace_mutex] */
static int set_one(struct trace_instance *in, char *word)
{
	bool on = *word != '!';
	char *system = word + !on, *name = strchr(system, ':');

	if (!name) {
		int err = trace_enable_matching(in, system, NULL, on);

		return err == -EINVAL ?
			       trace_enable_matching(in, NULL, system, on) :
			       err;
	}
	*name++ = '\0';
	return trace_enable_matching(
		in, !*system || !strcmp(system, "*") ? NULL : system,
		!*name || !strcmp(name, "*") ? NULL : name, on);
}

static int set_events(struct trace_instance *in, const char *text)
{
	int err = 0;

	mutex_lock(&trace_mutex);
	while (*text && !err) {
		size_t len = strcspn(text, " \t\n");
		char *word;

		if (len) {
			word = trace_text_copy(text, len);
			err = word ? set_one(in, word) : -ENOMEM;
			kfree(word);
		}
		text += len;
		text += *text != '\0';
	}
	mutex_unlock(&trace_mutex);
	return err;
}

static int show(struct seq *s, void *private)
{
	struct trace_instance *in = private;
	struct trace_file *f;

	mutex_lock(&trace_mutex);
	list_for_each_entry(f, &in->files, link)
		if (f->linked)
			seq_printf(s, "%s:%s\n", f->ev->system, f->ev->name);
	mutex_unlock(&trace_mutex);
	return 0;
}

static void clear(void *private)
{
	mutex_lock(&trace_mutex);
	if (trace_instance_of(private))
		trace_enable_matching(private, NULL, NULL, false);
	mutex_unlock(&trace_mutex);
}

static int set_event_open(struct inode *inode, struct file *file)
{
	return trace_instance_open(file, pseudo_private(inode), show);
}

/* As one text, so that no event's name is cut in two. */
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
		err = set_events(seq_file_private(file), text);
	kfree(text);
	return err ? err : (ssize_t)n;
}

int trace_set_event_add(struct trace_instance *in)
{
	static const struct file_ops fops = {
		.open = set_event_open,
		.release = trace_instance_release,
		.read = seq_read,
		.write = set_event_write,
		.llseek = seq_llseek,
	};
	static const struct pseudo_file file = {
		.name = "set_event", .mode = 0640, .fops = &fops,
		.truncate = clear,
	};

	return pseudo_create_all(in->dir, &file, 1, in);
}
