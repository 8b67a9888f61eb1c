/* SPDX-License-Identifier: MIT */
/*
 * What memory management asks of a file: a facade over kernel/fs, which lies
 * above it (kernel/fs/mm_file.c).  struct file stays opaque here.
 */
#ifndef SONDE_KERNEL_MM_FILE_H
#define SONDE_KERNEL_MM_FILE_H

#include <lib/types.h>

struct file;
struct page_cache;
struct vma;

struct file *file_get(struct file *f);
void file_put(struct file *f);
void file_put_late(struct file *f);	/* while locks are held */
struct file *file_from_fd(int fd);	/* full reference or NULL */

#define MM_FILE_READ	 1u	/* opened for reading */
#define MM_FILE_WRITE	 2u
#define MM_FILE_CAN_MMAP 4u	/* has an mmap operation */
#define MM_FILE_NOEXEC	 8u	/* its mount forbids execution */
#define MM_FILE_REGULAR	 16u
u32 mm_file_traits(const struct file *f);

/* Call the file's mmap operation.  mmap_lock held exclusively. */
int mm_file_mmap(struct file *f, struct vma *vma);
/* The page cache of its inode. */
struct page_cache *mm_file_cache(const struct file *f);
/* May current learn which of its pages are resident (mincore)? */
bool mm_file_may_peek(const struct file *f);
int mm_file_sync(struct file *f);

struct mm_file_id {
	u32 major, minor;
	u64 ino;
	u64 generation;
};
void mm_file_identify(const struct file *f, struct mm_file_id *id);
/* Absolute path, written at the end of buf; a short text on error. */
const char *mm_file_path(const struct file *f, char *buf, size_t size);

#endif /* SONDE_KERNEL_MM_FILE_H */
