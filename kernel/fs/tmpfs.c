/* SPDX-License-Identifier: MIT */
/*
 * tmpfs: files in the page cache, names in the dentry cache.
 *
 * One struct tmpfs per super block counts blocks and inodes against the
 * limits of size= and nr_inodes=; its counters are atomic.  A linked name
 * holds one reference on its dentry (DENTRY_PINNED), which is how the tree
 * stays in memory.  The root file system, memfd files and devtmpfs are made
 * of the same inodes; mount options and statfs are in tmpfs_super.c.
 */
#include "tmpfs.h"

#include <kernel/pagecache.h>
#include <linux/inotify.h>

/* ---- Accounting ------------------------------------------------------- */

static int take(u64 *used, u64 n, u64 limit)
{
	u64 now = __atomic_add_fetch(used, n, __ATOMIC_RELAXED);

	if (limit && now > limit) {
		__atomic_fetch_sub(used, n, __ATOMIC_RELAXED);
		return -ENOSPC;
	}
	return 0;
}

static int charge(struct page_cache *cache, u64 pages)
{
	struct inode *inode = cache->inode;
	struct tmpfs *fs = inode->sb->private;
	int ret = take(&fs->used_blocks, pages,
		       load_relaxed(&fs->max_blocks));

	if (ret == 0)
		__atomic_fetch_add(&inode->blocks, pages * 8,
				   __ATOMIC_RELAXED);
	return ret;
}

static void uncharge(struct page_cache *cache, u64 pages)
{
	struct inode *inode = cache->inode;
	struct tmpfs *fs = inode->sb->private;

	__atomic_fetch_sub(&fs->used_blocks, pages, __ATOMIC_RELAXED);
	__atomic_fetch_sub(&inode->blocks, pages * 8, __ATOMIC_RELAXED);
}

static const struct page_cache_ops tmpfs_cache_ops = {
	.charge = charge,
	.uncharge = uncharge,
};

/* ---- Inodes ----------------------------------------------------------- */

static const struct inode_ops tmpfs_file_iops, tmpfs_dir_iops,
	tmpfs_link_iops;

/* A directory entry costs 20 bytes of its size, as on Linux. */
#define DIRENT_SIZE 20

struct inode *tmpfs_make_inode(struct super *sb, u32 mode, u32 rdev)
{
	struct tmpfs *fs = sb->private;
	struct inode *i;

	if (take(&fs->used_inodes, 1, load_relaxed(&fs->max_inodes)))
		return ERR_PTR(-ENOSPC);
	i = inode_new(sb, mode);
	if (!i) {
		__atomic_fetch_sub(&fs->used_inodes, 1, __ATOMIC_RELAXED);
		return ERR_PTR(-ENOMEM);
	}
	i->cache.ops = &tmpfs_cache_ops;
	i->uid = current_cred()->fsuid;
	i->gid = current_cred()->fsgid;
	i->rdev = rdev;
	switch (mode & S_IFMT) {
	case S_IFREG:
		i->ops = &tmpfs_file_iops;
		i->fops = &regular_ops;
		break;
	case S_IFDIR:
		i->ops = &tmpfs_dir_iops;
		i->fops = &tmpfs_dir_ops;
		i->nlink = 2;
		i->size = 2 * DIRENT_SIZE; /* itself and its parent */
		break;
	case S_IFLNK:
		i->ops = &tmpfs_link_iops;
		break;
	default:
		i->ops = &tmpfs_file_iops;
	}
	return i;
}

static void tmpfs_evict(struct inode *inode)
{
	struct tmpfs *fs = inode->sb->private;

	if (S_ISLNK(inode->mode))
		kfree(inode->private);
	__atomic_fetch_sub(&fs->used_inodes, 1, __ATOMIC_RELAXED);
	if (inode->size && S_ISLNK(inode->mode) == 0 &&
	    S_ISDIR(inode->mode) == 0)
		ASSERT(inode->blocks == 0);
}

static int tmpfs_truncate(struct inode *inode, u64 size)
{
	bool shrink = size < inode->size;

	if (!S_ISREG(inode->mode))
		return -EINVAL;
	store_relaxed(&inode->size, size);
	if (shrink)
		page_cache_truncate(&inode->cache);
	return 0;
}

