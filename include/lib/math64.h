/* SPDX-License-Identifier: MIT */
/*
 * 64-bit arithmetic with 128-bit intermediates, without a support library.
 *
 * Products of two u64 are one or two instructions on every target. Quotients
 * of 128 by 64 bits are computed in two 32-bit digits (kernel/lib/math64.c).
 * Results that do not fit saturate at U64_MAX; a zero divisor gives U64_MAX.
 */
#ifndef SONDE_LIB_MATH64_H
#define SONDE_LIB_MATH64_H

#include <lib/types.h>

/* (a * b) >> shift, cut to 64 bits; shift is at most 127. */
static inline u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	return (u64)(((u128)a * b) >> shift);
}

/* (a * b) >> shift for a 32-bit factor: the clock's conversion. */
static inline u64 mul_u64_u32_shr(u64 a, u32 b, unsigned int shift)
{
	return (u64)(((u128)a * b) >> shift);
}

static inline u64 mul_high_u64(u64 a, u64 b)
{
	return (u64)(((u128)a * b) >> 64);
}

/* hi:lo divided by d, rounded down; the remainder through *rem if wanted. */
u64 div_u128_u64(u64 hi, u64 lo, u64 d, u64 *rem);

/* a * b / c, exact in the middle. */
u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c);

/*
 * Multiplier and shift with which (x * mult) >> shift converts from counts at
 * from_hz to counts at to_hz, as exact as a 32-bit multiplier allows.
 */
void scale_mult_shift(u64 from_hz, u64 to_hz, u32 *mult, u32 *shift);

static inline u64 div_round_up_u64(u64 n, u64 d)
{
	return n / d + (n % d != 0);
}

/* Integer square root, rounded down. */
u64 isqrt_u64(u64 x);

/* True when the sum or product does not fit; *res holds the low bits. */
#define add_overflows(a, b, res) __builtin_add_overflow(a, b, res)
#define sub_overflows(a, b, res) __builtin_sub_overflow(a, b, res)
#define mul_overflows(a, b, res) __builtin_mul_overflow(a, b, res)

#endif /* SONDE_LIB_MATH64_H */
