/* SPDX-License-Identifier: MIT */
/*
 * error_log: what was wrong with the last commands to an instance.
 *
 * Opening to write with truncation empties it.  Task context, trace_mutex.
 */
#include "tracefs.h"

#include <kernel/fs_pseudo.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/time.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>

#define KEPT ARRAY_SIZE(((struct trace_error_list *)NULL)->text)

void trace_instance_error(struct trace_instance *in, const char *where,
			  const char *command, const char *text, u32 pos)
{
	struct trace_error_list *list = &in->errors;
	size_t size = strlen(where) + strlen(command) + strlen(text) + pos + 96;
	char *line = kmalloc(size, GFP_KERNEL);
	u64 now = time_mono_ns();

	if (!line)
		return;
	snprintf(line, size,
		 "[%5llu.%06llu] %s: error: %s\n  Command: %s\n%*s^\n",
		 (unsigned long long)(now / NSEC_PER_SEC),
		 (unsigned long long)(now % NSEC_PER_SEC / 1000), where, text,
		 command, (int)(pos + strlen("  Command: ")), "");
	kfree(list->text[list->nr % KEPT]);
	list->text[list->nr++ % KEPT] = line;
}

void trace_error_log(const char *where, const char *command, const char *text,
		     u32 pos)
{
	mutex_lock(&trace_mutex);
	trace_instance_error(trace_top, where, command, text, pos);
	mutex_unlock(&trace_mutex);
}

static int show(struct seq *s, void *private)
{
	struct trace_error_list *list =
		&((struct trace_instance *)private)->errors;
	u32 i;

	mutex_lock(&trace_mutex);
	for (i = 0; i < KEPT; i++)
		if (list->text[(list->nr + i) % KEPT])
			seq_puts(s, list->text[(list->nr + i) % KEPT]);
	mutex_unlock(&trace_mutex);
	return 0;
}

/* [trace_mutex] */
void trace_errors_free(struct trace_instance *in)
{
	u32 i;

	for (i = 0; i < KEPT; i++) {
		kfree(in->errors.text[i]);
		in->errors.text[i] = NULL;
	}
}

static void errors_clear(void *private)
{
	mutex_lock(&trace_mutex);
	if (trace_instance_of(private))
		trace_errors_free(private);
	mutex_unlock(&trace_mutex);
}

static int log_open(struct inode *inode, struct file *file)
{
	return trace_instance_open(file, pseudo_private(inode), show);
}

static ssize_t log_write(struct file *file, struct uio *from, u64 *pos)
{
	return (ssize_t)from->left;
}

int trace_errors_add(struct trace_instance *in)
{
	static const struct file_ops fops = {
		.open = log_open,
		.release = trace_instance_release,
		.read = seq_read,
		.write = log_write,
		.llseek = seq_llseek,
	};
	static const struct pseudo_file file = {
		.name = "error_log", .mode = 0640, .fops = &fops,
		.truncate = errors_clear,
	};

	return pseudo_create_all(in->dir, &file, 1, in);
}