/* ---- Names ------------------------------------------------------------ */

/* [dir->lock] Give inode the name d; consumes the reference on failure. */
static int link_name(struct inode *dir, struct dentry *d, struct inode *inode)
{
	int ret;

	d->flags |= DENTRY_PINNED;
	dentry_get(d);
	ret = dentry_add_live(d, inode);
	if (ret) {
		d->flags &= ~DENTRY_PINNED;
		dentry_put(d);
		inode_put(inode);
		return ret;
	}
	dir->size += DIRENT_SIZE;
	inode_touch(dir, true);
	return 0;
}

static int make(struct inode *dir, struct dentry *d, u32 mode, u32 rdev,
		struct inode **out)
{
	struct inode *i = tmpfs_make_inode(dir->sb, mode, rdev);

	if (IS_ERR(i))
		return (int)PTR_ERR(i);
	if (dir->mode & S_ISGID) {
		i->gid = dir->gid;
		if (S_ISDIR(mode))
			i->mode |= S_ISGID;
	}
	if (out)
		*out = i;
	return d ? link_name(dir, d, i) : 0;
}

static int tmpfs_create(struct inode *dir, struct dentry *d, u32 mode)
{
	return make(dir, d, mode, 0, NULL);
}

static int tmpfs_mknod(struct inode *dir, struct dentry *d, u32 mode, u32 rdev)
{
	return make(dir, d, mode, rdev, NULL);
}

static int tmpfs_mkdir(struct inode *dir, struct dentry *d, u32 mode)
{
	int ret = make(dir, d, mode | S_IFDIR, 0, NULL);

	if (ret == 0)
		dir->nlink++;
	return ret;
}

static struct inode *tmpfs_tmpfile(struct inode *dir, u32 mode)
{
	struct inode *i = NULL;
	int ret = make(dir, NULL, mode, 0, &i);

	if (ret)
		return ERR_PTR(ret);
	i->nlink = 0;
	return i;
}

static int tmpfs_symlink(struct inode *dir, struct dentry *d,
			 const char *target)
{
	char *text = kstrdup(target, GFP_KERNEL);
	struct inode *i;

	if (!text)
		return -ENOMEM;
	i = tmpfs_make_inode(dir->sb, S_IFLNK | 0777, 0);
	if (IS_ERR(i)) {
		kfree(text);
		return (int)PTR_ERR(i);
	}
	i->private = text;
	i->size = strlen(text);
	if (dir->mode & S_ISGID)
		i->gid = dir->gid;
	return link_name(dir, d, i);
}

static int tmpfs_link(struct inode *dir, struct dentry *d,
		      struct inode *target)
{
	struct tmpfs *fs = dir->sb->private;
	int ret = 0;

	/* Each further name counts as an inode, since it takes memory. */
	if (target->nlink)
		ret = take(&fs->used_inodes, 1, load_relaxed(&fs->max_inodes));
	if (ret)
		return ret;
	ret = link_name(dir, d, inode_get(target));
	if (ret) {
		if (target->nlink)
			__atomic_fetch_sub(&fs->used_inodes, 1,
					   __ATOMIC_RELAXED);
		return ret;
	}
	__atomic_fetch_add(&target->nlink, 1, __ATOMIC_RELAXED);
	inode_touch(target, false);
	return 0;
}

/* [dir->lock] The name goes, with its pin. */
static void unlink_name(struct inode *dir, struct dentry *d)
{
	struct tmpfs *fs = dir->sb->private;
	struct inode *inode = d->inode;

	dentry_drop(d);
	dir->size -= DIRENT_SIZE;
	inode_touch(dir, true);
	inode->ctime = dir->ctime;
	if (S_ISDIR(inode->mode)) {
		dir->nlink--;
		inode->nlink = 0;
	} else if (__atomic_sub_fetch(&inode->nlink, 1, __ATOMIC_RELAXED)) {
		__atomic_fetch_sub(&fs->used_inodes, 1, __ATOMIC_RELAXED);
	}
	if (d->flags & DENTRY_PINNED) {
		d->flags &= ~DENTRY_PINNED;
		dentry_put(d);
	}
}

static int tmpfs_unlink(struct inode *dir, struct dentry *d)
{
	unlink_name(dir, d);
	return 0;
}

