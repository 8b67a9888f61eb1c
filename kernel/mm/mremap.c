// SPDX-License-Identifier: MIT
/*
 * mremap(2): shrink, grow in place, or move page-table entries to another
 * address.
 *
 * mmap_lock is held exclusively throughout; while entries of a file mapping
 * move, its imap_lock too, so that truncation finds each page in the old or
 * the new place.  The checks come in Linux's order.
 */
#include <arch/tlb.h>
#include <kernel/mm.h>
#include <kernel/probe_hooks.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <linux/mman.h>

#include "internal.h"
#include "pgtable.h"
#include "vma.h"

struct remap {
	struct mm *mm;
	u64 addr, old_len, new_len, new_addr;
	u32 flags;
	u64 populate_from; /* out: what a locked mapping gained */
};

/* [pte_lock] One entry changes its place; the frame and rights stay. */
static void move_entry(u64 *from, u64 *to)
{
	u64 pte = arch_pte_xchg(from, 0);

	virt_to_page(from)->mapcount--;
	pgtable_fill(to, pte);
}

/*
 * Entries of [from, from+len) go to `to`.  The TLB is flushed once at the end:
 * until then old and new address reach the same frames, which stay.
 */
static int move_entries(struct mm *mm, u64 from, u64 to, u64 len)
{
	u64 end = from + len, delta = to - from, va = from;
	int err = 0;

	while (va < end) {
		u64 *slot = pgtable_next(mm, &va, end);
		u64 *target;

		if (!slot)
			break;
		if (!READ_ONCE(*slot)) {
			va += PAGE_SIZE;
			continue;
		}
		target = pgtable_walk_alloc(mm, va + delta);
		if (!target) {
			err = -ENOMEM;
			break;
		}
		spin_lock(&mm->pte_lock);
		if (*slot)
			move_entry(slot, target);
		spin_unlock(&mm->pte_lock);
		va += PAGE_SIZE;
	}
	arch_tlb_flush_range(mm, from, end);
	return err;
}

/* Undo half a move: everything goes back where it was. */
static int move_all(struct vma *vma, u64 from, u64 to, u64 len)
{
	struct page_cache *cache = vma->cache;
	int err;

	if (cache)
		mutex_lock(&cache->imap_lock);
	err = move_entries(vma->mm, from, to, len);
	if (err)
		move_entries(vma->mm, to, from, len);
	if (cache)
		mutex_unlock(&cache->imap_lock);
	return err;
}

/* The old place stays mapped, but empty (MREMAP_DONTUNMAP). */
static void leave_empty(struct mm *mm, struct vma *old)
{
	if (old->flags & VM_LOCKED)
		mm->locked_pages -= vma_pages(old);
	old->flags &= ~(VM_LOCKED | VM_LOCKONFAULT);
	old->has_anon = false;
}

/* Make the mapping at its new place and bring the pages there. */
static long move_vma(struct remap *r, struct vma *vma)
{
	struct mm *mm = r->mm;
	u64 pages = r->new_len >> PAGE_SHIFT;
	bool charged = vma->flags & VM_ACCOUNT;
	struct vma *fresh;
	int err;

	if (mm->nr_vmas + 3 >= (u32)READ_ONCE(sysctl_max_map_count))
		return -ENOMEM;
	if (charged && vm_charge(pages))
		return -ENOMEM;
	fresh = vma_dup(vma);
	if (!fresh) {
		if (charged)
			vm_uncharge(pages);
		return -ENOMEM;
	}
	fresh->start = r->new_addr;
	fresh->end = r->new_addr + r->new_len;
	fresh->pgoff = vma_is_anon(vma) ? r->new_addr >> PAGE_SHIFT
					: vma_pgoff(vma, r->addr);
	if (fresh->ops && fresh->ops->open)
		fresh->ops->open(fresh);
	vma_insert(mm, fresh);
	mm_stat_add(mm, fresh->flags, (s64)pages);
	err = move_all(vma, r->addr, r->new_addr, min(r->old_len, r->new_len));
	if (!err && fresh->ops && fresh->ops->mremap)
		err = fresh->ops->mremap(fresh);
	if (err) {
		move_all(vma, r->new_addr, r->addr,
			 min(r->old_len, r->new_len));
		mm_unmap_locked(mm, r->new_addr, r->new_len);
		return err;
	}
	if (fresh->flags & VM_LOCKED)
		r->populate_from = r->new_addr + r->old_len;
	vma_merge(fresh);
	if (!r->old_len)
		return (long)r->new_addr;
	if (r->flags & MREMAP_DONTUNMAP) {
		vma = vma_lookup(mm, r->addr);
		if (vma)
			leave_empty(mm, vma);
		return (long)r->new_addr;
	}
	/* Splitting may lack memory: the old range then stays, empty. */
	mm_unmap_locked(mm, r->addr, r->old_len);
	return (long)r->new_addr;
}

/* May the mapping at addr become new_len long?  The mapping or ERR_PTR. */
static struct vma *check_resize(struct remap *r)
{
	struct mm *mm = r->mm;
	struct vma *vma = vma_lookup(mm, r->addr);
	u64 grow, pgoff;

	if (!vma)
		return ERR_PTR(-EFAULT);
	if (!r->old_len && !(vma->flags & VM_SHARED))
		return ERR_PTR(-EINVAL);
	if (r->flags & MREMAP_DONTUNMAP &&
	    vma->flags & (VM_DONTEXPAND | VM_SPECIAL))
		return ERR_PTR(-EINVAL);
	if (r->old_len > vma->end - r->addr)
		return ERR_PTR(-EFAULT);
	if (r->new_len == r->old_len)
		return vma;
	pgoff = vma_pgoff(vma, r->addr);
	if (pgoff + (r->new_len >> PAGE_SHIFT) < pgoff)
		return ERR_PTR(-EINVAL);
	if (vma->flags & (VM_DONTEXPAND | VM_SPECIAL))
		return ERR_PTR(-EFAULT);
	grow = (r->new_len - r->old_len) >> PAGE_SHIFT;
	if (vma->flags & VM_LOCKED && mm_may_lock(mm, grow))
		return ERR_PTR(-EAGAIN);
	if (!mm_may_expand(mm, vma->flags, grow))
		return ERR_PTR(-ENOMEM);
	return vma;
}

