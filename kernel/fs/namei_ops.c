/* SPDX-License-Identifier: MIT */
/*
 * Making and removing names: mkdirat, mknodat, symlinkat, linkat, unlinkat,
 * readlinkat.  renameat2 is in rename.c.
 *
 * make_name_start() walks to the directory, locks it and hands out a negative
 * dentry; whoever made the thing calls make_name_end().  The order of errors
 * is Linux's: EEXIST before EROFS before EACCES.
 */
#include "internal.h"

#include <kernel/pseudo.h>
#include <kernel/syscall.h>
#include <linux/inotify.h>

/* [dir->lock] */
int may_create(struct inode *dir)
{
	if (dir->nlink == 0)
		return -ENOENT;
	return inode_permission(dir, MAY_WRITE | MAY_EXEC);
}

/* In a sticky directory only owners remove: -EPERM or 0. */
int check_sticky(struct inode *dir, struct inode *victim)
{
	u32 me = current_cred()->fsuid;

	if (!(dir->mode & S_ISVTX) || victim->uid == me || dir->uid == me ||
	    capable(CAP_FOWNER))
		return 0;
	return -EPERM;
}

/* [dir->lock] is_dir: what the caller wants to remove is a directory. */
int may_delete(struct path *dir, struct dentry *victim, bool is_dir)
{
	struct inode *inode = dir->dentry->inode;
	int ret = inode_permission(inode, MAY_WRITE | MAY_EXEC);

	if (ret == 0)
		ret = check_sticky(inode, victim->inode);
	if (ret)
		return ret;
	if (is_dir && !inode_is_dir(victim->inode))
		return -ENOTDIR;
	if (!is_dir && inode_is_dir(victim->inode))
		return -EISDIR;
	if (is_dir && victim->parent == victim)
		return -EBUSY;
	return 0;
}

int make_name_start(int dfd, const char *name, bool want_dir,
		    struct make_name *mk)
{
	struct inode *dir;
	struct dentry *d;
	int ret;

	mk->w = walk_start(dfd, name, 0, 0);
	if (IS_ERR(mk->w))
		return (int)PTR_ERR(mk->w);
	ret = walk_parent(mk->w);
	if (ret)
		goto end_walk;
	ret = -EEXIST;
	if (mk->w->last != LAST_NORM)
		goto end_walk;
	mk->dir = mk->w->cur;
	dir = mk->dir.dentry->inode;
	mutex_lock(&dir->lock);
	ret = dir_lookup_locked(mk->dir.dentry, mk->w->name, mk->w->len,
				mk->w->hash, &d);
	if (ret == 0) {
		dentry_put(d);
		ret = -EEXIST;
	} else if (ret == -ENOENT) {
		if (!mk->w->need_dir || want_dir)
			ret = mount_writable(mk->dir.mnt);
		if (ret == 0)
			ret = may_create(dir);
	}
	if (ret)
		goto unlock;
	mk->dentry = dentry_new(mk->dir.dentry, mk->w->name, mk->w->len);
	if (mk->dentry)
		return 0;
	ret = -ENOMEM;
unlock:
	mutex_unlock(&dir->lock);
end_walk:
	walk_end(mk->w);
	return ret;
}

void make_name_end(struct make_name *mk)
{
	mutex_unlock(&mk->dir.dentry->inode->lock);
	dentry_put(mk->dentry);
	walk_end(mk->w);
}

int fs_mkdir(int dfd, const char *name, u32 mode)
{
	struct make_name mk;
	struct inode *dir;
	int ret = make_name_start(dfd, name, true, &mk);

	if (ret)
		return ret;
	dir = mk.dir.dentry->inode;
	ret = -EPERM;
	if (dir->ops->mkdir)
		ret = dir->ops->mkdir(dir, mk.dentry,
				      (mode & (0777 | S_ISVTX)) | S_IFDIR);
	if (ret == 0)
		fs_notify_name(dir, IN_CREATE | IN_ISDIR, mk.dentry->name, 0);
	make_name_end(&mk);
	return ret;
}

int fs_mknod(int dfd, const char *name, u32 mode, u32 rdev)
{
	struct make_name mk;
	struct inode *dir;
	int ret = make_name_start(dfd, name, false, &mk);

	if (ret)
		return ret;
	dir = mk.dir.dentry->inode;
	ret = -EPERM;
	if ((S_ISCHR(mode) || S_ISBLK(mode)) && !capable(CAP_MKNOD))
		ret = -EPERM;
	else if (S_ISREG(mode) && dir->ops->create)
		ret = dir->ops->create(dir, mk.dentry, mode);
	else if (!S_ISREG(mode) && dir->ops->mknod)
		ret = dir->ops->mknod(dir, mk.dentry, mode, rdev);
	if (ret == 0)
		fs_notify_name(dir, IN_CREATE, mk.dentry->name, 0);
	make_name_end(&mk);
	return ret;
}

