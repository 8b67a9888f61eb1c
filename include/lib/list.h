/* SPDX-License-Identifier: MIT */
/*
 * Doubly linked circular lists, embedded in their elements.
 *
 * The list's owner brings the lock; nothing here synchronises except the _pub
 * forms, which publish with release order for readers that walk with
 * list_for_each_entry_pub() and preemption off (unlinked elements are then
 * freed through reclaim_after()). list_del() poisons the links, so a second
 * removal or a walk through a removed element faults. With CONFIG_DEBUG_LIST
 * every change first checks that its neighbours agree.
 */
#ifndef SONDE_LIB_LIST_H
#define SONDE_LIB_LIST_H

#include <lib/types.h>

struct list_head {
	struct list_head *next;
	struct list_head *prev;
};

#define LIST_HEAD_INIT(name)                                                   \
	{                                                                      \
		&(name), &(name)                                               \
	}
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)

#ifdef CONFIG_DEBUG_LIST
/* Reports a broken list and does not return; kernel/debug/list.c. */
void __noreturn list_corrupt(const char *what, const void *entry);

static inline void __list_check_add(const struct list_head *entry,
				    const struct list_head *prev,
				    const struct list_head *next)
{
	if (unlikely(next->prev != prev || prev->next != next))
		list_corrupt("list_add: neighbours disagree", entry);
	if (unlikely(entry == prev || entry == next))
		list_corrupt("list_add: added twice", entry);
}

static inline void __list_check_del(const struct list_head *entry)
{
	if (unlikely(!entry->next || !entry->prev))
		list_corrupt("list_del: not on a list", entry);
	if (unlikely(entry->next->prev != entry || entry->prev->next != entry))
		list_corrupt("list_del: neighbours disagree", entry);
}
#else
#define __list_check_add(entry, prev, next) ((void)0)
#define __list_check_del(entry)		    ((void)0)
#endif

static inline void list_init(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return READ_ONCE(head->next) == head;
}

static inline bool list_is_singular(const struct list_head *head)
{
	return head->next != head && head->next == head->prev;
}

static inline bool list_is_first(const struct list_head *entry,
				 const struct list_head *head)
{
	return entry->prev == head;
}

static inline bool list_is_last(const struct list_head *entry,
				const struct list_head *head)
{
	return entry->next == head;
}

static inline void __list_insert(struct list_head *entry,
				 struct list_head *prev, struct list_head *next)
{
	__list_check_add(entry, prev, next);
	entry->next = next;
	entry->prev = prev;
	next->prev = entry;
	WRITE_ONCE(prev->next, entry);
}

/* Right after head: a stack. */
static inline void list_add(struct list_head *entry, struct list_head *head)
{
	__list_insert(entry, head, head->next);
}

/* Right before head: a queue. */
static inline void list_add_tail(struct list_head *entry,
				 struct list_head *head)
{
	__list_insert(entry, head->prev, head);
}

static inline void __list_unlink(struct list_head *entry)
{
	__list_check_del(entry);
	entry->next->prev = entry->prev;
	WRITE_ONCE(entry->prev->next, entry->next);
}

static inline void list_del(struct list_head *entry)
{
	__list_unlink(entry);
	entry->next = NULL;
	entry->prev = NULL;
}

/* Leaves the element empty, so that list_empty(&e->link) says "on no list". */
static inline void list_del_init(struct list_head *entry)
{
	__list_unlink(entry);
	list_init(entry);
}

static inline void list_move(struct list_head *entry, struct list_head *head)
{
	__list_unlink(entry);
	list_add(entry, head);
}

static inline void list_move_tail(struct list_head *entry,
				  struct list_head *head)
{
	__list_unlink(entry);
	list_add_tail(entry, head);
}

/* Puts fresh where old is; old keeps dangling links. */
static inline void list_replace(struct list_head *old, struct list_head *fresh)
{
	fresh->next = old->next;
	fresh->prev = old->prev;
	fresh->next->prev = fresh;
	WRITE_ONCE(fresh->prev->next, fresh);
}

static inline void __list_splice(struct list_head *list, struct list_head *prev,
				 struct list_head *next)
{
	struct list_head *first = list->next;
	struct list_head *last = list->prev;

