// SPDX-License-Identifier: MIT
/*
 * Calls about what is in memory: mincore(2), msync(2), mlock(2) and its
 * family.
 *
 * Nothing is ever swapped or written back here, so locking is a promise kept
 * by faulting pages in, and msync only validates.  mincore copies its answer
 * out with no lock held.
 */
#include <kernel/cred.h>
#include <kernel/mm.h>
#include <kernel/mm_file.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/mman.h>
#include <linux/resource.h>

#include "internal.h"
#include "pgtable.h"
#include "vma.h"

#define VEC_CHUNK 256

/* [mmap_lock read] Residency of the pages from addr on, within one mapping. */
static void residency(struct vma *vma, u64 addr, u32 nr, u8 *vec)
{
	bool peek = !vma->file || mm_file_may_peek(vma->file);

	for (u32 i = 0; i < nr; i++, addr += PAGE_SIZE) {
		u64 *slot = pgtable_walk(vma->mm, addr);
		struct page *page;

		vec[i] = 1;
		if ((slot && READ_ONCE(*slot)) || !peek)
			continue;
		vec[i] = 0;
		if (!vma->cache)
			continue;
		page = page_cache_lookup(vma->cache, vma_pgoff(vma, addr));
		if (page) {
			vec[i] = 1;
			page_put(page);
		}
	}
}

SYSCALL3(mincore, u64, start, size_t, len, u8 __user *, vec)
{
	struct mm *mm = current->mm;
	u8 chunk[VEC_CHUNK];
	u64 left;

	start = ARCH_UNTAG(start);
	if (start & ~PAGE_MASK)
		return -EINVAL;
	if (!access_ok(user_ptr(start), len))
		return -ENOMEM;
	left = ((u64)len + PAGE_SIZE - 1) >> PAGE_SHIFT;
	if (!access_ok(vec, left))
		return -EFAULT;
	while (left) {
		u32 nr = (u32)min_t(u64, left, VEC_CHUNK);
		struct vma *vma;

		rwsem_read_lock(&mm->mmap_lock);
		vma = vma_lookup(mm, start);
		if (vma) {
			nr = (u32)min_t(u64, nr,
					(vma->end - start) >> PAGE_SHIFT);
			residency(vma, start, nr, chunk);
		}
		rwsem_read_unlock(&mm->mmap_lock);
		if (!vma)
			return -ENOMEM;
		if (copy_to_user(vec, chunk, nr))
			return -EFAULT;
		vec += nr;
		start += (u64)nr << PAGE_SHIFT;
		left -= nr;
	}
	return 0;
}

/* [mmap_lock read] Does a mapping cover all of [start, end)? */
static int sync_range(struct mm *mm, u64 start, u64 end, int flags)
{
	struct vma *vma = vma_find(mm, start);
	int ret = 0, err;

	for (; start < end; vma = vma_next(vma)) {
		if (!vma)
			return -ENOMEM;
		if (start < vma->start) {
			ret = -ENOMEM;
			start = vma->start;
			if (start >= end)
				break;
		}
		if (flags & MS_INVALIDATE && vma->flags & VM_LOCKED)
			return -EBUSY;
		start = vma->end;
		/* There is no disk: this only says what cannot be synced. */
		if (flags & MS_SYNC && vma->file && vma->flags & VM_SHARED) {
			err = mm_file_sync(vma->file);
			if (err)
				return err;
		}
	}
	return ret;
}

SYSCALL3(msync, u64, start, size_t, len, int, flags)
{
	struct mm *mm = current->mm;
	u64 end;
	int ret;

	start = ARCH_UNTAG(start);
	if (flags & ~(MS_ASYNC | MS_INVALIDATE | MS_SYNC) ||
	    start & ~PAGE_MASK ||
	    (flags & (MS_ASYNC | MS_SYNC)) == (MS_ASYNC | MS_SYNC))
		return -EINVAL;
	end = start + PAGE_ALIGN(len);
	if (end < start)
		return -ENOMEM;
	if (end == start)
		return 0;
	rwsem_read_lock(&mm->mmap_lock);
	ret = sync_range(mm, start, end, flags);
	rwsem_read_unlock(&mm->mmap_lock);
	return ret;
}

/* [mmap_lock write] Set or clear the lock flags of one mapping's part. */
static int lock_vma(struct mm *mm, struct vma **vmap, u64 start, u64 end,
		    u32 lock)
{
	struct vma *vma = *vmap;
	u32 flags = (vma->flags & ~(VM_LOCKED | VM_LOCKONFAULT)) | lock;
	u64 pages;
	int err;

	if (flags == vma->flags || vma->flags & VM_SPECIAL)
		return 0;
	err = vma_isolate(mm, start, end, &vma);
	if (err)
		return err == -ENOMEM ? -EAGAIN : err;
	pages = vma_pages(vma);
	if (lock && !(vma->flags & VM_LOCKED))
		mm->locked_pages += pages;
	else if (!lock && vma->flags & VM_LOCKED)
		mm->locked_pages -= pages;
	vma->flags = flags;
	*vmap = vma_merge(vma);
	return 0;
}

