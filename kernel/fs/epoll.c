/* SPDX-License-Identifier: MIT */
/*
 * epoll: its file, what it watches, and how that becomes ready; waiting is in
 * epoll_wait.c.
 *
 * ep->mutex guards the tree of items and serialises waiters that collect;
 * ep->lock, a spin lock taken inside other files' wait queues, guards the
 * ready list.  An item is found ready by the wake callback, put on the list
 * and looked at again (by polling its file) when events are collected: level
 * triggered ones that are still ready go back to the end of the list.
 *
 * An item does not hold its file.  The file's last put calls
 * epoll_file_gone(), which takes epoll_files_lock, under which items link
 * themselves to files; the item is removed there before the file's release.
 */
#include "internal.h"

#include <arch/barrier.h>
#include <kernel/file.h>
#include <kernel/irq.h>
#include <kernel/syscall.h>
#include <kernel/wait.h>
#include <lib/printf.h>

#include "epoll.h"

#define EP_MAX_DEPTH 5

static struct mutex epoll_files_lock =
	MUTEX_INIT(epoll_files_lock, LOCK_RANK_EPOLL_FILES);

static void ep_put(struct epoll *ep)
{
	if (!ref_put(&ep->refs))
		return;
	irq_work_sync(&ep->poll_work);
	kfree(ep);
}

static void item_free(struct reclaim_node *node)
{
	kfree(container_of(node, struct epitem, reclaim));
}

void epitem_put(struct epitem *it)
{
	if (!ref_put(&it->refs))
		return;
	ep_put(it->ep);
	reclaim_after(&it->reclaim, item_free);
}

/* ---- Readiness -------------------------------------------------------- */

void epitem_make_ready(struct epitem *it)
{
	struct epoll *ep = it->ep;
	unsigned long flags = spin_lock_irqsave(&ep->lock);

	if (!it->on_ready) {
		it->on_ready = true;
		list_add_tail(&it->ready, &ep->ready);
	}
	spin_unlock_irqrestore(&ep->lock, flags);
}

static void poll_work_fn(struct irq_work *work)
{
	struct epoll *ep = container_of(work, struct epoll, poll_work);

	wake_up_poll(&ep->poll_wq, POLLIN);
}

/*
 * Mostly inside a watched file's wait queue.  Who polls this epoll may be
 * another one, whose callback takes its own locks: that chain starts anew,
 * with no lock held, from an interrupt.
 */
static void ep_wake(struct epoll *ep)
{
	arch_smp_mb();
	if (!list_empty(&ep->wq.waiters))
		wake_up(&ep->wq);
	if (!list_empty(&ep->poll_wq.waiters))
		irq_work_queue(&ep->poll_work);
}

/* [the file's queue lock] */
static bool item_wake(struct wait_node *node, u32 mode, u64 key)
{
	struct epwait *w = container_of(node, struct epwait, node);
	struct epitem *it = w->item;
	u32 want = READ_ONCE(it->event.events);

	if (!(want & ~EP_PRIVATE))
		return false;		/* one shot, spent */
	if (key && !(key & (want | EPOLLERR | EPOLLHUP)))
		return false;
	epitem_make_ready(it);
	ep_wake(it->ep);
	return true;
}

struct ep_table {
	struct poll_table pt;
	struct epitem *item;
	int err;
};

static void ep_queue(struct poll_table *pt, struct wait_queue *wq)
{
	struct ep_table *t = container_of(pt, struct ep_table, pt);
	struct epitem *it = t->item;
	struct epwait *w;

	if (it->nr_waits == EP_WAITS) {
		t->err = -ENOMEM;
		return;
	}
	w = &it->waits[it->nr_waits++];
	w->item = it;
	w->wq = wq;
	w->node = (struct wait_node){ .task = NULL, .fn = item_wake };
	if (it->event.events & EPOLLEXCLUSIVE)
		w->node.flags = WAIT_EXCLUSIVE;
	wait_add(wq, &w->node);
}

u32 epitem_poll(struct epitem *it, struct poll_table *pt)
{
	u32 want = it->event.events & ~EP_PRIVATE;

	pt->events = want;
	return file_poll(it->file, pt) & (want | EPOLLERR | EPOLLHUP);
}

/* ---- Items ------------------------------------------------------------ */

static int item_cmp(const struct file *file, int fd, const struct epitem *it)
{
	if (file != it->file)
		return file < it->file ? -1 : 1;
	return fd < it->fd ? -1 : fd > it->fd;
}

