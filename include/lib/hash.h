/* SPDX-License-Identifier: MIT */
/*
 * Hashes for tables: integers are mixed so that every input bit reaches the
 * high output bits, which is where hash_*_bits() takes its answer; strings and
 * byte runs use FNV-1a followed by the same mix. Not for adversarial input.
 */
#ifndef SONDE_LIB_HASH_H
#define SONDE_LIB_HASH_H

#include <lib/types.h>

/* Odd integer next to 2^64 divided by the golden ratio. */
#define HASH_GOLDEN_64 0x9e3779b97f4a7c15ULL

static inline u64 hash_u64(u64 x)
{
	x ^= x >> 32;
	x *= HASH_GOLDEN_64;
	x ^= x >> 29;
	return x * HASH_GOLDEN_64;
}

static inline u32 hash_u32(u32 x)
{
	return (u32)(hash_u64(x) >> 32);
}

/* Bucket number in a table of 2^bits; one multiplication, 1 <= bits <= 32.
 * Forced inline: it finds probes where nothing may be probed. */
static __always_inline u32 hash_u64_bits(u64 x, int bits)
{
	return (u32)(((x ^ (x >> 32)) * HASH_GOLDEN_64) >> (64 - bits));
}

static inline u32 hash_ptr_bits(const void *p, int bits)
{
	return hash_u64_bits((uintptr_t)p, bits);
}

static inline u64 hash_bytes(const void *data, size_t len, u64 seed)
{
	const u8 *p = data;
	u64 h = 0xcbf29ce484222325ULL ^ seed;

	while (len--)
		h = (h ^ *p++) * 0x100000001b3ULL;
	return hash_u64(h);
}

static inline u64 hash_string(const char *s)
{
	u64 h = 0xcbf29ce484222325ULL;

	while (*s)
		h = (h ^ (u8)*s++) * 0x100000001b3ULL;
	return hash_u64(h);
}

#endif /* SONDE_LIB_HASH_H */
