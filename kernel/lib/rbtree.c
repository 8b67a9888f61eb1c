// SPDX-License-Identifier: MIT
/*
 * Red-black trees: linking, rebalancing, removal, order walks.
 *
 * Entry points: <lib/rbtree.h>. Pure; the caller locks. The core is written
 * once with an update callback and instantiated twice, so that a plain tree
 * does not even test for one.
 *
 * Invariants: the root is black; a red node has no red child; every way from
 * a node down to an empty link passes the same number of black nodes;
 * root->leftmost is the first node in order.
 */
#include <lib/rbtree.h>

#define NO_UPDATE ((rb_update_fn *)NULL)

static bool is_red(const struct rb_node *node)
{
	return node && node->red;
}

/* Makes fresh the child of old's parent in place of old. */
static __always_inline void replace_child(struct rb_root *root,
					  struct rb_node *parent,
					  struct rb_node *old,
					  struct rb_node *fresh)
{
	if (!parent)
		root->root = fresh;
	else if (parent->left == old)
		parent->left = fresh;
	else
		parent->right = fresh;
}

/* The right child rises over node. */
static __always_inline void rotate_left(struct rb_root *root,
					struct rb_node *node,
					rb_update_fn *update)
{
	struct rb_node *up = node->right;

	node->right = up->left;
	if (up->left)
		up->left->parent = node;
	up->left = node;
	up->parent = node->parent;
	replace_child(root, node->parent, node, up);
	node->parent = up;
	if (update) {
		update(node);
		update(up);
	}
}

static __always_inline void rotate_right(struct rb_root *root,
					 struct rb_node *node,
					 rb_update_fn *update)
{
	struct rb_node *up = node->left;

	node->left = up->right;
	if (up->right)
		up->right->parent = node;
	up->right = node;
	up->parent = node->parent;
	replace_child(root, node->parent, node, up);
	node->parent = up;
	if (update) {
		update(node);
		update(up);
	}
}

void rb_update_up(struct rb_node *node, rb_update_fn *update)
{
	for (; node; node = node->parent)
		update(node);
}

/* node is red: repair "no red child of a red node" from here upwards. */
static __always_inline void fix_red_red(struct rb_root *root,
					struct rb_node *node,
					rb_update_fn *update)
{
	struct rb_node *parent;

	while ((parent = node->parent) && parent->red) {
		struct rb_node *grand = parent->parent;
		bool left = parent == grand->left;
		struct rb_node *uncle = left ? grand->right : grand->left;

		if (is_red(uncle)) {
			parent->red = false;
			uncle->red = false;
			grand->red = true;
			node = grand;
			continue;
		}
		/* An inner grandchild first becomes an outer one. */
		if (left && node == parent->right) {
			rotate_left(root, parent, update);
			parent = node;
		} else if (!left && node == parent->left) {
			rotate_right(root, parent, update);
			parent = node;
		}
		parent->red = false;
		grand->red = true;
		if (left)
			rotate_right(root, grand, update);
		else
			rotate_left(root, grand, update);
		break;
	}
	root->root->red = false;
}

static __always_inline void insert(struct rb_root *root, struct rb_node *node,
				   struct rb_node *parent,
				   struct rb_node **link, rb_update_fn *update)
{
	node->parent = parent;
	node->left = NULL;
	node->right = NULL;
	node->red = true;
	*link = node;
	if (!parent || (parent == root->leftmost && link == &parent->left))
		root->leftmost = node;
	if (update)
		rb_update_up(node, update);
	fix_red_red(root, node, update);
}

void rb_insert(struct rb_root *root, struct rb_node *node,
	       struct rb_node *parent, struct rb_node **link)
{
	insert(root, node, parent, link, NO_UPDATE);
}

void rb_insert_aug(struct rb_root *root, struct rb_node *node,
		   struct rb_node *parent, struct rb_node **link,
		   rb_update_fn *update)
{
	insert(root, node, parent, link, update);
}

/*
 * The ways through child (which may be empty) of parent are one black node
 * short: recolour and rotate until they are not. The sibling cannot be empty,
 * since its side has at least one black node more.
 */
