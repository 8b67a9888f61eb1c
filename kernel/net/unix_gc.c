/* SPDX-License-Identifier: MIT */
/*
 * Sockets inside queued messages, and the collection of cycles among them.
 *
 * A socket whose only references are messages that nobody can receive would
 * live for ever.  Such cycles are found when a sock is released while some
 * are in flight: of those whose file has no other reference, subtract what is
 * held by messages queued at each other; whoever keeps a count is reachable,
 * and so is everything queued at it.  What is left is garbage, and its
 * messages are freed.
 *
 * unix_gc_lock guards the counts; the locks of socks nest inside it.  A file
 * counted here as having only flying references cannot gain another one
 * meanwhile: that would need a receiver, and so a reference, at the other end.
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/task.h>
#include <linux/resource.h>

#define GC_REACHED S32_MAX	/* gc_left of what is no garbage */

struct spinlock unix_gc_lock = SPINLOCK_INIT(LOCK_RANK_FLIGHT);
static struct list_head flying = LIST_HEAD_INIT(flying); /* [G] */
static u32 collecting;					 /* [a] */

/* 0, or -ETOOMANYREFS: the user has too many files in messages. */
int scm_files_depart(struct scm_files *files)
{
	struct user *user = current_cred()->user;

	if (load_relaxed(&user->in_flight) >
		    rlimit_cur(current, RLIMIT_NOFILE) &&
	    !capable(CAP_SYS_RESOURCE) && !capable(CAP_SYS_ADMIN))
		return -ETOOMANYREFS;
	files->user = user_get(user);
	fetch_add_relaxed(&user->in_flight, files->nr);
	spin_lock(&unix_gc_lock);
	for (u32 i = 0; i < files->nr; i++) {
		struct sock *s = file_sock(files->file[i]);

		if (s && s->in_flight++ == 0)
			list_add_tail(&s->flight_link, &flying);
	}
	spin_unlock(&unix_gc_lock);
	return 0;
}

void scm_files_arrive(struct scm_files *files)
{
	if (!files->user)
		return;
	spin_lock(&unix_gc_lock);
	for (u32 i = 0; i < files->nr; i++) {
		struct sock *s = file_sock(files->file[i]);

		if (s && --s->in_flight == 0)
			list_del_init(&s->flight_link);
	}
	spin_unlock(&unix_gc_lock);
	fetch_add_relaxed(&files->user->in_flight, 0u - files->nr);
	user_put(files->user);
	files->user = NULL;
}

/* ---- Collection ------------------------------------------------------- */

/*
 * [G] Call fn on every candidate that a message queued at s carries.  s->lock
 * is held for the walk; fn takes no lock.
 */
static void visit_messages(struct sock *s, struct list_head *list,
			   void (*fn)(struct sock *inner,
				      struct list_head *list))
{
	struct sock_buf *b;

	spin_lock(&s->lock);
	list_for_each_entry(b, &s->queue, link) {
		for (u32 i = 0; b->files && i < b->files->nr; i++) {
			struct sock *inner = file_sock(b->files->file[i]);

			if (inner && inner->gc_link.next)
				fn(inner, list);
		}
	}
	spin_unlock(&s->lock);
}

/* [G] The same for s and, if it listens, for what waits to be accepted. */
static void visit(struct sock *s, struct list_head *list,
		  void (*fn)(struct sock *inner, struct list_head *list))
{
	struct sock *e;

	if (READ_ONCE(s->state) != SOCK_LISTENING) {
		visit_messages(s, list, fn);
		return;
	}
	for (struct list_head *at = load_acquire(&s->queue.next);
	     at != &s->queue; at = load_acquire(&at->next)) {
		e = list_entry(at, struct sock, accept_link);
		visit_messages(e, list, fn);
	}
}

static void count_down(struct sock *inner, struct list_head *list)
{
	inner->gc_left--;
}

/* Once: those that are reached may hold each other. */
static void reach(struct sock *inner, struct list_head *list)
{
	if (inner->gc_left == GC_REACHED)
		return;
	inner->gc_left = GC_REACHED;
	list_move_tail(&inner->gc_link, list);
}

/* [G] What only messages refer to. */
static void find_candidates(struct list_head *list)
{
	struct sock *s;

	list_for_each_entry(s, &flying, flight_link) {
		if (ref_read(&s->file->refs) != (int)s->in_flight)
			continue;
		s->gc_left = (s32)s->in_flight;
		list_add_tail(&s->gc_link, list);
	}
}

/* [G] Move from list to reached whatever is not garbage. */
static void sweep(struct list_head *list, struct list_head *reached)
{
	struct sock *s, *next;

	list_for_each_entry(s, list, gc_link)
		visit(s, NULL, count_down);
	list_for_each_entry_safe(s, next, list, gc_link)
		if (s->gc_left > 0)
			reach(s, reached);
	/* The list grows at its end while it is walked. */
	list_for_each_entry(s, reached, gc_link)
		visit(s, reached, reach);
}

/* [G] Take the messages with files off the queue of a garbage sock. */
static void strip(struct sock *s, struct list_head *messages)
{
	struct sock_buf *b, *next;

	spin_lock(&s->lock);
	list_for_each_entry_safe(b, next, &s->queue, link) {
		if (b->files) {
			list_move_tail(&b->link, messages);
			s->queued--;
		}
	}
	spin_unlock(&s->lock);
}

static void collect_locked(struct list_head *messages)
{
	struct list_head list = LIST_HEAD_INIT(list);
	struct list_head reached = LIST_HEAD_INIT(reached);
	struct sock *s, *next;

	find_candidates(&list);
	sweep(&list, &reached);
	list_for_each_entry(s, &list, gc_link) {
		if (READ_ONCE(s->state) == SOCK_LISTENING) {
			struct sock *e;

			list_for_each_entry(e, &s->queue, accept_link)
				strip(e, messages);
		} else {
			strip(s, messages);
		}
	}
	list_splice(&reached, &list);
	list_for_each_entry_safe(s, next, &list, gc_link)
		s->gc_link.next = s->gc_link.prev = NULL;
}

void unix_collect(void)
{
	struct list_head messages = LIST_HEAD_INIT(messages);
	struct sock_buf *b;

	if (likely(list_empty(&flying)) || xchg_acquire(&collecting, 1))
		return;
	spin_lock(&unix_gc_lock);
	collect_locked(&messages);
	spin_unlock(&unix_gc_lock);
	store_release(&collecting, 0);
	while (!list_empty(&messages)) {
		b = list_first_entry(&messages, struct sock_buf, link);
		list_del(&b->link);
		sock_buf_free(b);
	}
}
