/* SPDX-License-Identifier: MIT */
/*
 * One page fault on its way through fault.c (dispatch), anon.c (private
 * memory, copy on write) and object.c (pages of files and drivers).
 * mmap_lock is held shared throughout.
 */
#ifndef SONDE_MM_FAULT_H
#define SONDE_MM_FAULT_H

#include <kernel/mm.h>
#include <lib/types.h>

struct fault {
	struct vma *vma;
	u64 addr;  /* page aligned */
	u64 *slot; /* last-level entry */
	u64 pte;   /* what it held when looked at without the lock */
	bool write;
	bool force; /* write to a private mapping that forbids it */
};

int fault_serve(struct fault *f);
int fault_anon(struct fault *f);   /* nothing mapped, no object */
int fault_object(struct fault *f); /* nothing mapped, ask the object */
int fault_write(struct fault *f);  /* mapped, not writable */

struct page;
/* Map a filled page that is this mapping's own copy in place of old. */
int fault_install_copy(struct fault *f, struct page *page);
/* Instruction fetch must see the page's content before it is mapped so. */
void fault_sync_icache(struct page *page, u32 prot);

struct vma *fault_find_vma(struct mm *mm, u64 addr);
int vma_populate(struct vma *vma, u64 start, u64 end, bool write);

#endif /* SONDE_MM_FAULT_H */
