/* SPDX-License-Identifier: MIT */
/*
 * Pseudo files: a growing text buffer and the registries of procfs, sysfs,
 * sysctl and device nodes.  Owners register; kernel/fs serves.
 */
#ifndef SONDE_KERNEL_PSEUDO_H
#define SONDE_KERNEL_PSEUDO_H

#include <kernel/file.h>
#include <lib/compiler.h>
#include <lib/types.h>

/*
 * seq: text made by show() at the first read of an open and then served by
 * position.  Grows by doubling; overflow of memory turns into -ENOMEM.
 */
struct seq {
	char *buf;
	size_t len;
	size_t size;
	int err;
	void *private;		/* from the entry */
	struct file *file;
};
void seq_printf(struct seq *s, const char *fmt, ...) __printf(2, 3);
void seq_puts(struct seq *s, const char *text);
void seq_putc(struct seq *s, char c);
void seq_write(struct seq *s, const void *data, size_t len);
/* Octal-escape the characters of esc (mount and map paths). */
void seq_escape(struct seq *s, const char *text, const char *esc);

/*
 * A pseudo file: either show/store text or its own file_ops.  store gets a
 * NUL-terminated copy of one write (at most a page) and returns bytes taken
 * or a negative errno.
 */
struct pseudo_file {
	const char *name;
	u32 mode;		/* permission bits */
	int (*show)(struct seq *s, void *private);
	ssize_t (*store)(const char *text, size_t len, void *private);
	bool store_empty;	/* a write of nothing goes to store, too */
	const struct file_ops *fops;	/* instead of show/store */
	void (*truncate)(void *private); /* opened with O_TRUNC; optional */
	/* Of show/store files: each open (0 or -errno), and its end. */
	int (*hold)(void *private);
	void (*drop)(void *private);
	void *private;
	u64 size;		/* st_size, if not what all files there show */
};

/* Directories are opaque.  NULL parent: the root of that file system. */
struct pseudo_dir;
extern struct pseudo_dir *const proc_root, *const sysfs_root,
	*const debugfs_root, *const tracefs_root;
/* What every /proc/PID/net shows. */
extern struct pseudo_dir *const proc_net;

/*
 * Making: ERR_PTR or a negative errno.  A folder that is an ERR_PTR already
 * gives that error back, so that one look at the end of a chain is enough.
 */
struct pseudo_dir *pseudo_mkdir(struct pseudo_dir *parent, const char *name);
/* Path form: makes missing parents ("devices/system/cpu"). */
struct pseudo_dir *pseudo_mkpath(struct pseudo_dir *parent, const char *path);
/* The description is copied; strings must stay. */
int pseudo_create(struct pseudo_dir *dir, const struct pseudo_file *file);
/* A table of n; a private of NULL stands for the one given. */
int pseudo_create_all(struct pseudo_dir *dir, const struct pseudo_file *files,
		      u32 n, void *private);
/* A row of such a table: a file that always says the same. */
#define PSEUDO_TEXT(what, text)						\
	{ .name = (what), .mode = 0444, .show = pseudo_show_text,	\
	  .private = (text) }
int pseudo_show_text(struct seq *s, void *private);
int pseudo_symlink(struct pseudo_dir *dir, const char *name,
		   const char *target);
void pseudo_remove(struct pseudo_dir *dir, const char *name);
void pseudo_rmdir(struct pseudo_dir *dir);	/* and all below */

/* A new directory on which a file system of that type is mounted when it is
 * first entered.
 */
int pseudo_automount(struct pseudo_dir *parent, const char *name,
		     const char *type);

/*
 * A directory in which programs make and remove directories.  Called with the
 * directory's inode locked; they make or remove the node of that name.
 */
struct pseudo_dir_ops {
	int (*mkdir)(const char *name);
	int (*rmdir)(const char *name);
};
void pseudo_set_ops(struct pseudo_dir *dir, const struct pseudo_dir_ops *ops);

/*
 * /proc/sys: a table entry over a variable.  handler NULL: an integer with
 * bounds.  Permission bits as Linux shows them.
 */
struct sysctl {
	const char *path;		/* "kernel/perf_event_paranoid" */
	u32 mode;
	s32 *value;			/* [a] */
	s32 min, max;			/* used when min < max */
	bool number;			/* handler takes one number */
	/* Own reader/writer: write false fills buf (no newline needed) and
	 * returns its length; write true parses buf.  0.. or -errno. */
	ssize_t (*handler)(struct sysctl *ctl, bool write, char *buf,
			   size_t size);
	void *private;
};
void sysctl_register(struct sysctl *ctl);

/* /dev: a node backed by fops; appears on devtmpfs mounts and mknod. */
int chrdev_register(const char *name, u32 major, u32 minor, u32 mode,
		    const struct file_ops *fops, void *private);
#define MKDEV(ma, mi) (((ma) << 20) | (mi))
#define MAJOR(dev)    ((dev) >> 20)
#define MINOR(dev)    ((dev)&0xfffffu)
/* Who serves this number: fops or NULL. */
const struct file_ops *chrdev_find(u32 rdev, void **private);
/* The n-th that registered: number and name; false past the last. */
bool chrdev_describe(u32 n, u32 *rdev, const char **name);

#endif /* SONDE_KERNEL_PSEUDO_H */
