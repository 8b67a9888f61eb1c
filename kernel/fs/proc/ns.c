/* SPDX-License-Identifier: MIT */
/*
 * /proc/PID/ns: the namespaces of a task.  There is one of each kind, so every
 * task has the same links, with the inode numbers that Linux gives the initial
 * namespaces; setns(2) to them is the only thing they would be good for, and
 * opening one leads to a file of the "nsfs" kind that answers nothing else.
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/file.h>
#include <kernel/page.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>

struct ns_kind {
	const char *name;
	const char *text;
	u64 ino;
};

static const struct ns_kind ns_kinds[] = {
	{ "net", "net", 4026531840u },
	{ "uts", "uts", 4026531838u },
	{ "ipc", "ipc", 4026531839u },
	{ "pid", "pid", 4026531836u },
	{ "pid_for_children", "pid", 4026531836u },
	{ "user", "user", 4026531837u },
	{ "mnt", "mnt", 4026531841u },
	{ "cgroup", "cgroup", 4026531835u },
	{ "time", "time", 4026531834u },
	{ "time_for_children", "time", 4026531834u },
};

static long ns_readlink(struct inode *inode, struct dentry *dentry, char *buf,
			size_t size)
{
	const struct proc_node *node = proc_inode_node(inode);
	const struct ns_kind *kind = &ns_kinds[node->fd];
	int ret = proc_may_read(node);

	if (ret)
		return ret;
	return scnprintf(buf, size, "%s:[%llu]", kind->text, kind->ino);
}

/* The namespace itself: a file that only has an identity. */
static int ns_follow(struct inode *inode, struct path *out)
{
	const struct proc_node *node = proc_inode_node(inode);
	static const struct file_ops ns_fops = { .llseek = no_llseek };
	struct file *file;
	char name[32];
	int ret = proc_may_read(node);

	if (ret)
		return ret;
	scnprintf(name, sizeof(name), "%s:[%llu]", ns_kinds[node->fd].text,
		  ns_kinds[node->fd].ino);
	file = anon_file(name, &ns_fops, NULL, O_RDONLY);
	if (IS_ERR(file))
		return (int)PTR_ERR(file);
	file->inode->ino = ns_kinds[node->fd].ino;
	file->inode->mode = S_IFREG | 0444;
	*out = file->path;
	path_get(out);
	file_put(file);
	return 0;
}

static const struct inode_ops ns_link_ops = {
	.readlink = ns_readlink,
	.follow = ns_follow,
	.revalidate = proc_revalidate,
	.getattr = proc_getattr,
	.evict = proc_evict,
};

static int ns_lookup(struct inode *dir, struct dentry *dentry)
{
	static const struct proc_entry link = { .iops = &ns_link_ops };
	struct proc_node *node = proc_inode_node(dir);
	struct inode *inode;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(ns_kinds); i++)
		if (strlen(ns_kinds[i].name) == dentry->name_len &&
		    !memcmp(ns_kinds[i].name, dentry->name, dentry->name_len))
			break;
	if (i == ARRAY_SIZE(ns_kinds))
		return -ENOENT;
	inode = proc_make_inode(dir->sb, node->pid, node->thread, &link,
				S_IFLNK | 0777);
	if (!IS_ERR(inode))
		proc_inode_node(inode)->fd = i;
	return proc_add(dentry, inode);
}

static int ns_readdir(struct file *file, struct dir_emit *de, u64 *pos)
{
	if (!dir_emit_dots(file, de, pos))
		return 0;
	for (; *pos - 2 < ARRAY_SIZE(ns_kinds); ++*pos) {
		const char *name = ns_kinds[*pos - 2].name;

		if (!de->emit(de, name, (u32)strlen(name),
			      file->inode->ino + *pos, DT_LNK, *pos + 1))
			return 0;
	}
	return 0;
}

const struct inode_ops proc_ns_dir_ops = {
	.lookup = ns_lookup,
	.revalidate = proc_revalidate,
	.getattr = proc_getattr,
	.evict = proc_evict,
};
const struct file_ops proc_ns_dir_fops = {
	.readdir = ns_readdir, .llseek = generic_llseek,
};