/* MREMAP_FIXED, or MREMAP_DONTUNMAP with a place of the kernel's choice. */
static long remap_to(struct remap *r)
{
	struct mm *mm = r->mm;
	struct vma *vma;
	long addr;
	int err;

	if (r->new_addr & ~PAGE_MASK || r->new_len > ARCH_USER_END ||
	    r->new_addr > ARCH_USER_END - r->new_len)
		return -EINVAL;
	if (r->addr + r->old_len > r->new_addr &&
	    r->new_addr + r->new_len > r->addr)
		return -EINVAL;
	if (mm->nr_vmas + 2 >= (u32)READ_ONCE(sysctl_max_map_count) - 3)
		return -ENOMEM;
	if (r->flags & MREMAP_FIXED) {
		if (r->new_addr < mm_min_addr()) {
			addr = mm_pick_area(mm, r->new_addr, r->new_len,
					    MAP_FIXED);
			if (addr < 0)
				return addr;
		}
		err = mm_unmap_locked(mm, r->new_addr, r->new_len);
		if (err)
			return err;
	}
	if (r->old_len > r->new_len) {
		err = mm_unmap_locked(mm, r->addr + r->new_len,
				      r->old_len - r->new_len);
		if (err)
			return err;
		r->old_len = r->new_len;
	}
	vma = check_resize(r);
	if (IS_ERR(vma))
		return PTR_ERR(vma);
	addr = mm_pick_area(mm, r->new_addr, r->new_len,
			    r->flags & MREMAP_FIXED ? MAP_FIXED : 0);
	if (addr < 0)
		return addr;
	r->new_addr = (u64)addr;
	return move_vma(r, vma);
}

static bool can_grow_here(struct remap *r, struct vma *vma)
{
	u64 end = r->addr + r->new_len;
	struct vma *next = vma_next(vma);

	if (r->addr + r->old_len != vma->end || end < r->addr ||
	    end > ARCH_USER_END)
		return false;
	if (next) {
		u64 room = next->start;

		if (next->flags & VM_GROWSDOWN)
			room -= min_t(u64, room, STACK_GUARD_GAP);
		if (end > room)
			return false;
	}
	return !(vma->ops && vma->ops->mremap);
}

static long resize(struct remap *r)
{
	struct mm *mm = r->mm;
	struct vma *vma;
	u64 grow;
	long addr;

	if (r->old_len >= r->new_len) {
		int err = 0;

		if (r->old_len > r->new_len)
			err = mm_unmap_locked(mm, r->addr + r->new_len,
					      r->old_len - r->new_len);
		return err ? err : (long)r->addr;
	}
	vma = check_resize(r);
	if (IS_ERR(vma))
		return PTR_ERR(vma);
	grow = (r->new_len - r->old_len) >> PAGE_SHIFT;
	if (can_grow_here(r, vma)) {
		if (vma->flags & VM_ACCOUNT && vm_charge(grow))
			return -ENOMEM;
		vma_set_range(vma, vma->start, r->addr + r->new_len,
			      vma->pgoff);
		mm_stat_add(mm, vma->flags, (s64)grow);
		if (vma->flags & VM_LOCKED)
			r->populate_from = r->addr + r->old_len;
		r->new_addr = r->addr;
		vma_merge(vma);
		return (long)r->addr;
	}
	if (!(r->flags & MREMAP_MAYMOVE))
		return -ENOMEM;
	addr = mm_pick_area(mm, 0, r->new_len, 0);
	if (addr < 0)
		return addr;
	r->new_addr = (u64)addr;
	return move_vma(r, vma);
}

SYSCALL5(mremap, u64, addr, size_t, old_len, size_t, new_len, u64, flags, u64,
	 new_addr)
{
	struct remap r = {
		.mm = current->mm,
		.addr = ARCH_UNTAG(addr),
		.old_len = PAGE_ALIGN(old_len),
		.new_len = PAGE_ALIGN(new_len),
		.new_addr = new_addr,
		.flags = (u32)flags,
	};
	long ret = -EFAULT;

	if (flags & ~(u64)(MREMAP_FIXED | MREMAP_MAYMOVE | MREMAP_DONTUNMAP))
		return -EINVAL;
	if (flags & MREMAP_FIXED && !(flags & MREMAP_MAYMOVE))
		return -EINVAL;
	if (flags & MREMAP_DONTUNMAP &&
	    (!(flags & MREMAP_MAYMOVE) || old_len != new_len))
		return -EINVAL;
	if (r.addr & ~PAGE_MASK || !r.new_len)
		return -EINVAL;
	if (rwsem_write_lock_killable(&r.mm->mmap_lock))
		return -EINTR;
	if (vma_lookup(r.mm, r.addr)) {
		if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP))
			ret = remap_to(&r);
		else
			ret = resize(&r);
	}
	rwsem_write_unlock(&r.mm->mmap_lock);
	if (r.new_len > r.old_len && !IS_ERR_VALUE((unsigned long)ret))
		uprobe_mapped(r.mm, (u64)ret, r.new_len);
	if (r.populate_from && !IS_ERR_VALUE((unsigned long)ret))
		mm_populate(r.mm, r.populate_from, (u64)ret + r.new_len);
	return ret;
}
