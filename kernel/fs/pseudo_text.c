/* SPDX-License-Identifier: MIT */
/*
 * Files of the pseudo file systems that are a text: shown by one function,
 * stored by another.  Task context, no lock; what `hold` takes keeps the
 * owner of an open file.
 */
#include "internal.h"

#include <kernel/fs_pseudo.h>
#include <linux/magic.h>

int pseudo_show_text(struct seq *s, void *private)
{
	seq_puts(s, private);
	return 0;
}

static int show_nothing(struct seq *s, void *private)
{
	return 0;
}

/* Nothing reads, or writes: as observed, the file systems differ. */
static int refusal(const struct file *file)
{
	u64 magic = file->inode->sb->type->magic;

	return magic == DEBUGFS_MAGIC || magic == TRACEFS_MAGIC ? -EINVAL :
								  -EIO;
}

static int text_open(struct inode *inode, struct file *file)
{
	const struct pseudo_file *desc = inode->pseudo;
	int ret;

	if ((file->mode & FMODE_READ) && !desc->show && !desc->store)
		return -EINVAL;
	if (desc->hold) {
		ret = desc->hold(pseudo_private(inode));
		if (ret)
			return ret;
	}
	ret = seq_open_show(file, desc->show ? desc->show : show_nothing,
			    pseudo_private(inode));
	if (ret && desc->drop)
		desc->drop(pseudo_private(inode));
	return ret;
}

static void text_release(struct file *file)
{
	const struct pseudo_file *desc = file->inode->pseudo;

	if (desc->drop)
		desc->drop(pseudo_private(file->inode));
	seq_release(file);
}

static ssize_t text_read(struct file *file, struct uio *to, u64 *pos)
{
	if (!file->inode->pseudo->show)
		return refusal(file);
	return seq_read(file, to, pos);
}

static ssize_t text_write(struct file *file, struct uio *from, u64 *pos)
{
	const struct pseudo_file *desc = file->inode->pseudo;
	size_t n = from->left;
	ssize_t ret;
	char *text;

	if (!desc->store)
		return refusal(file);
	if (!n && !desc->store_empty)
		return 0;
	if (n > PAGE_SIZE)
		n = PAGE_SIZE;
	text = kmalloc(n + 1, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = -EFAULT;
	if (uio_get(from, text, n) == n) {
		text[n] = '\0';
		ret = desc->store(text, n, seq_file_private(file));
	}
	if (ret > 0)
		*pos += (u64)ret;
	kfree(text);
	return ret;
}

const struct file_ops pseudo_file_ops = {
	.open = text_open,
	.release = text_release,
	.read = text_read,
	.write = text_write,
	.llseek = seq_llseek,
};
