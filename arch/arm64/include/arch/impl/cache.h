/* SPDX-License-Identifier: MIT */
/*
 * Instruction-cache coherence of arm64; contract in <arch/cache.h>.
 * The work is in arch/arm64/mm/cache.S.
 */
#ifndef SONDE_ARM64_CACHE_H
#define SONDE_ARM64_CACHE_H

#include <lib/types.h>

#define ARCH_CACHE_LINE 64

void arch_icache_sync(void *kva, size_t size);

#endif /* SONDE_ARM64_CACHE_H */
