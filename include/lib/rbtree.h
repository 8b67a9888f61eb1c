/* SPDX-License-Identifier: MIT */
/*
 * Red-black trees, embedded in their elements, first element cached.
 *
 * The caller owns ordering and locking. To insert, either use rb_add() with a
 * "less" function (it is inlined), or walk down from root->root yourself and
 * call rb_insert(root, node, parent, link) with the empty link found. Equal
 * keys may coexist; rb_add() puts a new one behind its equals.
 *
 * An augmented tree keeps in each node a summary of its subtree. Its users
 * call the _aug forms with an update function that recomputes one node from
 * itself and its two children; after changing a key in place without moving
 * the node, they call rb_update_up().
 */
#ifndef SONDE_LIB_RBTREE_H
#define SONDE_LIB_RBTREE_H

#include <lib/types.h>

struct rb_node {
	struct rb_node *parent;
	struct rb_node *left;
	struct rb_node *right;
	bool red;
};

struct rb_root {
	struct rb_node *root;
	struct rb_node *leftmost;
};

typedef void rb_update_fn(struct rb_node *node);

#define RB_ROOT                                                                \
	(struct rb_root)                                                       \
	{                                                                      \
		NULL, NULL                                                     \
	}

#define rb_entry(ptr, type, member) container_of(ptr, type, member)
#define rb_entry_safe(ptr, type, member)                                       \
	__extension__({                                                        \
		__typeof__(ptr) __rb_p = (ptr);                                \
		__rb_p ? rb_entry(__rb_p, type, member) : NULL;                \
	})

void rb_insert(struct rb_root *root, struct rb_node *node,
	       struct rb_node *parent, struct rb_node **link);
void rb_erase(struct rb_root *root, struct rb_node *node);
void rb_insert_aug(struct rb_root *root, struct rb_node *node,
		   struct rb_node *parent, struct rb_node **link,
		   rb_update_fn *update);
void rb_erase_aug(struct rb_root *root, struct rb_node *node,
		  rb_update_fn *update);

/* Recomputes node and all above it. */
void rb_update_up(struct rb_node *node, rb_update_fn *update);

/* Puts fresh exactly where old is (same key). */
void rb_replace(struct rb_root *root, struct rb_node *old,
		struct rb_node *fresh);

struct rb_node *rb_last(const struct rb_root *root);
struct rb_node *rb_next(const struct rb_node *node);
struct rb_node *rb_prev(const struct rb_node *node);

static inline struct rb_node *rb_first(const struct rb_root *root)
{
	return root->leftmost;
}

static inline bool rb_empty(const struct rb_root *root)
{
	return !READ_ONCE(root->root);
}

static inline void rb_init(struct rb_root *root)
{
	*root = RB_ROOT;
}

/* Marks a node as being in no tree; rb_erase() leaves this mark too. */
static inline void rb_node_clear(struct rb_node *node)
{
	node->parent = node;
}

static inline bool rb_node_in_tree(const struct rb_node *node)
{
	return node->parent != node;
}

static __always_inline void rb_add(struct rb_root *root, struct rb_node *node,
				   bool (*less)(const struct rb_node *a,
						const struct rb_node *b))
{
	struct rb_node **link = &root->root;
	struct rb_node *parent = NULL;

	while (*link) {
		parent = *link;
		link = less(node, parent) ? &parent->left : &parent->right;
	}
	rb_insert(root, node, parent, link);
}

/* The leftmost node for which cmp(key, node) is zero, or NULL. */
static __always_inline struct rb_node *rb_find(
	const struct rb_root *root, const void *key,
	int (*cmp)(const void *key, const struct rb_node *node))
{
	struct rb_node *node = root->root;
	struct rb_node *found = NULL;

	while (node) {
		int c = cmp(key, node);

		if (c == 0)
			found = node;
		node = c <= 0 ? node->left : node->right;
	}
	return found;
}

#define rb_for_each_entry(pos, tree, member)                                   \
	for ((pos) = rb_entry_safe(rb_first(tree), __typeof__(*(pos)),         \
				   member);                                    \
	     pos; (pos) = rb_entry_safe(rb_next(&(pos)->member),               \
					__typeof__(*(pos)), member))

/* The current element may be erased; n is a spare pointer of pos's type. */
#define rb_for_each_entry_safe(pos, n, tree, member)                           \
	for ((pos) = rb_entry_safe(rb_first(tree), __typeof__(*(pos)),         \
				   member);                                    \
	     (pos) && ((n) = rb_entry_safe(rb_next(&(pos)->member),            \
					   __typeof__(*(pos)), member),        \
		      1);                                                      \
	     (pos) = (n))

#endif /* SONDE_LIB_RBTREE_H */
