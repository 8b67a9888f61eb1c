/* SPDX-License-Identifier: MIT */
/*
 * devtmpfs and the registry of character devices.
 *
 * One instance, made at boot; chrdev_register() enters a number and makes its
 * node there (with directories on the way).  It is tmpfs otherwise: nodes can
 * be made, renamed and removed by hand.  The registry is guarded by
 * chrdev_lock and only grows, so a look-up walks it without a lock.
 */
#include "tmpfs.h"

#include <kernel/init.h>
#include <kernel/pseudo.h>
#include <lib/printf.h>
#include <linux/magic.h>

struct chrdev {
	struct list_head link;
	u32 rdev, mode;
	const char *name;
	const struct file_ops *fops;
	void *private;
	bool has_node;			/* [chrdev_lock] */
};

static LIST_HEAD(chrdevs);
static struct mutex chrdev_lock = MUTEX_INIT(chrdev_lock, LOCK_RANK_SYSFS);
static struct mount *devtmpfs_mnt;

/* Directory below the root by name, made when missing; referenced. */
static struct dentry *sub_dir(struct dentry *dir, const char *name, u32 len)
{
	struct inode *inode = dir->inode;
	struct dentry *d;
	int ret = 0;

	mutex_lock(&inode->lock);
	d = dentry_lookup(dir, name, len);
	if (!d) {
		d = dentry_new(dir, name, len);
		if (d)
			ret = inode->ops->mkdir(inode, d, 0755);
		if (d && ret) {
			dentry_put(d);
			d = NULL;
		}
	}
	mutex_unlock(&inode->lock);
	return d;
}

static void make_node(const struct chrdev *c)
{
	struct dentry *dir = dentry_get(devtmpfs_mnt->root), *d, *next;
	const char *name = c->name, *slash;

	while ((slash = strchr(name, '/')) != NULL) {
		next = sub_dir(dir, name, (u32)(slash - name));
		dentry_put(dir);
		if (!next)
			return;
		dir = next;
		name = slash + 1;
	}
	mutex_lock(&dir->inode->lock);
	d = dentry_lookup(dir, name, (u32)strlen(name));
	if (!d) {
		d = dentry_new(dir, name, (u32)strlen(name));
		if (d)
			dir->inode->ops->mknod(dir->inode, d,
					       S_IFCHR | c->mode, c->rdev);
	}
	mutex_unlock(&dir->inode->lock);
	if (d)
		dentry_put(d);
	dentry_put(dir);
}

/* Nodes for what registered before there was a devtmpfs. */
static void make_missing_nodes(void)
{
	struct chrdev *c;

	if (!devtmpfs_mnt)
		return;
	list_for_each_entry(c, &chrdevs, link) {
		bool make;

		mutex_lock(&chrdev_lock);
		make = !c->has_node;
		c->has_node = true;
		mutex_unlock(&chrdev_lock);
		if (make)
			make_node(c);
	}
}

int chrdev_register(const char *name, u32 major, u32 minor, u32 mode,
		    const struct file_ops *fops, void *private)
{
	struct chrdev *c = kzalloc(sizeof(*c), GFP_KERNEL);

	if (!c)
		return -ENOMEM;
	c->rdev = MKDEV(major, minor);
	c->mode = mode & 07777;
	c->name = name;
	c->fops = fops;
	c->private = private;
	mutex_lock(&chrdev_lock);
	list_add_tail_pub(&c->link, &chrdevs);
	mutex_unlock(&chrdev_lock);
	make_missing_nodes();
	return 0;
}

const struct file_ops *chrdev_find(u32 rdev, void **private)
{
	struct chrdev *c;

	list_for_each_entry_pub(c, &chrdevs, link) {
		if (c->rdev == rdev) {
			*private = c->private;
			return c->fops;
		}
	}
	return NULL;
}

bool chrdev_describe(u32 n, u32 *rdev, const char **name)
{
	struct chrdev *c;

	list_for_each_entry_pub(c, &chrdevs, link) {
		if (n--)
			continue;
		*rdev = c->rdev;
		*name = c->name;
		return true;
	}
	return false;
}

static int devtmpfs_mount(struct super *sb, const char *source,
			  const char *data)
{
	struct tmpfs *fs = kzalloc(sizeof(*fs), GFP_KERNEL);
	struct page_stats st;
	int ret;

	if (!fs)
		return -ENOMEM;
	page_stats(&st);
	fs->mode = 0755;
	fs->max_blocks = st.total / 2;
	fs->max_inodes = st.total / 2;
	ret = tmpfs_fill_super(sb, fs);
	if (ret)
		kfree(fs);
	return ret;
}

static void devtmpfs_show_options(struct super *sb, char *buf, size_t size)
{
	struct tmpfs *fs = sb->private;

	scnprintf(buf, size, ",size=%lluk,nr_inodes=%llu,mode=%03o,inode64",
		  fs->max_blocks << (PAGE_SHIFT - 10), fs->max_inodes,
		  fs->mode);
}

struct fs_type devtmpfs_type = {
	.name = "devtmpfs",
	.nodev = true,
	.single = true,
	.magic = TMPFS_MAGIC,
	.mount = devtmpfs_mount,
	.statfs = tmpfs_statfs,
	.show_options = devtmpfs_show_options,
	.xattr = true,
};

static int devtmpfs_init(void)
{
	struct mount *m;

	fs_register(&devtmpfs_type);
	m = fs_kern_mount(&devtmpfs_type, "devtmpfs");
	if (IS_ERR(m))
		return (int)PTR_ERR(m);
	devtmpfs_mnt = m;
	make_missing_nodes();
	return 0;
}
INITCALL(INIT_FS, devtmpfs_init);
