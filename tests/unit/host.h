/* SPDX-License-Identifier: MIT */
/*
 * What a host test may ask of the C library, without including its headers
 * beside the kernel's.
 */
#ifndef SONDE_UNIT_HOST_H
#define SONDE_UNIT_HOST_H

#include <lib/types.h>

/* Exact blocks, so that the sanitizer sees one byte too far. */
void *host_alloc(size_t size);
void host_free(void *p);

/* The next allocations fail after this many more; negative: never. */
extern int host_alloc_budget;
/* Blocks given out and not freed. */
extern int host_alloc_live;

#endif /* SONDE_UNIT_HOST_H */
