// SPDX-License-Identifier: MIT
/*
 * Heap sort and binary search; <lib/sort.h>. Pure, constant extra space, so
 * it can run at boot and with interrupts off.
 */
#include <lib/minmax.h>
#include <lib/sort.h>

static void swap_bytes(u8 *a, u8 *b, size_t size)
{
	while (size--) {
		u8 t = *a;

		*a++ = *b;
		*b++ = t;
	}
}

/* Sinks element i of a heap of count elements to where it belongs. */
static void sift_down(u8 *base, size_t i, size_t count, size_t size,
		      compare_fn *cmp)
{
	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= count)
			return;
		if (child + 1 < count &&
		    cmp(base + child * size, base + (child + 1) * size) < 0)
			child++;
		if (cmp(base + i * size, base + child * size) >= 0)
			return;
		swap_bytes(base + i * size, base + child * size, size);
		i = child;
	}
}

void sort(void *base, size_t count, size_t size, compare_fn *cmp)
{
	u8 *a = base;

	for (size_t i = count / 2; i-- > 0;)
		sift_down(a, i, count, size, cmp);
	while (count-- > 1) {
		swap_bytes(a, a + count * size, size);
		sift_down(a, 0, count, size, cmp);
	}
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
	      compare_fn *cmp)
{
	const u8 *a = base;

	while (count) {
		const u8 *middle = a + count / 2 * size;
		int c = cmp(key, middle);

		if (c == 0)
			return (void *)middle;
		if (c > 0) {
			a = middle + size;
			count -= count / 2 + 1;
		} else {
			count /= 2;
		}
	}
	return NULL;
}
