// SPDX-License-Identifier: MIT
/*
 * Numbers: parsing, 128-bit arithmetic, bits, sorting, hashes and ciphers.
 */
#include <lib/bits.h>
#include <lib/chacha.h>
#include <lib/crc32.h>
#include <lib/err.h>
#include <lib/hash.h>
#include <lib/ktest.h>
#include <lib/math64.h>
#include <lib/minmax.h>
#include <lib/parse.h>
#include <lib/sort.h>

KTEST(parse_strictly)
{
	u64 u = 77;
	s64 s;
	int i = 5;
	u32 w;
	bool b;

	KT_EXPECT(parse_u64("123\n", 10, &u) == 0 && u == 123);
	KT_EXPECT(parse_u64("0x1F", 0, &u) == 0 && u == 31);
	KT_EXPECT(parse_u64("010", 0, &u) == 0 && u == 8);
	KT_EXPECT(parse_u64("ff", 16, &u) == 0 && u == 255);
	KT_EXPECT(parse_u64("18446744073709551615", 10, &u) == 0);
	KT_EXPECT_EQ(u, U64_MAX);
	KT_EXPECT_EQ(parse_u64("18446744073709551616", 10, &u), -ERANGE);
	KT_EXPECT_EQ(parse_u64("", 10, &u), -EINVAL);
	KT_EXPECT_EQ(parse_u64(" 1", 10, &u), -EINVAL);
	KT_EXPECT_EQ(parse_u64("1 ", 10, &u), -EINVAL);
	KT_EXPECT_EQ(parse_u64("-1", 10, &u), -EINVAL);
	KT_EXPECT_EQ(parse_u64("0x", 0, &u), -EINVAL);
	KT_EXPECT_EQ(parse_u64("1\n\n", 10, &u), -EINVAL);
	KT_EXPECT_EQ(u, U64_MAX);
	KT_EXPECT(parse_s64("-9223372036854775808", 10, &s) == 0);
	KT_EXPECT_EQ(s, S64_MIN);
	KT_EXPECT_EQ(parse_s64("9223372036854775808", 10, &s), -ERANGE);
	KT_EXPECT_EQ(parse_s64("-+1", 10, &s), -EINVAL);
	KT_EXPECT_EQ(parse_int("2147483648", 10, &i), -ERANGE);
	KT_EXPECT(parse_int("-2147483648", 10, &i) == 0 && i == INT_MIN);
	KT_EXPECT_EQ(parse_u32("4294967296", 10, &w), -ERANGE);
	KT_EXPECT(parse_bool("on\n", &b) == 0 && b);
	KT_EXPECT(parse_bool("N", &b) == 0 && !b);
	KT_EXPECT_EQ(parse_bool("maybe", &b), -EINVAL);
	KT_EXPECT(parse_size("16M", &u) == 0 && u == 16 << 20);
	KT_EXPECT(parse_size("0x10k\n", &u) == 0 && u == 16384);
	KT_EXPECT_EQ(parse_size("99999999999T", &u), -ERANGE);
}

KTEST(divide_128_by_64)
{
	u64 seed = 11;

	for (int i = 0; i < 20000; i++) {
		u64 a = kt_random(&seed) >> (kt_random(&seed) & 63);
		u64 b = kt_random(&seed) >> (kt_random(&seed) & 63);
		u64 c = (kt_random(&seed) >> (kt_random(&seed) & 63)) | 1;
		u128 product = (u128)a * b;
		u64 high = (u64)(product >> 64);
		u64 rem = 0;
		u64 q = div_u128_u64(high, (u64)product, c, &rem);

		/* Checked by multiplying back: the kernel cannot divide so. */
		if (high >= c)
			KT_EXPECT_EQ(q, U64_MAX);
		else
			KT_EXPECT((u128)q * c + rem == product && rem < c);
	}
	KT_EXPECT_EQ(mul_u64_u64_div_u64(5, 5, 0), U64_MAX);
	KT_EXPECT_EQ(mul_u64_u64_div_u64(U64_MAX, U64_MAX, U64_MAX), U64_MAX);
	KT_EXPECT_EQ(mul_u64_u64_shr(1ULL << 63, 6, 64), 3);
}

