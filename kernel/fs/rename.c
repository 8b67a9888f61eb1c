/* SPDX-License-Identifier: MIT */
/*
 * renameat2.
 *
 * A rename between two directories takes rename_mutex first, so that the
 * shape of the tree stands still while it is asked whether one directory
 * lies below the other; then both directory locks, lower address first.  The
 * file system's operation moves the dentries itself (dentry_move).
 */
#include "internal.h"

#include <kernel/syscall.h>
#include <linux/inotify.h>

struct mutex rename_mutex = MUTEX_INIT(rename_mutex, LOCK_RANK_RENAME);

static void lock_dirs(struct inode *a, struct inode *b)
{
	if (a == b) {
		mutex_lock(&a->lock);
		return;
	}
	mutex_lock(&rename_mutex);
	mutex_lock_two(&a->lock, &b->lock);
}

static void unlock_dirs(struct inode *a, struct inode *b)
{
	if (a == b) {
		mutex_unlock(&a->lock);
		return;
	}
	mutex_unlock_two(&a->lock, &b->lock);
	mutex_unlock(&rename_mutex);
}

/* Permissions on both ends; fresh is negative when nothing is replaced. */
static int may_rename(struct walk *from, struct walk *to, struct dentry *old,
		      struct dentry *fresh, u32 flags)
{
	bool is_dir = inode_is_dir(old->inode);
	int ret = may_delete(&from->cur, old, is_dir);

	if (ret)
		return ret;
	if (!fresh->inode)
		ret = may_create(to->cur.dentry->inode);
	else if (flags & RENAME_EXCHANGE)
		ret = may_delete(&to->cur, fresh,
				 inode_is_dir(fresh->inode));
	else
		ret = may_delete(&to->cur, fresh, is_dir);
	if (ret)
		return ret;
	/* A directory that moves gets a new "..": it must be writable. */
	if (from->cur.dentry != to->cur.dentry) {
		if (is_dir)
			ret = inode_permission(old->inode, MAY_WRITE);
		if (ret == 0 && (flags & RENAME_EXCHANGE) &&
		    inode_is_dir(fresh->inode))
			ret = inode_permission(fresh->inode, MAY_WRITE);
	}
	return ret;
}

/* What must hold before anybody's permission is asked. */
static int check_shape(struct walk *from, struct walk *to, struct dentry *old,
		       struct dentry *fresh, u32 flags)
{
	if ((flags & RENAME_NOREPLACE) && fresh->inode)
		return -EEXIST;
	if (flags & RENAME_EXCHANGE) {
		if (!fresh->inode)
			return -ENOENT;
		if (!inode_is_dir(fresh->inode) && to->need_dir)
			return -ENOTDIR;
	}
	if (!inode_is_dir(old->inode)) {
		if (from->need_dir ||
		    (!(flags & RENAME_EXCHANGE) && to->need_dir))
			return -ENOTDIR;
	}
	if (dentry_is_below(to->cur.dentry, old))
		return -EINVAL;
	if (fresh->inode && dentry_is_below(from->cur.dentry, fresh))
		return flags & RENAME_EXCHANGE ? -EINVAL : -ENOTEMPTY;
	return 0;
}

static void notify(struct walk *from, struct walk *to, struct dentry *old,
		   const char *old_name)
{
	static u32 cookie;
	u32 c = fetch_add_relaxed(&cookie, 1) + 1;
	u32 dir = inode_is_dir(old->inode) ? IN_ISDIR : 0;

	fs_notify_name(from->cur.dentry->inode, IN_MOVED_FROM | dir, old_name,
		       c);
	fs_notify_name(to->cur.dentry->inode, IN_MOVED_TO | dir, old->name, c);
	fs_notify(old->inode, IN_MOVE_SELF);
}

