/* SPDX-License-Identifier: MIT */
/* The host as an architecture, for tests of code above the arch contract. */
#ifndef SONDE_UNIT_ARCH_MMU_H
#define SONDE_UNIT_ARCH_MMU_H

#include <lib/types.h>

struct arch_mm {
	int unused;
};

#define ARCH_USER_END	 (1ull << 47)
#define ARCH_UNTAG(addr) (addr)

/* Physical addresses are the process's own. */
static inline void *arch_phys_to_virt(u64 pa)
{
	return (void *)(uintptr_t)pa;
}
static inline u64 arch_virt_to_phys(const void *p)
{
	return (u64)(uintptr_t)p;
}

#endif
