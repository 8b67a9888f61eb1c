/* SPDX-License-Identifier: MIT */
/*
 * The virtual file system: inodes, dentries, mounts, paths.
 *
 * Every file system here lives in memory.  A dentry is a name in a directory;
 * tmpfs keeps its whole tree in the dentry cache, procfs makes dentries on
 * look-up.  Locks: inode->lock (mutex, LOCK_RANK_INODE) guards a directory's
 * entries and a file's size; dcache_lock guards the dentry hash and links;
 * look-ups of cached names run lock-free under reclaim_read_lock.
 */
#ifndef SONDE_KERNEL_FS_H
#define SONDE_KERNEL_FS_H

#include <kernel/file.h>
#include <kernel/lock.h>
#include <kernel/pagecache.h>
#include <kernel/reclaim.h>
#include <lib/hlist.h>
#include <lib/list.h>
#include <lib/ref.h>
#include <lib/types.h>
#include <linux/stat.h>

struct cred;
struct dentry;
struct inode;
struct mount;
struct super;
struct watch;
struct xattr;
struct pseudo_file;

#define NAME_MAX_LEN 255
#define PATH_MAX_LEN 4096

struct timespec64 {
	s64 sec;
	s64 nsec;
};

struct inode_ops {
	/*
	 * [dir->lock held] Find name; fill dentry->inode or leave it NULL
	 * (negative).  0 or a negative errno.  Missing op: only cached names.
	 */
	int (*lookup)(struct inode *dir, struct dentry *dentry);
	/* [dir->lock held] Make things; dentry is negative on entry. */
	int (*create)(struct inode *dir, struct dentry *dentry, u32 mode);
	int (*mkdir)(struct inode *dir, struct dentry *dentry, u32 mode);
	int (*mknod)(struct inode *dir, struct dentry *dentry, u32 mode,
		     u32 rdev);
	int (*symlink)(struct inode *dir, struct dentry *dentry,
		       const char *target);
	int (*link)(struct inode *dir, struct dentry *dentry,
		    struct inode *target);
	int (*unlink)(struct inode *dir, struct dentry *dentry);
	int (*rmdir)(struct inode *dir, struct dentry *dentry);
	/* [both dirs locked] flags: RENAME_NOREPLACE, RENAME_EXCHANGE */
	int (*rename)(struct inode *from, struct dentry *old,
		      struct inode *to, struct dentry *new, u32 flags);
	/*
	 * Symbolic link.  readlink copies the text (no NUL), returns length.
	 * follow (optional, magic links): puts the target path in *out.
	 */
	long (*readlink)(struct inode *inode, struct dentry *dentry, char *buf,
			 size_t size);
	int (*follow)(struct inode *inode, struct path *out);
	/* Directory: the type of file system that is mounted there when
	 * somebody first goes there.  Its dentry counts as a mount point.
	 */
	const char *(*automount)(struct inode *inode);
	/* [inode->lock held] after the generic checks and updates */
	int (*truncate)(struct inode *inode, u64 size);
	int (*permission)(struct inode *inode, u32 mask);
	/* Refresh volatile attributes before stat (proc). */
	void (*getattr)(struct inode *inode);
	/*
	 * Of the entry itself, not of its directory: is what the cache found
	 * still there?  Lock-free; where entries end by themselves.
	 */
	bool (*revalidate)(struct dentry *dentry);
	/* Last reference gone: drop what inode->private holds. */
	void (*evict)(struct inode *inode);
	/* O_TMPFILE: a regular file without a name, nlink 0. */
	struct inode *(*tmpfile)(struct inode *dir, u32 mode);
};

