/* SPDX-License-Identifier: MIT */
/*
 * Opening files: openat, openat2, and the kernel's own opens.
 *
 * open_path() walks to the directory of the last component, looks that up
 * (making it where O_CREAT asks), follows a final link by going round again,
 * then checks and opens.  The directory lock is held only around look-up and
 * creation.  A file is counted in inode->write_count from before its open to
 * its last put.
 */
#include "internal.h"

#include <kernel/pagecache.h>
#include <kernel/fs_pseudo.h>
#include <kernel/syscall.h>
#include <linux/inotify.h>
#include <linux/resource.h>

#define OPEN_FLAGS                                                         \
	(O_ACCMODE | O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_APPEND |    \
	 O_NONBLOCK | O_SYNC | O_ASYNC | O_DIRECT | O_LARGEFILE |          \
	 O_DIRECTORY | O_NOFOLLOW | O_NOATIME | O_CLOEXEC | O_PATH |       \
	 __O_TMPFILE)
#define PATH_FLAGS (O_DIRECTORY | O_NOFOLLOW | O_PATH | O_CLOEXEC)

struct open_request {
	u32 flags;			/* O_* */
	u32 mode;			/* for creation, umask applied */
	u32 resolve;			/* RESOLVE_* */
	bool created;
};

static u32 access_mask(u32 flags)
{
	static const u8 masks[4] = { MAY_READ, MAY_WRITE,
				     MAY_READ | MAY_WRITE,
				     MAY_READ | MAY_WRITE };
	u32 mask = masks[flags & O_ACCMODE];

	return flags & O_TRUNC ? mask | MAY_WRITE : mask;
}

/* What Linux refuses before it looks at permissions, then those. */
static int may_open(const struct path *path, const struct open_request *rq)
{
	struct inode *inode = path->dentry->inode;
	u32 mask = access_mask(rq->flags), flags = rq->flags;
	int ret;

	switch (inode->mode & S_IFMT) {
	case S_IFLNK:
		return -ELOOP;
	case S_IFDIR:
		if (mask & MAY_WRITE)
			return -EISDIR;
		break;
	case S_IFBLK:
	case S_IFCHR:
		if (path->mnt->flags & MS_NODEV)
			return -EACCES;
		break;
	default:
		break;
	}
	if (!rq->created) {
		ret = inode_permission(inode, mask);
		if (ret)
			return ret;
		if ((mask & MAY_WRITE) &&
		    (S_ISREG(inode->mode) || S_ISDIR(inode->mode))) {
			ret = mount_writable(path->mnt);
			if (ret)
				return ret;
		}
	}
	if ((flags & O_NOATIME) && !inode_owner_or_capable(inode))
		return -EPERM;
	return 0;
}

static int pick_ops(struct inode *inode, struct file *f)
{
	switch (inode->mode & S_IFMT) {
	case S_IFCHR:
		/* Terminals of devpts are not in the registry. */
		f->ops = inode->fops ? inode->fops :
			 chrdev_find(inode->rdev, &f->private);
		return f->ops ? 0 : -ENXIO;
	case S_IFBLK:
	case S_IFSOCK:
		return -ENXIO;
	default:
		f->ops = inode->fops;
		if (inode->pseudo)
			f->private = pseudo_private(inode);
		/* What was never opened by a name cannot be. */
		return f->ops || S_ISFIFO(inode->mode) ? 0 : -ENXIO;
	}
}

