/* SPDX-License-Identifier: MIT */
/*
 * /proc/PID and /proc/PID/task/TID: the table of entries and the directory
 * operations over it.
 *
 * One const table serves both; process_only leaves an entry out of
 * task/TID.  A directory position is 2 plus the index in the table.
 */
#include "internal.h"

#include <kernel/page.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/printf.h>
#include <lib/string.h>

#define FILE_(name_, mode_, show_) \
	{ .name = name_, .mode = S_IFREG | (mode_), .show = show_ }
#define GUARDED_(name_, mode_, show_)                                 \
	{ .name = name_, .mode = S_IFREG | (mode_), .show = show_,      \
	  .guarded = true }
#define STORE_(name_, mode_, show_, store_)                           \
	{ .name = name_, .mode = S_IFREG | (mode_), .show = show_,      \
	  .store = store_ }
#define DIR_(name_, mode_, iops_, fops_)                              \
	{ .name = name_, .mode = S_IFDIR | (mode_), .iops = iops_,      \
	  .fops = fops_ }
#define LINK_(name_, iops_) \
	{ .name = name_, .mode = S_IFLNK | 0777, .iops = iops_ }

const struct proc_entry proc_entries[] = {
	{ .name = "task", .mode = S_IFDIR | 0555, .iops = &proc_task_dir_ops,
	  .fops = &proc_task_dir_fops, .process_only = true },
	DIR_("fd", 0500, &proc_fd_dir_ops, &proc_fd_dir_fops),
	DIR_("fdinfo", 0555, &proc_fdinfo_dir_ops, &proc_fdinfo_dir_fops),
	DIR_("net", 0555, &proc_net_dir_ops, &proc_net_dir_fops),
	DIR_("ns", 0511, &proc_ns_dir_ops, &proc_ns_dir_fops),
	GUARDED_("environ", 0400, proc_show_environ),
	GUARDED_("auxv", 0400, proc_show_auxv),
	FILE_("status", 0444, proc_show_status),
	GUARDED_("personality", 0400, proc_show_personality),
	FILE_("limits", 0444, proc_show_limits),
	STORE_("comm", 0644, proc_show_comm, proc_store_comm),
	GUARDED_("syscall", 0400, proc_show_syscall),
	FILE_("cmdline", 0444, proc_show_cmdline),
	FILE_("stat", 0444, proc_show_stat),
	FILE_("statm", 0444, proc_show_statm),
	GUARDED_("maps", 0444, proc_show_maps),
	{ .name = "mem", .mode = S_IFREG | 0600, .fops = &proc_mem_fops },
	LINK_("cwd", &proc_cwd_ops),
	LINK_("root", &proc_root_ops),
	LINK_("exe", &proc_exe_ops),
	FILE_("mounts", 0444, proc_show_mounts),
	FILE_("mountinfo", 0444, proc_show_mountinfo),
	GUARDED_("smaps", 0444, proc_show_smaps),
	GUARDED_("smaps_rollup", 0444, proc_show_smaps_rollup),
	FILE_("wchan", 0444, proc_show_wchan),
	GUARDED_("stack", 0400, proc_show_stack),
	FILE_("sched", 0444, proc_show_sched),
	FILE_("schedstat", 0444, proc_show_schedstat),
	FILE_("oom_adj", 0444, proc_show_oom_adj),
	FILE_("oom_score", 0444, proc_show_oom_score),
	STORE_("oom_score_adj", 0644, proc_show_oom_score_adj,
	       proc_store_oom_score_adj),
	FILE_("loginuid", 0644, proc_show_loginuid),
	FILE_("sessionid", 0444, proc_show_loginuid),
	FILE_("coredump_filter", 0644, proc_show_coredump_filter),
	GUARDED_("io", 0400, proc_show_io),
	FILE_("uid_map", 0644, proc_show_id_map),
	FILE_("gid_map", 0644, proc_show_id_map),
	FILE_("setgroups", 0644, proc_show_setgroups),
	STORE_("timerslack_ns", 0666, proc_show_timerslack,
	       proc_store_timerslack),
};
const u32 proc_entry_count = ARRAY_SIZE(proc_entries);

