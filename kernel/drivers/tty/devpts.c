/* SPDX-License-Identifier: MIT */
/*
 * devpts: the names of the slave ends of ptys, and one of ptmx.
 *
 * One instance, whatever newinstance says.  A pair owns the inode of its
 * slave, so that a change of owner or mode lasts; that inode holds a
 * reference to the terminal in turn, until the pair's master goes and lets go
 * of the inode.  Options are set by the first mount and by remounts.
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/fs.h>
#include <kernel/fs_pseudo.h>
#include <kernel/init.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>
#include <kernel/task.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/printf.h>
#include <lib/string.h>
#include <linux/magic.h>

#define FIRST_INO 3u

/* [a] each; what a mount option gave. */
static struct {
	bool has_uid, has_gid;
	u32 uid, gid, mode, ptmx_mode;
} options = { .mode = 0600 };

static struct super *devpts_super;	/* [a] set once */
static struct inode *ptmx_inode;	/* [I] once there is a super */

static int parse_one(char *key, const char *value)
{
	u32 n;

	if (!value)
		return streq(key, "newinstance") ? 0 : -EINVAL;
	if (streq(key, "uid") || streq(key, "gid") || streq(key, "max")) {
		if (parse_u32(value, 10, &n))
			return -EINVAL;
		if (*key == 'u') {
			options.uid = n;
			options.has_uid = true;
		} else if (*key == 'g') {
			options.gid = n;
			options.has_gid = true;
		}
		return 0;
	}
	if (parse_u32(value, 8, &n))
		return -EINVAL;
	if (streq(key, "mode"))
		options.mode = n & 07777;
	else if (streq(key, "ptmxmode"))
		options.ptmx_mode = n & 07777;
	else
		return -EINVAL;
	return 0;
}

static int parse_options(const char *data)
{
	char *copy, *rest, *word;
	int ret = 0;

	if (!data || !*data)
		return 0;
	copy = kstrdup(data, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	rest = copy;
	while (!ret && (word = strtok_k(&rest, ",")) != NULL) {
		char *eq = strchr(word, '=');

		if (!*word)
			continue;
		if (eq)
			*eq++ = '\0';
		ret = parse_one(word, eq);
	}
	kfree(copy);
	return ret;
}

/* ---- Inodes ----------------------------------------------------------- */

static void pts_evict(struct inode *inode)
{
	struct pty *pty = inode->private;

	tty_put(&pty->tty);
}

/* The name of a pair that is gone may be another's by now. */
static bool pts_revalidate(struct dentry *dentry)
{
	struct pty *pty = dentry->inode->private;

	return !READ_ONCE(pty->master_gone);
}

static const struct inode_ops pts_iops = {
	.revalidate = pts_revalidate, .evict = pts_evict,
};
static const struct inode_ops ptmx_iops;

struct inode *devpts_make_inode(struct pty *pty)
{
	struct super *sb = load_acquire(&devpts_super);
	const struct cred *c = current_cred();
	struct inode *i;

	if (!sb)
		return ERR_PTR(-ENODEV);
	i = inode_new(sb, S_IFCHR | options.mode);
	if (!i)
		return ERR_PTR(-ENOMEM);
	i->ino = pty->index + FIRST_INO;
	i->rdev = pty->tty.rdev;
	i->uid = options.has_uid ? options.uid : c->fsuid;
	i->gid = options.has_gid ? options.gid : c->fsgid;
	i->ops = &pts_iops;
	i->fops = &pts_fops;
	ref_get(&pty->tty.refs);
	i->private = pty;
	return i;
}

/* ---- The directory ---------------------------------------------------- */

/* Decimal without leading zeros, as readdir prints it; -1 otherwise. */
static s64 name_index(const struct dentry *d)
{
	s64 n = 0;

	if (!d->name_len || d->name_len > 7 ||
	    (d->name[0] == '0' && d->name_len > 1))
		return -1;
	for (u32 i = 0; i < d->name_len; i++) {
		if (!isdigit(d->name[i]))
			return -1;
		n = n * 10 + (d->name[i] - '0');
	}
	return n;
}

static int pts_lookup(struct inode *dir, struct dentry *dentry)
{
	s64 index = name_index(dentry);
	struct inode *i = NULL;

	if (index >= 0)
		i = pty_inode_get((u32)index);
	else if (dentry->name_len == 4 && !memcmp(dentry->name, "ptmx", 4))
		i = inode_get(ptmx_inode);
	return i ? dentry_add_live(dentry, i) : -ENOENT;
}

/* Positions: 0 and 1 the dots, 2 ptmx, 3 + index a slave. */
static int pts_readdir(struct file *file, struct dir_emit *de, u64 *pos)
{
	s64 index;

	if (!dir_emit_dots(file, de, pos))
		return 0;
	if (*pos == 2) {
		if (!de->emit(de, "ptmx", 4, 2, DT_CHR, 3))
			return 0;
		*pos = 3;
	}
	while ((index = pty_next_index((u32)(*pos - 3))) >= 0) {
		char name[12];
		int len = scnprintf(name, sizeof(name), "%lld", index);

		if (!de->emit(de, name, (u32)len, (u64)index + FIRST_INO,
			      DT_CHR, (u64)index + 4))
			break;
		*pos = (u64)index + 4;
	}
	return 0;
}

static const struct inode_ops root_ops = { .lookup = pts_lookup };
static const struct file_ops root_fops = {
	.readdir = pts_readdir, .llseek = generic_llseek,
};

/* ---- The file system -------------------------------------------------- */

static int devpts_mount(struct super *sb, const char *source, const char *data)
{
	struct inode *root, *ptmx;
	int ret = parse_options(data);

	if (ret)
		return ret;
	root = inode_new(sb, S_IFDIR | 0755);
	ptmx = inode_new(sb, S_IFCHR | options.ptmx_mode);
	sb->root = root && ptmx ? dentry_make_root(root) : NULL;
	if (!sb->root) {
		if (root)
			inode_put(root);
		if (ptmx)
			inode_put(ptmx);
		return -ENOMEM;
	}
	root->ino = 1;
	root->nlink = 2;
	root->ops = &root_ops;
	root->fops = &root_fops;
	ptmx->ino = 2;
	ptmx->rdev = MKDEV(5, 2);
	ptmx->ops = &ptmx_iops;
	ptmx->fops = &ptmx_fops;
	ptmx_inode = ptmx;
	store_release(&devpts_super, sb);
	return 0;
}

static int devpts_remount(struct super *sb, const char *data)
{
	int ret = parse_options(data);

	if (!ret)
		ptmx_inode->mode = S_IFCHR | options.ptmx_mode;
	return ret;
}

static void devpts_show(struct super *sb, char *buf, size_t size)
{
	size_t n = 0;

	if (options.has_uid)
		n += (size_t)scnprintf(buf, size, ",uid=%u", options.uid);
	if (options.has_gid)
		n += (size_t)scnprintf(buf + n, size - n, ",gid=%u",
				       options.gid);
	scnprintf(buf + n, size - n, ",mode=%03o,ptmxmode=%03o", options.mode,
		  options.ptmx_mode);
}

static struct fs_type devpts_type = {
	.name = "devpts",
	.nodev = true,
	.magic = DEVPTS_SUPER_MAGIC,
	.mount = devpts_mount,
	.remount = devpts_remount,
	.show_options = devpts_show,
	.single = true,
	.blksize = 1024,
};

static int devpts_init(void)
{
	fs_register(&devpts_type);
	return 0;
}
INITCALL(INIT_FS, devpts_init);