/* The path is stored (references taken) and the file opened. */
int file_open_inode(struct file *f, const struct path *path)
{
	struct inode *inode = path->dentry->inode;
	int ret;

	f->path = *path;
	path_get(&f->path);
	f->inode = inode;
	if (f->flags & O_PATH) {
		f->mode = FMODE_PATH;
		f->ops = NULL;
		return 0;
	}
	if ((f->mode & FMODE_WRITE) && S_ISREG(inode->mode)) {
		ret = inode_get_write(inode);
		if (ret)
			return ret;
		f->mode |= FMODE_WRITER;
	}
	ret = pick_ops(inode, f);
	if (ret)
		return ret;
	f->mode |= FMODE_LSEEK | FMODE_PREAD | FMODE_PWRITE;
	if (S_ISREG(inode->mode) || S_ISDIR(inode->mode))
		f->mode |= FMODE_ATOMIC;
	if (S_ISFIFO(inode->mode))
		ret = fifo_open(inode, f);
	else if (f->ops->open)
		ret = f->ops->open(inode, f);
	if (ret)
		return ret;
	if (f->ops->llseek == no_llseek)
		f->mode &= ~FMODE_LSEEK;
	f->mode |= FMODE_OPENED;
	fs_notify_dentry(f->path.dentry, IN_OPEN);
	return 0;
}

int inode_set_size(struct inode *inode, u64 size, struct file *f)
{
	int ret = 0;

	if (size > inode->size && size > rlimit_cur(current, RLIMIT_FSIZE)) {
		signal_send_task(current, SIGXFSZ, NULL);
		return -EFBIG;
	}
	mutex_lock(&inode->lock);
	if ((inode->seals & F_SEAL_SHRINK) && size < inode->size)
		ret = -EPERM;
	else if ((inode->seals & F_SEAL_GROW) && size > inode->size)
		ret = -EPERM;
	else if (inode->ops->truncate)
		ret = inode->ops->truncate(inode, size);
	if (ret == 0) {
		inode_strip_suid(inode);
		inode_touch(inode, true);
		if (f)
			fs_notify_dentry(f->path.dentry, IN_MODIFY);
		else
			fs_notify(inode, IN_MODIFY);
	}
	mutex_unlock(&inode->lock);
	return ret;
}

/* Permission, then the file itself, then O_TRUNC. */
static struct file *finish_open(const struct path *path,
				const struct open_request *rq)
{
	struct inode *inode = path->dentry->inode;
	struct file *f;
	int ret = 0;

	if (!(rq->flags & O_PATH))
		ret = may_open(path, rq);
	if (ret)
		return ERR_PTR(ret);
	f = file_alloc(rq->flags);
	if (IS_ERR(f))
		return f;
	if ((rq->flags & O_TRUNC) && (f->mode & FMODE_WRITE))
		f->mode |= FMODE_TRUNC;
	ret = file_open_inode(f, path);
	if (ret == 0 && (rq->flags & O_DIRECT) && !(rq->flags & O_PATH) &&
	    f->ops == &regular_ops)
		ret = -EINVAL;
	if (ret == 0 && (rq->flags & O_TRUNC) && !rq->created &&
	    !(rq->flags & O_PATH) && S_ISREG(inode->mode))
		ret = inode_set_size(inode, 0, f);
	if (ret) {
		if (f->mode & FMODE_OPENED)
			file_put(f);
		else
			file_free_unopened(f);
		return ERR_PTR(ret);
	}
	return f;
}

/* [dir->lock] The name is free: make a regular file there. */
static int create_locked(struct walk *w, struct open_request *rq,
			 struct dentry **out)
{
	struct inode *dir = w->cur.dentry->inode;
	struct dentry *d;
	int ret = mount_writable(w->cur.mnt);

	if (ret)
		return ret;
	ret = may_create(dir);
	if (ret)
		return ret;
	if (!dir->ops->create)
		return -EACCES;
	d = dentry_new(w->cur.dentry, w->name, w->len);
	if (!d)
		return -ENOMEM;
	ret = dir->ops->create(dir, d, S_IFREG | (rq->mode & 07777));
	if (ret) {
		dentry_put(d);
		return ret;
	}
	rq->created = true;
	fs_notify_name(dir, IN_CREATE, d->name, 0);
	*out = d;
	return 0;
}

/* The last component, made if need be; *out is what has the name. */
static int lookup_open(struct walk *w, struct open_request *rq,
		       struct path *out)
{
	struct dentry *d = NULL;
	struct inode *dir = w->cur.dentry->inode;
	int ret;