struct inode {
	struct ref refs;
	u64 ino;			/* [I] */
	u32 generation;			/* [I] */
	u32 mode;			/* [lock] type and permission bits */
	u32 uid, gid;			/* [lock] */
	u32 nlink;			/* [lock] */
	u32 rdev;			/* [I] */
	u64 size;			/* [lock] writes, [a] reads */
	u64 blocks;			/* [lock] 512-byte units */
	struct timespec64 atime, mtime, ctime; /* [lock] */
	struct super *sb;		/* [I] */
	const struct inode_ops *ops;	/* [I] */
	const struct file_ops *fops;	/* [I] given to opened files */
	struct mutex lock;
	struct page_cache cache;	/* data pages and the mapping list */
	struct record_locks *locks;	/* [lock] fcntl and flock */
	struct pipe *fifo;		/* [lock] named pipe */
	struct xattr *xattrs;		/* [lock] list of attributes */
	struct watch *watches;		/* [inotify lock] who is notified */
	s32 write_count;		/* [a] open for write; < 0: executing */
	u32 seals;			/* [lock] F_SEAL_* of a memfd */
	const struct pseudo_file *pseudo; /* [I] description of a pseudo file */
	void *private;			/* file system's */
	struct reclaim_node reclaim;
};

struct dentry {
	struct ref refs;
	struct hlist_node hash;		/* [dcache, reclaim] (parent, name) */
	struct dentry *parent;		/* [dcache] referenced; root: itself */
	struct inode *inode;		/* [dir lock] writes; NULL: negative */
	struct list_head children;	/* [dcache] */
	struct list_head sibling;	/* [dcache] */
	u32 flags;			/* [dcache] DENTRY_* */
	u32 name_hash;			/* [dcache] */
	u32 name_len;			/* [dcache] */
	u32 mounted;			/* [mount lock] mounts on top */
	u64 dir_cookie;			/* [dir lock] position for getdents */
	char *name;			/* [dcache, reclaim] */
	struct reclaim_node reclaim;
};
#define DENTRY_UNHASHED (1u << 0)	/* deleted or never entered */
#define DENTRY_PINNED	(1u << 1)	/* tmpfs: lives while linked */
#define DENTRY_DEAD	(1u << 2)	/* removed directory: no new names */
#define DENTRY_ANON	(1u << 3)	/* shown by its bare name */
#define DENTRY_ANON_INO (1u << 4)	/* shown as "name:[inode number]" */

struct kstatfs {
	u64 type;
	u64 bsize;
	u64 blocks, bfree, bavail;
	u64 files, ffree;
	u64 namelen;
};

struct fs_type {
	const char *name;
	bool nodev;			/* for /proc/filesystems */
	u64 magic;
	/* Make a super block with its root dentry.  0 or negative errno. */
	int (*mount)(struct super *sb, const char *source, const char *data);
	void (*umount)(struct super *sb);
	/* MS_REMOUNT with these options; missing: options are ignored */
	int (*remount)(struct super *sb, const char *data);
	int (*statfs)(struct super *sb, struct kstatfs *out);
	/* text after the generic options in /proc/mounts */
	void (*show_options)(struct super *sb, char *buf, size_t size);
	bool single;			/* all mounts share one super block */
	bool is_pageless;		/* files not of pages: no uprobes */
	u32 blksize;			/* st_blksize; 0: 4096 */
	bool xattr;			/* security.* and trusted.* are kept */
	struct super *one;		/* [mount lock] that super block */
	struct list_head link;		/* [mount lock] */
};

struct super {
	struct ref refs;
	struct fs_type *type;		/* [I] */
	struct dentry *root;		/* [I] */
	u32 dev;			/* [I] anonymous device number */
	u64 next_ino;			/* [a] */
	void *private;
};

struct mount {
	struct ref refs;
	struct super *sb;		/* [I] */
	struct dentry *root;		/* [I] */
	struct mount *parent;		/* [mount lock] NULL: root */
	struct dentry *mountpoint;	/* [mount lock] */
	u32 flags;			/* [mount lock] MS_RDONLY ... */
	u32 id;				/* [I] */
	char source[64];		/* [I] */
	struct list_head link;		/* [mount lock] all mounts in order */
	struct list_head children;	/* [mount lock, reclaim] */
	struct list_head sibling;
	struct list_head gone;		/* [mount lock] being unmounted */
	struct reclaim_node reclaim;
};

/* A task's root, working directory and umask; shared by CLONE_FS. */
struct fs_ctx {
	struct ref refs;
	struct spinlock lock;
	struct path root, cwd;		/* [lock] */
	u32 umask;			/* [lock] */
};
struct fs_ctx *fs_ctx_copy(struct fs_ctx *old);
void fs_ctx_put(struct fs_ctx *fs);
/* The context of t, referenced; NULL: it exited or is a kernel thread. */
struct fs_ctx *task_fs_get(struct task *t);