KTEST(clock_scaling)
{
	u32 mult, shift;

	scale_mult_shift(62500000, 1000000000, &mult, &shift);
	KT_EXPECT_EQ(mul_u64_u32_shr(62500000, mult, shift), 1000000000);
	scale_mult_shift(1000000000, 1000000000, &mult, &shift);
	KT_EXPECT_EQ(mul_u64_u32_shr(12345, mult, shift), 12345);
	scale_mult_shift(24000000, 1000000000, &mult, &shift);
	/* A day of counts is right to a few microseconds. */
	KT_EXPECT_LE(86400ULL * 1000000000 -
			     mul_u64_u32_shr(86400ULL * 24000000, mult, shift),
		     50000);
}

KTEST(square_roots_and_bits)
{
	for (u64 i = 0; i < 1000; i++)
		KT_EXPECT(isqrt_u64(i * i) == i &&
			  (!i || isqrt_u64(i * i - 1) == i - 1));
	KT_EXPECT_EQ(isqrt_u64(U64_MAX), 0xffffffffULL);
	KT_EXPECT_EQ(GENMASK(7, 4), 0xf0);
	KT_EXPECT_EQ(GENMASK(63, 0), U64_MAX);
	KT_EXPECT_EQ(FIELD_GET(GENMASK(7, 4), 0xabULL), 0xa);
	KT_EXPECT_EQ(FIELD_PREP(GENMASK(7, 4), 5), 0x50);
	KT_EXPECT_EQ(bit_weight(U64_MAX), 64);
	KT_EXPECT_EQ(bit_weight(0x8000000000000001ULL), 2);
	KT_EXPECT_EQ(sign_extend(0xff, 8), -1);
	KT_EXPECT_EQ(ilog2(1), 0);
	KT_EXPECT_EQ(roundup_pow2(33), 64);
	KT_EXPECT_EQ(roundup_pow2(64), 64);
	KT_EXPECT_EQ(rounddown_pow2(63), 32);
	KT_EXPECT_EQ(ALIGN_UP(5000UL, 4096), 8192);
	KT_EXPECT_EQ(min(3, max(1, 2)), 2);
	KT_EXPECT_EQ(clamp(-5, 0, 9), 0);
}

static int compare_ints(const void *a, const void *b)
{
	int x = *(const int *)a;
	int y = *(const int *)b;

	return (x > y) - (x < y);
}

KTEST(sort_and_search)
{
	int a[101];
	u64 seed = 5;

	for (size_t n = 0; n <= ARRAY_SIZE(a); n++) {
		for (size_t i = 0; i < n; i++)
			a[i] = (int)(kt_random(&seed) % 50) * 2;
		sort(a, n, sizeof(int), compare_ints);
		for (size_t i = 1; i < n; i++)
			KT_EXPECT_LE(a[i - 1], a[i]);
	}
	for (int key = -1; key < 102; key++) {
		bool there = false;
		int *found;

		for (size_t i = 0; i < ARRAY_SIZE(a); i++)
			there |= a[i] == key;
		found = bsearch(&key, a, ARRAY_SIZE(a), sizeof(int),
				compare_ints);
		KT_EXPECT_EQ(found != NULL, there);
		KT_EXPECT(!found || *found == key);
	}
	KT_EXPECT_PTR_EQ(bsearch(a, a, 0, sizeof(int), compare_ints), NULL);
}

KTEST(hashes_spread)
{
	u32 buckets[64] = { 0 };

	for (u64 i = 0; i < 6400; i++)
		buckets[hash_u64_bits(i * 4096, 6)]++;
	for (int i = 0; i < 64; i++)
		KT_EXPECT(buckets[i] > 50 && buckets[i] < 150);
	KT_EXPECT_NE(hash_string("ab"), hash_string("ba"));
	KT_EXPECT_EQ(hash_string("abc"), hash_bytes("abc", 3, 0));
}

KTEST(crc_and_chacha_vectors)
{
	static const u8 want[8] = { 0x10, 0xf1, 0xe7, 0xe4,
				    0xd1, 0x3b, 0x59, 0x15 };
	u32 key[8], nonce[3] = { 0x09000000, 0x4a000000, 0 };
	u8 out[64];

	KT_EXPECT_EQ(crc32(0, "123456789", 9), 0xcbf43926);
	KT_EXPECT_EQ(crc32(crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
	/* The example of RFC 8439, 2.3.2. */
	for (u32 i = 0; i < 8; i++)
		key[i] = 0x03020100 + i * 0x04040404;
	chacha20_block(key, 1, nonce, out);
	KT_EXPECT_MEMEQ(out, want, sizeof(want));
	KT_EXPECT(out[62] == 0x3c && out[63] == 0x4e);
}
