/* SPDX-License-Identifier: MIT */
/*
 * eventfd: a 64-bit counter that readers drain and writers add to.
 *
 * The count is guarded by the lock of its wait queue, which also carries the
 * pollers; readers and writers sleep on the same queue.
 */
#include "internal.h"

#include <kernel/file.h>
#include <kernel/fs_eventfd.h>
#include <kernel/syscall.h>
#include <kernel/wait.h>
#include <lib/printf.h>

#define COUNT_MAX (~0ull - 1)

struct eventfd {
	struct ref refs;
	struct spinlock lock;		/* LOCK_RANK_INODE_SPIN */
	u64 count;			/* [lock], read anywhere */
	bool semaphore;			/* [I] */
	u32 id;				/* [I] for fdinfo */
	struct wait_queue wq;
};

static bool take(struct eventfd *e, u64 *out)
{
	unsigned long flags = spin_lock_irqsave(&e->lock);
	bool ok = e->count != 0;

	*out = e->semaphore ? 1 : e->count;
	if (ok)
		e->count -= *out;
	spin_unlock_irqrestore(&e->lock, flags);
	return ok;
}

static bool give(struct eventfd *e, u64 n)
{
	unsigned long flags = spin_lock_irqsave(&e->lock);
	bool ok = n <= COUNT_MAX - e->count;

	if (ok)
		e->count += n;
	spin_unlock_irqrestore(&e->lock, flags);
	return ok;
}

static ssize_t eventfd_read(struct file *f, struct uio *to, u64 *pos)
{
	struct eventfd *e = f->private;
	u64 value;
	int ret;

	if (to->left < sizeof(value))
		return -EINVAL;
	while (!take(e, &value)) {
		if (f->flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(&e->wq,
					       READ_ONCE(e->count) != 0);
		if (ret)
			return ret;
	}
	wake_up_poll(&e->wq, POLLOUT);
	if (uio_put(to, &value, sizeof(value)) < sizeof(value))
		return -EFAULT;
	return sizeof(value);
}

static ssize_t eventfd_write(struct file *f, struct uio *from, u64 *pos)
{
	struct eventfd *e = f->private;
	u64 n;
	int ret;

	if (from->left < sizeof(n))
		return -EINVAL;
	if (uio_get(from, &n, sizeof(n)) < sizeof(n))
		return -EFAULT;
	if (n == ~0ull)
		return -EINVAL;
	while (!give(e, n)) {
		if (f->flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(
			&e->wq, COUNT_MAX - READ_ONCE(e->count) >= n);
		if (ret)
			return ret;
	}
	wake_up_poll(&e->wq, POLLIN);
	return sizeof(n);
}

static u32 eventfd_poll(struct file *f, struct poll_table *pt)
{
	struct eventfd *e = f->private;
	u64 count;
	u32 mask = 0;

	poll_wait(pt, &e->wq);
	arch_smp_mb();
	count = READ_ONCE(e->count);
	if (count > 0)
		mask |= POLLIN;
	if (count == ~0ull)
		mask |= POLLERR;
	if (count < COUNT_MAX)
		mask |= POLLOUT;
	return mask;
}

static void eventfd_put(struct eventfd *e)
{
	if (ref_put(&e->refs))
		kfree(e);
}

static void eventfd_release(struct file *f)
{
	struct eventfd *e = f->private;

	wake_up_poll(&e->wq, POLLHUP);
	eventfd_put(e);
}

static void eventfd_fdinfo(struct file *f, char *buf, size_t size)
{
	struct eventfd *e = f->private;

	scnprintf(buf, size, "eventfd-count: %16llx\neventfd-id: %u\n",
		  READ_ONCE(e->count), e->id);
}

static const struct file_ops eventfd_ops = {
	.read = eventfd_read,
	.write = eventfd_write,
	.poll = eventfd_poll,
	.release = eventfd_release,
	.fdinfo = eventfd_fdinfo,
	.llseek = no_llseek,
};

SYSCALL2(eventfd2, u32, count, u32, flags)
{
	static u32 next_id;
	struct eventfd *e;
	int fd;

	if (flags & ~(u32)(O_CLOEXEC | O_NONBLOCK | EFD_SEMAPHORE))
		return -EINVAL;
	e = kzalloc(sizeof(*e), GFP_KERNEL);
	if (!e)
		return -ENOMEM;
	ref_init(&e->refs);
	spin_init(&e->lock, LOCK_RANK_INODE_SPIN);
	wait_queue_init(&e->wq);
	e->count = count;
	e->semaphore = flags & EFD_SEMAPHORE;
	e->id = fetch_add_relaxed(&next_id, 1);
	fd = anon_fd("eventfd", &eventfd_ops, e,
		     O_RDWR | (flags & (O_CLOEXEC | O_NONBLOCK)));
	if (fd < 0)
		eventfd_put(e);
	return fd;
}

struct eventfd *eventfd_from_fd(int fd)
{
	struct fdref r = fdget(fd);
	struct eventfd *e;

	if (!r.file)
		return ERR_PTR(-EBADF);
	if (r.file->ops != &eventfd_ops) {
		e = ERR_PTR(-EINVAL);
	} else {
		e = r.file->private;
		ref_get(&e->refs);
	}
	fdput(r);
	return e;
}

void eventfd_signal(struct eventfd *e, u64 n)
{
	if (give(e, n))
		wake_up_poll(&e->wq, POLLIN);
}

void eventfd_drop(struct eventfd *e)
{
	eventfd_put(e);
}