void path_get(const struct path *p);
void path_put(const struct path *p);

/* Name look-up flags. */
#define LOOKUP_FOLLOW	  (1u << 0)	/* follow a final symlink */
#define LOOKUP_DIRECTORY  (1u << 1)
#define LOOKUP_PARENT	  (1u << 2)
#define LOOKUP_EMPTY	  (1u << 3)	/* "" means the dfd itself */
#define LOOKUP_NO_MAGIC	  (1u << 4)

/*
 * Names starting at the root and cwd of current.  0 or a negative errno;
 * *out is referenced.
 */
int path_lookup(int dfd, const char *name, u32 flags, struct path *out);
int path_lookup_user(int dfd, const char __user *name, u32 flags,
		     struct path *out);
/* The directory and, in *last, a NUL-terminated copy of the final name. */
int path_lookup_parent(int dfd, const char *name, struct path *dir,
		       char last[NAME_MAX_LEN + 1]);
/* Absolute path as seen from root (fs->root of current when NULL); writes at
 * the end of buf and returns the start; ERR_PTR(-ENAMETOOLONG).
 * Appends " (deleted)" when unlinked. */
char *path_name(const struct path *path, const struct path *root, char *buf,
		size_t size);

/* Kernel-side opens (exec, init).  flags O_*. */
struct file *file_open(const char *name, u32 flags, u32 mode);
struct file *file_open_path(const struct path *path, u32 flags);

/* Making names for the kernel itself (initramfs, boot): 0 or -errno. */
int fs_mkdir(int dfd, const char *name, u32 mode);
int fs_mknod(int dfd, const char *name, u32 mode, u32 rdev);

int inode_permission(struct inode *inode, u32 mask);	/* MAY_* bits */
#define MAY_EXEC  1u
#define MAY_WRITE 2u
#define MAY_READ  4u
/* The file of an open program may not be written, nor a file open for write
 * be run: 0 or -ETXTBSY.  Undo with inode_allow_write. */
int inode_deny_write(struct inode *inode);
void inode_allow_write(struct inode *inode);
bool path_noexec(const struct path *path);

/* Building blocks for in-memory file systems. */
struct inode *inode_new(struct super *sb, u32 mode);
struct inode *inode_get(struct inode *inode);
void inode_put(struct inode *inode);
struct dentry *dentry_get(struct dentry *d);
void dentry_put(struct dentry *d);
struct dentry *dentry_new(struct dentry *parent, const char *name, u32 len);
struct dentry *dentry_make_root(struct inode *inode);
void dentry_add(struct dentry *d, struct inode *inode);	/* and hash it */
void dentry_drop(struct dentry *d);			/* unhash */
/* The same as dentry_add, but -ENOENT when the directory was removed. */
int dentry_add_live(struct dentry *d, struct inode *inode);
struct dentry *dentry_lookup(struct dentry *parent, const char *name, u32 len);

struct timespec64 fs_now(void);			/* time stamp of an inode */
/* In memory file systems: mount list text for /proc/PID/mounts, mountinfo */
struct seq;
void mounts_show(struct seq *s, const struct path *root, bool mountinfo);
void filesystems_show(struct seq *s);

void fs_register(struct fs_type *type);
struct mount *fs_kern_mount(struct fs_type *type, const char *source);
int initramfs_unpack(void);	/* boot_info.initrd into the root */
void fs_init(void);		/* root tmpfs, init_task's fs_ctx */

/* Tell who watches the inode: mask IN_*. */
void fs_notify_slow(struct inode *inode, u32 mask);
static inline void fs_notify(struct inode *inode, u32 mask)
{
	if (unlikely(READ_ONCE(inode->watches) != NULL))
		fs_notify_slow(inode, mask);
}

/* The same by one of its names, or an open file's: its folder hears it too. */
extern u32 fs_watches;		/* how many there are; a hint */
void fs_notify_dentry_slow(struct dentry *d, u32 mask);
static inline void fs_notify_dentry(struct dentry *d, u32 mask)
{
	if (unlikely(READ_ONCE(fs_watches)))
		fs_notify_dentry_slow(d, mask);
}

#endif /* SONDE_KERNEL_FS_H */
