/* SPDX-License-Identifier: MIT */
/*
 * Extended attributes, kept in a list at the inode under its lock.
 *
 * As on the reference's tmpfs: security.* and trusted.* are stored (by
 * CAP_SYS_ADMIN), user.* is not supported, ACLs are never there.  File
 * systems of pseudo files support none.
 */
#include "internal.h"

#include <kernel/syscall.h>
#include <linux/inotify.h>

struct xattr {
	struct xattr *next;
	char *name;
	size_t size;
	u8 value[];
};

void xattrs_free(struct inode *inode)
{
	struct xattr *x, *next;

	for (x = inode->xattrs; x; x = next) {
		next = x->next;
		kfree(x->name);
		kfree(x);
	}
	inode->xattrs = NULL;
}

static struct xattr **xattr_find(struct inode *i, const char *name)
{
	struct xattr **p = &i->xattrs;

	while (*p && !streq((*p)->name, name))
		p = &(*p)->next;
	return p;
}

static bool is_acl(const char *name)
{
	return streq(name, "system.posix_acl_access") ||
	       streq(name, "system.posix_acl_default");
}

static int check_name(const struct inode *i, const char *name, bool write)
{
	bool trusted = str_has_prefix(name, "trusted.");

	if (trusted && !capable(CAP_SYS_ADMIN))
		return write ? -EPERM : -ENODATA;
	if (!i->sb->type->xattr)
		return -EOPNOTSUPP;
	if (trusted || str_has_prefix(name, "security."))
		return 0;
	if (is_acl(name))
		return write ? -EOPNOTSUPP : -ENODATA;
	return -EOPNOTSUPP;
}

static long get_one(struct inode *i, const char *name, void __user *out,
		    size_t size)
{
	struct xattr *x;
	long ret = check_name(i, name, false);

	if (ret)
		return ret;
	mutex_lock(&i->lock);
	x = *xattr_find(i, name);
	if (!x)
		ret = -ENODATA;
	else if (!size)
		ret = (long)x->size;
	else if (size < x->size)
		ret = -ERANGE;
	else
		ret = copy_to_user(out, x->value, x->size) ? -EFAULT :
							     (long)x->size;
	mutex_unlock(&i->lock);
	return ret;
}

static struct xattr *xattr_make(const char *name, const void __user *value,
				size_t size)
{
	struct xattr *x = kmalloc(sizeof(*x) + size, GFP_KERNEL);
	int ret = -ENOMEM;

	if (!x)
		return ERR_PTR(-ENOMEM);
	x->size = size;
	x->name = kstrdup(name, GFP_KERNEL);
	if (x->name) {
		if (!size || copy_from_user(x->value, value, size) == 0)
			return x;
		ret = -EFAULT;
	}
	kfree(x->name);
	kfree(x);
	return ERR_PTR(ret);
}

