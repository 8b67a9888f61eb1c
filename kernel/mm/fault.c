// SPDX-License-Identifier: MIT
/*
 * Page faults: from the exception to the signal, and the dispatch between.
 *
 * Entry points: mm_fault (called by the architecture), mm_handle_fault (for a
 * caller that holds mmap_lock shared), mm_populate.  mmap_lock is held shared
 * for a fault; a stack that must grow takes it exclusively first.  Page-table
 * entries change under pte_lock and are looked at again under it, because
 * another thread may have served the same fault.
 *
 * A fault taken by the kernel itself on a user address is served the same
 * way; when it cannot be, the exception table decides, and failing that it is
 * a bug of the kernel.
 */
#include <arch/regs.h>
#include <arch/uaccess.h>
#include <kernel/mm.h>
#include <kernel/panic.h>
#include <kernel/perf_event.h>
#include <kernel/probe_hooks.h>
#include <kernel/sched.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <linux/perf_event.h>
#include <linux/resource.h>
#include <linux/signal.h>

#include "fault.h"
#include "internal.h"
#include "pgtable.h"
#include "vma.h"

/* Nothing was missing: the entry only has to say that it is used. */
static int touch(struct fault *f)
{
	struct mm *mm = f->vma->mm;
	u64 pte;

	spin_lock(&mm->pte_lock);
	pte = READ_ONCE(*f->slot);
	if (pte == f->pte) {
		u32 prot = arch_pte_prot(pte);

		if (f->write)
			prot |= PTE_DIRTY;
		arch_pte_store(f->slot,
			       arch_pte_mkyoung(arch_pte_set_prot(pte, prot)));
	}
	spin_unlock(&mm->pte_lock);
	/* A stale entry of the TLB may be what faulted. */
	arch_tlb_flush_page(mm, f->addr);
	return VM_FAULT_OK;
}

int fault_serve(struct fault *f)
{
	struct vma *vma = f->vma;

	f->slot = pgtable_walk_alloc(vma->mm, f->addr);
	if (unlikely(!f->slot))
		return VM_FAULT_OOM;
	f->pte = READ_ONCE(*f->slot);
	if (!f->pte) {
		if (vma_is_anon(vma))
			return fault_anon(f);
		return fault_object(f);
	}
	if (f->write && !pte_writable(f->pte))
		return fault_write(f);
	return touch(f);
}

int mm_handle_fault(struct mm *mm, struct vma *vma, u64 addr, bool write)
{
	struct fault f = {
		.vma = vma,
		.addr = PAGE_DOWN(addr),
		.write = write,
	};
	int ret;

	do {
		ret = fault_serve(&f);
	} while (ret == VM_FAULT_RETRY);
	return ret;
}

/* [mmap_lock write] Let a stack reach down to addr.  0 or a negative errno. */
static int grow_down(struct mm *mm, struct vma *vma, u64 addr)
{
	struct vma *below = vma_prev(vma);
	u64 grow, limit;

	addr = PAGE_DOWN(addr);
	if (vma->start <= addr)
		return 0;
	if (addr < mm_min_addr())
		return -EPERM;
	if (below && !(below->flags & VM_GROWSDOWN) &&
	    below->flags & (VM_READ | VM_WRITE | VM_EXEC) &&
	    addr - below->end < STACK_GUARD_GAP)
		return -ENOMEM;
	if (below && below->end > addr)
		return -ENOMEM;
	grow = (vma->start - addr) >> PAGE_SHIFT;
	limit = rlimit_cur(current, RLIMIT_STACK);
	if (vma->end - addr > limit || grow > vma->pgoff)
		return -ENOMEM;
	if (!mm_may_expand(mm, vma->flags, grow))
		return -ENOMEM;
	if (vma->flags & VM_LOCKED && mm_may_lock(mm, grow))
		return -ENOMEM;
	if (vma->flags & VM_ACCOUNT && vm_charge(grow))
		return -ENOMEM;
	vma_set_range(vma, addr, vma->end, vma->pgoff - grow);
	mm_stat_add(mm, vma->flags, (s64)grow);
	return 0;
}

/* The slow way to a stack's mapping; mmap_lock is held shared on success. */
static noinline struct vma *find_and_grow(struct mm *mm, u64 addr)
{
	struct vma *vma;

	rwsem_read_unlock(&mm->mmap_lock);
	rwsem_write_lock(&mm->mmap_lock);
	vma = vma_find(mm, addr);
	if (vma && vma->start > addr &&
	    (!(vma->flags & VM_GROWSDOWN) || grow_down(mm, vma, addr)))
		vma = NULL;
	rwsem_downgrade(&mm->mmap_lock);
	return vma;
}

/* mmap_lock held shared; it may be dropped and taken again. */
struct vma *fault_find_vma(struct mm *mm, u64 addr)
{
	struct vma *vma = vma_find(mm, addr);

	if (likely(vma && vma->start <= addr))
		return vma;
	if (vma && vma->flags & VM_GROWSDOWN)
		return find_and_grow(mm, addr);
	return NULL;
}

