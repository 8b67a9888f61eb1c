/* SPDX-License-Identifier: MIT */
/*
 * Open files: their life, files without a name, and the common operations.
 *
 * A struct file is freed through reclaim_after(), because descriptor tables
 * are read lock-free.  file_put() releases in the caller's context; where the
 * caller holds locks, file_put_late() leaves that to the way back to user
 * mode.  Nothing here takes a lock around a driver's operation.
 */
#include "internal.h"

#include <kernel/file.h>
#include <kernel/pagecache.h>
#include <kernel/pid.h>
#include <linux/inotify.h>
#include <linux/magic.h>

static struct kmem_cache *file_cache;
static struct mount *anon_mount;
struct super *anon_super;

struct file *file_get(struct file *f)
{
	ref_get(&f->refs);
	return f;
}

struct file *file_alloc(u32 flags)
{
	static const u8 modes[4] = { FMODE_READ, FMODE_WRITE,
				     FMODE_READ | FMODE_WRITE, 0 };
	struct file *f = kmem_cache_alloc(file_cache, GFP_KERNEL);

	if (!f)
		return ERR_PTR(-ENOMEM);
	memzero(f, sizeof(*f));
	ref_init(&f->refs);
	f->flags = flags & ~(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC |
			     O_CLOEXEC);
	f->mode = modes[flags & O_ACCMODE];
	mutex_init(&f->pos_lock, LOCK_RANK_FILE_POS);
	spin_init(&f->lock, LOCK_RANK_INODE_SPIN);
	spin_init(&f->owner.lock, LOCK_RANK_FASYNC);
	list_init(&f->epoll_links);
	f->cred = cred_get(current_cred());
	return f;
}

static void file_free(struct reclaim_node *node)
{
	kmem_cache_free(file_cache, container_of(node, struct file, reclaim));
}

/* A file that nobody else has seen: no release is called. */
void file_free_unopened(struct file *f)
{
	if (f->mode & FMODE_WRITER)
		inode_put_write(f->inode);
	cred_put(f->cred);
	path_put(&f->path);
	kmem_cache_free(file_cache, f);
}

static void file_final(struct file *f)
{
	if (unlikely(!list_empty(&f->epoll_links)))
		epoll_file_gone(f);
	if (unlikely(f->inode->locks != NULL))
		locks_remove_file(f);
	if (unlikely((f->flags & O_ASYNC) && f->ops && f->ops->fasync))
		f->ops->fasync(f, false);
	if (!(f->mode & FMODE_PATH))
		fs_notify_dentry(f->path.dentry, f->mode & FMODE_WRITE ?
					 IN_CLOSE_WRITE : IN_CLOSE_NOWRITE);
	if ((f->mode & FMODE_OPENED) && f->ops->release)
		f->ops->release(f);
	if (unlikely(f->owner.pid != NULL)) {
		/* A signal may be on its way to the owner just now. */
		unsigned long flags = spin_lock_irqsave(&f->owner.lock);
		struct pid *pid = f->owner.pid;

		f->owner.pid = NULL;
		spin_unlock_irqrestore(&f->owner.lock, flags);
		pid_put(pid);
	}
	if (f->mode & FMODE_WRITER)
		inode_put_write(f->inode);
	cred_put(f->cred);
	path_put(&f->path);
	reclaim_after(&f->reclaim, file_free);
}

void file_put(struct file *f)
{
	if (ref_put(&f->refs))
		file_final(f);
}

BUILD_ASSERT(sizeof(struct task_work) <= SIZEOF_FIELD(struct file, late));

static void late_fn(struct task_work *work)
{
	file_final(container_of((void *)work, struct file, late));
}

void file_put_late(struct file *f)
{
	struct task_work *work = (void *)f->late;

	if (!ref_put(&f->refs))
		return;
	work->fn = late_fn;
	if ((current->flags & (TASK_KTHREAD | TASK_IDLE)) ||
	    !task_work_add(current, work))
		file_final(f);
}