	if (!(rq->flags & O_CREAT)) {
		ret = dir_lookup(&w->cur, w->name, w->len, w->hash, &d);
	} else {
		if (w->need_dir)
			return -EISDIR;
		mutex_lock(&dir->lock);
		ret = dir_lookup_locked(w->cur.dentry, w->name, w->len,
					w->hash, &d);
		if (ret == -ENOENT)
			ret = create_locked(w, rq, &d);
		mutex_unlock(&dir->lock);
	}
	if (ret)
		return ret;
	out->mnt = mount_get(w->cur.mnt);
	out->dentry = d;
	return 0;
}

/* One turn: 1 when a link was followed and the walk goes on. */
static int open_last(struct walk *w, struct open_request *rq,
		     struct path *out)
{
	int ret;

	if (w->last != LAST_NORM) {
		w->flags |= rq->flags & O_DIRECTORY ? LOOKUP_DIRECTORY : 0;
		ret = walk_last(w);
		if (ret)
			return ret;
		if (rq->flags & O_CREAT) {
			if (rq->flags & O_EXCL)
				return -EEXIST;
			if (inode_is_dir(w->cur.dentry->inode))
				return -EISDIR;
		}
		*out = w->cur;
		path_get(out);
		return 0;
	}
	ret = lookup_open(w, rq, out);
	if (ret)
		return ret;
	if ((rq->flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL) &&
	    !rq->created) {
		path_put(out);
		return -EEXIST;
	}
	if (S_ISLNK(out->dentry->inode->mode) &&
	    (!(rq->flags & O_NOFOLLOW) || w->need_dir)) {
		ret = walk_follow(w, out->dentry);
		path_put(out);
		return ret ? ret : 1;
	}
	ret = walk_cross_mounts(w, out);
	if (ret) {
		path_put(out);
		return ret;
	}
	if ((w->need_dir || (rq->flags & O_DIRECTORY)) &&
	    !inode_is_dir(out->dentry->inode))
		ret = -ENOTDIR;
	else if ((rq->flags & O_CREAT) && inode_is_dir(out->dentry->inode))
		ret = -EISDIR;
	if (ret)
		path_put(out);
	return ret;
}

static struct file *open_tmpfile(struct walk *w, struct open_request *rq)
{
	struct inode *dir, *inode;
	struct path path;
	struct file *f;
	int ret;

	w->flags |= LOOKUP_FOLLOW | LOOKUP_DIRECTORY;
	ret = walk_last(w);
	if (ret)
		return ERR_PTR(ret);
	dir = w->cur.dentry->inode;
	ret = mount_writable(w->cur.mnt);
	if (ret == 0)
		ret = inode_permission(dir, MAY_WRITE | MAY_EXEC);
	if (ret)
		return ERR_PTR(ret);
	if (!dir->ops->tmpfile)
		return ERR_PTR(-EOPNOTSUPP);
	inode = dir->ops->tmpfile(dir, S_IFREG | (rq->mode & 07777));
	if (IS_ERR(inode))
		return ERR_CAST(inode);
	path.mnt = w->cur.mnt;
	path.dentry = dentry_new(w->cur.dentry, "#tmpfile", 8);
	if (!path.dentry) {
		inode_put(inode);
		return ERR_PTR(-ENOMEM);
	}
	path.dentry->inode = inode;
	rq->created = true;
	rq->flags &= ~__O_TMPFILE;
	f = finish_open(&path, rq);
	dentry_put(path.dentry);
	return f;
}

static struct file *open_path(int dfd, const char *name,
			      struct open_request *rq)
{
	struct walk *w = walk_start(dfd, name, 0, rq->resolve);
	struct path path;
	struct file *f;
	int ret;

