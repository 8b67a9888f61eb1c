/* SPDX-License-Identifier: MIT */
/*
 * Page-table entries, as data.  Both architectures use 4 KiB pages and four
 * levels of 512 entries; kernel/mm/pgtable.c walks them, so an architecture
 * only encodes and decodes entries.  <arch/impl/mmu.h> supplies
 *
 *   struct arch_mm              ASID or PCID and whatever the switch needs
 *   ARCH_USER_END               first address above user space (1 << 48 on
 *                               arm64, (1 << 47) - 4096 on x86_64)
 *   ARCH_UNTAG(addr)            the address without its ignored tag byte
 *   ARCH_LINEAR_BASE, ARCH_VMAP_BASE, ARCH_VMAP_END, ARCH_KIMAGE_BASE
 *   ARCH_PT_LEVELS (4), ARCH_PT_SHIFT(level) (level 0 is the top: 39, 30, 21,
 *                               12), ARCH_PT_ENTRIES (512)
 * the limits of the address space and the entries' codec, listed below.
 *
 * A PROT_NONE or otherwise inaccessible page that is still mapped stays
 * "present" to the generic code: PTE_USER with none of R, W, X.
 */
#ifndef SONDE_ARCH_MMU_H
#define SONDE_ARCH_MMU_H

#include <lib/types.h>

/*
 * What encodes and decodes an entry:
 *
 *   u64  arch_pte_make(pa, prot)        leaf page; prot is PTE_* below
 *   u64  arch_pte_table(pa)             pointer to a lower table
 *   bool arch_pte_present(pte), arch_pte_is_table(pte, level)
 *   u64  arch_pte_pa(pte)
 *   u32  arch_pte_prot(pte)             back to PTE_* bits
 *   u64  arch_pte_set_prot(pte, prot)   same frame, other protection
 *   bool arch_pte_dirty(pte), arch_pte_young(pte)
 *   u64  arch_pte_mkyoung(pte), arch_pte_mkold(pte), arch_pte_mkclean(pte)
 *   void arch_pte_store(u64 *slot, u64 pte)   publish: store plus the barrier
 *                               that makes it visible to the walker
 *   u64  arch_pte_xchg(u64 *slot, u64 pte)    atomic against hardware updates
 *   void *arch_phys_to_virt(u64 pa), u64 arch_virt_to_phys(const void *)
 *                               linear map and kernel image
 */

#define PTE_READ    (1u << 0)
#define PTE_WRITE   (1u << 1)
#define PTE_EXEC    (1u << 2)
#define PTE_USER    (1u << 3)
#define PTE_GLOBAL  (1u << 4)
#define PTE_DEVICE  (1u << 5)	/* uncached, strongly ordered */
#define PTE_SPECIAL (1u << 6)	/* no struct page behind: vdso, zero page */
#define PTE_DIRTY   (1u << 7)	/* make it dirty at once (write fault) */

struct mm;

#include <arch/impl/mmu.h>

/* Prepare and release the per-space hardware state (ASID).  Task context. */
int arch_mm_init(struct mm *mm);
void arch_mm_destroy(struct mm *mm);

/* Scheduler, interrupts masked: make next's tables live (NULL: kernel only). */
void arch_mm_switch(struct mm *prev, struct mm *next);

/*
 * The kernel's own translation: map or unmap [va, va+size) in the kernel half
 * (vmap area, MMIO).  Intermediate tables of the whole vmap area are
 * preallocated, so every address space sees the change.  0 or -ENOMEM.  The
 * unmap flushes the TLB of every CPU.  Task context.
 */
int arch_kernel_map(u64 va, u64 pa, size_t size, u32 prot);
void arch_kernel_unmap(u64 va, size_t size);

#endif /* SONDE_ARCH_MMU_H */
