// SPDX-License-Identifier: MIT
/*
 * Decompression: each kind of block, the window's wrap, and every truncation
 * and thousands of damaged copies of each member, in exact memory.
 */
#include <lib/err.h>
#include <lib/gunzip.h>
#include <lib/ktest.h>

#include "gunzip_data.h"
#include "host.h"

struct sink {
	u8 *data;
	size_t len, max;
};

static int collect(void *ctx, const u8 *data, size_t len)
{
	struct sink *s = ctx;

	if (len > s->max - s->len)
		return -EFBIG;
	memcpy(s->data + s->len, data, len);
	s->len += len;
	return 0;
}

#define OUT_MAX 300000

static int unpack(const u8 *in, size_t len, size_t *used, struct sink *s)
{
	struct gunzip *gz = host_alloc(sizeof(*gz));
	u8 *exact = host_alloc(len);
	int err;

	memcpy(exact, in, len);
	s->len = 0;
	err = gunzip(gz, exact, len, used, collect, s);
	host_free(exact);
	host_free(gz);
	return err;
}

KTEST(gunzip_each_block_kind)
{
	struct sink s = { host_alloc(OUT_MAX), 0, OUT_MAX };
	char want[2048];
	size_t used, n = 0;

	KT_EXPECT_EQ(unpack(gz_stored, sizeof(gz_stored), &used, &s), 0);
	KT_EXPECT_EQ(used, sizeof(gz_stored));
	KT_EXPECT_EQ(s.len, 13);
	KT_EXPECT_MEMEQ(s.data, "stored block\n", 13);
	KT_EXPECT_EQ(unpack(gz_fixed, sizeof(gz_fixed), &used, &s), 0);
	KT_EXPECT_MEMEQ(s.data, "abcabcabcabcabc\n", 16);
	KT_EXPECT_EQ(unpack(gz_dynamic, sizeof(gz_dynamic), &used, &s), 0);
	for (int i = 0; i < 60; i++)
		n += scnprintf(want + n, sizeof(want) - n,
			       "line %d of the text\n", i * i % 97);
	KT_EXPECT_EQ(s.len, n);
	KT_EXPECT_MEMEQ(s.data, want, n);
	KT_EXPECT_EQ(unpack(gz_zeroes, sizeof(gz_zeroes), &used, &s), 0);
	KT_EXPECT_EQ(s.len, 200000);
	KT_EXPECT(!memchr_inv(s.data, 0, s.len));
	host_free(s.data);
}

KTEST(gunzip_stops_behind_the_member)
{
	struct sink s = { host_alloc(OUT_MAX), 0, OUT_MAX };
	u8 both[sizeof(gz_fixed) + 5];
	size_t used;

	memcpy(both, gz_fixed, sizeof(gz_fixed));
	memset(both + sizeof(gz_fixed), 0xee, 5);
	KT_EXPECT_EQ(unpack(both, sizeof(both), &used, &s), 0);
	KT_EXPECT_EQ(used, sizeof(gz_fixed));
	s.max = 3;
	KT_EXPECT_EQ(unpack(both, sizeof(both), &used, &s), -EFBIG);
	host_free(s.data);
}

static void damage(struct kt_state *kt, const u8 *member, size_t len, u64 seed)
{
	struct sink s = { host_alloc(OUT_MAX), 0, OUT_MAX };
	u8 *copy = host_alloc(len);
	size_t used;

	for (size_t n = 0; n < len; n++)
		KT_EXPECT_LT(unpack(member, n, &used, &s), 0);
	for (int trial = 0; trial < 1500; trial++) {
		memcpy(copy, member, len);
		for (int k = kt_random(&seed) % 4; k >= 0; k--)
			copy[kt_random(&seed) % len] = (u8)kt_random(&seed);
		/* Whatever it says, it must say it without going astray. */
		(void)unpack(copy, len, &used, &s);
	}
	/* A wrong checksum and a wrong length are both noticed. */
	memcpy(copy, member, len);
	copy[len - 8] ^= 1;
	KT_EXPECT_EQ(unpack(copy, len, &used, &s), -EBADMSG);
	memcpy(copy, member, len);
	copy[len - 1] ^= 1;
	KT_EXPECT_EQ(unpack(copy, len, &used, &s), -EBADMSG);
	host_free(copy);
	host_free(s.data);
}

KTEST(gunzip_hostile)
{
	damage(kt, gz_stored, sizeof(gz_stored), 1);
	damage(kt, gz_fixed, sizeof(gz_fixed), 2);
	damage(kt, gz_dynamic, sizeof(gz_dynamic), 3);
	damage(kt, gz_zeroes, sizeof(gz_zeroes), 4);
}
