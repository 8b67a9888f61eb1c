// SPDX-License-Identifier: MIT
/*
 * Making mappings: mmap(2) and the kernel's own.
 *
 * Entry points: mm_map and the system call, mm_map_special,
 * mm_map_anon_locked, mm_pick_area, mm_unmapped_area.  The checks come in the
 * order in which Linux answers them.  mmap_lock is held exclusively while the
 * set of mappings changes; MAP_POPULATE faults pages in after it is dropped.
 */
#include <kernel/cred.h>
#include <kernel/mm.h>
#include <kernel/mm_file.h>
#include <kernel/probe_hooks.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <linux/mman.h>

#include "internal.h"
#include "vma.h"

/* What mmap(2) was asked for, checked step by step. */
struct map_request {
	struct file *file;
	u64 addr, len, pgoff;
	u32 prot, flags;
	u32 vm_flags;
};

#define MAP_LEGACY                                                             \
	(MAP_SHARED | MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS |                \
	 MAP_DENYWRITE | MAP_EXECUTABLE | MAP_UNINITIALIZED | MAP_GROWSDOWN |  \
	 MAP_LOCKED | MAP_NORESERVE | MAP_POPULATE | MAP_NONBLOCK |            \
	 MAP_STACK | MAP_HUGETLB | ((u32)MAP_HUGE_MASK << MAP_HUGE_SHIFT) |    \
	 MAP_FIXED_NOREPLACE)

#define READ_IMPLIES_EXEC 0x0400000u

static u32 prot_to_vm(u32 prot)
{
	return prot & (PROT_READ | PROT_WRITE | PROT_EXEC);
}

/* Prefer the space below mmap_base, then any. */
u64 mm_unmapped_area(struct mm *mm, u64 len)
{
	u64 low = mm_min_addr();
	u64 addr = vma_gap_down(mm, len, low, mm->mmap_base);

	if (!addr)
		addr = vma_gap_up(mm, len, mm->mmap_base, ARCH_USER_END);
	return addr ? addr : (u64)-ENOMEM;
}

long mm_pick_area(struct mm *mm, u64 addr, u64 len, u32 flags)
{
	if (len > ARCH_USER_END)
		return -ENOMEM;
	if (flags & MAP_FIXED) {
		if (addr > ARCH_USER_END - len)
			return -ENOMEM;
		if (addr & ~PAGE_MASK)
			return -EINVAL;
	} else {
		struct vma *next;

		addr = PAGE_ALIGN(addr);
		if (addr && addr >= mm_min_addr() &&
		    addr <= ARCH_USER_END - len) {
			u64 room;

			next = vma_find(mm, addr);
			room = next ? next->start : ARCH_USER_END;
			if (next && next->flags & VM_GROWSDOWN)
				room -= room < STACK_GUARD_GAP
						? room
						: STACK_GUARD_GAP;
			if (addr + len <= room)
				return (long)addr;
		}
		return (long)mm_unmapped_area(mm, len);
	}
	if (addr < mm_min_addr() && !capable(CAP_SYS_RAWIO))
		return -EPERM;
	return (long)addr;
}

static int check_file(struct map_request *r)
{
	u32 traits = mm_file_traits(r->file);

	/* Bytes that no file position reaches. */
	if (traits & MM_FILE_REGULAR &&
	    r->pgoff > ((u64)S64_MAX - r->len) >> PAGE_SHIFT)
		return -EOVERFLOW;
	switch (r->flags & MAP_TYPE) {
	case MAP_SHARED_VALIDATE:
		if (r->flags & ~(MAP_LEGACY | MAP_TYPE))
			return -EOPNOTSUPP;
		fallthrough;
	case MAP_SHARED:
		if (r->prot & PROT_WRITE && !(traits & MM_FILE_WRITE))
			return -EACCES;
		r->vm_flags |= VM_SHARED;
		if (!(traits & MM_FILE_WRITE))
			r->vm_flags &= ~VM_MAYWRITE;
		break;
	case MAP_PRIVATE:
		break;
	default:
		return -EINVAL;
	}
	if (!(traits & MM_FILE_READ))
		return -EACCES;
	if (traits & MM_FILE_NOEXEC) {
		if (r->prot & PROT_EXEC)
			return -EPERM;
		r->vm_flags &= ~VM_MAYEXEC;
	}
	if (!(traits & MM_FILE_CAN_MMAP))
		return -ENODEV;
	if (r->vm_flags & VM_GROWSDOWN)
		return -EINVAL;
	return 0;
}

