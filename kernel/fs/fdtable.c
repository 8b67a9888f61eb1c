/* SPDX-License-Identifier: MIT */
/*
 * Descriptor tables.
 *
 * files->lock guards every change.  Readers load the table pointer and a slot
 * without it: a table of one user (refs is 1) needs nothing more, because
 * only that user could close; otherwise they hold reclaim_read_lock, take a
 * reference unless the count is zero, and look at the slot again.  Tables
 * and files are freed through reclaim_after() for that.
 *
 * Entry points: fdget*, fd_reserve/install/release/close, files_copy/put.
 */
#include "internal.h"

#include <kernel/file.h>
#include <lib/bitmap.h>
#include <linux/resource.h>

#define FD_EMBEDDED 64
#define NR_OPEN_MAX (1024u * 1024u)

struct fdtable {
	u32 max;			/* [I] */
	struct file **fd;		/* [files lock, reclaim] slots */
	unsigned long *used;		/* [files lock] */
	unsigned long *cloexec;		/* [files lock] */
	struct reclaim_node reclaim;
};

struct files {
	struct ref refs;
	struct spinlock lock;
	struct fdtable *table;		/* [lock, reclaim] */
	u32 next;			/* [lock] no free one below */
	struct fdtable first;
	struct file *first_fd[FD_EMBEDDED];
	unsigned long first_used, first_cloexec;
	struct reclaim_node reclaim;
};

static struct kmem_cache *files_cache;

static struct files *files_new(void)
{
	struct files *files;

	if (unlikely(!files_cache))
		files_cache = kmem_cache_create("files", sizeof(*files), 16);
	files = kmem_cache_alloc(files_cache, GFP_KERNEL);
	if (!files)
		return NULL;
	memzero(files, sizeof(*files));
	ref_init(&files->refs);
	spin_init(&files->lock, LOCK_RANK_FILES);
	files->first = (struct fdtable){ .max = FD_EMBEDDED,
					 .fd = files->first_fd,
					 .used = &files->first_used,
					 .cloexec = &files->first_cloexec };
	files->table = &files->first;
	return files;
}

static struct fdtable *table_new(u32 max)
{
	size_t words = max / 64;
	struct fdtable *t;

	t = kzalloc(sizeof(*t) + max * sizeof(void *) + 2 * words * 8,
		    GFP_KERNEL);
	if (!t)
		return NULL;
	t->max = max;
	t->fd = (struct file **)(t + 1);
	t->used = (unsigned long *)(t->fd + max);
	t->cloexec = t->used + words;
	return t;
}

static void table_free(struct reclaim_node *node)
{
	kfree(container_of(node, struct fdtable, reclaim));
}

static void table_copy(struct fdtable *to, const struct fdtable *from, u32 n)
{
	memcpy(to->fd, from->fd, n * sizeof(void *));
	memcpy(to->used, from->used, n / 8);
	memcpy(to->cloexec, from->cloexec, n / 8);
}

/* Room for descriptor fd.  The lock is not held and may have moved on. */
static int files_grow(struct files *files, u32 fd)
{
	struct fdtable *old, *t;
	u32 max;

	if (fd >= NR_OPEN_MAX)
		return -EMFILE;
	reclaim_read_lock();
	max = reclaim_deref(files->table)->max;
	reclaim_read_unlock();
	if (max > fd)
		return 0;
	while (max <= fd)
		max *= 2;
	t = table_new(max);
	if (!t)
		return -ENOMEM;
	spin_lock(&files->lock);
	old = files->table;
	if (old->max >= max) {
		spin_unlock(&files->lock);
		kfree(t);
		return 0;
	}
	table_copy(t, old, old->max);
	reclaim_assign(files->table, t);
	spin_unlock(&files->lock);
	if (old != &files->first)
		reclaim_after(&old->reclaim, table_free);
	return 0;
}

/* ---- References for a system call ------------------------------------ */

static struct file *get_shared(struct files *files, u32 fd)
{
	struct file *f;

	reclaim_read_lock();
	for (;;) {
		struct fdtable *t = reclaim_deref(files->table);

		if (fd >= t->max) {
			f = NULL;
			break;
		}
		f = reclaim_deref(t->fd[fd]);
		if (!f)
			break;
		if (!ref_get_unless_zero(&f->refs))
			continue;
		/* It may have been freed and made again as another's. */
		if (likely(reclaim_deref(t->fd[fd]) == f))
			break;
		reclaim_read_unlock();
		file_put(f);
		reclaim_read_lock();
	}
	reclaim_read_unlock();
	return f;
}

static __always_inline struct fdref fdget_any(int fd)
{
	struct files *files = current->files;
	struct fdref r = { NULL, false };

	if (likely(ref_read(&files->refs) == 1)) {
		struct fdtable *t = files->table;

		if (likely((u32)fd < t->max))
			r.file = t->fd[fd];
		return r;
	}
	r.file = get_shared(files, (u32)fd);
	r.put = r.file != NULL;
	return r;
}

