/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: page tables in an arena. */
#ifndef SONDE_UNIT_MMU_H
#define SONDE_UNIT_MMU_H

#include <lib/types.h>

#define ARCH_USER_END	     (1ull << 48)
#define ARCH_UNTAG(a)	     ((a) & 0x00ffffffffffffffull)
#define ARCH_PT_LEVELS	     4
#define ARCH_PT_SHIFT(level) (39 - 9 * (level))
#define ARCH_PT_ENTRIES	     512
#define ARCH_VMAP_BASE	     0xffff800080000000ull
#define ARCH_VMAP_END	     0xffff807f80000000ull

#define ARENA_PHYS  0x40000000ull
#define ARENA_BYTES (64ull << 20)
extern unsigned char arena[];

struct arch_mm {
	u64 unused;
};

/* prot in bits 52..59, bit 0 valid, bit 1 table, bit 2 young */
static inline u64 arch_pte_make(u64 pa, u32 prot)
{
	return pa | (u64)prot << 52 | 5;
}
static inline u64 arch_pte_table(u64 pa)
{
	return pa | 3;
}
static inline bool arch_pte_present(u64 pte)
{
	return pte & 1;
}
static inline bool arch_pte_is_table(u64 pte, int level)
{
	return level < 3 && (pte & 3) == 3;
}
static inline u64 arch_pte_pa(u64 pte)
{
	return pte & 0x000ffffffffff000ull;
}
static inline u32 arch_pte_prot(u64 pte)
{
	return (u32)(pte >> 52) & 0xff;
}
static inline u64 arch_pte_set_prot(u64 pte, u32 prot)
{
	return arch_pte_make(arch_pte_pa(pte), prot);
}
static inline bool arch_pte_dirty(u64 pte)
{
	return arch_pte_prot(pte) & (1u << 7);
}
static inline bool arch_pte_young(u64 pte)
{
	return pte & 4;
}
static inline u64 arch_pte_mkyoung(u64 pte)
{
	return pte | 4;
}
static inline u64 arch_pte_mkold(u64 pte)
{
	return pte & ~4ull;
}
static inline void arch_pte_store(u64 *slot, u64 pte)
{
	*slot = pte;
}
static inline u64 arch_pte_xchg(u64 *slot, u64 pte)
{
	u64 old = *slot;

	*slot = pte;
	return old;
}
static inline void *arch_phys_to_virt(u64 pa)
{
	return arena + (pa - ARENA_PHYS);
}
static inline u64 arch_virt_to_phys(const void *p)
{
	return (u64)((const unsigned char *)p - arena) + ARENA_PHYS;
}

#endif
