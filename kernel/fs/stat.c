/* SPDX-License-Identifier: MIT */
/*
 * newfstatat, fstat, statx, statfs, fstatfs.
 *
 * Attributes are read without the inode's lock: each field is valid by
 * itself, and a caller that races with a change may see either side of it.
 */
#include "internal.h"

#include <kernel/pseudo.h>
#include <kernel/syscall.h>
#include <linux/magic.h>

static u32 blksize_of(const struct inode *i)
{
	return i->sb->type->blksize ? i->sb->type->blksize : 4096;
}

/* Device numbers as user space packs them: minor in two pieces. */
static u64 pack_dev(u32 dev)
{
	return (MINOR(dev) & 0xff) | (u64)MAJOR(dev) << 8 |
	       (u64)(MINOR(dev) & ~0xffu) << 12;
}

static int put_stat(const struct path *path, struct stat __user *out)
{
	struct inode *i = path->dentry->inode;
	struct stat st;

	if (i->ops && i->ops->getattr)
		i->ops->getattr(i);
	memzero(&st, sizeof(st));
	st.st_dev = pack_dev(i->sb->dev);
	st.st_ino = i->ino;
	st.st_mode = i->mode;
	st.st_nlink = i->nlink;
	st.st_uid = i->uid;
	st.st_gid = i->gid;
	st.st_rdev = pack_dev(i->rdev);
	st.st_size = (s64)load_relaxed(&i->size);
	st.st_blksize = (s32)blksize_of(i);
	st.st_blocks = (s64)load_relaxed(&i->blocks);
	st.st_atime = i->atime.sec;
	st.st_atime_nsec = (u64)i->atime.nsec;
	st.st_mtime = i->mtime.sec;
	st.st_mtime_nsec = (u64)i->mtime.nsec;
	st.st_ctime = i->ctime.sec;
	st.st_ctime_nsec = (u64)i->ctime.nsec;
	return copy_to_user(out, &st, sizeof(st));
}

#define STAT_AT_FLAGS (AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH)

static u32 lookup_flags(u32 at_flags)
{
	return (at_flags & AT_SYMLINK_NOFOLLOW ? 0 : LOOKUP_FOLLOW) |
	       (at_flags & AT_EMPTY_PATH ? LOOKUP_EMPTY : 0);
}

/* "" with AT_EMPTY_PATH: the descriptor itself, without a walk. */
static bool is_fd_only(int dfd, const char __user *name, u32 flags)
{
	char first;

	return (flags & AT_EMPTY_PATH) && dfd >= 0 &&
	       get_user(first, name) == 0 && first == '\0';
}

static long stat_fd(int fd, struct stat __user *out)
{
	struct fdref r = fdget_raw(fd);
	long ret;

	if (!r.file)
		return -EBADF;
	ret = put_stat(&r.file->path, out);
	fdput(r);
	return ret;
}

SYSCALL4(newfstatat, int, dfd, const char __user *, name,
	 struct stat __user *, out, u32, flags)
{
	struct path path;
	long ret;

	if (flags & ~(u32)(STAT_AT_FLAGS | AT_STATX_SYNC_TYPE))
		return -EINVAL;
	if (is_fd_only(dfd, name, flags))
		return stat_fd(dfd, out);
	ret = path_lookup_user(dfd, name, lookup_flags(flags), &path);
	if (ret)
		return ret;
	ret = put_stat(&path, out);
	path_put(&path);
	return ret;
}

SYSCALL2(fstat, int, fd, struct stat __user *, out)
{
	return stat_fd(fd, out);
}

static struct statx_timestamp stamp(const struct timespec64 *t)
{
	return (struct statx_timestamp){ .tv_sec = t->sec,
					 .tv_nsec = (u32)t->nsec };
}

static int put_statx(const struct path *path, u32 mask,
		     struct statx __user *out)
{
	struct inode *i = path->dentry->inode;
	struct statx st;

