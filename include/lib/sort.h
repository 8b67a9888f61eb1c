/* SPDX-License-Identifier: MIT */
/*
 * Sorting in place (heap sort: no recursion, no memory, n log n always, not
 * stable) and binary search in a sorted array. cmp returns <0, 0 or >0.
 */
#ifndef SONDE_LIB_SORT_H
#define SONDE_LIB_SORT_H

#include <lib/types.h>

typedef int compare_fn(const void *a, const void *b);

void sort(void *base, size_t count, size_t size, compare_fn *cmp);

/* Any element equal to key, or NULL; cmp's first argument is the key. */
void *bsearch(const void *key, const void *base, size_t count, size_t size,
	      compare_fn *cmp);

#endif /* SONDE_LIB_SORT_H */
