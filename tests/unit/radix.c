// SPDX-License-Identifier: MIT
/*
 * Trees from u64 indices to pointers: model trials over sparse indices, the
 * ends of the range, failing allocation at every step, and no leaked node.
 */
#include <lib/err.h>
#include <lib/ktest.h>
#include <lib/minmax.h>
#include <lib/radix.h>

#include "host.h"

static struct radix_node *node_alloc(void *ctx)
{
	return host_alloc(RADIX_NODE_SIZE);
}

static void node_free(void *ctx, struct radix_node *node)
{
	host_free(node);
}

static const struct radix_ops ops = { node_alloc, node_free };

#define N 64

/* Sparse indices of every magnitude, none twice. */
static u64 index_of(unsigned int i)
{
	static const u64 bases[8] = { 0,	  1,	      63,
				      64,	  1ULL << 20, 1ULL << 36,
				      1ULL << 60, U64_MAX - 7 };

	return bases[i % 8] + (i < 56 ? i / 8 * (i % 8 < 3 ? 1000 : 1) : 7);
}

KTEST(radix_against_model)
{
	struct radix_tree tree = RADIX_TREE_INIT(&ops, NULL);
	void *model[N] = { NULL };
	char things[N];
	u64 seed = 21;

	for (int step = 0; step < 4000; step++) {
		unsigned int i = kt_random(&seed) % 56;
		unsigned int best = N;
		u64 at, want;
		void *entry;

		if (kt_random(&seed) % 3) {
			KT_EXPECT_EQ(
				radix_store(&tree, index_of(i), &things[i]), 0);
			model[i] = &things[i];
			KT_EXPECT_EQ(
				radix_insert(&tree, index_of(i), &things[0]),
				-EEXIST);
		} else {
			KT_EXPECT_PTR_EQ(radix_erase(&tree, index_of(i)),
					 model[i]);
			model[i] = NULL;
		}
		i = kt_random(&seed) % 56;
		KT_EXPECT_PTR_EQ(radix_load(&tree, index_of(i)), model[i]);
		at = want = index_of(i);
		for (unsigned int k = 0; k < 56; k++)
			if (model[k] && index_of(k) >= want &&
			    (best == N || index_of(k) < index_of(best)))
				best = k;
		entry = radix_next(&tree, &at);
		KT_EXPECT_PTR_EQ(entry, best == N ? NULL : model[best]);
		if (entry)
			KT_EXPECT_EQ(at, index_of(best));
	}
	radix_destroy(&tree, NULL, NULL);
	KT_EXPECT(radix_empty(&tree));
	KT_EXPECT_EQ(host_alloc_live, 0);
}

KTEST(radix_survives_failing_memory)
{
	struct radix_tree tree = RADIX_TREE_INIT(&ops, NULL);
	char thing;

	for (int budget = 0; budget < 14; budget++) {
		int err;

		host_alloc_budget = -1;
		KT_EXPECT_EQ(radix_store(&tree, 3, &thing), 0);
		host_alloc_budget = budget;
		err = radix_store(&tree, U64_MAX, &thing);
		host_alloc_budget = -1;
		KT_EXPECT(err == 0 || err == -ENOMEM);
		KT_EXPECT_PTR_EQ(radix_load(&tree, 3), &thing);
		KT_EXPECT_PTR_EQ(radix_load(&tree, U64_MAX),
				 err ? NULL : &thing);
		radix_destroy(&tree, NULL, NULL);
		KT_EXPECT_EQ(host_alloc_live, 0);
	}
}

static void count_entry(void *ctx, u64 index, void *entry)
{
	++*(int *)ctx;
}

KTEST(radix_ranges)
{
	struct radix_tree tree = RADIX_TREE_INIT(&ops, NULL);
	char thing;
	void *entry;
	u64 index;
	int seen = 0;

	for (u64 i = 0; i < 500; i += 5)
		KT_EXPECT_EQ(radix_store(&tree, i, &thing), 0);
	radix_for_each(entry, index, &tree, 11, 30) seen++;
	KT_EXPECT_EQ(seen, 4);
	seen = 0;
	radix_destroy(&tree, count_entry, &seen);
	KT_EXPECT_EQ(seen, 100);
	KT_EXPECT_EQ(host_alloc_live, 0);
}
