/* SPDX-License-Identifier: MIT */
/*
 * Trees from u64 indices to pointers (kernel/lib/radix.c): page caches, id
 * tables. 64 slots a node; the tree is only as high as its largest index needs.
 *
 * Writers exclude each other by the owner's lock. Readers (radix_load,
 * radix_next) may run without it, preemption off, when the free hook defers
 * the release of nodes until such readers are gone; what the entries point to
 * is the owner's to keep alive. alloc may return NULL; it is called under the
 * owner's lock. A node is struct radix_node, its size RADIX_NODE_SIZE; alloc
 * need not clear it.
 */
#ifndef SONDE_LIB_RADIX_H
#define SONDE_LIB_RADIX_H

#include <lib/types.h>

#define RADIX_BITS  6
#define RADIX_SLOTS (1 << RADIX_BITS)

struct radix_node {
	struct radix_node *parent; /* [owner] */
	u8 shift;		   /* [I] index bits below this node's slots */
	u8 offset;		   /* [I] which slot of the parent this is */
	u16 count;		   /* [owner] slots in use */
	void *slots[RADIX_SLOTS];  /* [owner; read with acquire] */
};

#define RADIX_NODE_SIZE sizeof(struct radix_node)

struct radix_ops {
	struct radix_node *(*alloc)(void *ctx);
	void (*free)(void *ctx, struct radix_node *node);
};

struct radix_tree {
	struct radix_node *root;     /* [owner; read with acquire] */
	const struct radix_ops *ops; /* [I] */
	void *ctx;		     /* [I] for the hooks */
};

#define RADIX_TREE_INIT(ops_, ctx_)                                            \
	{                                                                      \
		.root = NULL, .ops = (ops_), .ctx = (ctx_)                     \
	}

static inline void radix_init(struct radix_tree *tree,
			      const struct radix_ops *ops, void *ctx)
{
	tree->root = NULL;
	tree->ops = ops;
	tree->ctx = ctx;
}

static inline bool radix_empty(const struct radix_tree *tree)
{
	return !READ_ONCE(tree->root);
}

/* The entry at index, or NULL. */
void *radix_load(const struct radix_tree *tree, u64 index);

/*
 * The first entry at or after *index, which is moved there; NULL when there is
 * none. To go on, add one to *index (and stop when that wraps to zero).
 */
void *radix_next(const struct radix_tree *tree, u64 *index);

/* Puts entry (not NULL) at index, over what may be there. 0 or -ENOMEM. */
int radix_store(struct radix_tree *tree, u64 index, void *entry);

/* The same, but -EEXIST when the place is taken. */
int radix_insert(struct radix_tree *tree, u64 index, void *entry);

/* Takes out the entry at index and returns it; NULL when there was none. */
void *radix_erase(struct radix_tree *tree, u64 index);

/* Frees every node; fn (may be NULL) sees every entry first. */
void radix_destroy(struct radix_tree *tree,
		   void (*fn)(void *ctx, u64 index, void *entry), void *ctx);

/* Every entry from first to last, both included. */
#define radix_for_each(entry, index, tree, first, last)                        \
	for ((index) = (first);                                                \
	     ((entry) = radix_next(tree, &(index))) && (index) <= (last);      \
	     (index)++)

#endif /* SONDE_LIB_RADIX_H */