struct fdref fdget_raw(int fd)
{
	return fdget_any(fd);
}

struct fdref fdget(int fd)
{
	struct fdref r = fdget_any(fd);

	if (likely(r.file && !(r.file->mode & FMODE_PATH)))
		return r;
	if (r.file)
		fdput(r);
	return (struct fdref){ NULL, false };
}

/*
 * The position needs its lock when another task could use the same file at
 * the same time: then it or the table has a second reference.
 */
struct fdref fdget_pos(int fd)
{
	struct fdref r = fdget(fd);

	if (r.file && (r.file->mode & FMODE_ATOMIC) &&
	    (r.put || ref_read(&r.file->refs) > 1)) {
		if (!r.put) {
			file_get(r.file);
			r.put = true;
		}
		mutex_lock(&r.file->pos_lock);
	}
	return r;
}

void fdput_pos(struct fdref r)
{
	if (r.put && (r.file->mode & FMODE_ATOMIC))
		mutex_unlock(&r.file->pos_lock);
	fdput(r);
}

struct file *file_from_fd(int fd)
{
	struct fdref r = fdget(fd);

	if (r.file && !r.put)
		file_get(r.file);
	return r.file;
}

struct file *task_file_get(struct task *t, u32 fd)
{
	unsigned long flags = spin_lock_irqsave(&t->wake_lock);
	struct file *f = NULL;

	if (t->files) {
		struct fdtable *table = t->files->table;

		if (fd < table->max)
			f = reclaim_deref(table->fd[fd]);
		if (f && !ref_get_unless_zero(&f->refs))
			f = NULL;
	}
	spin_unlock_irqrestore(&t->wake_lock, flags);
	return f;
}

s32 task_next_fd(struct task *t, u32 fd, struct file **out, bool *cloexec)
{
	unsigned long flags = spin_lock_irqsave(&t->wake_lock);
	s32 found = -1;

	if (t->files) {
		struct fdtable *table = reclaim_deref(t->files->table);

		for (; fd < table->max; fd++) {
			struct file *f = reclaim_deref(table->fd[fd]);

			if (!f || (out && !ref_get_unless_zero(&f->refs)))
				continue;
			if (out)
				*out = f;
			if (cloexec)
				*cloexec = bitmap_test(table->cloexec, fd);
			found = (s32)fd;
			break;
		}
	}
	spin_unlock_irqrestore(&t->wake_lock, flags);
	return found;
}

/* Slots of t's table, 0 past its exit: FDSize of /proc/PID/status. */
u32 task_fd_table_size(struct task *t)
{
	unsigned long flags = spin_lock_irqsave(&t->wake_lock);
	u32 max = 0;

	if (t->files)
		max = reclaim_deref(t->files->table)->max;
	spin_unlock_irqrestore(&t->wake_lock, flags);
	return max;
}

/* ---- Making and closing descriptors ---------------------------------- */

int fd_reserve(u32 start, u32 flags)
{
	struct files *files = current->files;
	u64 limit = rlimit_cur(current, RLIMIT_NOFILE);
	struct fdtable *t;
	u32 fd;
	int ret;

	for (;;) {
		spin_lock(&files->lock);
		t = files->table;
		fd = max(start, files->next);
		if (fd < t->max)
			fd = (u32)bitmap_find_next_zero(t->used, t->max, fd);
		if (fd >= limit) {
			spin_unlock(&files->lock);
			return -EMFILE;
		}
		if (likely(fd < t->max))
			break;
		spin_unlock(&files->lock);
		ret = files_grow(files, fd);
		if (ret)
			return ret;
	}
	bitmap_set(t->used, fd);
	bitmap_assign(t->cloexec, fd, flags & O_CLOEXEC);
	if (start <= files->next)
		files->next = fd + 1;
	spin_unlock(&files->lock);
	return (int)fd;
}

void fd_install(int fd, struct file *file)
{
	struct files *files = current->files;

	spin_lock(&files->lock);
	reclaim_assign(files->table->fd[fd], file);
	spin_unlock(&files->lock);
}

static void free_slot_locked(struct files *files, u32 fd)
{
	bitmap_clear(files->table->used, fd);
	if (fd < files->next)
		files->next = fd;
}

void fd_release(int fd)
{
	struct files *files = current->files;

	spin_lock(&files->lock);
	free_slot_locked(files, (u32)fd);
	spin_unlock(&files->lock);
}

/* Take the file out of its slot; NULL: there was none. */
static struct file *fd_take(struct files *files, u32 fd)
{
	struct file *f = NULL;

	spin_lock(&files->lock);
	if (fd < files->table->max)
		f = files->table->fd[fd];
	if (f) {
		reclaim_assign(files->table->fd[fd], NULL);
		free_slot_locked(files, fd);
	}
	spin_unlock(&files->lock);
	return f;
}

