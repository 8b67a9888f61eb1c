/* SPDX-License-Identifier: MIT */
/*
 * trace_marker and trace_marker_raw: what programs write into the buffer of
 * an instance.
 */
#include "tracefs.h"

#include <arch/irqflags.h>
#include <kernel/fs_pseudo.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define TEXT_MAX 1024u
#define RAW_MAX	 3072u

static int marker_open(struct inode *inode, struct file *file)
{
	file->private = pseudo_private(inode);
	return trace_instance_hold(file->private);
}

static void marker_release(struct file *file)
{
	trace_instance_drop(file->private);
}

static int may_write(struct trace_instance *in)
{
	int err;

	if (!trace_option_on(in, TRACE_OPT_MARKERS))
		return -EINVAL;
	mutex_lock(&trace_mutex);
	err = trace_instance_expand(in);
	mutex_unlock(&trace_mutex);
	return err;
}

/* rec is size bytes, its head still empty.  -EBADF: it was not taken. */
static int put(struct trace_instance *in, u32 id, char *rec, u32 size)
{
	unsigned long flags;
	bool taken;

	trace_fill_common(id, (struct trace_common *)rec);
	preempt_disable();
	flags = arch_irq_save_all();
	taken = trace_buffer_write(&in->buffer, rec, size);
	if (taken)
		trace_note_comm(in);
	arch_irq_restore_all(flags);
	preempt_enable();
	return taken ? 0 : -EBADF;
}

/* What cannot be read is shown as such, and is an error. */
static ssize_t marker_write(struct file *file, struct uio *from, u64 *pos)
{
	static const char fault[] = "<faulted>";
	struct trace_instance *in = file->private;
	u32 n = (u32)min_t(size_t, from->left, TEXT_MAX), head = 16, len = n;
	int err = may_write(in), err_put;
	char *rec;

	if (err)
		return err;
	rec = kzalloc(head + TEXT_MAX + 16, GFP_KERNEL);
	if (!rec)
		return -ENOMEM;
	if (uio_get(from, rec + head, n) != n) {
		err = -EFAULT;
		len = sizeof(fault) - 1;
		memcpy(rec + head, fault, sizeof(fault));
	}
	if (!len || rec[head + len - 1] != '\n')
		rec[head + len] = '\n';
	/* There is always room for the words of a fault, and for the end. */
	err_put = put(in, TRACE_ID_PRINT, rec,
		      head + max_t(u32, n, sizeof(fault) - 1) + 2);
	kfree(rec);
	return err ? err : err_put ? err_put : (ssize_t)n;
}

/* What is written begins with a number of the writer's. */
static ssize_t marker_raw_write(struct file *file, struct uio *from, u64 *pos)
{
	static const char fault[] = "\xff\xff\xff\xff<faulted>";
	struct trace_instance *in = file->private;
	u32 n = (u32)from->left, head = 8, size;
	int err = may_write(in), err_put;
	char *rec;

	if (err)
		return err;
	if (from->left < sizeof(u32) || from->left > RAW_MAX)
		return -EINVAL;
	size = sizeof(u32) + max_t(u32, n, sizeof(fault) - 1);
	rec = kzalloc(head + size, GFP_KERNEL);
	if (!rec)
		return -ENOMEM;
	if (uio_get(from, rec + head, n) != n) {
		err = -EFAULT;
		memcpy(rec + head, fault, sizeof(fault));
	}
	err_put = put(in, TRACE_ID_RAW_DATA, rec, head + size);
	kfree(rec);
	return err ? err : err_put ? err_put : (ssize_t)n;
}

int trace_marker_add(struct trace_instance *in)
{
	static const struct file_ops text_fops = {
		.open = marker_open,
		.release = marker_release,
		.write = marker_write,
		.llseek = no_llseek,
	};
	static const struct file_ops raw_fops = {
		.open = marker_open,
		.release = marker_release,
		.write = marker_raw_write,
		.llseek = no_llseek,
	};
	static const struct pseudo_file files[] = {
		{ .name = "trace_marker", .mode = 0220, .fops = &text_fops },
		{ .name = "trace_marker_raw", .mode = 0220,
		  .fops = &raw_fops },
	};

	return pseudo_create_all(in->dir, files, ARRAY_SIZE(files), in);
}
