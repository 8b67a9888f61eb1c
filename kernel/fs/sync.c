/* SPDX-License-Identifier: MIT */
/*
 * sync and its relatives, posix_fadvise, readahead.  Everything lives in
 * memory: what remains are the checks of the arguments.
 */
#include "internal.h"

#include <kernel/file.h>
#include <kernel/syscall.h>

SYSCALL0(sync)
{
	return 0;
}

SYSCALL1(syncfs, int, fd)
{
	struct fdref r = fdget(fd);

	if (!r.file)
		return -EBADF;
	fdput(r);
	return 0;
}

static long sync_fd(int fd)
{
	struct fdref r = fdget(fd);
	long ret = -EINVAL;

	if (!r.file)
		return -EBADF;
	if (r.file->ops->fsync)
		ret = r.file->ops->fsync(r.file);
	fdput(r);
	return ret;
}

SYSCALL1(fsync, int, fd)
{
	return sync_fd(fd);
}

SYSCALL1(fdatasync, int, fd)
{
	return sync_fd(fd);
}

SYSCALL4(sync_file_range, int, fd, s64, off, s64, len, u32, flags)
{
	struct fdref r = fdget(fd);
	s64 end;
	long ret = 0;

	if (!r.file)
		return -EBADF;
	if (flags & ~7u)
		ret = -EINVAL;
	else if (off < 0 || __builtin_add_overflow(off, len, &end) ||
		 end < off)
		ret = -EINVAL;
	else if (!S_ISREG(r.file->inode->mode) &&
		 !S_ISBLK(r.file->inode->mode) &&
		 !S_ISDIR(r.file->inode->mode) &&
		 !S_ISLNK(r.file->inode->mode))
		ret = -ESPIPE;
	fdput(r);
	return ret;
}

SYSCALL4(fadvise64, int, fd, s64, off, s64, len, int, advice)
{
	struct fdref r = fdget(fd);
	long ret = 0;

	if (!r.file)
		return -EBADF;
	if (S_ISFIFO(r.file->inode->mode))
		ret = -ESPIPE;
	else if (len < 0 || advice < POSIX_FADV_NORMAL ||
		 advice > POSIX_FADV_NOREUSE)
		ret = -EINVAL;
	fdput(r);
	return ret;
}

SYSCALL3(readahead, int, fd, s64, off, size_t, count)
{
	struct fdref r = fdget(fd);
	long ret = 0;

	if (!r.file)
		return -EBADF;
	if (!(r.file->mode & FMODE_READ))
		ret = -EBADF;
	else if (!S_ISREG(r.file->inode->mode))
		ret = -EINVAL;
	fdput(r);
	return ret;
}
