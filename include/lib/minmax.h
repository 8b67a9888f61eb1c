/* SPDX-License-Identifier: MIT */
/*
 * Small arithmetic on integers of any type: extremes, alignment, powers of two.
 *
 * min, max and clamp evaluate each argument once and refuse operands of
 * different types; min_t and max_t convert first. The alignment macros want
 * a power of two, are usable in constant expressions, and wrap on overflow.
 */
#ifndef SONDE_LIB_MINMAX_H
#define SONDE_LIB_MINMAX_H

#include <lib/types.h>

/* Unique names, so that calls may stand inside each other's arguments. */
#define __minmax_1(ta, tb, a, b, op, x, y)                                     \
	__extension__({                                                        \
		ta x = (a);                                                    \
		tb y = (b);                                                    \
		(void)(&x == &y);                                              \
		x op y ? x : y;                                                \
	})
#define __minmax(ta, tb, a, b, op)                                             \
	__minmax_1(ta, tb, a, b, op, __unique_id(__mm_), __unique_id(__mm_))

#define min(a, b)		 __minmax(__typeof__(a), __typeof__(b), a, b, <)
#define max(a, b)		 __minmax(__typeof__(a), __typeof__(b), a, b, >)
#define min_t(type, a, b)	 __minmax(type, type, a, b, <)
#define max_t(type, a, b)	 __minmax(type, type, a, b, >)
#define clamp_t(type, v, lo, hi) min_t(type, max_t(type, v, lo), hi)
#define clamp(v, lo, hi)	 clamp_t(__typeof__(v), v, lo, hi)

#define swap(a, b)                                                             \
	do {                                                                   \
		__typeof__(a) __swap_t = (a);                                  \
		(a) = (b);                                                     \
		(b) = __swap_t;                                                \
	} while (0)

#define ALIGN_UP(x, a)                                                         \
	(((x) + ((__typeof__(x))(a)-1)) & ~((__typeof__(x))(a)-1))
#define ALIGN_DOWN(x, a) ((x) & ~((__typeof__(x))(a)-1))
#define IS_ALIGNED(x, a) (((x) & ((__typeof__(x))(a)-1)) == 0)

#define DIV_ROUND_UP(n, d)	(((n) + (d)-1) / (d))
#define DIV_ROUND_CLOSEST(n, d) (((n) + (d) / 2) / (d))

#define is_pow2(x) ((x) != 0 && (((x) & ((x)-1)) == 0))

/* Index of the highest set bit; the argument must not be zero. */
#define ilog2(x) ((int)(63 - __builtin_clzll((unsigned long long)(x))))

/* The smallest power of two not below x; x is at most 2^63. */
static inline u64 roundup_pow2(u64 x)
{
	return x <= 1 ? 1 : 1ULL << (ilog2(x - 1) + 1);
}

/* The largest power of two not above x; x must not be zero. */
static inline u64 rounddown_pow2(u64 x)
{
	return 1ULL << ilog2(x);
}

#endif /* SONDE_LIB_MINMAX_H */