/* [ep->mutex] */
static struct epitem *item_find(struct epoll *ep, struct file *file, int fd)
{
	struct rb_node *n = ep->items.root;

	while (n) {
		struct epitem *it = rb_entry(n, struct epitem, node);
		int c = item_cmp(file, fd, it);

		if (!c)
			return it;
		n = c < 0 ? n->left : n->right;
	}
	return NULL;
}

/* [ep->mutex] */
static void item_enter(struct epoll *ep, struct epitem *it)
{
	struct rb_node **link = &ep->items.root, *parent = NULL;

	while (*link) {
		parent = *link;
		link = item_cmp(it->file, it->fd,
				rb_entry(parent, struct epitem, node)) < 0 ?
			       &parent->left :
			       &parent->right;
	}
	rb_insert(&ep->items, &it->node, parent, link);
}

/* [epoll_files_lock, ep->mutex] Out of everything; drops the tree's ref. */
static void item_remove(struct epoll *ep, struct epitem *it)
{
	unsigned long flags;

	for (u32 i = 0; i < it->nr_waits; i++)
		wait_remove(it->waits[i].wq, &it->waits[i].node);
	list_del(&it->file_link);
	rb_erase(&ep->items, &it->node);
	flags = spin_lock_irqsave(&ep->lock);
	if (it->on_ready) {
		it->on_ready = false;
		list_del(&it->ready);
	}
	spin_unlock_irqrestore(&ep->lock, flags);
	epitem_put(it);
}

/* The file's last reference is gone: no item may look at it again. */
void epoll_file_gone(struct file *f)
{
	struct epitem *it, *n;

	mutex_lock(&epoll_files_lock);
	list_for_each_entry_safe(it, n, &f->epoll_links, file_link) {
		struct epoll *ep = it->ep;

		ref_get(&ep->refs);
		mutex_lock(&ep->mutex);
		item_remove(ep, it);
		mutex_unlock(&ep->mutex);
		ep_put(ep);
	}
	mutex_unlock(&epoll_files_lock);
}

/* [epoll_files_lock, ep->mutex] */
static int item_add(struct epoll *ep, struct file *file, int fd,
		    const struct epoll_event *ev)
{
	struct epitem *it = kzalloc(sizeof(*it), GFP_KERNEL);
	struct ep_table t = { .pt = { .queue = ep_queue }, .item = it };

	if (!it)
		return -ENOMEM;
	ref_init(&it->refs);
	it->ep = ep;
	ref_get(&ep->refs);
	it->file = file;
	it->fd = fd;
	it->event = *ev;
	item_enter(ep, it);
	list_add_tail(&it->file_link, &file->epoll_links);
	if (epitem_poll(it, &t.pt)) {
		epitem_make_ready(it);
		ep_wake(ep);
	}
	if (t.err)
		item_remove(ep, it);
	return t.err;
}

/* [ep->mutex] */
static void item_modify(struct epoll *ep, struct epitem *it,
			const struct epoll_event *ev)
{
	struct poll_table pt = { 0 };

	WRITE_ONCE(it->event.events, ev->events);
	it->event.data = ev->data;
	arch_smp_mb();
	if (epitem_poll(it, &pt)) {
		epitem_make_ready(it);
		ep_wake(ep);
	}
}

/* Would watching target make a circle or too deep a nest?  Depth or errno. */
static int nest_depth(struct file *file, struct epoll *top, int depth)
{
	struct epoll *ep = file->private;
	struct epitem *it;
	int deepest = 0;

	if (ep == top || depth > EP_MAX_DEPTH)
		return -ELOOP;
	/* [epoll_files_lock] keeps every tree of items as it is. */
	rb_for_each_entry(it, &ep->items, node) {
		int n;

		if (it->file->ops != &epoll_ops)
			continue;
		n = nest_depth(it->file, top, depth + 1);
		if (n < 0)
			return n;
		deepest = max(deepest, n);
	}
	return deepest + 1;
}

static int ctl_locked(struct epoll *ep, int op, struct file *file, int fd,
		      struct epoll_event *ev)
{
	struct epitem *it = item_find(ep, file, fd);

	switch (op) {
	case EPOLL_CTL_ADD:
		if (it)
			return -EEXIST;
		ev->events |= EPOLLERR | EPOLLHUP;
		return item_add(ep, file, fd, ev);
	case EPOLL_CTL_DEL:
		if (!it)
			return -ENOENT;
		item_remove(ep, it);
		return 0;
	case EPOLL_CTL_MOD:
		if (!it)
			return -ENOENT;
		if (it->event.events & EPOLLEXCLUSIVE)
			return -EINVAL;
		ev->events |= EPOLLERR | EPOLLHUP;
		item_modify(ep, it, ev);
		return 0;
	default:
		return -EINVAL;
	}
}

