/* SPDX-License-Identifier: MIT */
/*
 * getdents64: a directory's names into a user buffer.
 *
 * The directory's lock is held while its readdir runs, so that in-memory
 * file systems may walk their list of children; user memory is written below
 * it.  An entry is written whole or not at all; d_off of an entry is known
 * when the next position is, which the file system hands over with it.
 */
#include "internal.h"

#include <kernel/syscall.h>

struct getdents_ctx {
	struct dir_emit emit;
	u8 __user *at;
	size_t left;
	size_t done;
	int err;
};

static bool emit_user(struct dir_emit *de, const char *name, u32 len, u64 ino,
		      u8 type, u64 next_pos)
{
	struct getdents_ctx *c = container_of(de, struct getdents_ctx, emit);
	size_t head = OFFSET_OF(struct linux_dirent64, d_name);
	size_t size = ALIGN_UP(head + len + 1, (size_t)8);
	union {
		struct linux_dirent64 d;
		u8 bytes[ALIGN_UP(19 + NAME_MAX_LEN + 1, 8)];
	} buf;

	if (len > NAME_MAX_LEN) {
		c->err = -EIO;
		return false;
	}
	if (size > c->left) {
		c->err = -EINVAL;	/* only seen when nothing was done */
		return false;
	}
	buf.d.d_ino = ino;
	buf.d.d_off = (s64)next_pos;
	buf.d.d_reclen = (u16)size;
	buf.d.d_type = type;
	memcpy(buf.bytes + head, name, len);
	memset(buf.bytes + head + len, 0, size - head - len);
	if (copy_to_user(c->at, &buf, size)) {
		c->err = -EFAULT;
		return false;
	}
	c->at += size;
	c->left -= size;
	c->done += size;
	return true;
}

SYSCALL3(getdents64, int, fd, void __user *, buf, u32, count)
{
	struct getdents_ctx c = { .emit = { emit_user }, .at = buf,
				  .left = count };
	struct fdref r = fdget_pos(fd);
	struct inode *dir;
	long ret;

	if (!r.file)
		return -EBADF;
	dir = r.file->inode;
	ret = -ENOTDIR;
	if (!inode_is_dir(dir) || !r.file->ops->readdir)
		goto put_file;
	ret = -ENOENT;
	mutex_lock(&dir->lock);
	if (!(r.file->path.dentry->flags & DENTRY_DEAD)) {
		ret = r.file->ops->readdir(r.file, &c.emit, &r.file->pos);
		file_accessed(r.file);
	}
	mutex_unlock(&dir->lock);
	if (ret >= 0)
		ret = c.done ? (long)c.done : c.err;
put_file:
	fdput_pos(r);
	return ret;
}

bool dir_emit_dots(struct file *file, struct dir_emit *de, u64 *pos)
{
	struct dentry *d = file->path.dentry;

	if (*pos == 0) {
		if (!de->emit(de, ".", 1, d->inode->ino, DT_DIR, 1))
			return false;
		*pos = 1;
	}
	if (*pos == 1) {
		u64 ino;

		spin_lock(&dcache_lock);
		ino = d->parent->inode->ino;
		spin_unlock(&dcache_lock);
		if (!de->emit(de, "..", 2, ino, DT_DIR, 2))
			return false;
		*pos = 2;
	}
	return true;
}
