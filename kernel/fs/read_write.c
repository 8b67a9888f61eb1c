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

static __always_inline ssize_t rw_file(struct file *f, struct uio *u, u64 *pos,
				       bool write)
{
	ssize_t ret = write ? file_write(f, u, pos) : file_read(f, u, pos);

	if (ret > 0)
		fs_notify_dentry(f->path.dentry, write ? IN_MODIFY : IN_ACCESS);
	return ret;
}

static __always_inline int check_buffer(const void __user *buf, size_t *count)
{
	if (unlikely((ssize_t)*count < 0))
		return -EINVAL;
	if (unlikely(!access_ok(buf, *count)))
		return -EFAULT;
	*count = min(*count, RW_MAX);
	return 0;
}

/* A read or write at the file's own position. */
static __always_inline ssize_t rw_here(int fd, void __user *buf, size_t count,
				       bool write)
{
	struct fdref r = fdget_pos(fd);
	ssize_t ret = -EBADF;
	struct uio u;

	if (unlikely(!r.file))
		return ret;
	if (likely(r.file->mode & (write ? FMODE_WRITE : FMODE_READ)))
		ret = check_buffer(buf, &count);
	if (likely(!ret)) {
		uio_user(&u, buf, count);
		ret = rw_file(r.file, &u, pos_of(r.file), write);
	}
	fdput_pos(r);
	return ret;
}

SYSCALL3(read, int, fd, void __user *, buf, size_t, count)
{
	return rw_here(fd, buf, count, false);
}

SYSCALL3(write, int, fd, void __user *, buf, size_t, count)
{
	return rw_here(fd, buf, count, true);
}

/* A read or write with its own position; streams refuse. */
static ssize_t rw_at(int fd, struct uio *u, s64 pos, bool write)
{
	struct fdref r = fdget(fd);
	ssize_t ret = -ESPIPE;
	u64 at = (u64)pos;

	if (!r.file)
		return -EBADF;
	if (!(r.file->mode & FMODE_STREAM) &&
	    r.file->mode & (write ? FMODE_PWRITE : FMODE_PREAD))
		ret = rw_file(r.file, u, &at, write);
	fdput(r);
	return ret;
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
		ret = rw_file(r.file, &u, pos_of(r.file), write);
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
