/* SPDX-License-Identifier: MIT */
/*
 * Changing attributes: modes, owners, times, sizes; and asking for access.
 *
 * Each call resolves its file, checks that the mount is writable, takes
 * inode->lock and then checks who asks, as the answer depends on what the
 * lock guards.
 */
#include "internal.h"

#include <kernel/syscall.h>
#include <kernel/time.h>
#include <linux/inotify.h>
#include <linux/time.h>

/* ---- Mode ------------------------------------------------------------- */

static int change_mode(const struct path *path, u32 mode)
{
	struct inode *i = path->dentry->inode;
	int ret = mount_writable(path->mnt);

	if (ret)
		return ret;
	mutex_lock(&i->lock);
	if (S_ISLNK(i->mode)) {
		ret = -EOPNOTSUPP;
	} else if (!inode_owner_or_capable(i)) {
		ret = -EPERM;
	} else {
		if (!in_group(current_cred(), i->gid) && !capable(CAP_FSETID))
			mode &= ~S_ISGID;
		i->mode = (i->mode & S_IFMT) | (mode & 07777);
		inode_touch(i, false);
		fs_notify_dentry(path->dentry, IN_ATTRIB);
	}
	mutex_unlock(&i->lock);
	return ret;
}

SYSCALL3(fchmodat, int, dfd, const char __user *, name, u32, mode)
{
	struct path path;
	long ret = path_lookup_user(dfd, name, LOOKUP_FOLLOW, &path);

	if (ret)
		return ret;
	ret = change_mode(&path, mode);
	path_put(&path);
	return ret;
}

SYSCALL2(fchmod, int, fd, u32, mode)
{
	struct fdref r = fdget(fd);
	long ret;

	if (!r.file)
		return -EBADF;
	ret = change_mode(&r.file->path, mode);
	fdput(r);
	return ret;
}

/* ---- Owner ------------------------------------------------------------ */

static bool may_chown(struct inode *i, u32 uid, u32 gid)
{
	const struct cred *c = current_cred();

	if (cred_has(c, CAP_CHOWN))
		return true;
	if (uid != ~0u && (c->fsuid != i->uid || uid != i->uid))
		return false;
	return gid == ~0u || (c->fsuid == i->uid &&
			      (gid == i->gid || in_group(c, gid)));
}

static int change_owner(const struct path *path, u32 uid, u32 gid)
{
	struct inode *i = path->dentry->inode;
	int ret = mount_writable(path->mnt);

	if (ret)
		return ret;
	mutex_lock(&i->lock);
	if (!may_chown(i, uid, gid)) {
		ret = -EPERM;
	} else {
		if (uid != ~0u)
			i->uid = uid;
		if (gid != ~0u)
			i->gid = gid;
		if (!S_ISDIR(i->mode)) {
			i->mode &= ~S_ISUID;
			if (i->mode & S_IXGRP)
				i->mode &= ~S_ISGID;
		}
		inode_touch(i, false);
		fs_notify_dentry(path->dentry, IN_ATTRIB);
	}
	mutex_unlock(&i->lock);
	return ret;
}