/* [mmap_lock write] */
static int lock_range(struct mm *mm, u64 start, u64 end, u32 lock)
{
	struct vma *vma = vma_lookup(mm, start);

	while (start < end) {
		u64 stop;
		int err;

		if (!vma || vma->start > start)
			return -ENOMEM;
		stop = min(end, vma->end);
		err = lock_vma(mm, &vma, start, stop, lock);
		if (err)
			return err;
		start = stop;
		vma = vma_find(mm, start);
	}
	return 0;
}

/* [mmap_lock read or write] Pages of [start, end) that are locked already. */
static u64 locked_within(struct mm *mm, u64 start, u64 end)
{
	struct vma *vma;
	u64 pages = 0;

	for (vma = vma_find(mm, start); vma && vma->start < end;
	     vma = vma_next(vma)) {
		if (vma->flags & VM_LOCKED)
			pages += min(end, vma->end) - max(start, vma->start);
	}
	return pages >> PAGE_SHIFT;
}

static int lock_pages(u64 start, size_t len, u32 lock)
{
	struct mm *mm = current->mm;
	u64 limit = rlimit_cur(current, RLIMIT_MEMLOCK);
	u64 want, end;
	int err;

	start = ARCH_UNTAG(start);
	if (!limit && !capable(CAP_IPC_LOCK))
		return -EPERM;
	len = PAGE_ALIGN(len + (start & ~PAGE_MASK));
	start &= PAGE_MASK;
	want = len >> PAGE_SHIFT;
	if (rwsem_write_lock_killable(&mm->mmap_lock))
		return -EINTR;
	end = start + len;
	err = -ENOMEM;
	if (limit != RLIM64_INFINITY && !capable(CAP_IPC_LOCK)) {
		u64 now = mm->locked_pages + want;

		if (now > limit >> PAGE_SHIFT)
			now -= locked_within(mm, start, end);
		if (now > limit >> PAGE_SHIFT)
			goto unlock;
	}
	err = end < start ? -EINVAL : lock_range(mm, start, end, lock);
unlock:
	rwsem_write_unlock(&mm->mmap_lock);
	if (err || lock & VM_LOCKONFAULT)
		return err;
	err = mm_populate(mm, start, end);
	return err == -EFAULT ? -ENOMEM : err == -ENOMEM ? -EAGAIN : err;
}

SYSCALL2(mlock, u64, start, size_t, len)
{
	return lock_pages(start, len, VM_LOCKED);
}

SYSCALL3(mlock2, u64, start, size_t, len, int, flags)
{
	if (flags & ~MLOCK_ONFAULT)
		return -EINVAL;
	return lock_pages(start, len,
			  flags ? VM_LOCKED | VM_LOCKONFAULT : VM_LOCKED);
}

SYSCALL2(munlock, u64, start, size_t, len)
{
	struct mm *mm = current->mm;
	int err;

	start = ARCH_UNTAG(start);
	len = PAGE_ALIGN(len + (start & ~PAGE_MASK));
	start &= PAGE_MASK;
	if (start + len < start)
		return -EINVAL;
	if (rwsem_write_lock_killable(&mm->mmap_lock))
		return -EINTR;
	err = lock_range(mm, start, start + len, 0);
	rwsem_write_unlock(&mm->mmap_lock);
	return err;
}

/* [mmap_lock write] Every mapping there is. */
static void lock_all(struct mm *mm, u32 lock)
{
	struct vma *vma;

	for (vma = vma_first(mm); vma; vma = vma_next(vma))
		lock_vma(mm, &vma, vma->start, vma->end, lock);
}

SYSCALL1(mlockall, int, flags)
{
	struct mm *mm = current->mm;
	u64 limit = rlimit_cur(current, RLIMIT_MEMLOCK);
	bool free_hand = capable(CAP_IPC_LOCK);
	u32 lock = VM_LOCKED;

	if (!flags || flags & ~(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) ||
	    flags == MCL_ONFAULT)
		return -EINVAL;
	if (!limit && !free_hand)
		return -EPERM;
	if (flags & MCL_ONFAULT)
		lock |= VM_LOCKONFAULT;
	if (rwsem_write_lock_killable(&mm->mmap_lock))
		return -EINTR;
	if (flags & MCL_CURRENT && !free_hand && limit != RLIM64_INFINITY &&
	    mm->total_pages > limit >> PAGE_SHIFT) {
		rwsem_write_unlock(&mm->mmap_lock);
		return -ENOMEM;
	}
	mm->def_flags = flags & MCL_FUTURE ? lock : 0;
	if (flags & MCL_CURRENT)
		lock_all(mm, lock);
	rwsem_write_unlock(&mm->mmap_lock);
	if (flags & MCL_CURRENT && !(flags & MCL_ONFAULT))
		mm_populate(mm, 0, ARCH_USER_END);
	return 0;
}

SYSCALL0(munlockall)
{
	struct mm *mm = current->mm;

	if (rwsem_write_lock_killable(&mm->mmap_lock))
		return -EINTR;
	mm->def_flags = 0;
	lock_all(mm, 0);
	rwsem_write_unlock(&mm->mmap_lock);
	return 0;
}
