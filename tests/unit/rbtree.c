// SPDX-License-Identifier: MIT
/*
 * Red-black trees against an array model, with every invariant checked after
 * each change; the augmented form keeps the largest value of each subtree.
 */
#include <lib/ktest.h>
#include <lib/minmax.h>
#include <lib/rbtree.h>

#define N 300

struct item {
	struct rb_node node;
	int key;
	int value;
	int max_value;
	bool in;
};

static struct item items[N];

static struct item *item_of(const struct rb_node *node)
{
	return container_of((struct rb_node *)node, struct item, node);
}

static bool item_less(const struct rb_node *a, const struct rb_node *b)
{
	return item_of(a)->key < item_of(b)->key;
}

static int item_cmp(const void *key, const struct rb_node *node)
{
	return *(const int *)key - item_of(node)->key;
}

static void item_update(struct rb_node *node)
{
	struct item *it = item_of(node);

	it->max_value = it->value;
	if (node->left)
		it->max_value =
			max(it->max_value, item_of(node->left)->max_value);
	if (node->right)
		it->max_value =
			max(it->max_value, item_of(node->right)->max_value);
}

/* Black height of a sound subtree, -1 for an unsound one. */
static int check(const struct rb_node *node, bool augmented)
{
	int left, right, want;

	if (!node)
		return 0;
	if ((node->left && node->left->parent != node) ||
	    (node->right && node->right->parent != node))
		return -1;
	if (node->red && ((node->left && node->left->red) ||
			  (node->right && node->right->red)))
		return -1;
	if ((node->left && item_of(node->left)->key > item_of(node)->key) ||
	    (node->right && item_of(node->right)->key < item_of(node)->key))
		return -1;
	left = check(node->left, augmented);
	right = check(node->right, augmented);
	if (left < 0 || left != right)
		return -1;
	want = item_of(node)->max_value;
	if (augmented) {
		item_update((struct rb_node *)node);
		if (want != item_of(node)->max_value)
			return -1;
	}
	return left + !node->red;
}

static bool is_sound(const struct rb_root *root, bool augmented)
{
	const struct rb_node *first = root->root;

	while (first && first->left)
		first = first->left;
	return root->leftmost == first && !(root->root && root->root->red) &&
	       check(root->root, augmented) >= 0;
}

static void add_aug(struct rb_root *root, struct rb_node *node)
{
	struct rb_node **link = &root->root;
	struct rb_node *parent = NULL;

	while (*link) {
		parent = *link;
		link = item_less(node, parent) ? &parent->left : &parent->right;
	}
	rb_insert_aug(root, node, parent, link, item_update);
}

static void churn(struct kt_state *kt, bool augmented, u64 seed)
{
	struct rb_root root = RB_ROOT;
	int count = 0;

	memset(items, 0, sizeof(items));
	for (int step = 0; step < 6000; step++) {
		struct item *it = &items[kt_random(&seed) % N];

		if (!it->in) {
			it->key = (int)(kt_random(&seed) % 100);
			it->value = (int)(kt_random(&seed) % 1000);
			if (augmented)
				add_aug(&root, &it->node);
			else
				rb_add(&root, &it->node, item_less);
		} else if (augmented) {
			rb_erase_aug(&root, &it->node, item_update);
		} else {
			rb_erase(&root, &it->node);
		}
		it->in = !it->in;
		count += it->in ? 1 : -1;
		KT_EXPECT_EQ(rb_node_in_tree(&it->node), it->in);
		if (step % 16 == 0 || count < 8)
			KT_REQUIRE(is_sound(&root, augmented));
	}
	for (struct rb_node *n = rb_first(&root); n; n = rb_next(n))
		count--;
	KT_EXPECT_EQ(count, 0);
}

KTEST(rb_churn_plain)
{
	churn(kt, false, 1);
	churn(kt, false, 99);
}

KTEST(rb_churn_augmented)
{
	churn(kt, true, 7);
}

KTEST(rb_order_and_find)
{
	struct rb_root root = RB_ROOT;
	struct item *pos, *next;
	int key = 4;
	int last = -1;

	for (int i = 0; i < 50; i++) {
		items[i].key = (i * 17) % 10;
		rb_add(&root, &items[i].node, item_less);
	}
	rb_for_each_entry(pos, &root, node)
	{
		KT_EXPECT_LE(last, pos->key);
		last = pos->key;
	}
	KT_EXPECT_EQ(item_of(rb_last(&root))->key, 9);
	KT_EXPECT_EQ(item_of(rb_find(&root, &key, item_cmp))->key, 4);
	KT_EXPECT_EQ(item_of(rb_prev(rb_find(&root, &key, item_cmp)))->key, 3);
	key = 11;
	KT_EXPECT_PTR_EQ(rb_find(&root, &key, item_cmp), NULL);
	rb_for_each_entry_safe(pos, next, &root, node)
		rb_erase(&root, &pos->node);
	KT_EXPECT(rb_empty(&root));
}

KTEST(rb_replace_keeps_place)
{
	struct rb_root root = RB_ROOT;
	struct item fresh = { .key = 0 };

	for (int i = 0; i < 20; i++) {
		items[i].key = i;
		rb_add(&root, &items[i].node, item_less);
	}
	rb_replace(&root, &items[0].node, &fresh.node);
	KT_EXPECT_PTR_EQ(rb_first(&root), &fresh.node);
	KT_EXPECT(!rb_node_in_tree(&items[0].node));
	KT_EXPECT(is_sound(&root, false));
}