static __always_inline void fix_short(struct rb_root *root,
				      struct rb_node *child,
				      struct rb_node *parent,
				      rb_update_fn *update)
{
	while (parent && !is_red(child)) {
		bool left = parent->left == child;
		struct rb_node *sib = left ? parent->right : parent->left;
		struct rb_node *outer, *inner;

		if (sib->red) {
			sib->red = false;
			parent->red = true;
			if (left)
				rotate_left(root, parent, update);
			else
				rotate_right(root, parent, update);
			sib = left ? parent->right : parent->left;
		}
		outer = left ? sib->right : sib->left;
		inner = left ? sib->left : sib->right;
		if (!is_red(outer) && !is_red(inner)) {
			sib->red = true;
			child = parent;
			parent = child->parent;
			continue;
		}
		if (!is_red(outer)) {
			inner->red = false;
			sib->red = true;
			if (left)
				rotate_right(root, sib, update);
			else
				rotate_left(root, sib, update);
			outer = sib;
			sib = inner;
		}
		sib->red = parent->red;
		parent->red = false;
		outer->red = false;
		if (left)
			rotate_left(root, parent, update);
		else
			rotate_right(root, parent, update);
		return;
	}
	if (child)
		child->red = false;
}

/* Puts next, the successor below node->right, into node's place. */
static __always_inline void take_place(struct rb_root *root,
				       struct rb_node *node,
				       struct rb_node *next)
{
	next->left = node->left;
	next->left->parent = next;
	next->right = node->right;
	if (next->right)
		next->right->parent = next;
	next->parent = node->parent;
	next->red = node->red;
	replace_child(root, node->parent, node, next);
}

static __always_inline void erase(struct rb_root *root, struct rb_node *node,
				  rb_update_fn *update)
{
	struct rb_node *child, *parent;
	bool lost_black;

	if (root->leftmost == node)
		root->leftmost = rb_next(node);
	if (!node->left || !node->right) {
		child = node->left ? node->left : node->right;
		parent = node->parent;
		lost_black = !node->red;
		replace_child(root, parent, node, child);
		if (child)
			child->parent = parent;
	} else {
		struct rb_node *next = node->right;

		while (next->left)
			next = next->left;
		child = next->right;
		parent = next->parent;
		lost_black = !next->red;
		replace_child(root, parent, next, child);
		if (child)
			child->parent = parent;
		take_place(root, node, next);
		if (parent == node)
			parent = next;
	}
	if (update)
		rb_update_up(parent, update);
	if (lost_black)
		fix_short(root, child, parent, update);
	rb_node_clear(node);
}

void rb_erase(struct rb_root *root, struct rb_node *node)
{
	erase(root, node, NO_UPDATE);
}

void rb_erase_aug(struct rb_root *root, struct rb_node *node,
		  rb_update_fn *update)
{
	erase(root, node, update);
}

void rb_replace(struct rb_root *root, struct rb_node *old,
		struct rb_node *fresh)
{
	*fresh = *old;
	replace_child(root, old->parent, old, fresh);
	if (fresh->left)
		fresh->left->parent = fresh;
	if (fresh->right)
		fresh->right->parent = fresh;
	if (root->leftmost == old)
		root->leftmost = fresh;
	rb_node_clear(old);
}

struct rb_node *rb_last(const struct rb_root *root)
{
	struct rb_node *node = root->root;

	while (node && node->right)
		node = node->right;
	return node;
}

struct rb_node *rb_next(const struct rb_node *node)
{
	struct rb_node *parent;

	if (node->right) {
		node = node->right;
		while (node->left)
			node = node->left;
		return (struct rb_node *)node;
	}
	while ((parent = node->parent) && node == parent->right)
		node = parent;
	return parent;
}

struct rb_node *rb_prev(const struct rb_node *node)
{
	struct rb_node *parent;

	if (node->left) {
		node = node->left;
		while (node->right)
			node = node->right;
		return (struct rb_node *)node;
	}
	while ((parent = node->parent) && node == parent->left)
		node = parent;
	return parent;
}
