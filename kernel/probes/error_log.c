// SPDX-License-Identifier: MIT
/*
 * tracefs/error_log: the last few refused texts, each with a mark under what
 * was wrong.  Writing anything clears it.
 */
#include <kernel/fs.h>
#include <kernel/fs_pseudo.h>
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>
#include <kernel/time.h>
#include <kernel/trace_error.h>
#include <kernel/uio.h>
#include <lib/err.h>
#include <lib/string.h>

#define ENTRIES	    8
#define COMMAND_MAX 256

struct entry {
	u64 when_ns;
	const char *who, *text;
	u32 pos;
	char command[COMMAND_MAX];
};

static struct mutex log_mutex = MUTEX_INIT(log_mutex, LOCK_RANK_TRACE);
static struct entry *entries[ENTRIES];	/* [log_mutex] a ring */
static u32 first, used;			/* [log_mutex] */

void trace_error_add(const char *who, const char *command, const char *text,
		     u32 pos)
{
	struct entry *e = kzalloc(sizeof(*e), GFP_KERNEL), *old = NULL;
	u32 at;

	if (!e)
		return;
	e->when_ns = time_mono_ns();
	e->who = who;
	e->text = text;
	e->pos = pos < COMMAND_MAX ? pos : COMMAND_MAX - 1;
	strlcpy_k(e->command, command, sizeof(e->command));
	mutex_lock(&log_mutex);
	at = (first + used) % ENTRIES;
	if (used == ENTRIES) {
		old = entries[at];
		first = (first + 1) % ENTRIES;
	} else {
		used++;
	}
	entries[at] = e;
	mutex_unlock(&log_mutex);
	kfree(old);
}

static void clear(void)
{
	u32 i;

	mutex_lock(&log_mutex);
	for (i = 0; i < ENTRIES; i++) {
		kfree(entries[i]);
		entries[i] = NULL;
	}
	first = used = 0;
	mutex_unlock(&log_mutex);
}

static int show(struct seq *s, void *private)
{
	u32 i, n;

	mutex_lock(&log_mutex);
	for (i = 0; i < used; i++) {
		const struct entry *e = entries[(first + i) % ENTRIES];

		seq_printf(s, "[%5llu.%06llu] %s: error: %s\n  Command: %s\n",
			   e->when_ns / 1000000000,
			   e->when_ns / 1000 % 1000000, e->who, e->text,
			   e->command);
		for (n = 0; n < sizeof("  Command: ") - 1 + e->pos; n++)
			seq_putc(s, ' ');
		seq_puts(s, "^\n");
	}
	mutex_unlock(&log_mutex);
	return 0;
}

static int log_open(struct inode *inode, struct file *file)
{
	if (file->mode & FMODE_TRUNC)
		clear();
	return seq_open_show(file, show, NULL);
}

static ssize_t log_write(struct file *file, struct uio *from, u64 *pos)
{
	return (ssize_t)from->left;
}

static const struct file_ops log_ops = {
	.open = log_open,
	.read = seq_read,
	.write = log_write,
	.llseek = seq_llseek,
	.release = seq_release,
};

static int log_boot(void)
{
	static const struct pseudo_file file = {
		.name = "error_log", .mode = 0640, .fops = &log_ops,
	};

	return pseudo_create(tracefs_root, &file);
}
INITCALL(INIT_LATE, log_boot);
