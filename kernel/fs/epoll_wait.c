/* SPDX-License-Identifier: MIT */
/*
 * Waiting for an epoll's events: epoll_pwait and its relative.
 *
 * A waiter collects under ep->mutex: each item of the ready list is polled
 * again, reported if it still has something, and put back at the end of the
 * list when it is level triggered.  Locks: epoll.c.
 */
#include "internal.h"

#include <kernel/syscall.h>
#include <kernel/time.h>

#include "epoll.h"

#define EP_MAX_EVENTS (0x7fffffff / (int)sizeof(struct epoll_event))

/* [ep->mutex] The first of the ready list, taken off it; referenced. */
static struct epitem *take_ready(struct epoll *ep)
{
	struct epitem *it = NULL;
	unsigned long flags = spin_lock_irqsave(&ep->lock);

	if (!list_empty(&ep->ready)) {
		it = list_first_entry(&ep->ready, struct epitem, ready);
		list_del(&it->ready);
		it->on_ready = false;
		ref_get(&it->refs);
	}
	spin_unlock_irqrestore(&ep->lock, flags);
	return it;
}

/* How many items are on the list now: what one collection looks at. */
static u32 count_ready(struct epoll *ep)
{
	struct list_head *p;
	u32 n = 0;
	unsigned long flags = spin_lock_irqsave(&ep->lock);

	list_for_each(p, &ep->ready)
		n++;
	spin_unlock_irqrestore(&ep->lock, flags);
	return n;
}

/*
 * Member by member: where there is a gap between them, it is not ours.  By
 * offset, as the struct is packed on some architectures.
 */
static int put_event(struct epoll_event __user *out, u32 events, u64 data)
{
	char __user *at = (char __user *)out;

	if (copy_to_user(at + OFFSET_OF(struct epoll_event, events), &events,
			 sizeof(events)))
		return -EFAULT;
	return copy_to_user(at + OFFSET_OF(struct epoll_event, data), &data,
			    sizeof(data));
}

static int collect(struct epoll *ep, struct epoll_event __user *out, int max)
{
	int done = 0, ret = 0;
	u32 left;

	mutex_lock(&ep->mutex);
	left = count_ready(ep);
	while (done < max && left--) {
		struct poll_table pt = { 0 };
		struct epitem *it = take_ready(ep);
		u32 events;

		if (!it)
			break;
		events = epitem_poll(it, &pt);
		if (!events) {
			epitem_put(it);
			continue;
		}
		ret = put_event(&out[done], events, it->event.data);
		if (ret)
			epitem_make_ready(it);
		else if (it->event.events & EPOLLONESHOT)
			WRITE_ONCE(it->event.events,
				   it->event.events & EP_PRIVATE);
		else if (!(it->event.events & EPOLLET))
			epitem_make_ready(it);
		epitem_put(it);
		if (ret)
			break;
		done++;
	}
	mutex_unlock(&ep->mutex);
	/* What is left is for the next sleeper. */
	if (!list_empty(&ep->ready) && !list_empty(&ep->wq.waiters))
		wake_up(&ep->wq);
	return done ? done : ret;
}

static int do_wait(struct epoll *ep, struct epoll_event __user *out, int max,
		   u64 deadline)
{
	for (;;) {
		struct wait_node node = { .flags = WAIT_EXCLUSIVE };
		bool late = false;
		int n = list_empty(&ep->ready) ? 0 : collect(ep, out, max);

		if (n || deadline == 0)
			return n;
		if (signal_pending(current))
			return -EINTR;
		wait_prepare(&ep->wq, &node, TASK_INTERRUPTIBLE);
		if (list_empty(&ep->ready) && !signal_pending(current))
			late = !schedule_until(deadline);
		wait_finish(&ep->wq, &node);
		if (late)
			deadline = 0;
	}
}

static long epoll_wait_common(int epfd, struct epoll_event __user *out,
			      int max, u64 deadline,
			      const struct sigset __user *mask, size_t size)
{
	struct fdref r;
	long ret;

	ret = signal_set_user_mask(mask, size);
	if (ret)
		return ret;
	ret = -EINVAL;
	if (max <= 0 || max > EP_MAX_EVENTS)
		goto restore;
	ret = -EFAULT;
	if (!access_ok(out, (size_t)max * sizeof(*out)))
		goto restore;
	ret = -EBADF;
	r = fdget(epfd);
	if (!r.file)
		goto restore;
	ret = -EINVAL;
	if (r.file->ops == &epoll_ops)
		ret = do_wait(r.file->private, out, max, deadline);
	fdput(r);
restore:
	signal_restore_user_mask(ret == -EINTR);
	return ret;
}

SYSCALL6(epoll_pwait, int, epfd, struct epoll_event __user *, out, int, max,
	 int, timeout, const struct sigset __user *, mask, size_t, size)
{
	u64 deadline = ~0ull;

	if (timeout == 0)
		deadline = 0;
	else if (timeout > 0)
		deadline = time_mono_ns() + (u64)timeout * NSEC_PER_MSEC;
	return epoll_wait_common(epfd, out, max, deadline, mask, size);
}

SYSCALL6(epoll_pwait2, int, epfd, struct epoll_event __user *, out, int, max,
	 const struct kernel_timespec __user *, uts,
	 const struct sigset __user *, mask, size_t, size)
{
	u64 deadline;
	int ret = poll_get_deadline(uts, &deadline);

	if (ret)
		return ret;
	return epoll_wait_common(epfd, out, max, deadline, mask, size);
}
