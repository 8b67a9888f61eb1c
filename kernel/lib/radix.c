// SPDX-License-Identifier: MIT
/*
 * Trees from u64 indices to pointers.
 *
 * Entry points: <lib/radix.h>. A node says how many index bits lie below its
 * slots, so that a reader who picked up an old root still reads consistently
 * while a writer grows the tree. A node is filled before it is linked, with
 * release; it is unlinked before it is freed. Writers are serialised by the
 * owner. Pure: memory comes from the owner's hooks.
 */
#include <lib/atomic.h>
#include <lib/err.h>
#include <lib/radix.h>
#include <lib/string.h>

#define SLOT_MASK (RADIX_SLOTS - 1)

/* Does index lie below node, seen as a root? */
static bool covers(const struct radix_node *node, u64 index)
{
	unsigned int bits = node->shift + RADIX_BITS;

	return bits >= 64 || !(index >> bits);
}

static unsigned int slot_of(const struct radix_node *node, u64 index)
{
	return (index >> node->shift) & SLOT_MASK;
}

void *radix_load(const struct radix_tree *tree, u64 index)
{
	const struct radix_node *node = load_acquire(&tree->root);

	if (!node || !covers(node, index))
		return NULL;
	for (;;) {
		void *slot = load_acquire(&node->slots[slot_of(node, index)]);

		if (!slot || !node->shift)
			return slot;
		node = slot;
	}
}

/*
 * One descent to the first used slot at or after *index below root. Where a
 * subtree turns out to have nothing left, *index moves behind it and the
 * caller starts over; "wrapped" says that there is nothing behind.
 */
static void *next_below(const struct radix_node *node, u64 *index,
			bool *wrapped)
{
	for (;;) {
		unsigned int i = slot_of(node, *index);
		unsigned int first = i;
		void *slot = NULL;

		for (; i < RADIX_SLOTS; i++) {
			slot = load_acquire(&node->slots[i]);
			if (slot)
				break;
		}
		if (i != first) {
			u64 step = 1ULL << node->shift;
			u64 base = *index & ~(step - 1);
			u64 next = base + (i - first) * step;

			*wrapped = next <= base;
			*index = next;
		}
		if (!slot || !node->shift)
			return slot;
		node = slot;
	}
}

void *radix_next(const struct radix_tree *tree, u64 *index)
{
	const struct radix_node *root = load_acquire(&tree->root);
	bool wrapped = false;
	void *entry;

	while (root && !wrapped && covers(root, *index)) {
		entry = next_below(root, index, &wrapped);
		if (entry)
			return entry;
	}
	return NULL;
}

static struct radix_node *new_node(struct radix_tree *tree, u8 shift, u8 offset,
				   struct radix_node *parent)
{
	struct radix_node *node = tree->ops->alloc(tree->ctx);

	if (!node)
		return NULL;
	memset(node, 0, sizeof(*node));
	node->shift = shift;
	node->offset = offset;
	node->parent = parent;
	return node;
}

/* Frees a node that holds nothing, and those above that become so. */
static void prune(struct radix_tree *tree, struct radix_node *node)
{
	while (node && !node->count) {
		struct radix_node *parent = node->parent;

		if (parent) {
			store_release(&parent->slots[node->offset],
				      (void *)NULL);
			parent->count--;
		} else {
			store_release(&tree->root, (struct radix_node *)NULL);
		}
		tree->ops->free(tree->ctx, node);
		node = parent;
	}
}

/* Adds levels on top until the root covers index. */
static int grow(struct radix_tree *tree, u64 index)
{
	if (!tree->root) {
		u8 shift = 0;

		while (shift + RADIX_BITS < 64 && index >> (shift + RADIX_BITS))
			shift += RADIX_BITS;
		tree->root = new_node(tree, shift, 0, NULL);
		return tree->root ? 0 : -ENOMEM;
	}
	while (!covers(tree->root, index)) {
		struct radix_node *old = tree->root;
		struct radix_node *top =
			new_node(tree, old->shift + RADIX_BITS, 0, NULL);

		if (!top)
			return -ENOMEM;
		top->slots[0] = old;
		top->count = 1;
		old->parent = top;
		store_release(&tree->root, top);
	}
	return 0;
}

/* The lowest node on the way to index, made if need be; NULL: no memory. */
static struct radix_node *make_leaf(struct radix_tree *tree, u64 index)
{
	struct radix_node *node;

	if (grow(tree, index))
		return NULL;
	node = tree->root;
	while (node->shift) {
		unsigned int i = slot_of(node, index);
		struct radix_node *child = node->slots[i];

		if (!child) {
			child = new_node(tree, node->shift - RADIX_BITS, i,
					 node);
			if (!child) {
				prune(tree, node);
				return NULL;
			}
			store_release(&node->slots[i], (void *)child);
			node->count++;
		}
		node = child;
	}
	return node;
}

static int put(struct radix_tree *tree, u64 index, void *entry, bool over)
{
	struct radix_node *leaf = make_leaf(tree, index);
	void **slot;

	if (!leaf)
		return -ENOMEM;
	slot = &leaf->slots[index & SLOT_MASK];
	if (*slot && !over)
		return -EEXIST;
	if (!*slot)
		leaf->count++;
	store_release(slot, entry);
	return 0;
}

int radix_store(struct radix_tree *tree, u64 index, void *entry)
{
	return put(tree, index, entry, true);
}

int radix_insert(struct radix_tree *tree, u64 index, void *entry)
{
	return put(tree, index, entry, false);
}

void *radix_erase(struct radix_tree *tree, u64 index)
{
	struct radix_node *node = tree->root;
	void *entry;

	if (!node || !covers(node, index))
		return NULL;
	while (node->shift) {
		node = node->slots[slot_of(node, index)];
		if (!node)
			return NULL;
	}
	entry = node->slots[index & SLOT_MASK];
	if (!entry)
		return NULL;
	store_release(&node->slots[index & SLOT_MASK], (void *)NULL);
	node->count--;
	prune(tree, node);
	return entry;
}

void radix_destroy(struct radix_tree *tree,
		   void (*fn)(void *ctx, u64 index, void *entry), void *ctx)
{
	u64 index = 0;
	void *entry;

	while ((entry = radix_next(tree, &index))) {
		if (fn)
			fn(ctx, index, entry);
		radix_erase(tree, index);
	}
}
