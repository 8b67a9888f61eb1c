/* SPDX-License-Identifier: MIT */
/*
 * Page-table entries of x86_64 (four levels); contract in <arch/mmu.h>.
 *
 * The hardware sets the accessed and dirty bits, so a writable entry may be
 * clean at once.  An entry nobody may access is not present and has
 * X86_PTE_NONE set.  Bits 9 to 11 are software's.  Memory is mapped linearly
 * at ARCH_LINEAR_BASE, the image in the last 2 GiB.
 */
#ifndef SONDE_X86_MMU_H
#define SONDE_X86_MMU_H

#include <arch/mmu.h>
#include <lib/bits.h>
#include <lib/compiler.h>
#include <lib/types.h>

#define ARCH_USER_END ((1ull << 47) - 4096)

/* No address tags. */
#define ARCH_UNTAG(addr) ((u64)(addr))

#define ARCH_LINEAR_BASE 0xffff888000000000ull
#define ARCH_VMAP_BASE	 0xffffc90000000000ull
#define ARCH_VMAP_END	 0xffffc98000000000ull
#define ARCH_KIMAGE_BASE 0xffffffff80000000ull

#define ARCH_PT_LEVELS	     4
#define ARCH_PT_SHIFT(level) (39 - 9 * (level))
#define ARCH_PT_ENTRIES	     512

#define X86_PTE_PRESENT	 BIT(0)
#define X86_PTE_WRITE	 BIT(1)
#define X86_PTE_USER	 BIT(2)
#define X86_PTE_PWT	 BIT(3)
#define X86_PTE_PCD	 BIT(4)
#define X86_PTE_ACCESSED BIT(5)
#define X86_PTE_DIRTY	 BIT(6)
#define X86_PTE_LARGE	 BIT(7)	/* above the last level */
#define X86_PTE_GLOBAL	 BIT(8)
#define X86_PTE_SPECIAL	 BIT(9)
#define X86_PTE_NONE	 BIT(10)
#define X86_PTE_NX	 BIT(63)
#define X86_PTE_ADDR	 GENMASK(51, 12)

struct arch_mm {
	u64 pcid;	/* [a] generation above the PCID bits */
	u64 cpus;	/* [a] CPUs whose TLB may hold it */
};

extern u64 x86_kimage_offset;	/* [I] image address - physical address */

static inline u64 arch_pte_make(u64 pa, u32 prot)
{
	u64 pte = (pa & X86_PTE_ADDR) | X86_PTE_PRESENT | X86_PTE_ACCESSED;

	if (prot & PTE_WRITE)
		pte |= X86_PTE_WRITE;
	if (prot & PTE_DIRTY)
		pte |= X86_PTE_DIRTY;
	if (!(prot & PTE_EXEC))
		pte |= X86_PTE_NX;
	if (prot & PTE_USER)
		pte |= X86_PTE_USER;
	if (prot & PTE_GLOBAL)
		pte |= X86_PTE_GLOBAL;
	if (prot & PTE_DEVICE)
		pte |= X86_PTE_PCD | X86_PTE_PWT;
	if (prot & PTE_SPECIAL)
		pte |= X86_PTE_SPECIAL;
	if ((prot & PTE_USER) && !(prot & (PTE_READ | PTE_WRITE | PTE_EXEC)))
		pte = (pte & ~X86_PTE_PRESENT) | X86_PTE_NONE;
	return pte;
}

static inline u64 arch_pte_table(u64 pa)
{
	return (pa & X86_PTE_ADDR) | X86_PTE_PRESENT | X86_PTE_WRITE |
	       X86_PTE_USER;
}

static inline bool arch_pte_present(u64 pte)
{
	return pte & (X86_PTE_PRESENT | X86_PTE_NONE);
}

static inline bool arch_pte_is_table(u64 pte, int level)
{
	return level < ARCH_PT_LEVELS - 1 && (pte & X86_PTE_PRESENT) &&
	       !(pte & X86_PTE_LARGE);
}

static inline u64 arch_pte_pa(u64 pte)
{
	return pte & X86_PTE_ADDR;
}

static inline bool arch_pte_dirty(u64 pte)
{
	return pte & X86_PTE_DIRTY;
}

static inline bool arch_pte_young(u64 pte)
{
	return pte & X86_PTE_ACCESSED;
}

static inline u64 arch_pte_mkyoung(u64 pte)
{
	return pte | X86_PTE_ACCESSED;
}

static inline u64 arch_pte_mkold(u64 pte)
{
	return pte & ~X86_PTE_ACCESSED;
}

static inline u64 arch_pte_mkclean(u64 pte)
{
	return pte & ~X86_PTE_DIRTY;
}

static inline u32 arch_pte_prot(u64 pte)
{
	u32 prot = 0;

	if (!(pte & X86_PTE_NONE))
		prot |= PTE_READ;
	if (pte & X86_PTE_WRITE)
		prot |= PTE_WRITE;
	if (!(pte & X86_PTE_NX))
		prot |= PTE_EXEC;
	if (pte & X86_PTE_USER)
		prot |= PTE_USER;
	if (pte & X86_PTE_GLOBAL)
		prot |= PTE_GLOBAL;
	if (pte & X86_PTE_PCD)
		prot |= PTE_DEVICE;
	if (pte & X86_PTE_SPECIAL)
		prot |= PTE_SPECIAL;
	if (pte & X86_PTE_DIRTY)
		prot |= PTE_DIRTY;
	return prot;
}

static inline u64 arch_pte_set_prot(u64 pte, u32 prot)
{
	return arch_pte_make(arch_pte_pa(pte), prot);
}

/* The walker snoops and sees stores in order. */
static inline void arch_pte_store(u64 *slot, u64 pte)
{
	WRITE_ONCE(*slot, pte);
	barrier();
}

static inline u64 arch_pte_xchg(u64 *slot, u64 pte)
{
	return __atomic_exchange_n(slot, pte, __ATOMIC_ACQ_REL);
}

static inline void *arch_phys_to_virt(u64 pa)
{
	return (void *)(uintptr_t)(pa + ARCH_LINEAR_BASE);
}

static inline u64 arch_virt_to_phys(const void *va)
{
	u64 addr = (uintptr_t)va;

	return addr >= ARCH_KIMAGE_BASE ? addr - x86_kimage_offset :
					  addr - ARCH_LINEAR_BASE;
}

#endif /* SONDE_X86_MMU_H */
