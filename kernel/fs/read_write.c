/* SPDX-License-Identifier: MIT */
/*
 * read, write and their vector and positioned forms; lseek.
 *
 * The position of regular files is guarded by f->pos_lock (fdget_pos);
 * streams have none and are given no pointer to one.  A count above 2 GiB
 * less a page is cut to that, as on Linux.
 */
#include "internal.h"

#include <kernel/syscall.h>
#include <linux/inotify.h>

#define RW_MAX	 ((size_t)0x7ffff000)
#define IOV_FAST 8

static u64 *pos_of(struct file *f)
{
	return f->mode & FMODE_STREAM ? NULL : &f->pos;
}

SYSCALL3(read, int, fd, void __user *, buf, size_t, count)
{
	struct fdref r = fdget_pos(fd);
	struct uio u;
	ssize_t ret = -EBADF;

	if (unlikely(!r.file))
		return ret;
	if (unlikely(!(r.file->mode & FMODE_READ))) {
		ret = -EBADF;
	} else if (unlikely((ssize_t)count < 0)) {
		ret = -EINVAL;
	} else if (unlikely(!access_ok(buf, count))) {
		ret = -EFAULT;
	} else {
		uio_user(&u, buf, min(count, RW_MAX));
		ret = file_read(r.file, &u, pos_of(r.file));
		if (ret > 0)
			fs_notify(r.file->inode, IN_ACCESS);
	}
	fdput_pos(r);
	return ret;
}

SYSCALL3(write, int, fd, void __user *, buf, size_t, count)
{
	struct fdref r = fdget_pos(fd);
	struct uio u;
	ssize_t ret = -EBADF;

	if (unlikely(!r.file))
		return ret;
	if (unlikely(!(r.file->mode & FMODE_WRITE))) {
		ret = -EBADF;
	} else if (unlikely((ssize_t)count < 0)) {
		ret = -EINVAL;
	} else if (unlikely(!access_ok(buf, count))) {
		ret = -EFAULT;
	} else {
		uio_user(&u, buf, min(count, RW_MAX));
		ret = file_write(r.file, &u, pos_of(r.file));
		if (ret > 0)
			fs_notify(r.file->inode, IN_MODIFY);
	}
	fdput_pos(r);
	return ret;
}

/* A read or write with its own position; streams refuse. */
static ssize_t rw_at(int fd, struct uio *u, s64 pos, bool write)
{
	struct fdref r = fdget(fd);
	ssize_t ret;
	u64 at = (u64)pos;

	if (!r.file)
		return -EBADF;
	if (r.file->mode & FMODE_STREAM ||
	    !(r.file->mode & (write ? FMODE_PWRITE : FMODE_PREAD))) {
		ret = -ESPIPE;
	} else if (write) {
		ret = file_write(r.file, u, &at);
		if (ret > 0)
			fs_notify(r.file->inode, IN_MODIFY);
	} else {
		ret = file_read(r.file, u, &at);
		if (ret > 0)
			fs_notify(r.file->inode, IN_ACCESS);
	}
	fdput(r);
	return ret;
}

static int check_buffer(const void __user *buf, size_t *count)
{
	if ((ssize_t)*count < 0)
		return -EINVAL;
	if (!access_ok(buf, *count))
		return -EFAULT;
	*count = min(*count, RW_MAX);
	return 0;
}

static ssize_t rw_one_at(int fd, void __user *buf, size_t count, s64 pos,
			 bool write)
{
	struct uio u;
	int ret;

	if (pos < 0)
		return -EINVAL;
	ret = check_buffer(buf, &count);
	if (ret) {
		struct fdref r = fdget(fd);

		if (!r.file)
			return -EBADF;
		fdput(r);
		return ret;
	}
	uio_user(&u, buf, count);
	return rw_at(fd, &u, pos, write);
}

SYSCALL4(pread64, int, fd, void __user *, buf, size_t, count, s64, pos)
{
	return rw_one_at(fd, buf, count, pos, false);
}

SYSCALL4(pwrite64, int, fd, void __user *, buf, size_t, count, s64, pos)
{
	return rw_one_at(fd, buf, count, pos, true);
}

/*
 * Vectors.  use_pos false: the file's own position.  RWF_APPEND and
 * RWF_NOWAIT act through the file's flags for the length of the call where
 * the operation looks at them; here every file is in memory, so HIPRI, SYNC
 * and DSYNC mean nothing and NOWAIT is refused where Linux's tmpfs does.
 */
static ssize_t rw_vec(int fd, const struct iovec __user *iov, u64 nr,
		      bool use_pos, s64 pos, bool write, u32 flags)
{
	struct iovec fast[IOV_FAST], *heap;
	struct fdref r;
	struct uio u;
	ssize_t ret;

	if (use_pos && pos < 0)
		return -EINVAL;
	if (!use_pos) {
		r = fdget_pos(fd);
		if (!r.file)
			return -EBADF;
		ret = -EBADF;
		if (!(r.file->mode & (write ? FMODE_WRITE : FMODE_READ)))
			goto put_file;
	}
	ret = uio_import(&u, iov, nr, fast, IOV_FAST, &heap);
	if (ret == 0 && (flags & ~0x1fu))
		ret = -EOPNOTSUPP;
	if (ret == 0 && (flags & RWF_NOWAIT))
		ret = -EOPNOTSUPP;
	if (ret == 0 && use_pos)
		ret = rw_at(fd, &u, pos, write);
	else if (ret == 0)
		ret = write ? file_write(r.file, &u, pos_of(r.file)) :
			      file_read(r.file, &u, pos_of(r.file));
	kfree(heap);
put_file:
	if (!use_pos)
		fdput_pos(r);
	return ret;
}

SYSCALL3(readv, int, fd, const struct iovec __user *, iov, u64, nr)
{
	return rw_vec(fd, iov, nr, false, 0, false, 0);
}

SYSCALL3(writev, int, fd, const struct iovec __user *, iov, u64, nr)
{
	return rw_vec(fd, iov, nr, false, 0, true, 0);
}

SYSCALL5(preadv, int, fd, const struct iovec __user *, iov, u64, nr, s64,
	 pos, u64, pos_high)
{
	return rw_vec(fd, iov, nr, true, pos, false, 0);
}

SYSCALL5(pwritev, int, fd, const struct iovec __user *, iov, u64, nr, s64,
	 pos, u64, pos_high)
{
	return rw_vec(fd, iov, nr, true, pos, true, 0);
}

SYSCALL6(preadv2, int, fd, const struct iovec __user *, iov, u64, nr, s64,
	 pos, u64, pos_high, u32, flags)
{
	return rw_vec(fd, iov, nr, pos != -1, pos, false, flags);
}

SYSCALL6(pwritev2, int, fd, const struct iovec __user *, iov, u64, nr, s64,
	 pos, u64, pos_high, u32, flags)
{
	return rw_vec(fd, iov, nr, pos != -1, pos, true, flags);
}

SYSCALL3(lseek, int, fd, s64, off, u32, whence)
{
	struct fdref r = fdget_pos(fd);
	s64 ret;

	if (!r.file)
		return -EBADF;
	if (whence > SEEK_HOLE)
		ret = -EINVAL;
	else if (r.file->mode & FMODE_STREAM)
		ret = -ESPIPE;
	else if (r.file->ops->llseek)
		ret = r.file->ops->llseek(r.file, off, (int)whence);
	else if (S_ISCHR(r.file->inode->mode))
		ret = -ESPIPE;
	else
		ret = generic_llseek(r.file, off, (int)whence);
	fdput_pos(r);
	return ret;
}