static long set_one(const struct path *path, const char *name,
		    const void __user *value, size_t size, u32 flags)
{
	struct inode *i = path->dentry->inode;
	struct xattr *x, **at, *old;
	long ret = mount_writable(path->mnt);

	if (ret == 0)
		ret = check_name(i, name, true);
	if (ret)
		return ret;
	if (str_has_prefix(name, "security.") && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	x = xattr_make(name, value, size);
	if (IS_ERR(x))
		return PTR_ERR(x);
	mutex_lock(&i->lock);
	at = xattr_find(i, name);
	old = *at;
	if (old && (flags & XATTR_CREATE)) {
		ret = -EEXIST;
	} else if (!old && (flags & XATTR_REPLACE)) {
		ret = -ENODATA;
	} else {
		x->next = old ? old->next : NULL;
		*at = x;
		x = old;
		inode_touch(i, false);
		fs_notify_dentry(path->dentry, IN_ATTRIB);
	}
	mutex_unlock(&i->lock);
	if (x) {
		kfree(x->name);
		kfree(x);
	}
	return ret;
}

static long remove_one(const struct path *path, const char *name)
{
	struct inode *i = path->dentry->inode;
	struct xattr **at, *x;
	long ret = mount_writable(path->mnt);

	if (ret == 0)
		ret = check_name(i, name, true);
	if (ret)
		return ret;
	mutex_lock(&i->lock);
	at = xattr_find(i, name);
	x = *at;
	if (x)
		*at = x->next;
	else
		ret = -ENODATA;
	mutex_unlock(&i->lock);
	if (x) {
		kfree(x->name);
		kfree(x);
	}
	return ret;
}

static long list_all(struct inode *i, char __user *out, size_t size)
{
	bool admin = capable(CAP_SYS_ADMIN);
	size_t total = 0;
	long ret = 0;

	mutex_lock(&i->lock);
	for (struct xattr *x = i->xattrs; x && !ret; x = x->next) {
		size_t n = strlen(x->name) + 1;

		if (!admin && str_has_prefix(x->name, "trusted."))
			continue;
		if (size && total + n > size)
			ret = -ERANGE;
		else if (size && copy_to_user(out + total, x->name, n))
			ret = -EFAULT;
		total += n;
	}
	mutex_unlock(&i->lock);
	return ret ? ret : (long)total;
}

/* ---- System calls ------------------------------------------------------ */

struct target {
	struct path path;
	struct fdref fd;
	bool by_fd;
};

static int target_path(struct target *t, const char __user *name, u32 look)
{
	t->by_fd = false;
	return path_lookup_user(AT_FDCWD, name, look, &t->path);
}

static int target_fd(struct target *t, int fd)
{
	t->by_fd = true;
	t->fd = fdget(fd);
	if (!t->fd.file)
		return -EBADF;
	t->path = t->fd.file->path;
	return 0;
}

static void target_put(struct target *t)
{
	if (t->by_fd)
		fdput(t->fd);
	else
		path_put(&t->path);
}

static int get_name(char name[XATTR_NAME_MAX + 1], const char __user *uname)
{
	long n = strncpy_from_user(name, uname, XATTR_NAME_MAX + 1);

	if (n == 0 || n == XATTR_NAME_MAX + 1)
		return -ERANGE;
	return n < 0 ? (int)n : 0;
}

static long do_get(struct target *t, const char __user *uname,
		   void __user *value, size_t size)
{
	char name[XATTR_NAME_MAX + 1];
	long ret = get_name(name, uname);

	if (ret == 0)
		ret = get_one(t->path.dentry->inode, name, value, size);
	target_put(t);
	return ret;
}

static long do_set(struct target *t, const char __user *uname,
		   const void __user *value, size_t size, u32 flags)
{
	char name[XATTR_NAME_MAX + 1];
	long ret = 0;

	if (flags & ~(u32)(XATTR_CREATE | XATTR_REPLACE))
		ret = -EINVAL;
	if (ret == 0)
		ret = get_name(name, uname);
	if (ret == 0 && size > XATTR_SIZE_MAX)
		ret = -E2BIG;
	if (ret == 0)
		ret = set_one(&t->path, name, value, size, flags);
	target_put(t);
	return ret;
}

static long do_remove(struct target *t, const char __user *uname)
{
	char name[XATTR_NAME_MAX + 1];
	long ret = get_name(name, uname);

	if (ret == 0)
		ret = remove_one(&t->path, name);
	target_put(t);
	return ret;
}

static long do_list(struct target *t, char __user *out, size_t size)
{
	long ret = list_all(t->path.dentry->inode, out, size);

	target_put(t);
	return ret;
}

SYSCALL4(getxattr, const char __user *, path, const char __user *, name,
	 void __user *, value, size_t, size)
{
	struct target t;
	int ret = target_path(&t, path, LOOKUP_FOLLOW);

	return ret ? ret : do_get(&t, name, value, size);
}

SYSCALL4(lgetxattr, const char __user *, path, const char __user *, name,
	 void __user *, value, size_t, size)
{
	struct target t;
	int ret = target_path(&t, path, 0);

	return ret ? ret : do_get(&t, name, value, size);
}

SYSCALL4(fgetxattr, int, fd, const char __user *, name, void __user *, value,
	 size_t, size)
{
	struct target t;
	int ret = target_fd(&t, fd);

	return ret ? ret : do_get(&t, name, value, size);
}

SYSCALL5(setxattr, const char __user *, path, const char __user *, name,
	 const void __user *, value, size_t, size, u32, flags)
{
	struct target t;
	int ret = target_path(&t, path, LOOKUP_FOLLOW);

	return ret ? ret : do_set(&t, name, value, size, flags);
}

SYSCALL5(lsetxattr, const char __user *, path, const char __user *, name,
	 const void __user *, value, size_t, size, u32, flags)
{
	struct target t;
	int ret = target_path(&t, path, 0);

	return ret ? ret : do_set(&t, name, value, size, flags);
}

SYSCALL5(fsetxattr, int, fd, const char __user *, name, const void __user *,
	 value, size_t, size, u32, flags)
{
	struct target t;
	int ret = target_fd(&t, fd);

	return ret ? ret : do_set(&t, name, value, size, flags);
}

SYSCALL3(listxattr, const char __user *, path, char __user *, out, size_t,
	 size)
{
	struct target t;
	int ret = target_path(&t, path, LOOKUP_FOLLOW);

	return ret ? ret : do_list(&t, out, size);
}

SYSCALL3(llistxattr, const char __user *, path, char __user *, out, size_t,
	 size)
{
	struct target t;
	int ret = target_path(&t, path, 0);

	return ret ? ret : do_list(&t, out, size);
}

SYSCALL3(flistxattr, int, fd, char __user *, out, size_t, size)
{
	struct target t;
	int ret = target_fd(&t, fd);

	return ret ? ret : do_list(&t, out, size);
}

SYSCALL2(removexattr, const char __user *, path, const char __user *, name)
{
	struct target t;
	int ret = target_path(&t, path, LOOKUP_FOLLOW);

	return ret ? ret : do_remove(&t, name);
}

SYSCALL2(lremovexattr, const char __user *, path, const char __user *, name)
{
	struct target t;
	int ret = target_path(&t, path, 0);

	return ret ? ret : do_remove(&t, name);
}

SYSCALL2(fremovexattr, int, fd, const char __user *, name)
{
	struct target t;
	int ret = target_fd(&t, fd);

	return ret ? ret : do_remove(&t, name);
}
