/* SPDX-License-Identifier: MIT */
/*
 * Files for the host test of kernel/mm: nothing but a page cache, and a uio
 * over kernel buffers.
 */
#ifndef SONDE_UNIT_MM_FAKE_FILES_H
#define SONDE_UNIT_MM_FAKE_FILES_H

#include "mm_fakes.h"

/* Kernel buffers only. */
void uio_kernel(struct uio *u, void *buf, size_t len)
{
	memset(u, 0, sizeof(*u));
	u->one.base = buf;
	u->left = len;
}
size_t uio_get(struct uio *u, void *to, size_t n)
{
	memcpy(to, (char *)u->one.base + u->skip, n);
	u->skip += n;
	u->left -= n;
	return n;
}
size_t uio_put(struct uio *u, const void *from, size_t n)
{
	memcpy((char *)u->one.base + u->skip, from, n);
	u->skip += n;
	u->left -= n;
	return n;
}
size_t uio_zero(struct uio *u, size_t n)
{
	memset((char *)u->one.base + u->skip, 0, n);
	u->skip += n;
	u->left -= n;
	return n;
}
void uio_revert(struct uio *u, size_t n)
{
	u->skip -= n;
	u->left += n;
}
int uio_import(struct uio *u, const struct iovec *iov, u64 nr,
	       struct iovec *fast, u32 nr_fast, struct iovec **heap)
{
	return -EFAULT;
}

/* A file is its page cache. */
struct file {
	int refs;
	u64 size;
	struct page_cache cache;
};
struct file *file_get(struct file *f)
{
	f->refs++;
	return f;
}
void file_put(struct file *f)
{
	CHECK(f->refs-- > 0);
}
void file_put_late(struct file *f)
{
	file_put(f);
}
struct file *file_from_fd(int fd)
{
	return NULL;
}
u32 mm_file_traits(const struct file *f)
{
	return MM_FILE_READ | MM_FILE_WRITE | MM_FILE_CAN_MMAP;
}
int mm_file_mmap(struct file *f, struct vma *vma)
{
	vma->ops = &page_cache_vm_ops;
	return 0;
}
struct page_cache *mm_file_cache(const struct file *f)
{
	return (struct page_cache *)&f->cache;
}
int mm_file_sync(struct file *f)
{
	return 0;
}

bool mm_file_may_peek(const struct file *f)
{
	return true;
}
void mm_file_identify(const struct file *f, struct mm_file_id *id)
{
	memset(id, 0, sizeof(*id));
}
const char *mm_file_path(const struct file *f, char *buf, size_t size)
{
	return "file";
}

#endif /* SONDE_UNIT_MM_FAKE_FILES_H */
