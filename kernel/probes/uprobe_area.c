// SPDX-License-Identifier: MIT
/*
 * The page of a user space in which copies of probed instructions execute.
 *
 * Slot 0 is the return trampoline: a breakpoint.  A slot holds an instruction
 * and the breakpoint that says it is done; what is in there depends on the
 * instruction alone, so all threads and all places with the same one share
 * it.  A slot is refilled when nobody is in it.  User code may execute the
 * page and nothing else; it is written through the linear map.
 */
#include <arch/cache.h>
#include <kernel/lock.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/probe_hooks.h>
#include <kernel/task.h>
#include <lib/atomic.h>
#include <lib/err.h>

#include "uprobe_internal.h"

#define SLOT_BYTES 8
#define SLOTS	   (PAGE_SIZE / SLOT_BYTES)
#define TRIES	   4

struct uprobe_area {
	u64 addr;		/* [I] */
	struct page *page;	/* [I] owned */
	struct spinlock lock;	/* LOCK_RANK_UPROBE_AREA */
	u16 in[SLOTS];		/* [lock] threads that are in a slot */
	u32 *code;		/* [lock] the page */
};

static int area_fault(struct vma *vma, struct vm_fault *vmf)
{
	struct uprobe_area *area = vma->private;

	if (vmf->pgoff)
		return VM_FAULT_SIGBUS;
	page_get(area->page);
	vmf->page = area->page;
	return VM_FAULT_OK;
}

static int area_stays(struct vma *vma)
{
	return -EINVAL;
}

static const char *area_name(struct vma *vma)
{
	return "[uprobes]";
}

static const struct vm_ops area_ops = {
	.fault = area_fault,
	.mremap = area_stays,
	.name = area_name,
};

static void area_free(struct uprobe_area *area)
{
	if (!area)
		return;
	if (area->page)
		page_put(area->page);
	kfree(area);
}

static struct uprobe_area *area_alloc(void)
{
	struct uprobe_area *area = kzalloc(sizeof(*area), GFP_KERNEL);

	if (!area)
		return NULL;
	spin_init(&area->lock, LOCK_RANK_UPROBE_AREA);
	area->page = page_alloc(0, GFP_KERNEL | GFP_ZERO);
	if (!area->page) {
		kfree(area);
		return NULL;
	}
	area->code = page_address(area->page);
	area->code[0] = ARCH_UPROBE_BREAK;
	area->in[0] = 1;	/* for ever */
	arch_icache_sync(area->code, SLOT_BYTES);
	return area;
}

static int area_map(struct mm *mm, struct uprobe_area *area)
{
	return mm_map_special(mm, area->addr, PAGE_SIZE,
			      VM_EXEC | VM_MAYEXEC | VM_DONTCOPY |
				      VM_DONTEXPAND | VM_DONTDUMP,
			      &area_ops, area);
}

/* Somebody else's mapping may come between; a second thread may be first. */
static int area_place(struct mm *mm, struct uprobe_area *area)
{
	int i, err = -ENOMEM;

	for (i = 0; i < TRIES; i++) {
		rwsem_read_lock(&mm->mmap_lock);
		area->addr = mm_unmapped_area(mm, PAGE_SIZE);
		rwsem_read_unlock(&mm->mmap_lock);
		if (IS_ERR_VALUE((unsigned long)area->addr))
			return -ENOMEM;
		err = area_map(mm, area);
		if (err != -EEXIST)
			break;
	}
	return err;
}

u64 uprobe_area_of(const struct mm *mm)
{
	const struct uprobe_area *area = load_acquire(&mm->uprobes);

	return area ? area->addr : 0;
}

u64 uprobe_area_get(void)
{
	struct uprobe_area *area, *none = NULL;
	struct mm *mm = current->mm;
	u64 addr = uprobe_area_of(mm);

	if (addr)
		return addr;
	area = area_alloc();
	if (!area)
		return 0;
	if (area_place(mm, area)) {
		area_free(area);
		return uprobe_area_of(mm);
	}
	if (try_cmpxchg_acq_rel(&mm->uprobes, &none, area))
		return area->addr;
	mm_unmap(mm, area->addr, PAGE_SIZE);
	area_free(area);
	return uprobe_area_of(mm);
}

int uprobe_area_copy(struct mm *to, const struct mm *from)
{
	struct uprobe_area *area;
	int err;

	if (!from->uprobes)
		return 0;
	area = area_alloc();
	if (!area)
		return -ENOMEM;
	area->addr = from->uprobes->addr;
	err = area_map(to, area);
	if (err) {
		area_free(area);
		return err == -EEXIST ? 0 : err;
	}
	to->uprobes = area;
	return 0;
}

void uprobe_mm_free(struct mm *mm)
{
	area_free(mm->uprobes);
	mm->uprobes = NULL;
}

/* [area->lock] The slot with insn, or one to be filled; SLOTS: none. */
static u32 choose_slot(struct uprobe_area *area, u32 insn)
{
	u32 i, empty = SLOTS;

	for (i = 1; i < SLOTS; i++) {
		if (area->code[2 * i] == insn && area->code[2 * i + 1])
			return i;
		if (!area->code[2 * i + 1])
			return i;
		if (!area->in[i] && empty == SLOTS)
			empty = i;
	}
	return empty;
}

static void fill_slot(struct uprobe_area *area, u32 n, u32 insn)
{
	u32 *code = &area->code[2 * n];

	if (code[1] && code[0] == insn)
		return;
	code[0] = insn;
	code[1] = ARCH_UPROBE_STEPPED;
	arch_icache_sync(code, SLOT_BYTES);
}

u64 uprobe_slot_get(u32 insn)
{
	struct uprobe_area *area;
	unsigned long flags;
	u64 slot = 0;
	u32 n;

	if (!uprobe_area_get())
		return 0;
	area = current->mm->uprobes;
	/* A timer's signal takes locks below this one. */
	flags = spin_lock_irqsave(&area->lock);
	n = choose_slot(area, insn);
	if (n < SLOTS && area->in[n] != U16_MAX) {
		fill_slot(area, n, insn);
		area->in[n]++;
		slot = area->addr + n * SLOT_BYTES;
	}
	spin_unlock_irqrestore(&area->lock, flags);
	return slot;
}

void uprobe_slot_put(struct mm *mm, u64 slot)
{
	struct uprobe_area *area = mm->uprobes;
	unsigned long flags = spin_lock_irqsave(&area->lock);

	area->in[(slot - area->addr) / SLOT_BYTES]--;
	spin_unlock_irqrestore(&area->lock, flags);
}
