/* SPDX-License-Identifier: MIT */
/*
 * The proc file system: its root, and the directories that come and go with
 * processes.
 *
 * Registered files (kernel/fs/pseudo.c) come first; after them every process
 * by number.  A dentry below /proc/PID stays valid as long as its struct pid
 * still has a task; proc_revalidate() checks that without a lock, so that a
 * cached name of a dead process answers ENOENT at once.
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/init.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/task.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>
#include <linux/magic.h>

struct task *proc_task(const struct proc_node *node)
{
	return pid_task_get(node->pid);
}

int proc_may_read(const struct proc_node *node)
{
	struct task *t = proc_task(node);
	int ret;

	if (!t)
		return -ESRCH;
	ret = ptrace_may_access(t, false, false) ? -EACCES : 0;
	task_put(t);
	return ret;
}

struct mm *proc_mm(const struct proc_node *node)
{
	struct task *t = proc_task(node);
	struct mm *mm;

	if (!t)
		return NULL;
	if (ptrace_may_access(t, false, false))
		mm = ERR_PTR(-EACCES);
	else
		mm = task_mm_get(t);
	task_put(t);
	return mm;
}

void proc_evict(struct inode *inode)
{
	struct proc_node *node = proc_inode_node(inode);

	if (!node)
		return;
	pid_put(node->pid);
	kfree(node);
}

bool proc_revalidate(struct dentry *dentry)
{
	return READ_ONCE(proc_inode_node(dentry->inode)->pid->task);
}

/* The owner is the process's effective user unless it may not be dumped. */
void proc_getattr(struct inode *inode)
{
	struct proc_node *node = proc_inode_node(inode);
	struct task *t = node ? proc_task(node) : NULL;
	const struct cred *cred;
	struct mm *mm;

	if (!t)
		return;
	cred = task_cred_get(t);
	mm = task_mm_get(t);
	inode->uid = mm && mm->dumpable != 1 ? 0 : cred->euid;
	inode->gid = mm && mm->dumpable != 1 ? 0 : cred->egid;
	if (mm)
		mm_put(mm);
	cred_put(cred);
	task_put(t);
}

const struct inode_ops proc_file_ops_inode = {
	.revalidate = proc_revalidate,
	.getattr = proc_getattr,
	.evict = proc_evict,
};

static int guarded_open(struct inode *inode, struct file *file)
{
	int ret = proc_may_read(proc_inode_node(inode));

	return ret ? ret : pseudo_file_ops.open(inode, file);
}

static struct file_ops guarded_fops;	/* [I] after proc_init */

struct inode *proc_make_inode(struct super *sb, const struct pid *pid,
			      bool thread, const struct proc_entry *entry,
			      u32 mode)
{
	struct proc_node *node = kzalloc(sizeof(*node), GFP_KERNEL);
	const struct inode_ops *iops = &proc_file_ops_inode;
	struct inode *inode;

	if (!node)
		return ERR_PTR(-ENOMEM);
	node->thread = thread;
	node->entry = entry;
	node->file.mode = mode;
	if (entry) {
		node->file.name = entry->name;
		node->file.show = entry->show;
		node->file.store = entry->store;
		node->file.fops = entry->fops;
		if (entry->guarded && !entry->fops)
			node->file.fops = &guarded_fops;
		if (entry->iops)
			iops = entry->iops;
	}
	inode = pseudo_inode(sb, &node->file, iops, node);
	if (!inode) {
		kfree(node);
		return ERR_PTR(-ENOMEM);
	}
	node->pid = pid_get((struct pid *)pid);
	proc_getattr(inode);
	return inode;
}

int proc_add(struct dentry *dentry, struct inode *inode)
{
	if (IS_ERR(inode))
		return (int)PTR_ERR(inode);
	dentry_add(dentry, inode);
	return 0;
}

s64 proc_name_number(const struct dentry *dentry)
{
	s64 nr = 0;
	u32 i;

	if (!dentry->name_len || dentry->name_len > 9)
		return -1;
	if (dentry->name[0] == '0' && dentry->name_len > 1)
		return -1;
	for (i = 0; i < dentry->name_len; i++) {
		if (!isdigit(dentry->name[i]))
			return -1;
		nr = nr * 10 + (dentry->name[i] - '0');
	}
	return nr;
}

struct inode *proc_pid_dir_inode(struct super *sb, struct pid *pid, bool thread)
{
	static const struct proc_entry dir = {
		.iops = &proc_pid_dir_ops, .fops = &proc_pid_dir_fops,
	};
	struct inode *inode = proc_make_inode(sb, pid, thread, &dir,
					      S_IFDIR | 0555);

	if (!IS_ERR(inode))
		inode->nlink = thread ? 7 : 9;
	return inode;
}

/* self and thread-self: links whose text depends on who reads them. */
static long self_readlink(struct inode *inode, struct dentry *dentry,
			  char *buf, size_t size)
{
	return scnprintf(buf, size, "%d", task_tgid(current));
}

