/* SPDX-License-Identifier: MIT */
/*
 * The magic links of /proc/PID: exe, cwd, root, fd/N, ns/NAME, and the texts of
 * fdinfo/N.
 *
 * A magic link leads to the object itself, not to its name: follow() hands
 * out a referenced path after the ptrace-style check, readlink() prints what
 * path_name() calls it.
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/file.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/printf.h>
#include <lib/string.h>

typedef int link_target_fn(struct task *t, const struct proc_node *node,
			   struct path *out);

static int with_target(struct inode *inode, link_target_fn *fn,
		       struct path *out)
{
	struct proc_node *node = proc_inode_node(inode);
	struct task *t = proc_task(node);
	int ret;

	if (!t)
		return -ENOENT;
	ret = ptrace_may_access(t, false, false) ? -EACCES :
						   fn(t, node, out);
	task_put(t);
	return ret;
}

static long read_target(struct inode *inode, link_target_fn *fn, char *buf,
			size_t size)
{
	struct path path;
	char *page, *name;
	long ret = with_target(inode, fn, &path);

	if (ret)
		return ret;
	page = kmalloc(PATH_MAX_LEN, GFP_KERNEL);
	name = page ? path_name(&path, NULL, page, PATH_MAX_LEN) :
		      ERR_PTR(-ENOMEM);
	ret = PTR_ERR(name);
	if (!IS_ERR(name)) {
		ret = (long)min(strlen(name), size);
		memcpy(buf, name, (size_t)ret);
	}
	kfree(page);
	path_put(&path);
	return ret;
}

static int exe_target(struct task *t, const struct proc_node *node,
		      struct path *out)
{
	struct mm *mm = task_mm_get(t);
	int ret = -ENOENT;

	if (!mm)
		return ret;
	rwsem_read_lock(&mm->mmap_lock);
	if (mm->exe) {
		*out = mm->exe->path;
		path_get(out);
		ret = 0;
	}
	rwsem_read_unlock(&mm->mmap_lock);
	mm_put(mm);
	return ret;
}

static int fs_target(struct task *t, bool root, struct path *out)
{
	struct fs_ctx *fs = task_fs_get(t);
	unsigned long flags;

	if (!fs)
		return -ENOENT;
	flags = spin_lock_irqsave(&fs->lock);
	*out = root ? fs->root : fs->cwd;
	path_get(out);
	spin_unlock_irqrestore(&fs->lock, flags);
	fs_ctx_put(fs);
	return 0;
}

static int cwd_target(struct task *t, const struct proc_node *node,
		      struct path *out)
{
	return fs_target(t, false, out);
}

static int root_target(struct task *t, const struct proc_node *node,
		       struct path *out)
{
	return fs_target(t, true, out);
}

static int fd_target(struct task *t, const struct proc_node *node,
		     struct path *out)
{
	struct file *file = task_file_get(t, node->fd);

	if (!file)
		return -ENOENT;
	*out = file->path;
	path_get(out);
	file_put(file);
	return 0;
}

#define MAGIC_LINK(name)                                                     \
	static int name##_follow(struct inode *inode, struct path *out)      \
	{                                                                    \
		return with_target(inode, name##_target, out);               \
	}                                                                    \
	static long name##_readlink(struct inode *inode,                     \
				    struct dentry *dentry, char *buf,        \
				    size_t size)                             \
	{                                                                    \
		return read_target(inode, name##_target, buf, size);         \
	}                                                                    \
	const struct inode_ops proc_##name##_ops = {                         \
		.readlink = name##_readlink,                                 \
		.follow = name##_follow,                                     \
		.revalidate = proc_revalidate,                               \
		.getattr = proc_getattr,                                     \
		.evict = proc_evict,                                         \
	}

MAGIC_LINK(exe);
MAGIC_LINK(cwd);
MAGIC_LINK(root);

/* A cached fd entry is right as long as that descriptor is open. */
static bool fd_revalidate(struct dentry *dentry)
{
	const struct inode *inode = dentry->inode;
	const struct proc_node *node = proc_inode_node(inode);
	struct task *t = proc_task(node);
	struct file *file = t ? task_file_get(t, node->fd) : NULL;
	u32 mode;

	if (t)
		task_put(t);
	if (!file)
		return false;
	mode = file->mode;
	file_put(file);
	if (!S_ISLNK(inode->mode))
		return true;
	return !(inode->mode & 0400) == !(mode & FMODE_READ) &&
	       !(inode->mode & 0200) == !(mode & FMODE_WRITE);
}

static int fd_follow(struct inode *inode, struct path *out)
{
	return with_target(inode, fd_target, out);
}

static long fd_readlink(struct inode *inode, struct dentry *dentry, char *buf,
			size_t size)
{
	return read_target(inode, fd_target, buf, size);
}

