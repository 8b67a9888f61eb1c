/* SPDX-License-Identifier: MIT */
/*
 * What the fuzz targets share: exact allocations, a read of every byte handed
 * out, and a check that ends the program.
 */
#ifndef SONDE_FUZZ_FUZZ_H
#define SONDE_FUZZ_FUZZ_H

#include <lib/types.h>

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);

void *malloc(size_t size);
void free(void *p);

static inline void *fuzz_alloc(size_t size)
{
	return malloc(size);
}

static inline void fuzz_free(void *p)
{
	free(p);
}

static inline void fuzz_touch(const void *data, size_t len)
{
	const u8 *p = data;
	u8 x = 0;

	while (len--)
		x ^= *p++;
	(void)OPAQUE(x);
}

static inline void fuzz_require(bool ok)
{
	if (!ok)
		__builtin_trap();
}

#endif /* SONDE_FUZZ_FUZZ_H */