/* ---- Files without a name -------------------------------------------- */

/*
 * Anonymous files share one inode and, per kind, one dentry: the kinds are
 * few and never go away.  Names are string literals, so that a pointer
 * identifies them.
 */
static struct dentry *anon_dentries[64];	/* [anon_lock], grows only */
static struct mutex anon_lock = MUTEX_INIT(anon_lock, LOCK_RANK_SYSFS);
static struct inode *anon_inode;

static struct dentry *anon_dentry_make(const char *name)
{
	char text[64] = "anon_inode:[";
	struct dentry *d = NULL;
	u32 i;

	strlcpy_k(text + 12, name, sizeof(text) - 14);
	memcpy(text + strlen(text), "]", 2);
	mutex_lock(&anon_lock);
	for (i = 0; i < ARRAY_SIZE(anon_dentries) - 1; i++) {
		d = anon_dentries[i];
		if (!d || streq(d->name, text))
			break;
	}
	if (!d) {
		d = dentry_new(NULL, text, (u32)strlen(text));
		if (d) {
			d->flags |= DENTRY_ANON;
			d->inode = inode_get(anon_inode);
			store_release(&anon_dentries[i], d);
		}
	}
	if (d)
		dentry_get(d);
	mutex_unlock(&anon_lock);
	return d;
}

/* A referenced dentry called anon_inode:[name]. */
static struct dentry *anon_dentry(const char *name)
{
	size_t n = strlen(name);

	for (u32 i = 0; i < ARRAY_SIZE(anon_dentries); i++) {
		struct dentry *d = load_acquire(&anon_dentries[i]);

		if (!d)
			break;
		if (d->name_len == n + 13 && !memcmp(d->name + 12, name, n))
			return dentry_get(d);
	}
	return anon_dentry_make(name);
}

struct file *anon_file(const char *name, const struct file_ops *ops,
		       void *private, u32 flags)
{
	struct file *f = file_alloc(flags);

	if (IS_ERR(f))
		return f;
	f->path.dentry = anon_dentry(name);
	if (!f->path.dentry) {
		file_free_unopened(f);
		return ERR_PTR(-ENOMEM);
	}
	f->path.mnt = mount_get(anon_mount);
	f->inode = anon_inode;
	f->mode |= FMODE_STREAM | FMODE_OPENED;
	f->ops = ops;
	f->private = private;
	return f;
}

int anon_fd(const char *name, const struct file_ops *ops, void *private,
	    u32 flags)
{
	int fd = fd_reserve(0, flags);
	struct file *f;

	if (fd < 0)
		return fd;
	f = anon_file(name, ops, private, flags);
	if (IS_ERR(f)) {
		fd_release(fd);
		return (int)PTR_ERR(f);
	}
	fd_install(fd, f);
	return fd;
}

static int nameless_mount(struct super *sb, const char *source,
			  const char *data)
{
	struct inode *root = inode_new(sb, S_IFDIR | 0555);

	if (!root)
		return -ENOMEM;
	sb->root = dentry_make_root(root);
	return sb->root ? 0 : -ENOMEM;
}

static struct fs_type anon_type = {
	.name = "anon_inodefs", .nodev = true, .mount = nameless_mount,
	.magic = ANON_INODE_FS_MAGIC,
};
static struct fs_type sock_type = {
	.name = "sockfs", .nodev = true, .mount = nameless_mount,
	.magic = SOCKFS_MAGIC,
};
static struct fs_type pipe_type = {
	.name = "pipefs", .nodev = true, .mount = nameless_mount,
	.magic = PIPEFS_MAGIC,
};
static struct mount *pipe_mount, *sock_mount;