static bool access_allowed(const struct vma *vma, u32 flags)
{
	if (flags & FAULT_EXEC)
		return vma->flags & VM_EXEC;
	if (flags & FAULT_WRITE)
		return vma->flags & VM_WRITE;
	return vma->flags & (VM_READ | VM_WRITE | VM_EXEC);
}

static __cold void kernel_oops(struct pt_regs *regs, u64 addr, u32 flags)
{
	panic_regs(regs,
		   "Unable to handle kernel %s at virtual address %016llx",
		   addr < PAGE_SIZE	 ? "NULL pointer dereference"
		   : flags & FAULT_WRITE ? "write"
					 : "paging request",
		   addr);
}

/* The fault cannot be served: tell whoever caused it. */
static noinline void fault_failed(struct pt_regs *regs, u64 addr, u32 flags,
				  int answer, int code)
{
	if (!(flags & FAULT_USER)) {
		if (!arch_fixup_exception(regs))
			kernel_oops(regs, addr, flags);
		return;
	}
	if (answer != VM_FAULT_OOM)
		uprobe_abort_step(regs);
	switch (answer) {
	case VM_FAULT_OOM:
		/* A victim dies on the way out, anybody else tries again. */
		if (!oom_is_victim())
			oom_kill();
		break;
	case VM_FAULT_SIGBUS:
		signal_force(SIGBUS, BUS_ADRERR, addr);
		break;
	default:
		signal_force(SIGSEGV, code, addr);
		break;
	}
}

static inline void count_fault(struct pt_regs *regs, u64 addr, bool major)
{
	struct task *t = current;

	if (unlikely(major)) {
		t->maj_flt++;
		perf_sw_event(PERF_COUNT_SW_PAGE_FAULTS_MAJ, 1, regs, addr);
	} else {
		t->min_flt++;
		perf_sw_event(PERF_COUNT_SW_PAGE_FAULTS_MIN, 1, regs, addr);
	}
}

/* May this context sleep for a user page at all? */
static bool can_serve(struct pt_regs *regs, struct mm *mm, u64 addr)
{
	if (addr >= ARCH_USER_END || !mm || current->faults_disabled)
		return false;
	return !current->ti.preempt_count && !regs_irqs_disabled(regs);
}

void mm_fault(struct pt_regs *regs, u64 addr, u32 flags)
{
	struct mm *mm = current->mm;
	struct fault f = { .write = flags & FAULT_WRITE };
	int answer = VM_FAULT_SIGSEGV, code = SEGV_MAPERR;

	if (flags & FAULT_USER || addr < ARCH_USER_END)
		addr = ARCH_UNTAG(addr);
	if (unlikely(!can_serve(regs, mm, addr))) {
		fault_failed(regs, addr, flags, answer, code);
		return;
	}
	perf_sw_event(PERF_COUNT_SW_PAGE_FAULTS, 1, regs, addr);
	rwsem_read_lock(&mm->mmap_lock);
	f.vma = fault_find_vma(mm, addr);
	if (unlikely(!f.vma))
		goto failed;
	if (unlikely(!access_allowed(f.vma, flags))) {
		code = SEGV_ACCERR;
		goto failed;
	}
	f.addr = PAGE_DOWN(addr);
	do {
		answer = fault_serve(&f);
	} while (unlikely(answer == VM_FAULT_RETRY));
	if (unlikely(answer > VM_FAULT_MAJOR)) {
		code = SEGV_ACCERR;
		goto failed;
	}
	rwsem_read_unlock(&mm->mmap_lock);
	count_fault(regs, addr, answer == VM_FAULT_MAJOR);
	return;
failed:
	rwsem_read_unlock(&mm->mmap_lock);
	fault_failed(regs, addr, flags, answer, code);
}

/* Fault one mapping's part in.  mmap_lock held shared. */
int vma_populate(struct vma *vma, u64 start, u64 end, bool write)
{
	for (u64 va = start; va < end; va += PAGE_SIZE) {
		u64 *slot = pgtable_walk(vma->mm, va);
		u64 pte = slot ? READ_ONCE(*slot) : 0;
		int answer;

		if (pte && (!write || pte_writable(pte)))
			continue;
		if (fatal_signal_pending(current))
			return -EINTR;
		answer = mm_handle_fault(vma->mm, vma, va, write);
		if (answer == VM_FAULT_OOM)
			return -ENOMEM;
		if (answer > VM_FAULT_MAJOR)
			return -EFAULT;
	}
	return 0;
}

int mm_populate(struct mm *mm, u64 start, u64 end)
{
	int err = 0;

	rwsem_read_lock(&mm->mmap_lock);
	while (start < end && !err) {
		struct vma *vma = vma_find(mm, start);
		u64 stop;

		if (!vma || vma->start >= end)
			break;
		start = start < vma->start ? vma->start : start;
		stop = end < vma->end ? end : vma->end;
		if (vma->flags & (VM_READ | VM_WRITE | VM_EXEC) &&
		    !(vma->flags & VM_SPECIAL))
			err = vma_populate(
				vma, start, stop,
				(vma->flags & (VM_WRITE | VM_SHARED)) ==
					VM_WRITE);
		start = stop;
	}
	rwsem_read_unlock(&mm->mmap_lock);
	return err;
}