static bool is_listed(const struct proc_node *node,
		      const struct proc_entry *entry)
{
	return !(node->thread && entry->process_only);
}

static int pid_lookup(struct inode *dir, struct dentry *dentry)
{
	struct proc_node *node = proc_inode_node(dir);
	u32 i;

	/* Permission to search a process's folder is what it cannot give. */
	if (!READ_ONCE(node->pid->task))
		return node->thread ? -ENOENT : -ESRCH;
	for (i = 0; i < proc_entry_count; i++) {
		const struct proc_entry *entry = &proc_entries[i];

		if (!is_listed(node, entry) ||
		    strlen(entry->name) != dentry->name_len ||
		    memcmp(entry->name, dentry->name, dentry->name_len))
			continue;
		return proc_add(dentry, proc_make_inode(dir->sb, node->pid,
							node->thread, entry,
							entry->mode));
	}
	return -ENOENT;
}

static int pid_readdir(struct file *file, struct dir_emit *de, u64 *pos)
{
	struct proc_node *node = proc_inode_node(file->inode);

	if (!READ_ONCE(node->pid->task))
		return -ENOENT;
	if (!dir_emit_dots(file, de, pos))
		return 0;
	for (; *pos - 2 < proc_entry_count; ++*pos) {
		const struct proc_entry *entry = &proc_entries[*pos - 2];

		if (is_listed(node, entry) &&
		    !de->emit(de, entry->name, (u32)strlen(entry->name),
			      file->inode->ino + *pos,
			      (u8)((entry->mode & S_IFMT) >> 12), *pos + 1))
			return 0;
	}
	return 0;
}

const struct inode_ops proc_pid_dir_ops = {
	.lookup = pid_lookup,
	.revalidate = proc_revalidate,
	.getattr = proc_getattr,
	.evict = proc_evict,
};
const struct file_ops proc_pid_dir_fops = {
	.readdir = pid_readdir, .llseek = generic_llseek,
};

/* task/: the threads of the process. */
static int task_lookup(struct inode *dir, struct dentry *dentry)
{
	struct proc_node *node = proc_inode_node(dir);
	s64 nr = proc_name_number(dentry);
	struct task *leader = proc_task(node), *t;
	struct inode *inode = ERR_PTR(-ENOENT);

	if (!leader)
		return -ENOENT;
	t = nr > 0 ? task_find_get((s32)nr) : NULL;
	if (t && t->proc == leader->proc)
		inode = proc_pid_dir_inode(dir->sb, t->pid, true);
	if (t)
		task_put(t);
	task_put(leader);
	return proc_add(dentry, inode);
}

static int task_readdir(struct file *file, struct dir_emit *de, u64 *pos)
{
	struct proc_node *node = proc_inode_node(file->inode);
	struct task *leader = proc_task(node), *t;

	if (!leader)
		return -ENOENT;
	if (!dir_emit_dots(file, de, pos))
		goto put_leader;
	while ((t = process_thread_next_get(leader->proc, (s32)*pos - 2))) {
		char name[12];
		s32 nr = task_tid(t);
		int len = scnprintf(name, sizeof(name), "%d", nr);

		task_put(t);
		if (!de->emit(de, name, (u32)len, (u64)nr + 0x2000000, DT_DIR,
			      (u64)nr + 3))
			break;
		*pos = (u64)nr + 3;
	}
put_leader:
	task_put(leader);
	return 0;
}

const struct inode_ops proc_task_dir_ops = {
	.lookup = task_lookup,
	.revalidate = proc_revalidate,
	.getattr = proc_getattr,
	.evict = proc_evict,
};
const struct file_ops proc_task_dir_fops = {
	.readdir = task_readdir, .llseek = generic_llseek,
};