struct file *inode_file(const char *kind, u32 mode, const struct file_ops *ops,
			void *private, u32 flags)
{
	struct mount *mnt = S_ISFIFO(mode) ? pipe_mount : sock_mount;
	struct file *f = file_alloc(flags);
	struct inode *i;

	if (IS_ERR(f))
		return f;
	i = inode_new(mnt->sb, mode);
	if (!i)
		goto free_file;
	i->uid = current_cred()->fsuid;
	i->gid = current_cred()->fsgid;
	f->path.dentry = dentry_new(NULL, kind, (u32)strlen(kind));
	if (!f->path.dentry)
		goto put_inode;
	f->path.dentry->flags |= DENTRY_ANON_INO;
	f->path.dentry->inode = i;
	f->path.mnt = mount_get(mnt);
	f->inode = i;
	f->mode |= FMODE_STREAM | FMODE_OPENED;
	f->ops = ops;
	f->private = private;
	return f;

put_inode:
	inode_put(i);
free_file:
	file_free_unopened(f);
	return ERR_PTR(-ENOMEM);
}

void files_early_init(void)
{
	file_cache = kmem_cache_create("file", sizeof(struct file), 16);
	anon_mount = fs_kern_mount(&anon_type, "anon_inodefs");
	pipe_mount = fs_kern_mount(&pipe_type, "pipefs");
	sock_mount = fs_kern_mount(&sock_type, "sockfs");
	anon_super = anon_mount->sb;
	fs_register(&sock_type);
	fs_register(&pipe_type);
	/* No type bits: stat shows them so. */
	anon_inode = inode_new(anon_super, 0600);
}

/* ---- Common operations ----------------------------------------------- */

ssize_t file_read(struct file *f, struct uio *to, u64 *pos)
{
	if (unlikely(!(f->mode & FMODE_READ)))
		return -EBADF;
	if (unlikely(!f->ops->read))
		return inode_is_dir(f->inode) ? -EISDIR : -EINVAL;
	return f->ops->read(f, to, pos);
}

ssize_t file_write(struct file *f, struct uio *from, u64 *pos)
{
	if (unlikely(!(f->mode & FMODE_WRITE)))
		return -EBADF;
	if (unlikely(!f->ops->write))
		return -EINVAL;
	return f->ops->write(f, from, pos);
}

ssize_t file_read_kernel(struct file *f, void *buf, size_t n, u64 pos)
{
	struct uio u;

	uio_kernel(&u, buf, n);
	return file_read(f, &u, &pos);
}

u32 file_poll(struct file *f, struct poll_table *pt)
{
	if (!f->ops->poll)
		return POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
	return f->ops->poll(f, pt);
}

u32 poll_always(struct file *f, struct poll_table *pt)
{
	return POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM;
}

s64 no_llseek(struct file *f, s64 off, int whence)
{
	return -ESPIPE;
}

static s64 seek_sparse(struct file *f, s64 off, int whence)
{
	struct page_cache *cache = &f->inode->cache;
	u64 size = load_relaxed(&f->inode->size), index, at;

	if (off < 0 || (u64)off >= size)
		return -ENXIO;
	index = (u64)off >> PAGE_SHIFT;
	if (whence == SEEK_DATA) {
		at = page_cache_next_data(cache, index);
		if (at == ~0ull || at << PAGE_SHIFT >= size)
			return -ENXIO;
	} else {
		at = page_cache_next_hole(cache, index);
		if (at << PAGE_SHIFT >= size)
			return (s64)size;
	}
	return at == index ? off : (s64)(at << PAGE_SHIFT);
}

s64 generic_llseek(struct file *f, s64 off, int whence)
{
	s64 base = 0, at;

	switch (whence) {
	case SEEK_SET:
		break;
	case SEEK_CUR:
		base = (s64)f->pos;
		break;
	case SEEK_END:
		base = (s64)load_relaxed(&f->inode->size);
		break;
	case SEEK_DATA:
	case SEEK_HOLE:
		at = seek_sparse(f, off, whence);
		if (at >= 0)
			f->pos = (u64)at;
		return at;
	default:
		return -EINVAL;
	}
	if (__builtin_add_overflow(base, off, &at) || at < 0)
		return -EINVAL;
	f->pos = (u64)at;
	return at;
}