	if (i->ops && i->ops->getattr)
		i->ops->getattr(i);
	memzero(&st, sizeof(st));
	st.stx_mask = STATX_BASIC_STATS | (mask & STATX_MNT_ID);
	st.stx_blksize = blksize_of(i);
	st.stx_attributes_mask = STATX_ATTR_MOUNT_ROOT;
	if (path->dentry == path->mnt->root)
		st.stx_attributes |= STATX_ATTR_MOUNT_ROOT;
	st.stx_nlink = i->nlink;
	st.stx_uid = i->uid;
	st.stx_gid = i->gid;
	st.stx_mode = (u16)i->mode;
	st.stx_ino = i->ino;
	st.stx_size = load_relaxed(&i->size);
	st.stx_blocks = load_relaxed(&i->blocks);
	st.stx_atime = stamp(&i->atime);
	st.stx_ctime = stamp(&i->ctime);
	st.stx_mtime = stamp(&i->mtime);
	st.stx_rdev_major = MAJOR(i->rdev);
	st.stx_rdev_minor = MINOR(i->rdev);
	st.stx_dev_major = MAJOR(i->sb->dev);
	st.stx_dev_minor = MINOR(i->sb->dev);
	st.stx_mnt_id = path->mnt->id;
	st.stx_mask |= STATX_MNT_ID;
	return copy_to_user(out, &st, sizeof(st));
}

SYSCALL5(statx, int, dfd, const char __user *, name, u32, flags, u32, mask,
	 struct statx __user *, out)
{
	struct path path;
	long ret;

	if (mask & STATX__RESERVED)
		return -EINVAL;
	if ((flags & AT_STATX_SYNC_TYPE) == AT_STATX_SYNC_TYPE)
		return -EINVAL;
	if (flags & ~(u32)(STAT_AT_FLAGS | AT_STATX_SYNC_TYPE))
		return -EINVAL;
	ret = path_lookup_user(dfd, name, lookup_flags(flags), &path);
	if (ret)
		return ret;
	ret = put_statx(&path, mask, out);
	path_put(&path);
	return ret;
}

static s64 statfs_flags(const struct mount *mnt)
{
	static const struct {
		u32 ms, st;
	} map[] = {
		{ MS_RDONLY, ST_RDONLY },     { MS_NOSUID, ST_NOSUID },
		{ MS_NODEV, ST_NODEV },	      { MS_NOEXEC, ST_NOEXEC },
		{ MS_NOATIME, ST_NOATIME },   { MS_NODIRATIME, ST_NODIRATIME },
		{ MS_RELATIME, ST_RELATIME }, { MS_NOSYMFOLLOW,
						ST_NOSYMFOLLOW },
	};
	s64 flags = ST_VALID;

	for (u32 i = 0; i < ARRAY_SIZE(map); i++)
		if (mnt->flags & map[i].ms)
			flags |= map[i].st;
	return flags;
}

static int put_statfs(const struct path *path, struct statfs __user *out)
{
	struct super *sb = path->mnt->sb;
	struct kstatfs k = { .type = sb->type->magic, .bsize = 4096,
			     .namelen = NAME_MAX_LEN };
	struct statfs st;
	int ret;

	if (sb->type->statfs) {
		ret = sb->type->statfs(sb, &k);
		if (ret)
			return ret;
	}
	memzero(&st, sizeof(st));
	st.f_type = (s64)k.type;
	st.f_bsize = (s64)k.bsize;
	st.f_frsize = (s64)k.bsize;
	st.f_blocks = k.blocks;
	st.f_bfree = k.bfree;
	st.f_bavail = k.bavail;
	st.f_files = k.files;
	st.f_ffree = k.ffree;
	st.f_namelen = (s64)k.namelen;
	st.f_flags = statfs_flags(path->mnt);
	return copy_to_user(out, &st, sizeof(st));
}

SYSCALL2(statfs, const char __user *, name, struct statfs __user *, out)
{
	struct path path;
	long ret = path_lookup_user(AT_FDCWD, name, LOOKUP_FOLLOW, &path);

	if (ret)
		return ret;
	ret = put_statfs(&path, out);
	path_put(&path);
	return ret;
}

SYSCALL2(fstatfs, int, fd, struct statfs __user *, out)
{
	struct fdref r = fdget_raw(fd);
	long ret;

	if (!r.file)
		return -EBADF;
	ret = put_statfs(&r.file->path, out);
	fdput(r);
	return ret;
}