static long thread_self_readlink(struct inode *inode, struct dentry *dentry,
				 char *buf, size_t size)
{
	return scnprintf(buf, size, "%d/task/%d", task_tgid(current),
			 task_tid(current));
}

static const struct inode_ops self_ops = { .readlink = self_readlink };
static const struct inode_ops thread_self_ops = {
	.readlink = thread_self_readlink,
};

static const struct {
	const char *name;
	const struct inode_ops *ops;
} self_links[] = {
	{ "self", &self_ops },
	{ "thread-self", &thread_self_ops },
};

static int self_lookup(struct inode *dir, struct dentry *dentry)
{
	static const struct pseudo_file link = { .mode = S_IFLNK | 0777 };
	struct inode *inode;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(self_links); i++)
		if (strlen(self_links[i].name) == dentry->name_len &&
		    !memcmp(self_links[i].name, dentry->name,
			    dentry->name_len))
			break;
	if (i == ARRAY_SIZE(self_links))
		return -ENOENT;
	inode = pseudo_inode(dir->sb, &link, self_links[i].ops, NULL);
	return proc_add(dentry, inode ? inode : ERR_PTR(-ENOMEM));
}

static int root_lookup(struct inode *dir, struct dentry *dentry)
{
	int ret = pseudo_dir_lookup(proc_root, dir, dentry);
	s64 nr = proc_name_number(dentry);
	struct inode *inode;
	struct task *t;

	if (ret == -ENOENT)
		ret = self_lookup(dir, dentry);
	if (ret != -ENOENT || nr <= 0)
		return ret;
	/* A thread's number opens its directory too, though it is not listed */
	t = task_find_get((s32)nr);
	if (!t)
		return -ENOENT;
	inode = proc_pid_dir_inode(dir->sb, t->pid, false);
	task_put(t);
	return proc_add(dentry, inode);
}

/* Where the processes begin: after the two links. */
#define FIRST_PID_POS (PSEUDO_DIR_END + ARRAY_SIZE(self_links))

static int root_readdir(struct file *file, struct dir_emit *de, u64 *pos)
{
	int ret = 1;
	s32 nr;

	if (*pos < PSEUDO_DIR_END) {
		ret = pseudo_dir_readdir(proc_root, file, de, pos);
		if (ret <= 0)
			return ret;
		if (*pos < PSEUDO_DIR_END)
			*pos = PSEUDO_DIR_END;
	}
	for (; *pos - PSEUDO_DIR_END < ARRAY_SIZE(self_links); ++*pos) {
		const char *name = self_links[*pos - PSEUDO_DIR_END].name;

		if (!de->emit(de, name, (u32)strlen(name),
			      0x2000 + *pos - PSEUDO_DIR_END, DT_LNK, *pos + 1))
			return 0;
	}
	nr = (s32)(*pos - FIRST_PID_POS);
	for (;;) {
		struct process *p = process_next_get(nr);
		char name[12];
		int len;

		if (!p)
			return 0;
		nr = p->pid->nr;
		process_put(p);
		len = scnprintf(name, sizeof(name), "%d", nr);
		if (!de->emit(de, name, (u32)len, (u64)nr + 0x1000000, DT_DIR,
			      FIRST_PID_POS + (u64)nr + 1))
			return 0;
		*pos = FIRST_PID_POS + (u64)nr + 1;
		nr++;
	}
}

static const struct inode_ops root_ops = { .lookup = root_lookup };
static const struct file_ops root_fops = {
	.readdir = root_readdir, .llseek = generic_llseek,
};

static int proc_mount(struct super *sb, const char *source, const char *data)
{
	int ret = pseudo_mount(sb, proc_root, 0555);

	if (!ret) {
		sb->root->inode->ops = &root_ops;
		sb->root->inode->fops = &root_fops;
	}
	return ret;
}

static struct fs_type proc_type = {
	.name = "proc",
	.nodev = true,
	.magic = PROC_SUPER_MAGIC,
	.mount = proc_mount,
	.single = true,
	.is_pageless = true,
};

/* net/: the same for everybody, as there is one network name space. */
static int net_lookup(struct inode *dir, struct dentry *dentry)
{
	return pseudo_dir_lookup(proc_net, dir, dentry);
}

static int net_readdir(struct file *file, struct dir_emit *de, u64 *pos)
{
	pseudo_dir_readdir(proc_net, file, de, pos);
	return 0;
}

const struct inode_ops proc_net_dir_ops = {
	.lookup = net_lookup,
	.revalidate = proc_revalidate,
	.getattr = proc_getattr,
	.evict = proc_evict,
};
const struct file_ops proc_net_dir_fops = {
	.readdir = net_readdir, .llseek = generic_llseek,
};

static int proc_init(void)
{
	guarded_fops = pseudo_file_ops;
	guarded_fops.open = guarded_open;
	fs_register(&proc_type);
	return pseudo_symlink(proc_root, "net", "self/net");
}
INITCALL(INIT_CORE, proc_init);