static const struct inode_ops fd_link_ops = {
	.readlink = fd_readlink,
	.follow = fd_follow,
	.revalidate = fd_revalidate,
	.getattr = proc_getattr,
	.evict = proc_evict,
};

static int show_fdinfo(struct seq *s, void *arg)
{
	const struct proc_node *node = arg;
	struct task *t = proc_task(node);
	struct file *file = t ? task_file_get(t, node->fd) : NULL;
	char extra[256] = "";

	if (t)
		task_put(t);
	if (!file)
		return -ENOENT;
	seq_printf(s, "pos:\t%llu\nflags:\t0%o\nmnt_id:\t%u\nino:\t%llu\n",
		   file->pos, file->flags, file->path.mnt->id,
		   file->inode->ino);
	if (file->ops->fdinfo) {
		file->ops->fdinfo(file, extra, sizeof(extra));
		seq_puts(s, extra);
	}
	file_put(file);
	return 0;
}

static const struct inode_ops fdinfo_file_ops = {
	.revalidate = fd_revalidate,
	.getattr = proc_getattr,
	.evict = proc_evict,
};

static int fd_make(struct inode *dir, struct dentry *dentry, bool link)
{
	static const struct proc_entry link_entry = { .iops = &fd_link_ops };
	static const struct proc_entry info_entry = {
		.iops = &fdinfo_file_ops, .show = show_fdinfo,
		.guarded = true,
	};
	struct proc_node *node = proc_inode_node(dir);
	struct task *t = proc_task(node);
	s64 nr = proc_name_number(dentry);
	struct file *file = t && nr >= 0 ? task_file_get(t, (u32)nr) : NULL;
	u32 mode = S_IFREG | 0444;
	struct inode *inode;

	if (t)
		task_put(t);
	if (!file)
		return -ENOENT;
	if (link)
		mode = S_IFLNK | 0100 | (file->mode & FMODE_READ ? 0400 : 0) |
		       (file->mode & FMODE_WRITE ? 0200 : 0);
	file_put(file);
	inode = proc_make_inode(dir->sb, node->pid, node->thread,
				link ? &link_entry : &info_entry, mode);
	if (!IS_ERR(inode)) {
		proc_inode_node(inode)->fd = (u32)nr;
		inode->size = link ? 64 : 0;
	}
	return proc_add(dentry, inode);
}

static int fd_lookup(struct inode *dir, struct dentry *dentry)
{
	return fd_make(dir, dentry, true);
}

static int fdinfo_lookup(struct inode *dir, struct dentry *dentry)
{
	return fd_make(dir, dentry, false);
}

static int fd_list(struct file *dir, struct dir_emit *de, u64 *pos, u8 type)
{
	struct proc_node *node = proc_inode_node(dir->inode);
	struct task *t = proc_task(node);

	if (!t)
		return -ENOENT;
	if (!dir_emit_dots(dir, de, pos))
		goto put_task;
	for (;;) {
		struct file *file = NULL;
		char name[12];
		bool cloexec;
		s32 fd = task_next_fd(t, (u32)(*pos - 2), &file, &cloexec);
		int len;

		if (fd < 0)
			break;
		file_put(file);
		len = scnprintf(name, sizeof(name), "%d", fd);
		if (!de->emit(de, name, (u32)len, dir->inode->ino + (u64)fd + 1,
			      type, (u64)fd + 3))
			break;
		*pos = (u64)fd + 3;
	}
put_task:
	task_put(t);
	return 0;
}

static int fd_readdir(struct file *file, struct dir_emit *de, u64 *pos)
{
	return fd_list(file, de, pos, DT_LNK);
}

static int fdinfo_readdir(struct file *file, struct dir_emit *de, u64 *pos)
{
	return fd_list(file, de, pos, DT_REG);
}

static int fd_dir_open(struct inode *inode, struct file *file)
{
	return proc_may_read(proc_inode_node(inode));
}

const struct inode_ops proc_fd_dir_ops = {
	.lookup = fd_lookup,
	.revalidate = proc_revalidate,
	.getattr = proc_getattr,
	.evict = proc_evict,
};
const struct inode_ops proc_fdinfo_dir_ops = {
	.lookup = fdinfo_lookup,
	.revalidate = proc_revalidate,
	.getattr = proc_getattr,
	.evict = proc_evict,
};
const struct file_ops proc_fd_dir_fops = {
	.open = fd_dir_open, .readdir = fd_readdir, .llseek = generic_llseek,
};
const struct file_ops proc_fdinfo_dir_fops = {
	.open = fd_dir_open, .readdir = fdinfo_readdir,
	.llseek = generic_llseek,
};