static u32 umask(void)
{
	return READ_ONCE(current->fs->umask);
}

SYSCALL3(mkdirat, int, dfd, const char __user *, name, u32, mode)
{
	struct pathname p;
	int ret = pathname_get(&p, name, false);

	if (ret)
		return ret;
	ret = fs_mkdir(dfd, p.s, mode & ~umask());
	pathname_put(&p);
	return ret;
}

SYSCALL4(mknodat, int, dfd, const char __user *, name, u32, mode, u32, dev)
{
	struct pathname p;
	u32 rdev = MKDEV((dev >> 8) & 0xfff,
			 (dev & 0xff) | ((dev >> 12) & 0xfff00));
	int ret;

	switch (mode & S_IFMT) {
	case 0:
		mode |= S_IFREG;
		break;
	case S_IFREG:
	case S_IFCHR:
	case S_IFBLK:
	case S_IFIFO:
	case S_IFSOCK:
		break;
	case S_IFDIR:
		return -EPERM;
	default:
		return -EINVAL;
	}
	ret = pathname_get(&p, name, false);
	if (ret)
		return ret;
	ret = fs_mknod(dfd, p.s, mode & (S_IFMT | 07777) & ~umask(), rdev);
	pathname_put(&p);
	return ret;
}

SYSCALL3(symlinkat, const char __user *, target, int, dfd,
	 const char __user *, name)
{
	struct pathname to, p;
	struct make_name mk;
	struct inode *dir;
	int ret = pathname_get(&to, target, false);

	if (ret)
		return ret;
	ret = pathname_get(&p, name, false);
	if (ret)
		goto put_target;
	ret = make_name_start(dfd, p.s, false, &mk);
	if (ret)
		goto put_name;
	dir = mk.dir.dentry->inode;
	ret = -EPERM;
	if (dir->ops->symlink)
		ret = dir->ops->symlink(dir, mk.dentry, to.s);
	if (ret == 0)
		fs_notify_name(dir, IN_CREATE, mk.dentry->name, 0);
	make_name_end(&mk);
put_name:
	pathname_put(&p);
put_target:
	pathname_put(&to);
	return ret;
}

/* [dir->lock] */
static int link_locked(struct make_name *mk, const struct path *old)
{
	struct inode *inode = old->dentry->inode;
	struct inode *dir = mk->dir.dentry->inode;
	int ret;

	if (old->mnt->sb != mk->dir.mnt->sb || old->mnt != mk->dir.mnt)
		return -EXDEV;
	if (!dir->ops->link || inode_is_dir(inode))
		return -EPERM;
	/* An O_TMPFILE has no name and may be given its first. */
	if (inode->nlink == 0 && old->dentry->parent == old->dentry)
		return -ENOENT;
	ret = dir->ops->link(dir, mk->dentry, inode);
	if (ret == 0) {
		fs_notify(inode, IN_ATTRIB);
		fs_notify_name(dir, IN_CREATE, mk->dentry->name, 0);
	}
	return ret;
}

