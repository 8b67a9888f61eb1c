// SPDX-License-Identifier: MIT
/*
 * A copy of an address space for fork: the same mappings, private memory
 * shared copy-on-write.
 *
 * Entry points: mm_fork, copy_range.  The parent's mmap_lock is held
 * exclusively; the child is visible to nobody, except through the mapping
 * lists of files, which is why its entries change under its pte_lock and a
 * mapping is put on such a list only when it is complete.  Entries of mappings
 * without private copies are not taken over: the child's first access maps
 * them, with their neighbours.
 */
#include <arch/barrier.h>
#include <arch/tlb.h>
#include <kernel/mm.h>
#include <kernel/mm_file.h>
#include <kernel/probe_hooks.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "internal.h"
#include "pgtable.h"
#include "vma.h"

/* Write protection of entries, remembering the last attributes seen. */
struct protect_memo {
	u64 seen, made;
};

static inline u64 write_protected(struct protect_memo *memo, u64 pte)
{
	u64 pa = arch_pte_pa(pte);
	u64 attrs = pte ^ pa;

	if (attrs != memo->seen) {
		u32 prot = arch_pte_prot(pte) & ~(PTE_WRITE | PTE_DIRTY);

		memo->seen = attrs;
		memo->made = arch_pte_set_prot(pte, prot) ^ pa;
	}
	return memo->made | pa;
}

/* [both pte_locks or child unseen] One last-level table's part of a range. */
static void copy_table(struct mm *to, u64 *from_slot, u64 *to_slot, u32 nr,
		       bool *changed)
{
	struct protect_memo memo = { ~0ull, 0 };
	s32 used = virt_to_page(from_slot)->mapcount;
	s64 rss[3] = { 0 };
	s32 filled = 0;

	for (u32 i = 0; i < nr && used; i++) {
		u64 pte = READ_ONCE(from_slot[i]);
		struct page *page;

		if (!pte)
			continue;
		used--;
		page = pte_page(pte);
		if (pte_writable(pte)) {
			/* Dirty is not lost: private pages always are. */
			pte = write_protected(&memo, pte);
			WRITE_ONCE(from_slot[i], pte);
			*changed = true;
		}
		if (page) {
			fetch_add_relaxed(&page->refs, 1u);
			fetch_add_relaxed(&page->mapcount, 1);
			rss[page_rss_kind(page)]++;
		}
		WRITE_ONCE(to_slot[i], pte);
		filled++;
	}
	virt_to_page(to_slot)->mapcount += filled;
	for (int i = 0; i < 3; i++) {
		if (rss[i])
			mm_rss_add(to, i, rss[i]);
	}
}

int copy_range(struct mm *to, struct mm *from, struct vma *vma, bool *changed)
{
	u64 va = vma->start;

	while (va < vma->end) {
		u64 *from_slot = pgtable_next(from, &va, vma->end);
		u64 *to_slot;
		u64 stop;

		if (!from_slot)
			break;
		to_slot = pgtable_walk_alloc(to, va);
		if (!to_slot)
			return -ENOMEM;
		stop = min(vma->end,
			   ALIGN_DOWN(va, PT_TABLE_SPAN) + PT_TABLE_SPAN);
		spin_lock(&from->pte_lock);
		copy_table(to, from_slot, to_slot,
			   (u32)((stop - va) >> PAGE_SHIFT), changed);
		spin_unlock(&from->pte_lock);
		va = stop;
	}
	return 0;
}

static int fork_vma(struct mm *to, struct mm *from, struct vma *old,
		    bool *changed)
{
	struct vma *vma;
	u64 pages = vma_pages(old);
	int err;

	if (old->flags & VM_ACCOUNT) {
		err = vm_charge(pages);
		if (err)
			return err;
	}
	vma = vma_dup(old);
	if (!vma) {
		if (old->flags & VM_ACCOUNT)
			vm_uncharge(pages);
		return -ENOMEM;
	}
	vma->mm = to;
	vma->flags &= ~(VM_LOCKED | VM_LOCKONFAULT);
	/* From here on the child's teardown undoes everything. */
	if (vma->ops && vma->ops->open)
		vma->ops->open(vma);
	vma_insert(to, vma);
	mm_stat_add(to, vma->flags, (s64)pages);
	if (vma->flags & VM_WIPEONFORK) {
		vma->has_anon = false;
		return 0;
	}
	if (vma->flags & VM_SHARED || !READ_ONCE(old->has_anon))
		return 0;
	return copy_range(to, from, old, changed);
}

struct mm *mm_fork(struct mm *old)
{
	bool changed = false;
	struct vma *vma;
	struct mm *mm;
	int err = 0;

	uprobe_fork_begin();
	if (rwsem_write_lock_killable(&old->mmap_lock)) {
		uprobe_fork_end();
		return ERR_PTR(-EINTR);
	}
	mm = mm_clone_empty(old);
	if (!mm) {
		rwsem_write_unlock(&old->mmap_lock);
		uprobe_fork_end();
		return ERR_PTR(-ENOMEM);
	}
	for (vma = vma_first(old); vma && !err; vma = vma_next(vma)) {
		if (!(vma->flags & VM_DONTCOPY))
			err = fork_vma(mm, old, vma, &changed);
	}
	/*
	 * The parent must not write to shared pages any more, and table walks
	 * of another CPU must see the child's entries before it runs there.
	 */
	if (changed)
		arch_tlb_flush_mm(old);
	arch_wmb();
	rwsem_write_unlock(&old->mmap_lock);
	uprobe_fork_end();
	if (err) {
		mm_put(mm);
		return ERR_PTR(err);
	}
	return mm;
}