SYSCALL5(fchownat, int, dfd, const char __user *, name, u32, uid, u32, gid,
	 u32, flags)
{
	u32 look = flags & AT_SYMLINK_NOFOLLOW ? 0 : LOOKUP_FOLLOW;
	struct path path;
	long ret;

	if (flags & ~(u32)(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	if (flags & AT_EMPTY_PATH)
		look |= LOOKUP_EMPTY;
	ret = path_lookup_user(dfd, name, look, &path);
	if (ret)
		return ret;
	ret = change_owner(&path, uid, gid);
	path_put(&path);
	return ret;
}

SYSCALL3(fchown, int, fd, u32, uid, u32, gid)
{
	struct fdref r = fdget(fd);
	long ret;

	if (!r.file)
		return -EBADF;
	ret = change_owner(&r.file->path, uid, gid);
	fdput(r);
	return ret;
}

/* ---- Times ------------------------------------------------------------ */

struct new_times {
	bool set[2];			/* atime, mtime: an explicit time */
	bool now[2];
	struct timespec64 t[2];
};

static int change_times(const struct path *path, const struct new_times *nt)
{
	struct inode *i = path->dentry->inode;
	bool both_now = nt->now[0] && nt->now[1];
	struct timespec64 now;
	int ret = mount_writable(path->mnt);

	if (ret)
		return ret;
	mutex_lock(&i->lock);
	if (!inode_owner_or_capable(i)) {
		ret = -EPERM;
		if (both_now && inode_permission(i, MAY_WRITE) == 0)
			ret = 0;
		else if (both_now)
			ret = -EACCES;
	}
	if (ret == 0) {
		now = fs_now();
		if (nt->now[0] || nt->set[0])
			i->atime = nt->now[0] ? now : nt->t[0];
		if (nt->now[1] || nt->set[1])
			i->mtime = nt->now[1] ? now : nt->t[1];
		i->ctime = now;
		fs_notify_dentry(path->dentry, IN_ATTRIB);
	}
	mutex_unlock(&i->lock);
	return ret;
}

/* 1: both are to be left alone, so nothing is looked up. */
static int get_times(const struct kernel_timespec __user *uts,
		     struct new_times *nt)
{
	struct kernel_timespec ts[2];

	memzero(nt, sizeof(*nt));
	if (!uts) {
		nt->now[0] = nt->now[1] = true;
		return 0;
	}
	if (copy_from_user(ts, uts, sizeof(ts)))
		return -EFAULT;
	if (ts[0].tv_nsec == UTIME_OMIT && ts[1].tv_nsec == UTIME_OMIT)
		return 1;
	for (int k = 0; k < 2; k++) {
		if (ts[k].tv_nsec == UTIME_OMIT)
			continue;
		if (ts[k].tv_nsec == UTIME_NOW) {
			nt->now[k] = true;
			continue;
		}
		if ((u64)ts[k].tv_nsec >= NSEC_PER_SEC)
			return -EINVAL;
		nt->set[k] = true;
		nt->t[k].sec = ts[k].tv_sec;
		nt->t[k].nsec = ts[k].tv_nsec;
	}
	return 0;
}

SYSCALL4(utimensat, int, dfd, const char __user *, name,
	 const struct kernel_timespec __user *, uts, u32, flags)
{
	u32 look = flags & AT_SYMLINK_NOFOLLOW ? 0 : LOOKUP_FOLLOW;
	struct new_times nt;
	struct path path;
	int ret = get_times(uts, &nt);

	if (ret)
		return min(ret, 0);
	if (!name && dfd != AT_FDCWD) {
		struct fdref r;

		if (flags)
			return -EINVAL;
		r = fdget(dfd);
		if (!r.file)
			return -EBADF;
		ret = change_times(&r.file->path, &nt);
		fdput(r);
		return ret;
	}
	if (flags & ~(u32)(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	if (flags & AT_EMPTY_PATH)
		look |= LOOKUP_EMPTY;
	ret = path_lookup_user(dfd, name, look, &path);
	if (ret)
		return ret;
	ret = change_times(&path, &nt);
	path_put(&path);
	return ret;
}

/* ---- Size ------------------------------------------------------------- */

SYSCALL2(truncate, const char __user *, name, s64, size)
{
	struct inode *i;
	struct path path;
	long ret;

	if (size < 0)
		return -EINVAL;
	ret = path_lookup_user(AT_FDCWD, name, LOOKUP_FOLLOW, &path);
	if (ret)
		return ret;
	i = path.dentry->inode;
	if (S_ISDIR(i->mode))
		ret = -EISDIR;
	else if (!S_ISREG(i->mode))
		ret = -EINVAL;
	else
		ret = mount_writable(path.mnt);
	if (ret == 0)
		ret = inode_permission(i, MAY_WRITE);
	if (ret == 0)
		ret = inode_get_write(i);
	if (ret == 0) {
		ret = inode_set_size(i, (u64)size, NULL);
		inode_put_write(i);
	}
	path_put(&path);
	return ret;
}

SYSCALL2(ftruncate, int, fd, s64, size)
{
	struct fdref r;
	long ret;

	if (size < 0)
		return -EINVAL;
	r = fdget(fd);
	if (!r.file)
		return -EBADF;
	if (!S_ISREG(r.file->inode->mode) || !(r.file->mode & FMODE_WRITE))
		ret = -EINVAL;
	else
		ret = inode_set_size(r.file->inode, (u64)size, r.file);
	fdput(r);
	return ret;
}

SYSCALL4(fallocate, int, fd, int, mode, s64, off, s64, len)
{
	struct fdref r = fdget(fd);
	long ret;

	if (!r.file)
		return -EBADF;
	if (off < 0 || len <= 0)
		ret = -EINVAL;
	else if (mode & ~0x7f)
		ret = -EOPNOTSUPP;
	else if ((mode & FALLOC_FL_PUNCH_HOLE) &&
		 !(mode & FALLOC_FL_KEEP_SIZE))
		ret = -EOPNOTSUPP;
	else if (!(r.file->mode & FMODE_WRITE))
		ret = -EBADF;
	else if (S_ISFIFO(r.file->inode->mode))
		ret = -ESPIPE;
	else if (S_ISDIR(r.file->inode->mode))
		ret = -EISDIR;
	else if (!S_ISREG(r.file->inode->mode))
		ret = -ENODEV;
	else if (off > S64_MAX - len)
		ret = -EFBIG;
	else if (!r.file->ops->fallocate)
		ret = -EOPNOTSUPP;
	else
		ret = r.file->ops->fallocate(r.file, mode, (u64)off, (u64)len);
	if (ret == 0)
		fs_notify_dentry(r.file->path.dentry, IN_MODIFY);
	fdput(r);
	return ret;
}

/* ---- Access ----------------------------------------------------------- */

static int check_access(const struct path *path, u32 mode)
{
	struct inode *i = path->dentry->inode;
	int ret;

	if ((mode & MAY_EXEC) && S_ISREG(i->mode) && path_noexec(path))
		return -EACCES;
	ret = inode_permission(i, mode);
	if (ret == 0 && (mode & MAY_WRITE) &&
	    (S_ISREG(i->mode) || S_ISDIR(i->mode) || S_ISLNK(i->mode)))
		ret = mount_writable(path->mnt);
	return ret;
}

/* Real ids, with the capabilities those would have. */
static struct cred *real_ids_cred(void)
{
	const struct cred *c = current_cred();
	struct cred *mine;

	if (c->fsuid == c->uid && c->fsgid == c->gid &&
	    c->cap_effective ==
		    (c->uid ? 0 : c->cap_permitted))
		return NULL;
	mine = cred_copy(c);
	if (!mine)
		return ERR_PTR(-ENOMEM);
	mine->fsuid = c->uid;
	mine->fsgid = c->gid;
	mine->cap_effective = c->uid ? 0 : c->cap_permitted;
	return mine;
}

static long do_access(int dfd, const char __user *name, u32 mode, u32 flags)
{
	u32 look = flags & AT_SYMLINK_NOFOLLOW ? 0 : LOOKUP_FOLLOW;
	const struct cred *saved = current->cred;
	struct cred *mine = NULL;
	struct path path;
	long ret;

	if (mode & ~7u)
		return -EINVAL;
	if (flags & ~(u32)(AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	if (flags & AT_EMPTY_PATH)
		look |= LOOKUP_EMPTY;
	if (!(flags & AT_EACCESS))
		mine = real_ids_cred();
	if (IS_ERR(mine))
		return PTR_ERR(mine);
	/* Others look at current->cred under reclaim; both stay alive. */
	if (mine)
		reclaim_assign(current->cred, mine);
	ret = path_lookup_user(dfd, name, look, &path);
	if (ret == 0) {
		ret = mode ? check_access(&path, mode) : 0;
		path_put(&path);
	}
	if (mine) {
		reclaim_assign(current->cred, saved);
		cred_put(mine);
	}
	return ret;
}

SYSCALL3(faccessat, int, dfd, const char __user *, name, u32, mode)
{
	return do_access(dfd, name, mode, 0);
}

SYSCALL4(faccessat2, int, dfd, const char __user *, name, u32, mode, u32,
	 flags)
{
	return do_access(dfd, name, mode, flags);
}