/* [directories locked] */
static int rename_locked(struct walk *from, struct walk *to,
			 struct dentry *old, struct dentry *fresh, u32 flags)
{
	struct inode *dir = from->cur.dentry->inode;
	char old_name[NAME_MAX_LEN + 1];
	int ret = check_shape(from, to, old, fresh, flags);

	if (ret)
		return ret;
	if (old->inode == fresh->inode)
		return 0;
	ret = may_rename(from, to, old, fresh, flags);
	if (ret)
		return ret;
	if (old->mounted || fresh->mounted)
		return -EBUSY;
	if (!dir->ops->rename)
		return -EPERM;
	memcpy(old_name, old->name, old->name_len + 1);
	ret = dir->ops->rename(dir, old, to->cur.dentry->inode, fresh, flags);
	if (ret == 0)
		notify(from, to, old, old_name);
	return ret;
}

/* [directories locked] Look both ends up and go. */
static int rename_ends(struct walk *from, struct walk *to, u32 flags)
{
	struct dentry *old, *fresh;
	int ret;

	ret = dir_lookup_locked(from->cur.dentry, from->name, from->len,
				from->hash, &old);
	if (ret)
		return ret;
	ret = dir_lookup_locked(to->cur.dentry, to->name, to->len, to->hash,
				&fresh);
	if (ret == -ENOENT) {
		fresh = dentry_new(to->cur.dentry, to->name, to->len);
		ret = fresh ? 0 : -ENOMEM;
	}
	if (ret == 0) {
		ret = rename_locked(from, to, old, fresh, flags);
		dentry_put(fresh);
	}
	dentry_put(old);
	return ret;
}

static int rename_walks(struct walk *from, struct walk *to, u32 flags)
{
	struct inode *a, *b;
	int ret;

	ret = walk_parent(from);
	if (ret == 0)
		ret = walk_parent(to);
	if (ret)
		return ret;
	if (from->cur.mnt != to->cur.mnt)
		return -EXDEV;
	if (from->last != LAST_NORM)
		return -EBUSY;
	if (to->last != LAST_NORM)
		return flags & RENAME_NOREPLACE ? -EEXIST : -EBUSY;
	ret = mount_writable(from->cur.mnt);
	if (ret)
		return ret;
	a = from->cur.dentry->inode;
	b = to->cur.dentry->inode;
	lock_dirs(a, b);
	ret = rename_ends(from, to, flags);
	unlock_dirs(a, b);
	return ret;
}

SYSCALL5(renameat2, int, old_dfd, const char __user *, old_name, int, dfd,
	 const char __user *, name, u32, flags)
{
	struct pathname p_old, p_new;
	struct walk *from, *to;
	int ret;

	if (flags & ~(u32)(RENAME_NOREPLACE | RENAME_EXCHANGE |
			   RENAME_WHITEOUT))
		return -EINVAL;
	if ((flags & (RENAME_NOREPLACE | RENAME_WHITEOUT)) &&
	    (flags & RENAME_EXCHANGE))
		return -EINVAL;
	ret = pathname_get(&p_old, old_name, false);
	if (ret)
		return ret;
	ret = pathname_get(&p_new, name, false);
	if (ret)
		goto put_old;
	from = walk_start(old_dfd, p_old.s, 0, 0);
	ret = PTR_ERR_OR_ZERO(from);
	if (ret)
		goto put_new;
	to = walk_start(dfd, p_new.s, 0, 0);
	ret = PTR_ERR_OR_ZERO(to);
	if (ret == 0) {
		/* Whiteouts belong to union file systems: none here. */
		ret = flags & RENAME_WHITEOUT ? -EINVAL :
						rename_walks(from, to, flags);
		walk_end(to);
	}
	walk_end(from);
put_new:
	pathname_put(&p_new);
put_old:
	pathname_put(&p_old);
	return ret;
}

SYSCALL4(renameat, int, old_dfd, const char __user *, old_name, int, dfd,
	 const char __user *, name)
{
	return do_renameat2(old_dfd, old_name, dfd, name, 0);
}
