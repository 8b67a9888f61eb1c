/* SPDX-License-Identifier: MIT */
/*
 * fcntl: descriptor and status flags, owners and signals of a file; record
 * locks go to locks.c, pipes to fifo.c, seals to memfd.c.
 */
#include "internal.h"

#include <kernel/file.h>
#include <kernel/pid.h>
#include <kernel/syscall.h>
#include <linux/resource.h>

#define SETFL_MASK (O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME)

static int update_async(struct file *f, bool on)
{
	int ret;

	if (!!(f->flags & O_ASYNC) == on || !f->ops->fasync)
		return 0;
	ret = f->ops->fasync(f, on);
	return min(ret, 0);
}

int file_set_flags(int fd, struct file *f, u32 flags)
{
	struct inode *i = f->inode;
	int ret;

	if ((flags & O_NOATIME) && !(f->flags & O_NOATIME) &&
	    !inode_owner_or_capable(i))
		return -EPERM;
	if ((flags & O_DIRECT) && f->ops == &regular_ops)
		return -EINVAL;
	WRITE_ONCE(f->async_fd, fd);
	ret = update_async(f, flags & O_ASYNC);
	if (ret)
		return ret;
	/* A file without SIGIO keeps the bit off, as a later put relies on. */
	if (!f->ops->fasync)
		flags &= ~O_ASYNC;
	spin_lock(&f->lock);
	f->flags = (f->flags & ~SETFL_MASK) | (flags & SETFL_MASK);
	spin_unlock(&f->lock);
	return 0;
}

/* ---- Owner ------------------------------------------------------------ */

static void set_owner(struct file *f, struct pid *pid, enum pid_kind kind)
{
	struct file_owner *o = &f->owner;
	unsigned long flags = spin_lock_irqsave(&o->lock);
	struct pid *old = o->pid;

	o->pid = pid;
	o->kind = kind;
	o->uid = current_cred()->uid;
	o->euid = current_cred()->euid;
	spin_unlock_irqrestore(&o->lock, flags);
	if (old)
		pid_put(old);
}

static int set_owner_nr(struct file *f, s32 nr, enum pid_kind kind)
{
	struct pid *pid = NULL;

	if (nr) {
		pid = pid_find_get(nr);
		if (!pid)
			return -ESRCH;
	}
	set_owner(f, pid, kind);
	return 0;
}

static s32 get_owner(struct file *f, enum pid_kind *kind)
{
	struct file_owner *o = &f->owner;
	unsigned long flags = spin_lock_irqsave(&o->lock);
	s32 nr = o->pid ? o->pid->nr : 0;

	*kind = (enum pid_kind)o->kind;
	spin_unlock_irqrestore(&o->lock, flags);
	return nr;
}

static long fcntl_owner_ex(struct file *f, u32 cmd, u64 arg)
{
	static const enum pid_kind kinds[] = { [F_OWNER_TID] = PID_TASK,
					       [F_OWNER_PID] = PID_PROC,
					       [F_OWNER_PGRP] = PID_PGRP };
	struct f_owner_ex __user *uo = user_ptr(arg);
	struct f_owner_ex o;
	enum pid_kind kind;

	if (cmd == F_SETOWN_EX) {
		if (copy_from_user(&o, uo, sizeof(o)))
			return -EFAULT;
		if ((u32)o.type >= ARRAY_SIZE(kinds))
			return -EINVAL;
		return set_owner_nr(f, o.pid, kinds[o.type]);
	}
	o.pid = get_owner(f, &kind);
	o.type = kind == PID_TASK ? F_OWNER_TID :
		 kind == PID_PGRP ? F_OWNER_PGRP : F_OWNER_PID;
	return copy_to_user(uo, &o, sizeof(o));
}

static long fcntl_owner(struct file *f, u32 cmd, u64 arg)
{
	enum pid_kind kind;
	u32 ids[2];
	s32 nr;

	switch (cmd) {
	case F_SETOWN:
		nr = (s32)arg;
		if (nr == S32_MIN)
			return -EINVAL;
		return nr < 0 ? set_owner_nr(f, -nr, PID_PGRP) :
				set_owner_nr(f, nr, PID_PROC);
	case F_GETOWN:
		nr = get_owner(f, &kind);
		return kind == PID_PGRP ? -nr : nr;
	case F_SETSIG:
		if (arg > NSIG)
			return -EINVAL;
		WRITE_ONCE(f->owner.sig, (int)arg);
		return 0;
	case F_GETSIG:
		return READ_ONCE(f->owner.sig);
	case F_GETOWNER_UIDS:
		ids[0] = f->owner.uid;
		ids[1] = f->owner.euid;
		return copy_to_user((void __user *)user_ptr(arg), ids,
				    sizeof(ids));
	default:
		return fcntl_owner_ex(f, cmd, arg);
	}
}

/* ---- The call --------------------------------------------------------- */

static long dup_above(struct file *f, u64 start, u32 flags)
{
	int fd;

	if (start >= rlimit_cur(current, RLIMIT_NOFILE))
		return -EINVAL;
	fd = fd_reserve((u32)start, flags);
	if (fd >= 0)
		fd_install(fd, file_get(f));
	return fd;
}

/* What works on O_PATH descriptors too. */
static bool is_for_path(u32 cmd)
{
	return cmd == F_DUPFD || cmd == F_DUPFD_CLOEXEC || cmd == F_GETFD ||
	       cmd == F_SETFD || cmd == F_GETFL;
}

static long do_fcntl_file(int fd, struct file *f, u32 cmd, u64 arg)
{
	switch (cmd) {
	case F_DUPFD:
		return dup_above(f, arg, 0);
	case F_DUPFD_CLOEXEC:
		return dup_above(f, arg, O_CLOEXEC);
	case F_GETFD:
		return fd_get_cloexec((u32)fd) ? FD_CLOEXEC : 0;
	case F_SETFD:
		fd_set_cloexec((u32)fd, arg & FD_CLOEXEC);
		return 0;
	case F_GETFL:
		return f->flags;
	case F_SETFL:
		return file_set_flags(fd, f, (u32)arg);
	case F_GETLK:
	case F_OFD_GETLK:
		return fcntl_getlk(f, cmd, arg);
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return fcntl_setlk(f, cmd, arg);
	case F_SETOWN:
	case F_GETOWN:
	case F_SETSIG:
	case F_GETSIG:
	case F_SETOWN_EX:
	case F_GETOWN_EX:
	case F_GETOWNER_UIDS:
		return fcntl_owner(f, cmd, arg);
	case F_SETPIPE_SZ:
	case F_GETPIPE_SZ:
		return pipe_fcntl(f, cmd, arg);
	case F_ADD_SEALS:
	case F_GET_SEALS:
		return memfd_seals(f, cmd, arg);
	case F_GETLEASE:
		return F_UNLCK;
	default:
		return -EINVAL;
	}
}

SYSCALL3(fcntl, int, fd, u32, cmd, u64, arg)
{
	struct fdref r = fdget_raw(fd);
	long ret = -EBADF;

	if (!r.file)
		return ret;
	if (!(r.file->mode & FMODE_PATH) || is_for_path(cmd))
		ret = do_fcntl_file(fd, r.file, cmd, arg);
	fdput(r);
	return ret;
}
