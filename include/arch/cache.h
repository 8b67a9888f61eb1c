/* SPDX-License-Identifier: MIT */
/*
 * Instruction-cache coherence.  Any context.
 *
 * arch_icache_sync(void *kva, size_t) makes instructions written through the
 * kernel address visible to instruction fetch on every CPU through any alias
 * (Arm ARM B2.4.4: clean D to PoU, invalidate I, DSB, ISB).
 * ARCH_CACHE_LINE is the padding unit for shared data.
 */
#ifndef SONDE_ARCH_CACHE_H
#define SONDE_ARCH_CACHE_H

#include <lib/types.h>

#include <arch/impl/cache.h>

#endif /* SONDE_ARCH_CACHE_H */