	if (first == list)
		return;
	first->prev = prev;
	prev->next = first;
	last->next = next;
	next->prev = last;
	list_init(list);
}

/* Moves all of list to the front (or back) of head; list ends empty. */
static inline void list_splice(struct list_head *list, struct list_head *head)
{
	__list_splice(list, head, head->next);
}

static inline void list_splice_tail(struct list_head *list,
				    struct list_head *head)
{
	__list_splice(list, head->prev, head);
}

/* Publishes a complete element to lock-free walkers. */
static inline void list_add_tail_pub(struct list_head *entry,
				     struct list_head *head)
{
	struct list_head *prev = head->prev;

	__list_check_add(entry, prev, head);
	entry->next = head;
	entry->prev = prev;
	__atomic_store_n(&prev->next, entry, __ATOMIC_RELEASE);
	head->prev = entry;
}

static inline void list_add_pub(struct list_head *entry, struct list_head *head)
{
	struct list_head *next = head->next;

	__list_check_add(entry, head, next);
	entry->next = next;
	entry->prev = head;
	__atomic_store_n(&head->next, entry, __ATOMIC_RELEASE);
	next->prev = entry;
}

/* Unlinks, but keeps ->next for walkers that stand on the element. */
static inline void list_del_pub(struct list_head *entry)
{
	__list_unlink(entry);
	entry->prev = NULL;
}

#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(head, type, member)                                   \
	list_entry((head)->next, type, member)
#define list_last_entry(head, type, member)                                    \
	list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member)                           \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))

/*
 * The link in an element, by arithmetic: at the end of a walk the "element" is
 * computed from the list's head and is not one, nor even aligned like one.
 */
#define __list_link(pos, member)                                               \
	((struct list_head *)((char *)(pos) +                                  \
			      OFFSET_OF(__typeof__(*(pos)), member)))
#define list_next_entry(pos, member)                                           \
	list_entry(__list_link(pos, member)->next, __typeof__(*(pos)), member)
#define list_prev_entry(pos, member)                                           \
	list_entry(__list_link(pos, member)->prev, __typeof__(*(pos)), member)
#define list_entry_is_head(pos, head, member)                                  \
	(__list_link(pos, member) == (head))

#define list_for_each(pos, head)                                               \
	for ((pos) = (head)->next; (pos) != (head); (pos) = (pos)->next)

#define list_for_each_entry(pos, head, member)                                 \
	for ((pos) = list_first_entry(head, __typeof__(*(pos)), member);       \
	     !list_entry_is_head(pos, head, member);                           \
	     (pos) = list_next_entry(pos, member))

/* The current element may be removed; n holds the next. */
#define list_for_each_entry_safe(pos, n, head, member)                         \
	for ((pos) = list_first_entry(head, __typeof__(*(pos)), member),       \
	    (n) = list_next_entry(pos, member);                                \
	     !list_entry_is_head(pos, head, member);                           \
	     (pos) = (n), (n) = list_next_entry(n, member))

#define list_for_each_entry_reverse(pos, head, member)                         \
	for ((pos) = list_last_entry(head, __typeof__(*(pos)), member);        \
	     !list_entry_is_head(pos, head, member);                           \
	     (pos) = list_prev_entry(pos, member))

/* From the element after (or at) pos. */
#define list_for_each_entry_continue(pos, head, member)                        \
	for ((pos) = list_next_entry(pos, member);                             \
	     !list_entry_is_head(pos, head, member);                           \
	     (pos) = list_next_entry(pos, member))
#define list_for_each_entry_from(pos, head, member)                            \
	for (; !list_entry_is_head(pos, head, member);                         \
	     (pos) = list_next_entry(pos, member))

/* Lock-free walk, preemption off, against the _pub writers. */
#define __list_pub_entry(link, type, member)                                   \
	list_entry(__atomic_load_n(&(link), __ATOMIC_ACQUIRE), type, member)
#define list_for_each_entry_pub(pos, head, member)                             \
	for ((pos) = __list_pub_entry((head)->next, __typeof__(*(pos)),        \
				      member);                                 \
	     !list_entry_is_head(pos, head, member);                           \
	     (pos) = __list_pub_entry((pos)->member.next, __typeof__(*(pos)),  \
				      member))

#include <lib/hlist.h>

#endif /* SONDE_LIB_LIST_H */
