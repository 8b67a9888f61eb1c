/* SPDX-License-Identifier: MIT */
/*
 * An epoll and its items, as epoll.c (who is watched) and epoll_wait.c (who
 * waits) share them.  The locks are described in epoll.c.
 */
#ifndef SONDE_FS_EPOLL_H
#define SONDE_FS_EPOLL_H

#include <kernel/file.h>
#include <kernel/irq.h>
#include <kernel/reclaim.h>
#include <kernel/wait.h>
#include <lib/rbtree.h>
#include <lib/ref.h>
#include <linux/poll.h>

#define EP_PRIVATE    (EPOLLWAKEUP | EPOLLONESHOT | EPOLLET | EPOLLEXCLUSIVE)

struct epoll {
	struct mutex mutex;		/* LOCK_RANK_EPOLL */
	struct spinlock lock;		/* LOCK_RANK_EPOLL_READY */
	struct rb_root items;		/* [mutex] by file and descriptor */
	struct list_head ready;		/* [lock] epitem.ready */
	struct wait_queue wq;		/* sleepers in epoll_pwait */
	struct wait_queue poll_wq;	/* who polls this epoll itself */
	struct irq_work poll_work;	/* wakes poll_wq, see ep_wake */
	struct ref refs;		/* the file, and each item */
};

#define EP_WAITS 2			/* queues per file: tty has two */

struct epitem {
	struct rb_node node;		/* [ep->mutex] */
	struct list_head ready;		/* [ep->lock] */
	bool on_ready;			/* [ep->lock] */
	struct epoll *ep;		/* [I] referenced */
	struct file *file;		/* [I] not referenced */
	int fd;				/* [I] */
	struct epoll_event event;	/* [ep->mutex] */
	struct list_head file_link;	/* [epoll_files_lock] */
	u32 nr_waits;			/* [I] after insertion */
	struct epwait {
		struct wait_node node;
		struct wait_queue *wq;
		struct epitem *item;
	} waits[EP_WAITS];
	struct ref refs;		/* tree, and who works on it */
	struct reclaim_node reclaim;
};

extern const struct file_ops epoll_ops;

/* On the ready list, unless it is there already.  Any context. */
void epitem_make_ready(struct epitem *it);
/* [ep->mutex] What of its events the file has now. */
u32 epitem_poll(struct epitem *it, struct poll_table *pt);
void epitem_put(struct epitem *it);

#endif /* SONDE_FS_EPOLL_H */
