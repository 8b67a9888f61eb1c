/* SPDX-License-Identifier: MIT */
/*
 * Lists with a one-pointer head, for hash buckets.
 *
 * Same rules as <lib/list.h>: the owner locks; the _pub forms publish for
 * lock-free walkers; hlist_del() poisons, hlist_del_init() leaves an element
 * that hlist_unhashed() recognises.
 */
#ifndef SONDE_LIB_HLIST_H
#define SONDE_LIB_HLIST_H

#include <lib/types.h>

struct hlist_node {
	struct hlist_node *next;
	struct hlist_node **pprev; /* the pointer that points here */
};

struct hlist_head {
	struct hlist_node *first;
};

#define HLIST_HEAD_INIT                                                        \
	{                                                                      \
		NULL                                                           \
	}

static inline void hlist_head_init(struct hlist_head *head)
{
	head->first = NULL;
}

static inline void hlist_node_init(struct hlist_node *node)
{
	node->next = NULL;
	node->pprev = NULL;
}

static inline bool hlist_unhashed(const struct hlist_node *node)
{
	return !node->pprev;
}

static inline bool hlist_empty(const struct hlist_head *head)
{
	return !READ_ONCE(head->first);
}

/* The store that makes the node visible is a release: walkers may be there. */
static inline void hlist_add_head_pub(struct hlist_node *node,
				      struct hlist_head *head)
{
	struct hlist_node *first = head->first;

	node->next = first;
	node->pprev = &head->first;
	__atomic_store_n(&head->first, node, __ATOMIC_RELEASE);
	if (first)
		first->pprev = &node->next;
}

static inline void hlist_add_head(struct hlist_node *node,
				  struct hlist_head *head)
{
	struct hlist_node *first = head->first;

	node->next = first;
	node->pprev = &head->first;
	head->first = node;
	if (first)
		first->pprev = &node->next;
}

static inline void __hlist_unlink(struct hlist_node *node)
{
	struct hlist_node *next = node->next;

	WRITE_ONCE(*node->pprev, next);
	if (next)
		next->pprev = node->pprev;
}

static inline void hlist_del(struct hlist_node *node)
{
	__hlist_unlink(node);
	hlist_node_init(node);
}

static inline void hlist_del_init(struct hlist_node *node)
{
	if (!hlist_unhashed(node))
		hlist_del(node);
}

/* Keeps ->next for walkers that stand on the element. */
static inline void hlist_del_pub(struct hlist_node *node)
{
	__hlist_unlink(node);
	node->pprev = NULL;
}

#define hlist_entry(ptr, type, member) container_of(ptr, type, member)
#define hlist_entry_safe(ptr, type, member)                                    \
	__extension__({                                                        \
		struct hlist_node *__hn = (ptr);                               \
		__hn ? hlist_entry(__hn, type, member) : NULL;                 \
	})

#define hlist_for_each_entry(pos, head, member)                                \
	for ((pos) = hlist_entry_safe((head)->first, __typeof__(*(pos)),       \
				      member);                                 \
	     pos; (pos) = hlist_entry_safe((pos)->member.next,                 \
					   __typeof__(*(pos)), member))

/* n is a struct hlist_node pointer; the current element may be removed. */
#define hlist_for_each_entry_safe(pos, n, head, member)                        \
	for ((pos) = hlist_entry_safe((head)->first, __typeof__(*(pos)),       \
				      member);                                 \
	     (pos) && ((n) = (pos)->member.next, 1);                           \
	     (pos) = hlist_entry_safe(n, __typeof__(*(pos)), member))

#define __hlist_pub(link) __atomic_load_n(&(link), __ATOMIC_ACQUIRE)
#define hlist_for_each_entry_pub(pos, head, member)                            \
	for ((pos) = hlist_entry_safe(__hlist_pub((head)->first),              \
				      __typeof__(*(pos)), member);             \
	     pos; (pos) = hlist_entry_safe(__hlist_pub((pos)->member.next),    \
					   __typeof__(*(pos)), member))

#endif /* SONDE_LIB_HLIST_H */
