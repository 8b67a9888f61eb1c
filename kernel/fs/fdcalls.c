/* SPDX-License-Identifier: MIT */
/*
 * System calls on descriptors as such: close, dup, dup3, close_range.
 */
#include "internal.h"

#include <kernel/syscall.h>
#include <linux/resource.h>

SYSCALL1(close, int, fd)
{
	int ret = fd_close(fd);

	/* The descriptor is gone: there is nothing to restart. */
	if (unlikely(ret <= -ERESTARTSYS && ret >= -ERESTART_RESTARTBLOCK))
		ret = -EINTR;
	return ret;
}

static int dup_to_lowest(struct fdref r, u32 start, u32 flags)
{
	int fd = fd_reserve(start, flags);

	if (fd >= 0)
		fd_install(fd, file_get(r.file));
	return fd;
}

SYSCALL1(dup, int, old)
{
	struct fdref r = fdget_raw(old);
	int ret;

	if (!r.file)
		return -EBADF;
	ret = dup_to_lowest(r, 0, 0);
	fdput(r);
	return ret;
}

SYSCALL3(dup3, int, old, int, fd, int, flags)
{
	struct fdref r;
	int ret;

	if (flags & ~O_CLOEXEC)
		return -EINVAL;
	if (old == fd)
		return -EINVAL;
	if ((u32)fd >= rlimit_cur(current, RLIMIT_NOFILE))
		return -EBADF;
	r = fdget_raw(old);
	if (!r.file)
		return -EBADF;
	ret = fd_replace((u32)fd, file_get(r.file), flags & O_CLOEXEC);
	fdput(r);
	return ret;
}

SYSCALL3(close_range, u32, first, u32, last, u32, flags)
{
	s64 top;

	if (flags & ~(CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC))
		return -EINVAL;
	if (first > last)
		return -EINVAL;
	if (flags & CLOSE_RANGE_UNSHARE) {
		int ret = files_unshare();

		if (ret)
			return ret;
	}
	top = fd_last_used();
	if (top < 0)
		return 0;
	last = min(last, (u32)top);
	for (u64 fd = first; fd <= last; fd++) {
		if (flags & CLOSE_RANGE_CLOEXEC)
			fd_set_cloexec((u32)fd, true);
		else
			fd_close((int)fd);
	}
	return 0;
}