	if (IS_ERR(w))
		return ERR_CAST(w);
	do {
		ret = walk_parent(w);
		if (ret)
			break;
		if (rq->flags & __O_TMPFILE) {
			f = open_tmpfile(w, rq);
			walk_end(w);
			return f;
		}
		ret = open_last(w, rq, &path);
	} while (ret == 1);
	if (ret == 0) {
		f = finish_open(&path, rq);
		path_put(&path);
	} else {
		f = ERR_PTR(ret);
	}
	walk_end(w);
	return f;
}

/* Combinations that openat2 refuses and openat ignores are already gone. */
static int check_flags(struct open_request *rq)
{
	u32 flags = rq->flags;

	if (flags & __O_TMPFILE) {
		if ((flags & O_TMPFILE) != O_TMPFILE ||
		    !(access_mask(flags) & MAY_WRITE) || (flags & O_CREAT))
			return -EINVAL;
	}
	if (flags & O_PATH)
		rq->flags &= PATH_FLAGS;
	else if ((flags & (O_CREAT | O_DIRECTORY)) ==
		 (O_CREAT | O_DIRECTORY))
		return -EINVAL;
	return 0;
}

static long do_open(int dfd, const char __user *name, struct open_request *rq,
		    bool cloexec)
{
	struct pathname p;
	struct file *f;
	long fd;

	fd = pathname_get(&p, name, false);
	if (fd)
		return fd;
	fd = fd_reserve(0, cloexec ? O_CLOEXEC : 0);
	if (fd >= 0) {
		f = open_path(dfd, p.s, rq);
		if (IS_ERR(f)) {
			fd_release((int)fd);
			fd = PTR_ERR(f);
		} else {
			fd_install((int)fd, f);
		}
	}
	pathname_put(&p);
	return fd;
}

SYSCALL4(openat, int, dfd, const char __user *, name, u32, flags, u32, mode)
{
	struct open_request rq = { .flags = flags & OPEN_FLAGS };
	int ret;

	if (flags & (O_CREAT | __O_TMPFILE))
		rq.mode = mode & 07777 & ~READ_ONCE(current->fs->umask);
	ret = check_flags(&rq);
	if (ret)
		return ret;
	return do_open(dfd, name, &rq, flags & O_CLOEXEC);
}

SYSCALL4(openat2, int, dfd, const char __user *, name,
	 const struct open_how __user *, uhow, size_t, size)
{
	struct open_request rq = { 0 };
	struct open_how how;
	int ret;

	if (size < sizeof(how))
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	ret = copy_struct_from_user(&how, sizeof(how), uhow, size);
	if (ret)
		return ret;
	if ((how.flags & ~(u64)OPEN_FLAGS) || (how.resolve & ~0x3full) ||
	    (how.resolve & (RESOLVE_BENEATH | RESOLVE_IN_ROOT)) ==
		    (RESOLVE_BENEATH | RESOLVE_IN_ROOT))
		return -EINVAL;
	if (how.flags & (O_CREAT | __O_TMPFILE)) {
		if (how.mode & ~07777ull)
			return -EINVAL;
	} else if (how.mode) {
		return -EINVAL;
	}
	if ((how.flags & O_PATH) &&
	    (how.flags & ~(u64)(PATH_FLAGS | O_LARGEFILE)))
		return -EINVAL;
	if (how.resolve & RESOLVE_CACHED) {
		if (how.flags & (O_TRUNC | O_CREAT | __O_TMPFILE))
			return -EAGAIN;
	}
	rq.flags = (u32)how.flags;
	rq.mode = (u32)how.mode & ~READ_ONCE(current->fs->umask);
	rq.resolve = (u32)how.resolve;
	ret = check_flags(&rq);
	if (ret)
		return ret;
	return do_open(dfd, name, &rq, how.flags & O_CLOEXEC);
}

struct file *file_open(const char *name, u32 flags, u32 mode)
{
	struct open_request rq = { .flags = flags & OPEN_FLAGS,
				   .mode = mode };

	return open_path(AT_FDCWD, name, &rq);
}

struct file *file_open_path(const struct path *path, u32 flags)
{
	struct open_request rq = { .flags = flags & OPEN_FLAGS };

	return finish_open(path, &rq);
}
