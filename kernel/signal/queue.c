/* SPDX-License-Identifier: MIT */
/*
 * Queues of pending signals.
 *
 * A queue is a set of pending numbers and, oldest first, the entries that
 * carry their siginfo.  A number may be pending without an entry (SIGKILL, or
 * no memory): it is then delivered with an empty siginfo.
 *
 * Locks: siglock of the process, by the caller.  Entries are charged to the
 * real user of the receiver (RLIMIT_SIGPENDING); an entry with `timer` set
 * belongs to that timer and is never freed here.
 */
#include <kernel/page.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <lib/string.h>
#include <linux/resource.h>

#include "internal.h"

static struct kmem_cache *entry_cache;

void signal_init(void)
{
	entry_cache = kmem_cache_create("sigqueue",
					sizeof(struct sigqueue_entry), 16);
}

void sigqueue_init(struct sigqueue *q)
{
	q->set.bits = 0;
	q->nr = 0;
	list_init(&q->list);
}

struct sigqueue_entry *sigqueue_alloc(struct task *t, bool force)
{
	struct sigqueue_entry *e;
	struct user *user;
	u32 before;

	reclaim_read_lock();
	user = user_get(reclaim_deref(t->cred)->user);
	reclaim_read_unlock();
	before = fetch_add_relaxed(&user->sigpending, 1);
	if (!force && before >= rlimit_cur(t, RLIMIT_SIGPENDING))
		goto uncharge;
	e = kmem_cache_alloc(entry_cache, GFP_ATOMIC);
	if (!e)
		goto uncharge;
	list_init(&e->link);
	e->user = user;
	e->timer = NULL;
	return e;
uncharge:
	fetch_add_relaxed(&user->sigpending, -1);
	user_put(user);
	return NULL;
}

void sigqueue_free(struct sigqueue_entry *e)
{
	if (e->timer)
		return;
	fetch_add_relaxed(&e->user->sigpending, -1);
	user_put(e->user);
	kmem_cache_free(entry_cache, e);
}

static void unlink_entry(struct sigqueue *q, struct sigqueue_entry *e)
{
	list_del_init(&e->link);
	q->nr--;
}

void sigqueue_drop(struct sigqueue *q, u64 mask)
{
	struct sigqueue_entry *e, *n;

	if (!(q->set.bits & mask))
		return;
	q->set.bits &= ~mask;
	list_for_each_entry_safe(e, n, &q->list, link) {
		if (!sig_in(e->info.si_signo, mask))
			continue;
		unlink_entry(q, e);
		sigqueue_free(e);
	}
}

void sigqueue_flush(struct sigqueue *q)
{
	sigqueue_drop(q, ~0ull);
}

/* Synchronous ones first, then the lowest number. */
static int next_signal(u64 pending)
{
	u64 sync = pending & SIGS_SYNC;

	return __builtin_ctzll(sync ? sync : pending) + 1;
}

int sigqueue_take(struct sigqueue *q, u64 mask, struct siginfo *info)
{
	struct sigqueue_entry *e, *n, *found = NULL;
	u64 pending = q->set.bits & mask;
	bool more = false;
	int sig;

	if (!pending)
		return 0;
	sig = next_signal(pending);
	list_for_each_entry_safe(e, n, &q->list, link) {
		if (e->info.si_signo != sig)
			continue;
		if (found) {
			more = true;
			break;
		}
		found = e;
	}
	if (!more)
		sigset_del(&q->set, sig);
	if (!found) {
		memset(info, 0, sizeof(*info));
		info->si_signo = sig;
		return sig;
	}
	*info = found->info;
	unlink_entry(q, found);
	if (found->timer && signal_timer_dequeued)
		signal_timer_dequeued(found->timer, info);
	sigqueue_free(found);
	return sig;
}
