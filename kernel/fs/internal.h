/* SPDX-License-Identifier: MIT */
/*
 * What the files of kernel/fs share with each other and nobody else sees.
 *
 * Locks, outermost first: rename_mutex, inode->lock, mount_mutex, dcache_lock.
 * A directory's names change only with its inode->lock and dcache_lock held;
 * whoever holds either may read them.  mount_mutex guards the mount tree;
 * walks read it under reclaim_read_lock.
 */
#ifndef SONDE_FS_INTERNAL_H
#define SONDE_FS_INTERNAL_H

#include <kernel/fs.h>
#include <kernel/cred.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/fcntl.h>
#include <linux/mount.h>
#include <linux/stat.h>

extern struct mutex rename_mutex;
extern struct mutex mount_mutex;
extern struct spinlock dcache_lock;
extern struct list_head mount_list;	/* [mount_mutex] */

/* dcache.c */
void dcache_init(void);
u32 name_hash_len(const char *name, u32 *len);
struct dentry *dentry_find(struct dentry *parent, const char *name, u32 len,
			   u32 hash);
bool dentry_is_empty(struct dentry *d);
int dentry_kill_if_empty(struct dentry *d);
void dentry_move(struct dentry *d, struct dentry *to_parent,
		 const struct dentry *named, char *name_copy);
void dentry_exchange(struct dentry *a, struct dentry *b);
bool dentry_is_below(struct dentry *d, struct dentry *ancestor);

/* inode.c */
int inode_get_write(struct inode *inode);
void inode_put_write(struct inode *inode);
bool inode_owner_or_capable(struct inode *inode);
int permission_mode(struct inode *inode, u32 mask);
void inode_touch(struct inode *inode, bool mtime);
void file_accessed(struct file *f);
void inode_strip_suid(struct inode *inode);
void xattrs_free(struct inode *inode);
void record_locks_free(struct inode *inode);

/* mount.c */
extern struct mount *root_mount;
int mount_writable(const struct mount *mnt);
bool mount_is_attached(const struct mount *m);
struct mount *mount_find_child(struct mount *mnt, struct dentry *d);
void mount_put(struct mount *mnt);
int mount_automatically(const struct path *at);
struct mount *mount_get(struct mount *mnt);
struct fs_type *fs_type_find(const char *name, size_t len);
void super_put(struct super *sb);
u32 mount_anon_dev(void);

/* namei.c */
#define PATHNAME_INLINE 96
struct pathname {
	char *s;
	char small[PATHNAME_INLINE];
};
int pathname_get(struct pathname *p, const char __user *user, bool empty_ok);
void pathname_put(struct pathname *p);

enum last_kind { LAST_NORM, LAST_DOT, LAST_DOTDOT, LAST_ROOT };

struct walk_frame {
	const char *rest;
	char *buf;
};
#define WALK_LINKS 40

struct walk {
	struct path cur;		/* referenced */
	struct path root;		/* referenced */
	u32 flags;			/* LOOKUP_* */
	u32 resolve;			/* RESOLVE_* */
	u32 links;			/* symbolic links followed */
	u32 depth;			/* frames in use */
	const char *name;		/* the last component */
	u32 len, hash;
	enum last_kind last;
	bool need_dir;			/* a trailing slash was there */
	const char *rest;		/* still to walk */
	char *buf;			/* the text name points into, or NULL */
	struct walk_frame frames[WALK_LINKS];
};
struct walk *walk_start(int dfd, const char *name, u32 flags, u32 resolve);
int walk_parent(struct walk *w);
int walk_last(struct walk *w);
int walk_follow(struct walk *w, struct dentry *link);
void walk_end(struct walk *w);
int dir_lookup(struct path *dir, const char *name, u32 len, u32 hash,
	       struct dentry **out);
int dir_lookup_locked(struct dentry *dir, const char *name, u32 len, u32 hash,
		      struct dentry **out);
int walk_cross_mounts(struct walk *w, struct path *p);
int path_lookup_resolve(int dfd, const char *name, u32 flags, u32 resolve,
			struct path *out);

/* namei_ops.c: a directory locked for making a name in it. */
struct make_name {
	struct walk *w;
	struct path dir;		/* w->cur */
	struct dentry *dentry;		/* negative, unhashed */
};
int make_name_start(int dfd, const char *name, bool want_dir,
		    struct make_name *mk);
void make_name_end(struct make_name *mk);
int may_create(struct inode *dir);
int may_delete(struct path *dir, struct dentry *victim, bool is_dir);
int check_sticky(struct inode *dir, struct inode *victim);
int unlink_at(int dfd, const char *name);
int rmdir_at(int dfd, const char *name);

/* file.c */
struct file *file_alloc(u32 flags);
void file_free_unopened(struct file *f);
int file_open_inode(struct file *f, const struct path *path);
extern const struct file_ops regular_ops;
void files_early_init(void);
void pipe_mount_init(void);

/* fdtable.c */
int fd_get_cloexec(u32 fd);
void fd_set_cloexec(u32 fd, bool on);
int fd_replace(u32 fd, struct file *f, bool cloexec);
s64 fd_last_used(void);

/* open.c */
int inode_set_size(struct inode *inode, u64 size, struct file *f);

/* fcntl.c */
int file_set_flags(int fd, struct file *f, u32 flags);

/* locks.c */
void locks_remove_posix(struct file *f, const void *owner);
void locks_remove_file(struct file *f);
long fcntl_getlk(struct file *f, u32 cmd, u64 arg);
long fcntl_setlk(struct file *f, u32 cmd, u64 arg);

/* poll.c: 0 in *deadline: at once; ~0: never; else mono ns */
struct kernel_timespec;
int poll_get_deadline(const struct kernel_timespec __user *uts, u64 *deadline);

/* epoll.c, inotify.c */
void epoll_file_gone(struct file *f);
void inotify_inode_gone(struct inode *inode);
void fs_notify_name(struct inode *dir, u32 mask, const char *name, u32 cookie);

/* fifo */
int fifo_open(struct inode *inode, struct file *file);
void fifo_inode_gone(struct inode *inode);
long pipe_fcntl(struct file *f, u32 cmd, u64 arg);
bool dir_emit_dots(struct file *file, struct dir_emit *de, u64 *pos);
bool file_is_pipe(struct file *f);
ssize_t pipe_splice_in(struct file *pipe, struct file *in, u64 *pos, size_t n,
		       u32 flags);
ssize_t pipe_splice_out(struct file *pipe, struct file *out, u64 *pos,
			size_t n, u32 flags);
ssize_t pipe_tee(struct file *in, struct file *out, size_t n, u32 flags);

/* tmpfs.c */
extern struct fs_type tmpfs_type, rootfs_type, ramfs_type, devtmpfs_type;
struct inode *tmpfs_make_inode(struct super *sb, u32 mode, u32 rdev);
long memfd_seals(struct file *f, u32 cmd, u64 arg);
extern struct super *anon_super, *pipe_super, *memfd_super;

static inline bool inode_is_dir(const struct inode *i)
{
	return S_ISDIR(i->mode);
}

#endif /* SONDE_FS_INTERNAL_H */
