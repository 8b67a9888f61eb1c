// SPDX-License-Identifier: MIT
/*
 * Lists, hash lists, references and sequence counts.
 */
#include <lib/ktest.h>
#include <lib/list.h>
#include <lib/ref.h>
#include <lib/seqcount.h>

struct item {
	int v;
	struct list_head link;
	struct hlist_node hash;
};

static int digits(struct list_head *head)
{
	struct item *pos;
	int n = 0;

	list_for_each_entry(pos, head, link)
		n = n * 10 + pos->v;
	return n;
}

KTEST(list_order_and_moves)
{
	struct item it[5];
	struct item *pos, *next;
	LIST_HEAD(a);
	LIST_HEAD(b);
	int n = 0;

	for (int i = 0; i < 5; i++) {
		it[i].v = i + 1;
		list_add_tail(&it[i].link, &a);
	}
	KT_EXPECT_EQ(digits(&a), 12345);
	list_move(&it[4].link, &a);
	KT_EXPECT_EQ(digits(&a), 51234);
	list_move_tail(&it[0].link, &b);
	list_add(&it[1].link, (list_del(&it[1].link), &b));
	KT_EXPECT_EQ(digits(&b), 21);
	KT_EXPECT_EQ(digits(&a), 534);
	list_splice_tail(&b, &a);
	KT_EXPECT_EQ(digits(&a), 53421);
	KT_EXPECT(list_empty(&b));
	list_for_each_entry_reverse(pos, &a, link) n = n * 10 + pos->v;
	KT_EXPECT_EQ(n, 12435);
	list_for_each_entry_safe(pos, next, &a, link)
		if (pos->v & 1)
			list_del_init(&pos->link);
	KT_EXPECT_EQ(digits(&a), 42);
	KT_EXPECT(list_empty(&it[0].link));
	list_del(&it[1].link);
	KT_EXPECT(list_is_singular(&a));
	KT_EXPECT_PTR_EQ(it[1].link.next, NULL);
	KT_EXPECT_EQ(list_first_entry(&a, struct item, link)->v, 4);
}

KTEST(list_published)
{
	struct item it[3];
	struct item *pos;
	LIST_HEAD(a);
	int n = 0;

	for (int i = 0; i < 3; i++) {
		it[i].v = i + 1;
		list_add_tail_pub(&it[i].link, &a);
	}
	list_for_each_entry_pub(pos, &a, link)
	{
		n = n * 10 + pos->v;
		/* A walker that stands on a removed element finds its way. */
		if (pos->v == 2)
			list_del_pub(&pos->link);
	}
	KT_EXPECT_EQ(n, 123);
	KT_EXPECT_EQ(digits(&a), 13);
}

KTEST(hlist_basics)
{
	struct hlist_head head = HLIST_HEAD_INIT;
	struct item it[4];
	struct item *pos;
	struct hlist_node *next;
	int n = 0;

	for (int i = 0; i < 4; i++) {
		it[i].v = i + 1;
		hlist_add_head(&it[i].hash, &head);
	}
	hlist_del_init(&it[2].hash);
	KT_EXPECT(hlist_unhashed(&it[2].hash));
	hlist_for_each_entry(pos, &head, hash) n = n * 10 + pos->v;
	KT_EXPECT_EQ(n, 421);
	hlist_for_each_entry_safe(pos, next, &head, hash) hlist_del(&pos->hash);
	KT_EXPECT(hlist_empty(&head));
}

KTEST(ref_counts_and_saturates)
{
	struct ref ref;

	ref_init(&ref);
	ref_get(&ref);
	KT_EXPECT(!ref_put(&ref));
	KT_EXPECT(ref_get_unless_zero(&ref));
	KT_EXPECT(ref_put_unless_last(&ref));
	KT_EXPECT(!ref_put_unless_last(&ref));
	KT_EXPECT(ref_put(&ref));
	KT_EXPECT(!ref_get_unless_zero(&ref));
	/* A put too many, or a wrap, never reports "last" again. */
	KT_EXPECT(!ref_put(&ref));
	KT_EXPECT_LT(ref_read(&ref), 0);
	KT_EXPECT(!ref_put(&ref));
	ref_set(&ref, INT_MAX);
	KT_EXPECT(ref_get_unless_zero(&ref));
	KT_EXPECT_EQ(ref_read(&ref), REF_SATURATED);
}

KTEST(seqcount_retries)
{
	struct seqcount seq = SEQCOUNT_INIT;
	u32 start = seq_begin(&seq);

	KT_EXPECT(!seq_retry(&seq, start));
	seq_write_begin(&seq);
	KT_EXPECT(seq_retry(&seq, start));
	KT_EXPECT(seq_retry(&seq, seq_begin(&seq)));
	seq_write_end(&seq);
	KT_EXPECT(seq_retry(&seq, start));
	KT_EXPECT(!seq_retry(&seq, seq_begin(&seq)));
}
