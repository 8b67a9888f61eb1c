// SPDX-License-Identifier: MIT
/*
 * What memory management asks of a file: the bodies behind <kernel/mm_file.h>.
 *
 * All are called by kernel/mm in task context.  mm_file_mmap runs with the
 * mmap lock held exclusively, mm_file_identify and mm_file_path with it held
 * in any way; none takes a lock of lower rank than that one.
 */
#include <kernel/cred.h>
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/mm.h>
#include <kernel/mm_file.h>
#include <kernel/pseudo.h>
#include <lib/err.h>

u32 mm_file_traits(const struct file *f)
{
	u32 traits = 0;

	if (f->mode & FMODE_READ)
		traits |= MM_FILE_READ;
	if (f->mode & FMODE_WRITE)
		traits |= MM_FILE_WRITE;
	if (f->ops->mmap)
		traits |= MM_FILE_CAN_MMAP;
	if (path_noexec(&f->path))
		traits |= MM_FILE_NOEXEC;
	if (S_ISREG(f->inode->mode))
		traits |= MM_FILE_REGULAR;
	return traits;
}

int mm_file_mmap(struct file *f, struct vma *vma)
{
	return f->ops->mmap ? f->ops->mmap(f, vma) : -ENODEV;
}

struct page_cache *mm_file_cache(const struct file *f)
{
	return &f->inode->cache;
}

/* As Linux: who owns the file, or could write it, may see its residency. */
bool mm_file_may_peek(const struct file *f)
{
	const struct inode *inode = f->inode;

	return current_cred()->fsuid == inode->uid || capable(CAP_FOWNER) ||
	       inode_permission(f->inode, MAY_WRITE) == 0;
}

int mm_file_sync(struct file *f)
{
	return f->ops->fsync ? f->ops->fsync(f) : -EINVAL;
}

void mm_file_identify(const struct file *f, struct mm_file_id *id)
{
	const struct inode *inode = f->inode;
	u32 dev = inode->sb ? inode->sb->dev : 0;

	id->major = MAJOR(dev);
	id->minor = MINOR(dev);
	id->ino = inode->ino;
	id->generation = inode->generation;
}

const char *mm_file_path(const struct file *f, char *buf, size_t size)
{
	char *name = path_name(&f->path, NULL, buf, size);

	return IS_ERR(name) ? "//toolong" : name;
}