SYSCALL5(linkat, int, old_dfd, const char __user *, old_name, int, dfd,
	 const char __user *, name, u32, flags)
{
	struct make_name mk;
	struct pathname p;
	struct path old;
	u32 look = 0;
	int ret;

	if (flags & ~(u32)(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	if (flags & AT_EMPTY_PATH) {
		if (!capable(CAP_DAC_READ_SEARCH))
			return -ENOENT;
		look |= LOOKUP_EMPTY;
	}
	if (flags & AT_SYMLINK_FOLLOW)
		look |= LOOKUP_FOLLOW;
	ret = path_lookup_user(old_dfd, old_name, look, &old);
	if (ret)
		return ret;
	ret = pathname_get(&p, name, false);
	if (ret)
		goto put_old;
	ret = make_name_start(dfd, p.s, false, &mk);
	if (ret == 0) {
		ret = link_locked(&mk, &old);
		make_name_end(&mk);
	}
	pathname_put(&p);
put_old:
	path_put(&old);
	return ret;
}

/* ---- Removal ---------------------------------------------------------- */

static int remove_last(struct walk *w, bool is_dir)
{
	struct path dir = w->cur;
	struct inode *inode = dir.dentry->inode;
	struct dentry *d = NULL;
	int ret;

	mutex_lock(&inode->lock);
	ret = dir_lookup_locked(dir.dentry, w->name, w->len, w->hash, &d);
	if (ret)
		goto unlock;
	ret = mount_writable(dir.mnt);
	if (ret == 0 && !is_dir && w->need_dir)
		ret = inode_is_dir(d->inode) ? -EISDIR : -ENOTDIR;
	if (ret == 0)
		ret = may_delete(&dir, d, is_dir);
	if (ret == 0 && d->mounted)
		ret = -EBUSY;
	if (ret == 0) {
		ret = -EPERM;
		if (is_dir && inode->ops->rmdir)
			ret = inode->ops->rmdir(inode, d);
		else if (!is_dir && inode->ops->unlink)
			ret = inode->ops->unlink(inode, d);
	}
	if (ret == 0) {
		fs_notify(d->inode, is_dir || d->inode->nlink == 0 ?
					    IN_DELETE_SELF : IN_ATTRIB);
		fs_notify_name(inode, IN_DELETE | (is_dir ? IN_ISDIR : 0),
			       d->name, 0);
	}
unlock:
	mutex_unlock(&inode->lock);
	if (d)
		dentry_put(d);
	return ret;
}

static int remove_at(int dfd, const char *name, bool is_dir)
{
	struct walk *w = walk_start(dfd, name, 0, 0);
	int ret;

	if (IS_ERR(w))
		return (int)PTR_ERR(w);
	ret = walk_parent(w);
	if (ret)
		goto end_walk;
	switch (w->last) {
	case LAST_DOTDOT:
		ret = is_dir ? -ENOTEMPTY : -EISDIR;
		break;
	case LAST_DOT:
		ret = is_dir ? -EINVAL : -EISDIR;
		break;
	case LAST_ROOT:
		ret = is_dir ? -EBUSY : -EISDIR;
		break;
	default:
		ret = remove_last(w, is_dir);
	}
end_walk:
	walk_end(w);
	return ret;
}

int unlink_at(int dfd, const char *name)
{
	return remove_at(dfd, name, false);
}

int rmdir_at(int dfd, const char *name)
{
	return remove_at(dfd, name, true);
}

SYSCALL3(unlinkat, int, dfd, const char __user *, name, u32, flags)
{
	struct pathname p;
	int ret;

	if (flags & ~(u32)AT_REMOVEDIR)
		return -EINVAL;
	ret = pathname_get(&p, name, false);
	if (ret)
		return ret;
	ret = remove_at(dfd, p.s, flags & AT_REMOVEDIR);
	pathname_put(&p);
	return ret;
}

/* The text of a link; a magic link is named by where it leads. */
static long read_link(struct inode *inode, struct dentry *d, char *buf,
		      size_t size, char **text)
{
	struct path to;
	long n;

	*text = buf;
	if (inode->ops->readlink)
		return inode->ops->readlink(inode, d, buf, size);
	n = inode->ops->follow(inode, &to);
	if (n)
		return n;
	*text = path_name(&to, NULL, buf, size);
	path_put(&to);
	return IS_ERR(*text) ? PTR_ERR(*text) : (long)strlen(*text);
}

SYSCALL4(readlinkat, int, dfd, const char __user *, name, char __user *, buf,
	 int, size)
{
	struct inode *inode;
	struct path path;
	char *page, *text;
	long ret;

	if (size <= 0)
		return -EINVAL;
	ret = path_lookup_user(dfd, name, LOOKUP_EMPTY, &path);
	if (ret)
		return ret;
	inode = path.dentry->inode;
	if (!S_ISLNK(inode->mode)) {
		char first;

		/* "" names the descriptor, which must be a link itself. */
		ret = get_user(first, name) == 0 && !first ? -ENOENT : -EINVAL;
		goto put_path;
	}
	ret = -ENOMEM;
	page = kmalloc(PATH_MAX_LEN, GFP_KERNEL);
	if (!page)
		goto put_path;
	ret = read_link(inode, path.dentry, page, PATH_MAX_LEN, &text);
	if (ret >= 0) {
		ret = min(ret, (long)size);
		if (copy_to_user(buf, text, (size_t)ret))
			ret = -EFAULT;
	}
	kfree(page);
put_path:
	path_put(&path);
	return ret;
}
