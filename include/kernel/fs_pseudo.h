/* SPDX-License-Identifier: MIT */
/*
 * What file systems made of pseudo files (procfs, sysfs, debugfs, tracefs)
 * take from the common engine, kernel/fs/pseudo.c.
 */
#ifndef SONDE_KERNEL_FS_PSEUDO_H
#define SONDE_KERNEL_FS_PSEUDO_H

#include <kernel/fs.h>
#include <kernel/pseudo.h>

/* Body of fs_type.mount: a root directory of the given permission bits. */
int pseudo_mount(struct super *sb, struct pseudo_dir *root, u32 mode);

/*
 * For a directory with more names than the registered ones (the root of
 * procfs).  lookup: [dir->lock held] 0 with dentry filled and added, or
 * -ENOENT.  readdir: emits the registered names at positions from 2 on, and
 * "." and ".." first; returns 1 when all were emitted and *pos is then
 * PSEUDO_DIR_END or beyond; 0 when the buffer is full.
 */
#define PSEUDO_DIR_END 0x10000
int pseudo_dir_lookup(struct pseudo_dir *pd, struct inode *dir,
		      struct dentry *dentry);
int pseudo_dir_readdir(struct pseudo_dir *pd, struct file *file,
		       struct dir_emit *de, u64 *pos);

/*
 * An inode for a file described by desc, which must stay; desc->mode may carry
 * the type of a link or directory.  NULL: no memory.  show, store and
 * the opened file's ops get inode->private as their private; ops may be NULL
 * or name an evict.  Owner, mode and times may be changed before it is added.
 */
struct inode *pseudo_inode(struct super *sb, const struct pseudo_file *desc,
			   const struct inode_ops *ops, void *private);
/* What show, store and the opened file's ops get for this inode. */
void *pseudo_private(const struct inode *inode);

/*
 * For file_ops of one's own that read as show's text: call seq_open_show from
 * open (it takes file->private), and use the other three as operations.
 */
int seq_open_show(struct file *file, int (*show)(struct seq *s, void *private),
		  void *private);
ssize_t seq_read(struct file *file, struct uio *to, u64 *pos);
s64 seq_llseek(struct file *file, s64 off, int whence);
void seq_release(struct file *file);
/* What seq_open_show was given. */
void *seq_file_private(struct file *file);
extern const struct file_ops pseudo_file_ops;

/* "." and ".." at positions 0 and 1; false when the buffer is full. */
bool dir_emit_dots(struct file *file, struct dir_emit *de, u64 *pos);

#endif /* SONDE_KERNEL_FS_PSEUDO_H */