static int close_file(struct file *f, const void *owner)
{
	int ret = 0;

	if (f->ops && f->ops->flush && !(f->mode & FMODE_PATH))
		ret = f->ops->flush(f);
	if (unlikely(f->inode->locks != NULL))
		locks_remove_posix(f, owner);
	file_put(f);
	return ret;
}

int fd_close(int fd)
{
	struct file *f = fd_take(current->files, (u32)fd);

	return f ? close_file(f, current->files) : -EBADF;
}

/* ---- Whole tables ---------------------------------------------------- */

struct files *files_copy(struct files *old)
{
	struct files *files = files_new();
	struct fdtable *t, *from;
	u32 n;

	if (!files)
		return ERR_PTR(-ENOMEM);
	if (!old)
		return files;
	for (;;) {
		u32 last;

		spin_lock(&old->lock);
		from = old->table;
		last = (u32)bitmap_find_last(from->used, from->max);
		n = last >= from->max ? 0 : ALIGN_UP(last + 1, 64);
		if (n <= files->table->max)
			break;
		spin_unlock(&old->lock);
		if (files_grow(files, n - 1)) {
			files_put(files);
			return ERR_PTR(-ENOMEM);
		}
	}
	t = files->table;
	table_copy(t, from, n);
	for (u32 fd = 0; fd < n; fd++) {
		if (t->fd[fd])
			file_get(t->fd[fd]);
		else
			bitmap_clear(t->used, fd);
	}
	spin_unlock(&old->lock);
	return files;
}

static void files_free(struct reclaim_node *node)
{
	kmem_cache_free(files_cache,
			container_of(node, struct files, reclaim));
}

void files_put(struct files *files)
{
	struct fdtable *t;

	if (!ref_put(&files->refs))
		return;
	t = files->table;
	for (size_t fd = bitmap_find_first(t->used, t->max); fd < t->max;
	     fd = bitmap_find_next(t->used, t->max, fd + 1)) {
		struct file *f = t->fd[fd];

		if (f) {
			reclaim_assign(t->fd[fd], NULL);
			close_file(f, files);
		}
	}
	if (t != &files->first)
		reclaim_after(&t->reclaim, table_free);
	reclaim_after(&files->reclaim, files_free);
}

void files_get(struct files *files)
{
	ref_get(&files->refs);
}

void files_exec(struct files *files)
{
	struct fdtable *t = files->table;

	for (size_t fd = bitmap_find_first(t->cloexec, t->max); fd < t->max;
	     fd = bitmap_find_next(t->cloexec, t->max, fd + 1)) {
		struct file *f;

		bitmap_clear(t->cloexec, fd);
		f = fd_take(files, (u32)fd);
		if (f)
			close_file(f, files);
	}
}

int files_unshare(void)
{
	struct files *old = current->files, *fresh;
	unsigned long flags;

	if (ref_read(&old->refs) == 1)
		return 0;
	fresh = files_copy(old);
	if (IS_ERR(fresh))
		return (int)PTR_ERR(fresh);
	flags = spin_lock_irqsave(&current->wake_lock);
	current->files = fresh;
	spin_unlock_irqrestore(&current->wake_lock, flags);
	files_put(old);
	return 0;
}

/* ---- For fdcalls.c ---------------------------------------------------- */

int fd_get_cloexec(u32 fd)
{
	struct files *files = current->files;
	int ret;

	spin_lock(&files->lock);
	ret = bitmap_test(files->table->cloexec, fd);
	spin_unlock(&files->lock);
	return ret;
}

void fd_set_cloexec(u32 fd, bool on)
{
	struct files *files = current->files;

	spin_lock(&files->lock);
	if (fd < files->table->max && files->table->fd[fd])
		bitmap_assign(files->table->cloexec, fd, on);
	spin_unlock(&files->lock);
}

/* Put f (reference consumed) at fd, closing what was there. */
int fd_replace(u32 fd, struct file *f, bool cloexec)
{
	struct files *files = current->files;
	struct fdtable *t;
	struct file *old;
	int ret = files_grow(files, fd);

	if (ret) {
		file_put(f);
		return ret == -EMFILE ? -EBADF : ret;
	}
	spin_lock(&files->lock);
	t = files->table;
	old = t->fd[fd];
	if (!old && bitmap_test(t->used, fd)) {
		spin_unlock(&files->lock);
		file_put(f);
		return -EBUSY;
	}
	reclaim_assign(t->fd[fd], f);
	bitmap_set(t->used, fd);
	bitmap_assign(t->cloexec, fd, cloexec);
	spin_unlock(&files->lock);
	if (old)
		close_file(old, files);
	return (int)fd;
}

/* The last descriptor number in use, or -1. */
s64 fd_last_used(void)
{
	struct files *files = current->files;
	size_t last;

	spin_lock(&files->lock);
	last = bitmap_find_last(files->table->used, files->table->max);
	if (last >= files->table->max)
		last = (size_t)-1;
	spin_unlock(&files->lock);
	return (s64)last;
}