static int check_anon(struct map_request *r)
{
	switch (r->flags & MAP_TYPE) {
	case MAP_SHARED:
		if (r->vm_flags & VM_GROWSDOWN)
			return -EINVAL;
		r->pgoff = 0;
		r->vm_flags |= VM_SHARED;
		return 0;
	case MAP_PRIVATE:
		r->pgoff = r->addr >> PAGE_SHIFT;
		return 0;
	default:
		return -EINVAL;
	}
}

/* [mmap_lock write] Everything that can be said before anything changes. */
static int check_request(struct mm *mm, struct map_request *r)
{
	u64 pages = r->len >> PAGE_SHIFT;
	long addr;
	int err;

	if (r->pgoff + pages < r->pgoff)
		return -EOVERFLOW;
	if (mm->nr_vmas > (u32)READ_ONCE(sysctl_max_map_count))
		return -ENOMEM;
	addr = mm_pick_area(mm, r->addr, r->len, r->flags);
	if (addr < 0)
		return (int)addr;
	r->addr = (u64)addr;
	if (r->flags & MAP_FIXED_NOREPLACE &&
	    vma_any(mm, r->addr, r->addr + r->len))
		return -EEXIST;
	r->vm_flags = prot_to_vm(r->prot) | mm->def_flags | VM_MAYREAD |
		      VM_MAYWRITE | VM_MAYEXEC;
	if (r->flags & MAP_GROWSDOWN)
		r->vm_flags |= VM_GROWSDOWN;
	if (r->flags & MAP_LOCKED) {
		if (mm_may_lock(mm, 0) == -EPERM)
			return -EPERM;
		r->vm_flags |= VM_LOCKED;
	}
	if (r->vm_flags & VM_LOCKED && mm_may_lock(mm, pages))
		return -EAGAIN;
	err = r->file ? check_file(r) : check_anon(r);
	if (err)
		return err;
	if (r->flags & MAP_NORESERVE &&
	    READ_ONCE(sysctl_overcommit_memory) != OVERCOMMIT_NEVER)
		r->vm_flags |= VM_NORESERVE;
	return 0;
}

/* Let the owner of the pages set the mapping up. */
static int attach_source(struct map_request *r, struct vma *vma)
{
	int err;

	if (r->file) {
		vma->file = file_get(r->file);
		err = mm_file_mmap(r->file, vma);
		if (err)
			return err;
		if (vma->ops == &page_cache_vm_ops)
			vma->cache = mm_file_cache(r->file);
		return 0;
	}
	return vma->flags & VM_SHARED ? mm_make_shared_anon(vma) : 0;
}

/* [mmap_lock write] Old mappings out, the new one in. */
static long install(struct mm *mm, struct map_request *r)
{
	u64 pages = r->len >> PAGE_SHIFT;
	struct vma *vma;
	bool charged;
	int err;

	if (!mm_may_expand(mm, r->vm_flags, pages))
		return -ENOMEM;
	vma = vma_new(mm, r->addr, r->addr + r->len, r->vm_flags);
	if (!vma)
		return -ENOMEM;
	if (r->flags & MAP_FIXED) {
		err = mm_unmap_locked(mm, r->addr, r->len);
		if (err)
			goto free_vma;
	}
	/* Shared anonymous memory is committed as well, whoever writes it. */
	charged = vm_accountable(r->vm_flags) ||
		  (!r->file && r->vm_flags & VM_SHARED &&
		   !(r->vm_flags & VM_NORESERVE));
	if (charged) {
		err = vm_charge(pages);
		if (err)
			goto free_vma;
		vma->flags |= VM_ACCOUNT;
	}
	vma->pgoff = r->pgoff;
	err = attach_source(r, vma);
	if (err)
		goto uncharge;
	vma_insert(mm, vma);
	mm_stat_add(mm, vma->flags, (s64)pages);
	vma_announce(vma_merge(vma));
	return (long)r->addr;
uncharge:
	if (charged)
		vm_uncharge(pages);
free_vma:
	vma_free(vma);
	return err;
}

