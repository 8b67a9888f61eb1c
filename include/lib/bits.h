/* SPDX-License-Identifier: MIT */
/*
 * Single bits and bit fields of registers and ABI words. BIT and GENMASK are
 * unsigned long long, usable in constant expressions; the *32 forms are u32.
 * The searching inlines count from the least significant bit.
 */
#ifndef SONDE_LIB_BITS_H
#define SONDE_LIB_BITS_H

#include <lib/types.h>

#define BITS_PER_BYTE 8
#define BITS_PER_LONG ((int)sizeof(long) * BITS_PER_BYTE)

#define BIT(n)	 (1ULL << (n))
#define BIT32(n) (1U << (n))

/* Bits high..low, both included. */
#define GENMASK(high, low)   ((~0ULL << (low)) & (~0ULL >> (63 - (high))))
#define GENMASK32(high, low) ((~0U << (low)) & (~0U >> (31 - (high))))

/* The field of a word under a contiguous non-zero mask, and its inverse. */
#define FIELD_SHIFT(mask)    __builtin_ctzll(mask)
#define FIELD_GET(mask, reg) (((reg) & (mask)) >> FIELD_SHIFT(mask))
#define FIELD_PREP(mask, v)                                                    \
	(((__typeof__(mask))(v) << FIELD_SHIFT(mask)) & (mask))

/* Index of the lowest or highest set bit; x must not be zero. */
static inline int bit_lowest(u64 x)
{
	return __builtin_ctzll(x);
}

static inline int bit_highest(u64 x)
{
	return 63 - __builtin_clzll(x);
}

/* Find first set, counted from 1; zero when there is none. */
static inline int bit_ffs(u64 x)
{
	return x ? __builtin_ctzll(x) + 1 : 0;
}

/* Set bits, without a library call or a vector register. */
static inline int bit_weight(u64 x)
{
	x -= (x >> 1) & 0x5555555555555555ULL;
	x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
	x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return (int)((x * 0x0101010101010101ULL) >> 56);
}

/* The low width bits of x as a signed number. */
static inline s64 sign_extend(u64 x, int width)
{
	return (s64)(x << (64 - width)) >> (64 - width);
}

#define for_each_bit_of_word(bit, word, tmp)                                   \
	for ((tmp) = (word); (tmp) && ((bit) = bit_lowest(tmp), 1);            \
	     (tmp) &= (tmp)-1)

#endif /* SONDE_LIB_BITS_H */
