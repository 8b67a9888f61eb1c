/* SPDX-License-Identifier: MIT */
/*
 * Open files, descriptor tables, poll.
 */
#ifndef SONDE_KERNEL_FILE_H
#define SONDE_KERNEL_FILE_H

#include <kernel/lock.h>
#include <kernel/reclaim.h>
#include <kernel/signal.h>
#include <kernel/uio.h>
#include <kernel/wait.h>
#include <lib/ref.h>
#include <lib/types.h>
#include <linux/fcntl.h>
#include <linux/poll.h>

struct dentry;
struct file;
struct inode;
struct mount;
struct task;
struct vma;

struct path {
	struct mount *mnt;
	struct dentry *dentry;
};

/* What poll collects: queue() is NULL when only the events are wanted. */
struct poll_table {
	void (*queue)(struct poll_table *pt, struct wait_queue *wq);
	u32 events;		/* what the caller is interested in */
};
static inline void poll_wait(struct poll_table *pt, struct wait_queue *wq)
{
	if (pt && pt->queue)
		pt->queue(pt, wq);
}

/* getdents: emit returns false when the buffer is full. */
struct dir_emit {
	bool (*emit)(struct dir_emit *de, const char *name, u32 len, u64 ino,
		     u8 type, u64 next_pos);
};

struct file_ops {
	int (*open)(struct inode *inode, struct file *file);
	/* last reference gone; task context */
	void (*release)(struct file *file);
	/* each close(2) of a descriptor */
	int (*flush)(struct file *file);
	ssize_t (*read)(struct file *file, struct uio *to, u64 *pos);
	ssize_t (*write)(struct file *file, struct uio *from, u64 *pos);
	/* splice(2) into a pipe, see fs_splice.h; missing: by read */
	ssize_t (*splice_read)(struct file *file, u64 *pos, struct file *pipe,
			       size_t n, u32 flags);
	s64 (*llseek)(struct file *file, s64 off, int whence);
	int (*readdir)(struct file *file, struct dir_emit *de, u64 *pos);
	u32 (*poll)(struct file *file, struct poll_table *pt);
	long (*ioctl)(struct file *file, u32 cmd, u64 arg);
	/* [mmap_lock write] validate and set vma->ops, private, flags */
	int (*mmap)(struct file *file, struct vma *vma);
	int (*fsync)(struct file *file);
	/* O_ASYNC changed */
	int (*fasync)(struct file *file, bool on);
	/* extra lines of /proc/PID/fdinfo/N */
	void (*fdinfo)(struct file *file, char *buf, size_t size);
	s64 (*fallocate)(struct file *file, int mode, u64 off, u64 len);
};

struct file {
	struct ref refs;
	u32 flags;			/* [lock] O_* status flags */
	u32 mode;			/* [I] FMODE_* */
	u64 pos;			/* [pos_lock] */
	struct mutex pos_lock;		/* regular files and directories */
	struct path path;		/* [I] referenced */
	struct inode *inode;		/* [I] path.dentry->inode */
	const struct file_ops *ops;	/* [I] after open */
	const struct cred *cred;	/* [I] of the opener */
	struct file_owner owner;
	void *private;			/* the driver's */
	int async_fd;			/* where O_ASYNC was last asked for */
	struct spinlock lock;		/* LOCK_RANK_INODE_SPIN: flags */
	struct list_head epoll_links;	/* [epoll lock] */
	union {
		struct reclaim_node reclaim;
		struct {
			void *late[2];	/* struct task_work of a late put */
		};
	};
};

#define FMODE_READ   1u
#define FMODE_WRITE  2u
#define FMODE_LSEEK  4u
#define FMODE_PREAD  8u
#define FMODE_PWRITE 16u
#define FMODE_EXEC   32u
#define FMODE_PATH   64u
#define FMODE_STREAM 128u	/* no position: pipe, socket, tty, anon */
#define FMODE_NONOTIFY 256u
#define FMODE_WRITER 512u	/* counted in inode->write_count */
#define FMODE_ATOMIC 2048u	/* pos_lock: regular files and directories */
#define FMODE_OPENED 1024u	/* ops->open succeeded: release is owed */
#define FMODE_TRUNC  4096u	/* opened with O_TRUNC */

struct file *file_get(struct file *f);
/* Task context, no lock held above LOCK_RANK_EXEC: the last one releases. */
void file_put(struct file *f);
/* Where locks are held (munmap): the release runs before return to user. */
void file_put_late(struct file *f);

/* A file without a name: "anon_inode:[name]" (mode 0600).  ERR_PTR. */
struct file *anon_file(const char *name, const struct file_ops *ops,
		       void *private, u32 flags);
/* The same with a descriptor; returns the fd. */
int anon_fd(const char *name, const struct file_ops *ops, void *private,
	    u32 flags);

/*
 * A file with an inode of its own, shown as "kind:[inode number]": pipes and
 * sockets.  mode is S_IFIFO or S_IFSOCK with permissions.  ERR_PTR.
 */
struct file *inode_file(const char *kind, u32 mode, const struct file_ops *ops,
			void *private, u32 flags);

/*
 * Descriptor table of current.
 */
struct files;
struct files *files_copy(struct files *old);	/* ERR_PTR */
void files_get(struct files *files);		/* CLONE_FILES */
void files_put(struct files *files);		/* last: closes all */
void files_exec(struct files *files);		/* close-on-exec */
int files_unshare(void);			/* current gets its own */

/* Light reference for the length of a system call: pair with fdput. */
struct fdref {
	struct file *file;
	bool put;
};
struct fdref fdget(int fd);		/* .file NULL: bad (or O_PATH) */
struct fdref fdget_raw(int fd);		/* O_PATH too */
struct fdref fdget_pos(int fd);		/* and pos_lock where needed */
void fdput_pos(struct fdref f);
static inline void fdput(struct fdref f)
{
	if (f.put)
		file_put(f.file);
}
struct file *file_from_fd(int fd);	/* full reference or NULL */
/* Another task's: reference or NULL. */
struct file *task_file_get(struct task *t, u32 fd);
/* The first used descriptor >= fd of t; -1 none. */
/* Slots of its descriptor table (FDSize of /proc/PID/status). */
u32 task_fd_table_size(struct task *t);
s32 task_next_fd(struct task *t, u32 fd, struct file **out, bool *cloexec);

int fd_reserve(u32 start, u32 flags);	/* O_CLOEXEC honoured; -EMFILE */
void fd_install(int fd, struct file *file); /* consumes the reference */
void fd_release(int fd);		/* give a reserved one back */
int fd_close(int fd);

ssize_t file_read(struct file *f, struct uio *to, u64 *pos);
ssize_t file_write(struct file *f, struct uio *from, u64 *pos);
ssize_t file_read_kernel(struct file *f, void *buf, size_t n, u64 pos);
u32 file_poll(struct file *f, struct poll_table *pt);

/* SIGIO subscribers of a file. */
struct fasync_list {
	struct spinlock lock;		/* LOCK_RANK_FASYNC */
	struct list_head entries;	/* [lock] */
};
static inline void fasync_list_init(struct fasync_list *list)
{
	spin_init(&list->lock, LOCK_RANK_FASYNC);
	list_init(&list->entries);
}
int fasync_update(struct file *f, struct fasync_list *list, bool on);
void fasync_kill(struct fasync_list *list, long band, int code);

/* Common answers. */
s64 generic_llseek(struct file *f, s64 off, int whence);
s64 no_llseek(struct file *f, s64 off, int whence);	/* -ESPIPE */
u32 poll_always(struct file *f, struct poll_table *pt);
#endif /* SONDE_KERNEL_FILE_H */