static int tmpfs_rmdir(struct inode *dir, struct dentry *d)
{
	int ret = dentry_kill_if_empty(d);

	if (ret == 0)
		unlink_name(dir, d);
	return ret;
}

static void move_dir_counts(struct inode *from, struct inode *to,
			    struct inode *moved)
{
	from->size -= DIRENT_SIZE;
	to->size += DIRENT_SIZE;
	if (S_ISDIR(moved->mode)) {
		from->nlink--;
		to->nlink++;
	}
}

static int tmpfs_rename(struct inode *from, struct dentry *old,
			struct inode *to, struct dentry *fresh, u32 flags)
{
	char *name;
	int ret;

	if (flags & RENAME_EXCHANGE) {
		dentry_exchange(old, fresh);
		move_dir_counts(from, to, old->inode);
		move_dir_counts(to, from, fresh->inode);
		goto stamp;
	}
	name = kmemdup(fresh->name, fresh->name_len + 1, GFP_KERNEL);
	if (!name)
		return -ENOMEM;
	if (fresh->inode) {
		ret = S_ISDIR(fresh->inode->mode) ? tmpfs_rmdir(to, fresh) :
						    tmpfs_unlink(to, fresh);
		if (ret) {
			kfree(name);
			return ret;
		}
	}
	dentry_move(old, fresh->parent, fresh, name);
	move_dir_counts(from, to, old->inode);
stamp:
	inode_touch(from, true);
	inode_touch(to, true);
	old->inode->ctime = to->ctime;
	if (fresh->inode)
		fresh->inode->ctime = to->ctime;
	return 0;
}

static long tmpfs_readlink(struct inode *inode, struct dentry *d, char *buf,
			   size_t size)
{
	size_t n = min((size_t)inode->size, size);

	memcpy(buf, inode->private, n);
	return (long)n;
}

static const struct inode_ops tmpfs_file_iops = {
	.truncate = tmpfs_truncate,
	.evict = tmpfs_evict,
};

static const struct inode_ops tmpfs_link_iops = {
	.readlink = tmpfs_readlink,
	.evict = tmpfs_evict,
};

static const struct inode_ops tmpfs_dir_iops = {
	.create = tmpfs_create,
	.mkdir = tmpfs_mkdir,
	.mknod = tmpfs_mknod,
	.symlink = tmpfs_symlink,
	.link = tmpfs_link,
	.unlink = tmpfs_unlink,
	.rmdir = tmpfs_rmdir,
	.rename = tmpfs_rename,
	.tmpfile = tmpfs_tmpfile,
	.evict = tmpfs_evict,
};

/* ---- Directory files -------------------------------------------------- */

/*
 * [dir->lock] Names come newest first.  Position 2 is the newest; behind an
 * entry stands TMPFS_POS_TOP less its cookie, so that a position stays right
 * whatever is made or removed meanwhile.
 */
#define TMPFS_POS_TOP (1ull << 62)

static int tmpfs_readdir(struct file *file, struct dir_emit *de, u64 *pos)
{
	struct dentry *dir = file->path.dentry, *d;
	u64 below = ~0ull;

	if (!dir_emit_dots(file, de, pos))
		return 0;
	if (*pos > 2)
		below = TMPFS_POS_TOP - *pos;
	list_for_each_entry(d, &dir->children, sibling) {
		u64 next = TMPFS_POS_TOP - d->dir_cookie;

		if (d->dir_cookie >= below || !d->inode)
			continue;
		if (!de->emit(de, d->name, d->name_len, d->inode->ino,
			      (u8)((d->inode->mode & S_IFMT) >> 12), next))
			return 0;
		*pos = next;
	}
	return 0;
}

static s64 tmpfs_dir_llseek(struct file *f, s64 off, int whence)
{
	if (whence != SEEK_SET && whence != SEEK_CUR)
		return -EINVAL;
	return generic_llseek(f, off, whence);
}

static ssize_t dir_read(struct file *f, struct uio *to, u64 *pos)
{
	return -EISDIR;
}

static int dir_fsync(struct file *f)
{
	return 0;
}

const struct file_ops tmpfs_dir_ops = {
	.read = dir_read,
	.readdir = tmpfs_readdir,
	.llseek = tmpfs_dir_llseek,
	.fsync = dir_fsync,
};