static long do_map(struct file *file, u64 addr, u64 len, u32 prot, u32 flags,
		   u64 pgoff)
{
	struct map_request r = {
		.file = file,
		.addr = addr,
		.pgoff = pgoff,
		.prot = prot,
		.flags = flags,
	};
	struct mm *mm = current->mm;
	bool populate;
	long ret;

	if (!len)
		return -EINVAL;
	if (prot & PROT_READ && current->personality & READ_IMPLIES_EXEC &&
	    !(file && mm_file_traits(file) & MM_FILE_NOEXEC))
		r.prot |= PROT_EXEC;
	if (flags & MAP_FIXED_NOREPLACE)
		r.flags |= MAP_FIXED;
	if (!(r.flags & MAP_FIXED) && r.addr && r.addr < mm_min_addr())
		r.addr = mm_min_addr();
	r.len = PAGE_ALIGN(len);
	if (!r.len)
		return -ENOMEM;
	if (rwsem_write_lock_killable(&mm->mmap_lock))
		return -EINTR;
	ret = check_request(mm, &r);
	if (!ret)
		ret = install(mm, &r);
	rwsem_write_unlock(&mm->mmap_lock);
	if (IS_ERR_VALUE((unsigned long)ret))
		return ret;
	if (file)
		uprobe_mapped(mm, r.addr, r.len);
	populate = r.vm_flags & VM_LOCKED ||
		   (flags & (MAP_POPULATE | MAP_NONBLOCK)) == MAP_POPULATE;
	if (populate && !(r.vm_flags & VM_LOCKONFAULT))
		mm_populate(mm, r.addr, r.addr + r.len);
	return ret;
}

long mm_map(struct file *file, u64 addr, u64 len, u32 prot, u32 flags,
	    u64 pgoff)
{
	return do_map(file, addr, len, prot, flags, pgoff);
}

/* No huge page was ever reserved: what Linux answers then. */
static long huge_answer(u32 flags)
{
	u32 log = flags >> MAP_HUGE_SHIFT & MAP_HUGE_MASK;

	switch (log) {
	case 0:
	case 16:
	case 21:
	case 25:
	case 30:
		return -ENOMEM;
	default:
		return -EINVAL;
	}
}

SYSCALL6(mmap, u64, addr, size_t, len, u64, prot, u64, flags, s64, fd, u64, off)
{
	struct file *file = NULL;
	long ret;

	if (off & ~PAGE_MASK)
		return -EINVAL;
	if (!(flags & MAP_ANONYMOUS)) {
		file = file_from_fd((int)fd);
		if (!file)
			return -EBADF;
		ret = -EINVAL;
		if (flags & MAP_HUGETLB)
			goto put_file;
	} else if (flags & MAP_HUGETLB) {
		return huge_answer((u32)flags);
	}
	ret = do_map(file, addr, len, (u32)prot, (u32)flags, off >> PAGE_SHIFT);
put_file:
	if (file)
		file_put(file);
	return ret;
}

int mm_map_special(struct mm *mm, u64 addr, u64 len, u32 vm_flags,
		   const struct vm_ops *ops, void *private)
{
	struct vma *vma = vma_new(mm, addr, addr + len, vm_flags | VM_SPECIAL);
	int err = 0;

	if (!vma)
		return -ENOMEM;
	vma->ops = ops;
	vma->private = private;
	vma->pgoff = 0;
	rwsem_write_lock(&mm->mmap_lock);
	if (vma_any(mm, addr, addr + len)) {
		err = -EEXIST;
		vma_free(vma);
	} else {
		vma_insert(mm, vma);
		mm_stat_add(mm, vma->flags, (s64)vma_pages(vma));
		vma_announce(vma);
	}
	rwsem_write_unlock(&mm->mmap_lock);
	return err;
}

/* [mmap_lock write] The range is free.  Charged, counted and merged. */
int mm_map_anon_locked(struct mm *mm, u64 addr, u64 len, u32 flags)
{
	u64 pages = len >> PAGE_SHIFT;
	struct vma *vma;

	if (!mm_may_expand(mm, flags, pages))
		return -ENOMEM;
	if (mm->nr_vmas > (u32)READ_ONCE(sysctl_max_map_count))
		return -ENOMEM;
	if (vm_charge(pages))
		return -ENOMEM;
	vma = vma_new(mm, addr, addr + len, flags | VM_ACCOUNT);
	if (!vma) {
		vm_uncharge(pages);
		return -ENOMEM;
	}
	vma->pgoff = addr >> PAGE_SHIFT;
	vma_insert(mm, vma);
	mm_stat_add(mm, vma->flags, (s64)pages);
	vma_announce(vma_merge(vma));
	return 0;
}
