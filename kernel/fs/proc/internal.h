/* SPDX-License-Identifier: MIT */
/*
 * /proc/PID, seen by kernel/fs/proc alone.
 *
 * Every inode below /proc/PID holds a struct proc_node: which process or
 * thread, by a referenced struct pid (so a recycled number is never confused
 * with it), and which entry.  Nodes are immutable after they are made.
 */
#ifndef SONDE_FS_PROC_INTERNAL_H
#define SONDE_FS_PROC_INTERNAL_H

#include <kernel/fs.h>
#include <kernel/fs_pseudo.h>
#include <kernel/pseudo.h>
#include <lib/types.h>

struct mm;
struct pid;
struct proc_entry;
struct super;
struct task;

struct proc_node {
	struct pid *pid;		  /* [I] referenced */
	bool thread;			  /* [I] below task/TID */
	u32 fd;				  /* [I] of an fd or fdinfo entry */
	const struct proc_entry *entry;	  /* [I] NULL: the PID directory */
	struct pseudo_file file;	  /* [I] what the engine serves */
};

/* An entry of /proc/PID.  mode carries the type bits. */
struct proc_entry {
	const char *name;
	u32 mode;
	int (*show)(struct seq *s, void *node);
	ssize_t (*store)(const char *text, size_t len, void *node);
	const struct file_ops *fops;
	const struct inode_ops *iops;	/* directories and links */
	bool process_only;		/* not in task/TID */
	bool guarded;			/* open needs ptrace-style access */
};

extern const struct proc_entry proc_entries[];
extern const u32 proc_entry_count;

/* root.c */
struct inode *proc_make_inode(struct super *sb, const struct pid *pid,
			      bool thread, const struct proc_entry *entry,
			      u32 mode);
bool proc_revalidate(struct dentry *dentry);
void proc_evict(struct inode *inode);
void proc_getattr(struct inode *inode);
struct inode *proc_pid_dir_inode(struct super *sb, struct pid *pid,
				 bool thread);
/* The end of a look-up: the name gets its inode, or the error is handed on. */
int proc_add(struct dentry *dentry, struct inode *inode);
/* Decimal number that is a whole name, or -1. */
s64 proc_name_number(const struct dentry *dentry);

/* The task of a node, referenced; NULL: it is gone. */
struct task *proc_task(const struct proc_node *node);
static inline struct proc_node *proc_inode_node(const struct inode *inode)
{
	return inode->private;
}
/* Ptrace-style read access: 0, -ESRCH or -EACCES. */
int proc_may_read(const struct proc_node *node);
/* Its address space, referenced, after the access check; NULL: a kernel
 * thread or gone; ERR_PTR(-EACCES). */
struct mm *proc_mm(const struct proc_node *node);

extern const struct inode_ops proc_pid_dir_ops, proc_task_dir_ops,
	proc_net_dir_ops, proc_fd_dir_ops, proc_fdinfo_dir_ops,
	proc_ns_dir_ops, proc_exe_ops, proc_cwd_ops, proc_root_ops,
	proc_file_ops_inode;
extern const struct file_ops proc_pid_dir_fops, proc_task_dir_fops,
	proc_net_dir_fops, proc_fd_dir_fops, proc_fdinfo_dir_fops,
	proc_ns_dir_fops, proc_mem_fops;

/* A line of meminfo or smaps. */
void proc_show_kib(struct seq *s, const char *name, u64 kib);
/* status.c */
int proc_show_status(struct seq *s, void *node);
int proc_show_stat(struct seq *s, void *node);
int proc_show_statm(struct seq *s, void *node);
char proc_state_letter(const struct task *t);
/* maps.c */
struct vma;
void proc_show_vma(struct seq *s, const struct vma *vma, char *path);
/* space.c */
int proc_show_maps(struct seq *s, void *node);
int proc_show_smaps(struct seq *s, void *node);
int proc_show_smaps_rollup(struct seq *s, void *node);
int proc_show_cmdline(struct seq *s, void *node);
int proc_show_environ(struct seq *s, void *node);
int proc_show_auxv(struct seq *s, void *node);
/* misc.c */
int proc_show_comm(struct seq *s, void *node);
ssize_t proc_store_comm(const char *text, size_t len, void *node);
int proc_show_limits(struct seq *s, void *node);
int proc_show_io(struct seq *s, void *node);
int proc_show_oom_score(struct seq *s, void *node);
int proc_show_oom_adj(struct seq *s, void *node);
int proc_show_oom_score_adj(struct seq *s, void *node);
ssize_t proc_store_oom_score_adj(const char *text, size_t len, void *node);
int proc_show_mounts(struct seq *s, void *node);
int proc_show_mountinfo(struct seq *s, void *node);
int proc_show_personality(struct seq *s, void *node);
int proc_show_sched(struct seq *s, void *node);
int proc_show_schedstat(struct seq *s, void *node);
int proc_show_wchan(struct seq *s, void *node);
int proc_show_stack(struct seq *s, void *node);
int proc_show_syscall(struct seq *s, void *node);
int proc_show_timerslack(struct seq *s, void *node);
ssize_t proc_store_timerslack(const char *text, size_t len, void *node);
int proc_show_coredump_filter(struct seq *s, void *node);
int proc_show_id_map(struct seq *s, void *node);
int proc_show_setgroups(struct seq *s, void *node);
int proc_show_loginuid(struct seq *s, void *node);

#endif /* SONDE_FS_PROC_INTERNAL_H */
