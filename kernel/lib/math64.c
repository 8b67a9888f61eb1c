// SPDX-License-Identifier: MIT
/*
 * 128-bit quotients and what is built on them; <lib/math64.h>.
 *
 * The division works in base 2^32: the divisor is shifted until its top bit is
 * set, each of the two digits of the quotient is guessed from the top digit of
 * the divisor and corrected at most twice. Pure; no support library.
 */
#include <lib/bits.h>
#include <lib/math64.h>

#define LOW32(x) ((x)&0xffffffffULL)

/*
 * One digit of (rem:next) / d, with d normalised and rem < d; rem is replaced
 * by the new remainder.
 */
static u64 divide_digit(u64 *rem, u64 next, u64 d)
{
	u64 top = d >> 32;
	u64 q = *rem / top;
	u64 r = *rem % top;

	while (q >> 32 || q * LOW32(d) > ((r << 32) | next)) {
		q--;
		r += top;
		if (r >> 32)
			break;
	}
	/* Wraps in the middle, but the true value is below d. */
	*rem = ((*rem << 32) | next) - q * d;
	return q;
}

u64 div_u128_u64(u64 hi, u64 lo, u64 d, u64 *rem)
{
	u64 q, r;

	if (hi >= d) {
		if (rem)
			*rem = 0;
		return U64_MAX;
	}
	if (!hi) {
		q = lo / d;
		r = lo % d;
	} else {
		int shift = 63 - bit_highest(d);

		d <<= shift;
		if (shift) {
			hi = (hi << shift) | (lo >> (64 - shift));
			lo <<= shift;
		}
		r = hi;
		q = divide_digit(&r, lo >> 32, d) << 32;
		q += divide_digit(&r, LOW32(lo), d);
		r >>= shift;
	}
	if (rem)
		*rem = r;
	return q;
}

u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	u128 product = (u128)a * b;

	return div_u128_u64((u64)(product >> 64), (u64)product, c, NULL);
}

void scale_mult_shift(u64 from_hz, u64 to_hz, u32 *mult, u32 *shift)
{
	/* The largest shift whose multiplier still fits 32 bits. */
	for (u32 s = 32; s > 0; s--) {
		u64 m = mul_u64_u64_div_u64(to_hz, 1ULL << s, from_hz);

		if (m <= U32_MAX) {
			*mult = (u32)m;
			*shift = s;
			return;
		}
	}
	*mult = (u32)(to_hz / from_hz);
	*shift = 0;
}

u64 isqrt_u64(u64 x)
{
	u64 root = 0;

	for (u64 bit = 1ULL << 31; bit; bit >>= 1) {
		u64 trial = root | bit;

		if (trial * trial <= x)
			root = trial;
	}
	return root;
}
