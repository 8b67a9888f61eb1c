// SPDX-License-Identifier: MIT
/*
 * The program break: brk(2).
 *
 * mmap_lock is held exclusively while the heap changes; a locked heap is
 * faulted in after it is dropped.  exec chose where the heap begins.
 */
#include <kernel/mm.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <linux/resource.h>

#include "internal.h"
#include "vma.h"

#define HEAP_FLAGS (VM_READ | VM_WRITE | VM_MAYREAD | VM_MAYWRITE | VM_MAYEXEC)

/* [mmap_lock write] Map [start, end), both page aligned. */
static int add_heap(struct mm *mm, u64 start, u64 end)
{
	u32 flags = HEAP_FLAGS | mm->def_flags;

	if (end > ARCH_USER_END)
		return -ENOMEM;
	if (flags & VM_LOCKED && mm_may_lock(mm, (end - start) >> PAGE_SHIFT))
		return -EAGAIN;
	return mm_map_anon_locked(mm, start, end - start, flags);
}

/* [mmap_lock write] 0: the break is now at brk. */
static int move_brk(struct mm *mm, u64 brk)
{
	u64 limit = rlimit_cur(current, RLIMIT_DATA);
	u64 old = PAGE_ALIGN(mm->brk), new = PAGE_ALIGN(brk);
	struct vma *next;
	int err = 0;

	if (brk < mm->brk_start)
		return -EINVAL;
	if (limit != RLIM64_INFINITY &&
	    brk - mm->brk_start + mm->data_end - mm->data_start > limit)
		return -ENOMEM;
	if (new < brk || new > ARCH_USER_END)
		return -ENOMEM;
	if (new < old) {
		err = mm_unmap_locked(mm, new, old - new);
	} else if (new > old) {
		next = vma_find(mm, old);
		if (next) {
			u64 room = next->start;

			if (next->flags & VM_GROWSDOWN)
				room -= room < STACK_GUARD_GAP
						? room
						: STACK_GUARD_GAP;
			if (new + PAGE_SIZE > room)
				return -ENOMEM;
		}
		err = add_heap(mm, old, new);
	}
	if (!err)
		mm->brk = brk;
	return err;
}

SYSCALL1(brk, u64, brk)
{
	struct mm *mm = current->mm;
	u64 old, now;
	bool locked;

	if (rwsem_write_lock_killable(&mm->mmap_lock))
		return -EINTR;
	old = mm->brk;
	move_brk(mm, brk);
	now = mm->brk;
	locked = mm->def_flags & VM_LOCKED;
	rwsem_write_unlock(&mm->mmap_lock);
	if (locked && now > old)
		mm_populate(mm, PAGE_ALIGN(old), PAGE_ALIGN(now));
	return (long)now;
}
