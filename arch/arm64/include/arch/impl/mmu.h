/* SPDX-License-Identifier: MIT */
/*
 * Page-table entries of arm64 (4 KiB granule, 48 bits); contract in
 * <arch/mmu.h>.
 *
 * A writable entry carries DBM; while it is also read-only in AP[2] it is
 * clean.  A CPU with hardware dirty management clears AP[2] at the first
 * write, on others that write faults and the fault makes the entry dirty.
 * An entry nobody may access is invalid with PTE_NONE set, so that not even
 * the kernel's exclusive accesses reach it.  Bits 55 to 58 are software's.
 */
#ifndef SONDE_ARM64_MMU_H
#define SONDE_ARM64_MMU_H

#include <arch/mmu.h>
#include <arch/impl/layout.h>
#include <arch/impl/sysreg.h>
#include <lib/bits.h>
#include <lib/compiler.h>
#include <lib/types.h>

#define ARCH_USER_END (1ull << 48)

/* Drops the tag of a user address; a kernel address stays what it is. */
#define ARCH_UNTAG(addr) ((u64)(addr) & (u64)((s64)((u64)(addr) << 8) >> 8))

#define ARCH_PT_LEVELS	     4
#define ARCH_PT_SHIFT(level) (39 - 9 * (level))
#define ARCH_PT_ENTRIES	     512

#define ARM64_PTE_VALID	  BIT(0)
#define ARM64_PTE_TABLE	  BIT(1)	/* at level 3: page */
#define ARM64_PTE_ATTR(n) ((u64)(n) << 2)
#define ARM64_PTE_EL0	  BIT(6)
#define ARM64_PTE_RDONLY  BIT(7)
#define ARM64_PTE_SH_IS	  (3ull << 8)
#define ARM64_PTE_AF	  BIT(10)
#define ARM64_PTE_NG	  BIT(11)
#define ARM64_PTE_DBM	  BIT(51)
#define ARM64_PTE_PXN	  BIT(53)
#define ARM64_PTE_UXN	  BIT(54)
#define ARM64_PTE_SPECIAL BIT(56)
#define ARM64_PTE_NONE	  BIT(58)
#define ARM64_PTE_ADDR	  GENMASK(47, 12)

struct arch_mm {
	u64 asid;	/* [a] generation above the ASID bits; mm/asid.c */
};

extern u64 arm64_kimage_offset;	/* [I] image address - physical address */

static inline u64 arch_pte_flags(u32 prot)
{
	u64 pte = ARM64_PTE_VALID | ARM64_PTE_TABLE | ARM64_PTE_AF;

	if (prot & PTE_DEVICE)
		pte |= ARM64_PTE_ATTR(MAIR_DEVICE);
	else
		pte |= ARM64_PTE_ATTR(MAIR_NORMAL) | ARM64_PTE_SH_IS;
	if (!(prot & PTE_GLOBAL))
		pte |= ARM64_PTE_NG;
	if (prot & PTE_SPECIAL)
		pte |= ARM64_PTE_SPECIAL;
	if (prot & PTE_WRITE) {	/* clean unless PTE_DIRTY */
		pte |= ARM64_PTE_DBM;
		if ((prot & PTE_USER) && !(prot & PTE_DIRTY))
			pte |= ARM64_PTE_RDONLY;
	} else {
		pte |= ARM64_PTE_RDONLY;
	}
	if (prot & PTE_USER) {
		pte |= ARM64_PTE_EL0 | ARM64_PTE_PXN;
		if (!(prot & PTE_EXEC))
			pte |= ARM64_PTE_UXN;
		if (!(prot & (PTE_READ | PTE_WRITE | PTE_EXEC))) {
			pte &= ~(ARM64_PTE_VALID | ARM64_PTE_TABLE);
			pte |= ARM64_PTE_NONE;
		}
	} else {
		pte |= ARM64_PTE_UXN;
		if (!(prot & PTE_EXEC))
			pte |= ARM64_PTE_PXN;
	}
	return pte;
}

static inline u64 arch_pte_make(u64 pa, u32 prot)
{
	return (pa & ARM64_PTE_ADDR) | arch_pte_flags(prot);
}

static inline u64 arch_pte_table(u64 pa)
{
	return (pa & ARM64_PTE_ADDR) | ARM64_PTE_TABLE | ARM64_PTE_VALID;
}

static inline bool arch_pte_present(u64 pte)
{
	return pte & (ARM64_PTE_VALID | ARM64_PTE_NONE);
}

static inline bool arch_pte_is_table(u64 pte, int level)
{
	return level < ARCH_PT_LEVELS - 1 &&
	       (pte & (ARM64_PTE_VALID | ARM64_PTE_TABLE)) ==
		       (ARM64_PTE_VALID | ARM64_PTE_TABLE);
}

static inline u64 arch_pte_pa(u64 pte)
{
	return pte & ARM64_PTE_ADDR;
}

static inline bool arch_pte_dirty(u64 pte)
{
	return (pte & ARM64_PTE_DBM) && !(pte & ARM64_PTE_RDONLY);
}

static inline bool arch_pte_young(u64 pte)
{
	return pte & ARM64_PTE_AF;
}

static inline u64 arch_pte_mkyoung(u64 pte)
{
	return pte | ARM64_PTE_AF;
}

static inline u64 arch_pte_mkold(u64 pte)
{
	return pte & ~ARM64_PTE_AF;
}

static inline u64 arch_pte_mkclean(u64 pte)
{
	return pte | ARM64_PTE_RDONLY;
}

/* A readable user page is all that EL0 can reach; execute implies read. */
static inline u32 arch_pte_prot(u64 pte)
{
	u32 prot = 0;

	if (pte & ARM64_PTE_EL0) {
		prot |= PTE_USER;
		if (!(pte & ARM64_PTE_UXN))
			prot |= PTE_EXEC;
	} else if (!(pte & ARM64_PTE_PXN)) {
		prot |= PTE_EXEC;
	}
	if (!(pte & ARM64_PTE_NONE))
		prot |= PTE_READ;
	if (pte & ARM64_PTE_DBM)
		prot |= PTE_WRITE;
	if (!(pte & ARM64_PTE_NG))
		prot |= PTE_GLOBAL;
	if ((pte & ARM64_PTE_ATTR(7)) != ARM64_PTE_ATTR(MAIR_NORMAL))
		prot |= PTE_DEVICE;
	if (pte & ARM64_PTE_SPECIAL)
		prot |= PTE_SPECIAL;
	if (arch_pte_dirty(pte))
		prot |= PTE_DIRTY;
	return prot;
}

static inline u64 arch_pte_set_prot(u64 pte, u32 prot)
{
	return arch_pte_make(arch_pte_pa(pte), prot);
}

/* The DSB lets the table walker see the entry before the next access. */
static inline void arch_pte_store(u64 *slot, u64 pte)
{
	WRITE_ONCE(*slot, pte);
	__asm__ __volatile__("dsb ishst" ::: "memory");
}

static inline u64 arch_pte_xchg(u64 *slot, u64 pte)
{
	return __atomic_exchange_n(slot, pte, __ATOMIC_ACQ_REL);
}

static inline void *arch_phys_to_virt(u64 pa)
{
	return (void *)(uintptr_t)(pa + ARCH_LINEAR_BASE);
}

/* Bit 47 tells the image from the linear map. */
static inline u64 arch_virt_to_phys(const void *va)
{
	u64 addr = (uintptr_t)va;

	return addr & BIT(47) ? addr - arm64_kimage_offset :
				addr - ARCH_LINEAR_BASE;
}

#endif /* SONDE_ARM64_MMU_H */
