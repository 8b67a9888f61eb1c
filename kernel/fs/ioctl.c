/* SPDX-License-Identifier: MIT */
/*
 * ioctl: what every file answers, then the file's own operation.
 */
#include "internal.h"

#include <kernel/file.h>
#include <kernel/syscall.h>
#include <linux/ioctls.h>

/* A positive value no ioctl answers with: not one of the common ones. */
#define IOCTL_NOT_COMMON 0x7fff0001l

static int set_flag(int fd, struct file *f, u32 flag, u64 arg)
{
	s32 on;

	if (get_user(on, (s32 __user *)user_ptr(arg)))
		return -EFAULT;
	return file_set_flags(fd, f, on ? f->flags | flag : f->flags & ~flag);
}

static long set_async(int fd, struct file *f, u64 arg)
{
	s32 on;

	if (get_user(on, (s32 __user *)user_ptr(arg)))
		return -EFAULT;
	if (!!on == !!(f->flags & O_ASYNC))
		return 0;
	if (!f->ops->fasync)
		return -ENOTTY;
	return file_set_flags(fd, f, on ? f->flags | O_ASYNC :
				      f->flags & ~O_ASYNC);
}

static long regular_ioctl(struct file *f, u32 cmd, u64 arg)
{
	switch (cmd) {
	case FIONREAD: {
		s64 left = (s64)(load_relaxed(&f->inode->size) - f->pos);

		return put_user((s32)left, (s32 __user *)user_ptr(arg));
	}
	case FIBMAP:
		return capable(CAP_SYS_RAWIO) ? -EINVAL : -EPERM;
	default:
		return -ENOTTY;
	}
}

static long common_ioctl(int fd, struct file *f, u32 cmd, u64 arg)
{
	switch (cmd) {
	case FIOCLEX:
		fd_set_cloexec((u32)fd, true);
		return 0;
	case FIONCLEX:
		fd_set_cloexec((u32)fd, false);
		return 0;
	case FIONBIO:
		return set_flag(fd, f, O_NONBLOCK, arg);
	case FIOASYNC:
		return set_async(fd, f, arg);
	case FIOQSIZE:
		if (S_ISDIR(f->inode->mode) || S_ISREG(f->inode->mode) ||
		    S_ISLNK(f->inode->mode))
			return put_user((s64)load_relaxed(&f->inode->size),
					(s64 __user *)user_ptr(arg));
		return -ENOTTY;
	case FIGETBSZ:
		return put_user((s32)4096, (s32 __user *)user_ptr(arg));
	case FIFREEZE:
	case FITHAW:
		return capable(CAP_SYS_ADMIN) ? -EOPNOTSUPP : -EPERM;
	default:
		return IOCTL_NOT_COMMON;
	}
}

SYSCALL3(ioctl, int, fd, u32, cmd, u64, arg)
{
	struct fdref r = fdget(fd);
	long ret;

	if (!r.file)
		return -EBADF;
	ret = common_ioctl(fd, r.file, cmd, arg);
	if (ret == IOCTL_NOT_COMMON) {
		ret = -ENOTTY;
		if (S_ISREG(r.file->inode->mode) &&
		    r.file->ops == &regular_ops)
			ret = regular_ioctl(r.file, cmd, arg);
		else if (r.file->ops->ioctl)
			ret = r.file->ops->ioctl(r.file, cmd, arg);
		if (ret == IOCTL_NOT_COMMON)
			ret = -ENOTTY;
	}
	fdput(r);
	return ret;
}
