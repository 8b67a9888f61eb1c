/* SPDX-License-Identifier: MIT */
/*
 * Instruction-cache coherence of x86_64; contract in <arch/cache.h>.  The
 * hardware keeps instruction fetch coherent; other CPUs are serialised by
 * whoever changes code that they may be executing.
 */
#ifndef SONDE_X86_CACHE_H
#define SONDE_X86_CACHE_H

#include <lib/compiler.h>
#include <lib/types.h>

#define ARCH_CACHE_LINE 64

static inline void arch_icache_sync(void *kva, size_t size)
{
	barrier();
}

#endif /* SONDE_X86_CACHE_H */
