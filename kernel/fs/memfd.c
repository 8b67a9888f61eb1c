/* SPDX-License-Identifier: MIT */
/*
 * memfd_create and seals: tmpfs files on a mount of the kernel's own.
 */
#include "tmpfs.h"

#include <kernel/pagecache.h>
#include <kernel/syscall.h>
#include <lib/printf.h>

#define MEMFD_NAME_MAX (NAME_MAX_LEN - 6)

static struct mount *memfd_mount;
static struct mutex memfd_once = MUTEX_INIT(memfd_once, LOCK_RANK_SYSFS);

static struct mount *get_mount(void)
{
	if (!load_acquire(&memfd_mount)) {
		struct mount *m = fs_kern_mount(&tmpfs_type, "memfd");

		if (IS_ERR(m))
			return m;
		/* Memory is the only limit. */
		((struct tmpfs *)m->sb->private)->max_blocks = 0;
		((struct tmpfs *)m->sb->private)->max_inodes = 0;
		mutex_lock(&memfd_once);
		if (memfd_mount)
			swap(m, memfd_mount);
		else
			store_release(&memfd_mount, m);
		mutex_unlock(&memfd_once);
	}
	return memfd_mount;
}

static struct file *memfd_file(const char *name, u32 flags)
{
	struct mount *mnt = get_mount();
	char text[NAME_MAX_LEN + 1];
	struct file *f;
	struct path path;
	struct inode *i;
	int ret;

	if (IS_ERR(mnt))
		return ERR_CAST(mnt);
	i = tmpfs_make_inode(mnt->sb, S_IFREG | 0777, 0);
	if (IS_ERR(i))
		return ERR_CAST(i);
	i->nlink = 0;
	i->seals = flags & MFD_ALLOW_SEALING ? 0 : F_SEAL_SEAL;
	path.mnt = mnt;
	ret = scnprintf(text, sizeof(text), "memfd:%s", name);
	path.dentry = dentry_new(mnt->root, text, (u32)ret);
	if (!path.dentry) {
		inode_put(i);
		return ERR_PTR(-ENOMEM);
	}
	path.dentry->inode = i;
	f = file_alloc(O_RDWR | O_LARGEFILE);
	if (!IS_ERR(f)) {
		ret = file_open_inode(f, &path);
		if (ret) {
			file_free_unopened(f);
			f = ERR_PTR(ret);
		}
	}
	dentry_put(path.dentry);
	return f;
}

SYSCALL2(memfd_create, const char __user *, uname, u32, flags)
{
	struct file *f;
	char *name;
	long fd;

	if (flags & ~(u32)(MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_HUGETLB))
		return -EINVAL;
	if (flags & MFD_HUGETLB)
		return -ENODEV;
	name = strdup_from_user(uname, MEMFD_NAME_MAX + 1, -EINVAL);
	if (IS_ERR(name))
		return PTR_ERR(name);
	fd = fd_reserve(0, flags & MFD_CLOEXEC ? O_CLOEXEC : 0);
	if (fd >= 0) {
		f = memfd_file(name, flags);
		if (IS_ERR(f)) {
			fd_release((int)fd);
			fd = PTR_ERR(f);
		} else {
			fd_install((int)fd, f);
		}
	}
	kfree(name);
	return fd;
}

long memfd_seals(struct file *f, u32 cmd, u64 arg)
{
	struct inode *i = f->inode;
	u32 seals = (u32)arg;
	long ret = 0;

	if (f->ops != &regular_ops)
		return -EINVAL;
	if (cmd == F_GET_SEALS)
		return i->seals ? (long)i->seals : (i->sb->type == &tmpfs_type ?
				0 : (long)F_SEAL_SEAL);
	if (!(f->mode & FMODE_WRITE))
		return -EPERM;
	if (arg & ~0x1full)
		return -EINVAL;
	mutex_lock(&i->lock);
	if ((i->seals & F_SEAL_SEAL) || !memfd_mount ||
	    i->sb != memfd_mount->sb)
		ret = -EPERM;
	else if ((seals & F_SEAL_WRITE) && !(i->seals & F_SEAL_WRITE) &&
		 READ_ONCE(i->cache.nr_writable))
		ret = -EBUSY;
	else
		i->seals |= seals;
	mutex_unlock(&i->lock);
	return ret;
}
