/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: no caches. */
#include <lib/types.h>
#define ARCH_CACHE_LINE 64
void arch_icache_sync(void *kva, size_t size);
