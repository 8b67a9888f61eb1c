/* SPDX-License-Identifier: MIT */
/*
 * error_log: what was wrong with the last commands.
 *
 * Entry point: trace_error_log, task context.  errors_lock is a leaf and
 * guards the list of the newest eight; opening to write with truncation
 * empties it.
 */
#include "tracefs.h"

#include <kernel/fs_pseudo.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/time.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>

#define KEPT 8

static struct mutex errors_lock = MUTEX_INIT(errors_lock, LOCK_RANK_SYSFS);
static char *errors[KEPT];		/* [errors_lock] */
static u32 nr_errors;			/* [errors_lock] ever */

void trace_error_log(const char *where, const char *command, const char *text,
		     u32 pos)
{
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
	mutex_lock(&errors_lock);
	kfree(errors[nr_errors % KEPT]);
	errors[nr_errors++ % KEPT] = line;
	mutex_unlock(&errors_lock);
}

static int show(struct seq *s, void *private)
{
	u32 i;

	mutex_lock(&errors_lock);
	for (i = 0; i < KEPT; i++)
		if (errors[(nr_errors + i) % KEPT])
			seq_puts(s, errors[(nr_errors + i) % KEPT]);
	mutex_unlock(&errors_lock);
	return 0;
}

void trace_errors_clear(void *private)
{
	u32 i;

	mutex_lock(&errors_lock);
	for (i = 0; i < KEPT; i++) {
		kfree(errors[i]);
		errors[i] = NULL;
	}
	mutex_unlock(&errors_lock);
}

static int log_open(struct inode *inode, struct file *file)
{
	return seq_open_show(file, show, NULL);
}

static ssize_t log_write(struct file *file, struct uio *from, u64 *pos)
{
	return (ssize_t)from->left;
}

const struct file_ops trace_error_log_fops = {
	.open = log_open,
	.release = seq_release,
	.read = seq_read,
	.write = log_write,
	.llseek = seq_llseek,
};
