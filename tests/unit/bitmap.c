// SPDX-License-Identifier: MIT
/*
 * Bit arrays against a plain model, and the text forms of CPU sets.
 */
#include <lib/bitmap.h>
#include <lib/err.h>
#include <lib/ktest.h>

#include "host.h"

#define N 200

KTEST(bitmap_against_model)
{
	unsigned long *map = host_alloc(BITMAP_LONGS(N) * sizeof(long));
	bool model[N] = { false };
	u64 seed = 3;

	bitmap_zero(map, N);
	for (int step = 0; step < 500; step++) {
		size_t start = kt_random(&seed) % N;
		size_t count = kt_random(&seed) % (N - start + 1);
		bool value = kt_random(&seed) & 1;
		size_t next, zero, weight = 0, from;

		if (value)
			bitmap_set_range(map, start, count);
		else
			bitmap_clear_range(map, start, count);
		for (size_t i = start; i < start + count; i++)
			model[i] = value;
		from = kt_random(&seed) % (N + 10);
		for (next = from; next < N && !model[next];)
			next++;
		for (zero = from; zero < N && model[zero];)
			zero++;
		for (size_t i = 0; i < N; i++)
			weight += model[i];
		KT_EXPECT_EQ(bitmap_find_next(map, N, from),
			     next < N ? next : N);
		KT_EXPECT_EQ(bitmap_find_next_zero(map, N, from),
			     zero < N ? zero : N);
		KT_EXPECT_EQ(bitmap_weight(map, N), weight);
		KT_EXPECT_EQ(bitmap_empty(map, N), weight == 0);
		KT_EXPECT_EQ(bitmap_full(map, N), weight == N);
	}
	host_free(map);
}

KTEST(bitmap_areas)
{
	DECLARE_BITMAP(map, N) = { 0 };

	bitmap_set_range(map, 0, 10);
	bitmap_set(map, 20);
	KT_EXPECT_EQ(bitmap_find_zero_area(map, N, 0, 10, 1), 10);
	KT_EXPECT_EQ(bitmap_find_zero_area(map, N, 0, 11, 1), 21);
	KT_EXPECT_EQ(bitmap_find_zero_area(map, N, 0, 11, 16), 32);
	KT_EXPECT_EQ(bitmap_find_zero_area(map, N, 0, N, 1), N);
	KT_EXPECT_EQ(bitmap_find_last(map, N), 20);
	bitmap_zero(map, N);
	KT_EXPECT_EQ(bitmap_find_last(map, N), N);
	KT_EXPECT_EQ(bitmap_find_zero_area(map, N, 0, N, 1), 0);
}

KTEST(bitmap_algebra)
{
	DECLARE_BITMAP(a, 70);
	DECLARE_BITMAP(b, 70);
	DECLARE_BITMAP(c, 70);

	KT_EXPECT_EQ(bitmap_parse_list("0-9,69", a, 70), 0);
	KT_EXPECT_EQ(bitmap_parse_list("5-14", b, 70), 0);
	KT_EXPECT(bitmap_and(c, a, b, 70));
	KT_EXPECT_EQ(bitmap_weight(c, 70), 5);
	KT_EXPECT(bitmap_subset(c, a, 70) && !bitmap_subset(a, c, 70));
	KT_EXPECT(bitmap_andnot(c, a, b, 70));
	KT_EXPECT_EQ(bitmap_weight(c, 70), 6);
	KT_EXPECT(!bitmap_intersects(c, b, 70));
	bitmap_or(c, c, b, 70);
	KT_EXPECT_EQ(bitmap_weight(c, 70), 16);
	bitmap_fill(c, 70);
	KT_EXPECT_EQ(c[1], 0x3f);
	bitmap_copy(b, c, 70);
	KT_EXPECT(bitmap_equal(b, c, 70));
}

KTEST(bitmap_lists)
{
	DECLARE_BITMAP(map, 16);
	char out[64];

	KT_EXPECT_EQ(bitmap_parse_list("0-3,5\n", map, 16), 0);
	KT_EXPECT_EQ(map[0], 0x2f);
	bitmap_print_list(out, sizeof(out), map, 16);
	KT_EXPECT_STREQ(out, "0-3,5");
	KT_EXPECT_EQ(bitmap_parse_list("", map, 16), 0);
	KT_EXPECT_EQ(bitmap_print_list(out, sizeof(out), map, 16), 0);
	KT_EXPECT_EQ(bitmap_parse_list("16", map, 16), -ERANGE);
	KT_EXPECT_EQ(bitmap_parse_list("3-1", map, 16), -EINVAL);
	KT_EXPECT_EQ(bitmap_parse_list("1,", map, 16), -EINVAL);
	KT_EXPECT_EQ(bitmap_parse_list(",1", map, 16), -EINVAL);
	KT_EXPECT_EQ(bitmap_parse_list("1-", map, 16), -EINVAL);
	KT_EXPECT_EQ(bitmap_parse_list("1 2", map, 16), -EINVAL);
	KT_EXPECT_EQ(bitmap_parse_list("99999999999999999999", map, 16),
		     -ERANGE);
	KT_EXPECT_EQ(bitmap_parse_list("0-15", map, 16), 0);
	KT_EXPECT_EQ(bitmap_print_list(out, 4, map, 16), 3);
	KT_EXPECT_STREQ(out, "0-1");
}

KTEST(bitmap_masks)
{
	DECLARE_BITMAP(map, 40);
	char out[64];

	KT_EXPECT_EQ(bitmap_parse_mask("ff,0000000f\n", map, 40), 0);
	KT_EXPECT_EQ(map[0], 0xff0000000fUL);
	bitmap_print_mask(out, sizeof(out), map, 40);
	KT_EXPECT_STREQ(out, "ff,0000000f");
	KT_EXPECT_EQ(bitmap_parse_mask("100,00000000", map, 40), -ERANGE);
	KT_EXPECT_EQ(bitmap_parse_mask("g", map, 40), -EINVAL);
	KT_EXPECT_EQ(bitmap_parse_mask("", map, 40), -EINVAL);
	KT_EXPECT_EQ(bitmap_parse_mask("f", map, 4), 0);
	bitmap_print_mask(out, sizeof(out), map, 4);
	KT_EXPECT_STREQ(out, "f");
}