static int do_ctl(struct file *epf, int op, struct file *file, int fd,
		  struct epoll_event *ev)
{
	struct epoll *ep = epf->private;
	int ret = 0;

	if (!file->ops->poll)
		return -EPERM;
	if (epf->ops != &epoll_ops || file == epf)
		return -EINVAL;
	if (op != EPOLL_CTL_DEL && (ev->events & EPOLLEXCLUSIVE)) {
		if (op == EPOLL_CTL_MOD)
			return -EINVAL;
		if (file->ops == &epoll_ops ||
		    (ev->events & ~(EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP |
				    EPOLLWAKEUP | EPOLLET | EPOLLEXCLUSIVE)))
			return -EINVAL;
	}
	mutex_lock(&epoll_files_lock);
	if (op == EPOLL_CTL_ADD && file->ops == &epoll_ops)
		ret = min(nest_depth(file, ep, 1), 0);
	if (ret == 0) {
		mutex_lock(&ep->mutex);
		ret = ctl_locked(ep, op, file, fd, ev);
		mutex_unlock(&ep->mutex);
	}
	mutex_unlock(&epoll_files_lock);
	return ret;
}

SYSCALL4(epoll_ctl, int, epfd, int, op, int, fd, struct epoll_event __user *,
	 uev)
{
	struct epoll_event ev = { 0 };
	struct fdref e, t;
	long ret = -EBADF;

	if (op != EPOLL_CTL_DEL && copy_from_user(&ev, uev, sizeof(ev)))
		return -EFAULT;
	e = fdget(epfd);
	if (!e.file)
		return ret;
	t = fdget(fd);
	if (t.file) {
		ret = do_ctl(e.file, op, t.file, fd, &ev);
		fdput(t);
	}
	fdput(e);
	return ret;
}

/* ---- The file --------------------------------------------------------- */

static u32 epoll_poll(struct file *f, struct poll_table *pt)
{
	struct epoll *ep = f->private;

	poll_wait(pt, &ep->poll_wq);
	return list_empty(&ep->ready) ? 0 : POLLIN | POLLRDNORM;
}

static void epoll_release(struct file *f)
{
	struct epoll *ep = f->private;
	struct rb_node *n;

	mutex_lock(&epoll_files_lock);
	mutex_lock(&ep->mutex);
	while ((n = rb_first(&ep->items)) != NULL)
		item_remove(ep, rb_entry(n, struct epitem, node));
	mutex_unlock(&ep->mutex);
	mutex_unlock(&epoll_files_lock);
	ep_put(ep);
}

static void epoll_fdinfo(struct file *f, char *buf, size_t size)
{
	struct epoll *ep = f->private;
	struct epitem *it;
	size_t n = 0;

	mutex_lock(&ep->mutex);
	rb_for_each_entry(it, &ep->items, node)
		n += (size_t)scnprintf(
			buf + n, size - n,
			"tfd: %8d events: %8x data: %16llx  pos:%lli ino:%llx sdev:%x\n",
			it->fd, it->event.events, it->event.data,
			(s64)it->file->pos, it->file->inode->ino,
			it->file->inode->sb->dev);
	mutex_unlock(&ep->mutex);
}

const struct file_ops epoll_ops = {
	.poll = epoll_poll,
	.release = epoll_release,
	.fdinfo = epoll_fdinfo,
	.llseek = no_llseek,
};

SYSCALL1(epoll_create1, u32, flags)
{
	struct epoll *ep;
	int fd;

	if (flags & ~(u32)O_CLOEXEC)
		return -EINVAL;
	ep = kzalloc(sizeof(*ep), GFP_KERNEL);
	if (!ep)
		return -ENOMEM;
	ref_init(&ep->refs);
	mutex_init(&ep->mutex, LOCK_RANK_EPOLL);
	spin_init(&ep->lock, LOCK_RANK_EPOLL_READY);
	list_init(&ep->ready);
	wait_queue_init(&ep->wq);
	wait_queue_init(&ep->poll_wq);
	/* Woken from inside other queues. */
	spin_init(&ep->wq.lock, LOCK_RANK_EPOLL_WAIT);
	irq_work_init(&ep->poll_work, poll_work_fn);
	fd = anon_fd("eventpoll", &epoll_ops, ep, O_RDWR | flags);
	if (fd < 0)
		ep_put(ep);
	return fd;
}
