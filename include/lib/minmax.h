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

#define __minmax_op(a, b, op)                                                  \
	__extension__({                                                        \
		__typeof__(a) __mm_a = (a);                                    \
		__typeof__(b) __mm_b = (b);                                    \
		(void)(&__mm_a == &__mm_b);                                    \
		__mm_a op __mm_b ? __mm_a : __mm_b;                            \
	})

#define min(a, b)	__minmax_op(a, b, <)
#define max(a, b)	__minmax_op(a, b, >)
#define __minmax_t(type, a, b, op)                                             \
	__extension__({                                                        \
		type __mt_a = (a);                                             \
		type __mt_b = (b);                                             \
		__mt_a op __mt_b ? __mt_a : __mt_b;                            \
	})
#define min_t(type, a, b) __minmax_t(type, a, b, <)
#define max_t(type, a, b) __minmax_t(type, a, b, >)
#define clamp_t(type, v, lo, hi)                                               \
	__extension__({                                                        \
		type __cl_v = (v);                                             \
		type __cl_lo = (lo);                                           \
		type __cl_hi = (hi);                                           \
		__cl_v < __cl_lo ? __cl_lo : __cl_v > __cl_hi ? __cl_hi :      \
								__cl_v;        \
	})
#define clamp(v, lo, hi) clamp_t(__typeof__(v), v, lo, hi)

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

#define DIV_ROUND_UP(n, d)     (((n) + (d)-1) / (d))
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
