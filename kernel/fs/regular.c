/* SPDX-License-Identifier: MIT */
/*
 * Regular files whose data is the page cache: read, write, mmap, fallocate.
 *
 * Reads take no lock; a write holds inode->lock, which makes it one step
 * towards other writes and truncation, and copies from user memory below it
 * (the page cache copes with a source that faults on the same file).
 */
#include "internal.h"

#include <kernel/mm.h>
#include <kernel/pagecache.h>
#include <linux/inotify.h>
#include <linux/resource.h>

#define FILE_SIZE_MAX ((u64)S64_MAX)

static ssize_t regular_read(struct file *f, struct uio *to, u64 *pos)
{
	ssize_t ret;

	if (unlikely(!to->left))
		return 0;
	ret = page_cache_read(&f->inode->cache, to, *pos);
	if (ret > 0)
		*pos += (u64)ret;
	file_accessed(f);
	return ret;
}

/* How far a write at pos may go: cuts from->left, or an errno. */
static int limit_write(struct inode *inode, struct uio *from, u64 pos)
{
	u64 limit = rlimit_cur(current, RLIMIT_FSIZE);

	if (unlikely(limit != ~0ull)) {
		if (pos >= limit) {
			signal_send_task(current, SIGXFSZ, NULL);
			return -EFBIG;
		}
		from->left = min_t(u64, from->left, limit - pos);
	}
	if (pos >= FILE_SIZE_MAX)
		return -EFBIG;
	from->left = min_t(u64, from->left, FILE_SIZE_MAX - pos);
	if (likely(!inode->seals))
		return 0;
	if (inode->seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE))
		return -EPERM;
	if ((inode->seals & F_SEAL_GROW) && pos + from->left > inode->size)
		return -EPERM;
	return 0;
}

static ssize_t regular_write(struct file *f, struct uio *from, u64 *pos)
{
	struct inode *inode = f->inode;
	ssize_t ret;
	u64 at;

	if (unlikely(!from->left))
		return 0;
	mutex_lock(&inode->lock);
	at = f->flags & O_APPEND ? inode->size : *pos;
	ret = limit_write(inode, from, at);
	if (ret == 0) {
		inode_strip_suid(inode);
		ret = page_cache_write(&inode->cache, from, at);
	}
	if (ret > 0) {
		*pos = at + (u64)ret;
		inode_touch(inode, true);
	}
	mutex_unlock(&inode->lock);
	return ret;
}

static int regular_mmap(struct file *f, struct vma *vma)
{
	u32 seals = f->inode->seals;

	if ((seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)) &&
	    (vma->flags & VM_SHARED)) {
		if (vma->flags & VM_WRITE)
			return -EPERM;
		vma->flags &= ~VM_MAYWRITE;
	}
	file_accessed(f);
	vma->ops = &page_cache_vm_ops;
	return 0;
}

static int regular_fsync(struct file *f)
{
	return 0;
}

/* Pages for the whole range; what was made stays when memory runs out. */
static s64 allocate(struct inode *inode, u64 off, u64 len)
{
	u64 last = (off + len - 1) >> PAGE_SHIFT;

	for (u64 i = off >> PAGE_SHIFT; i <= last; i++) {
		struct page *page = page_cache_get(&inode->cache, i);

		if (IS_ERR(page))
			return PTR_ERR(page);
		page_put(page);
		if (signal_pending(current))
			return -EINTR;
	}
	return 0;
}

static s64 regular_fallocate(struct file *f, int mode, u64 off, u64 len)
{
	struct inode *inode = f->inode;
	u64 limit = rlimit_cur(current, RLIMIT_FSIZE);
	s64 ret = 0;

	if (mode & ~(FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE))
		return -EOPNOTSUPP;
	mutex_lock(&inode->lock);
	if (mode & FALLOC_FL_PUNCH_HOLE) {
		if (inode->seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE))
			ret = -EPERM;
		else
			page_cache_punch(&inode->cache, off, off + len);
	} else {
		bool grows = off + len > inode->size &&
			     !(mode & FALLOC_FL_KEEP_SIZE);

		if (off + len > inode->size && (inode->seals & F_SEAL_GROW))
			ret = -EPERM;
		else if (grows && off + len > limit)
			ret = -EFBIG;
		else
			ret = allocate(inode, off, len);
		if (ret == 0 && grows)
			store_relaxed(&inode->size, off + len);
	}
	if (ret == 0)
		inode_touch(inode, true);
	mutex_unlock(&inode->lock);
	return ret;
}

const struct file_ops regular_ops = {
	.read = regular_read,
	.write = regular_write,
	.llseek = generic_llseek,
	.mmap = regular_mmap,
	.fsync = regular_fsync,
	.fallocate = regular_fallocate,
};
