/* SPDX-License-Identifier: MIT */
/*
 * Pipes: a ring of page-sized buffers between readers and writers.
 *
 * pipe->lock guards the ring.  A sleeper drops it, queues itself and looks at
 * head, tail and the counts again without it; a waker changes those under the
 * lock and looks at the queue after a full barrier, so that the common case
 * (nobody sleeps) costs no queue lock.  A write of at most PIPE_BUF bytes
 * lands in one buffer or waits for a free one, and so is never torn.
 *
 * Named FIFOs share all of this and differ in how they open: fifo.c.
 */
#include "pipe.h"

#include <arch/barrier.h>
#include <kernel/file.h>
#include <kernel/syscall.h>
#include <linux/ioctls.h>

static struct kmem_cache *pipe_cache;

struct pipe *pipe_new(void)
{
	struct pipe *p;

	if (unlikely(!pipe_cache))
		pipe_cache = kmem_cache_create("pipe", sizeof(*p), 16);
	p = kmem_cache_alloc(pipe_cache, GFP_KERNEL);
	if (!p)
		return NULL;
	memzero(p, sizeof(*p));
	p->slots = PIPE_SLOTS_DEFAULT;
	p->bufs = kzalloc(p->slots * sizeof(*p->bufs), GFP_KERNEL);
	if (!p->bufs) {
		kmem_cache_free(pipe_cache, p);
		return NULL;
	}
	mutex_init(&p->lock, LOCK_RANK_PIPE);
	wait_queue_init(&p->rd_wait);
	wait_queue_init(&p->wr_wait);
	spin_init(&p->rd_fasync.lock, LOCK_RANK_FASYNC);
	spin_init(&p->wr_fasync.lock, LOCK_RANK_FASYNC);
	list_init(&p->rd_fasync.entries);
	list_init(&p->wr_fasync.entries);
	return p;
}

void pipe_free(struct pipe *p)
{
	for (; p->tail != p->head; p->tail++)
		page_put(pipe_buf_at(p, p->tail)->page);
	for (u32 i = 0; i < ARRAY_SIZE(p->spare); i++)
		if (p->spare[i])
			page_put(p->spare[i]);
	kfree(p->bufs);
	kmem_cache_free(pipe_cache, p);
}

/* [lock] Keep an emptied page if it is ours alone. */
void pipe_release_page(struct pipe *p, struct page *page)
{
	if (load_relaxed(&page->refs) == 1 && !(page->flags & PG_CACHE)) {
		for (u32 i = 0; i < ARRAY_SIZE(p->spare); i++) {
			if (!p->spare[i]) {
				p->spare[i] = page;
				return;
			}
		}
	}
	page_put(page);
}

/* [lock] */
static struct page *take_page(struct pipe *p)
{
	for (u32 i = 0; i < ARRAY_SIZE(p->spare); i++) {
		struct page *page = p->spare[i];

		if (page) {
			p->spare[i] = NULL;
			return page;
		}
	}
	return page_alloc(0, GFP_KERNEL);
}

/* The queue is looked at after what the sleeper will look at is stored. */
static bool has_waiters(struct wait_queue *wq)
{
	arch_smp_mb();
	return !list_empty(&wq->waiters);
}

void pipe_wake_readers(struct pipe *p)
{
	if (has_waiters(&p->rd_wait))
		wake_up_poll(&p->rd_wait, POLLIN | POLLRDNORM);
	if (unlikely(!list_empty(&p->rd_fasync.entries)))
		fasync_kill(&p->rd_fasync, POLLIN | POLLRDNORM, POLL_IN);
}

void pipe_wake_writers(struct pipe *p)
{
	if (has_waiters(&p->wr_wait))
		wake_up_poll(&p->wr_wait, POLLOUT | POLLWRNORM);
	if (unlikely(!list_empty(&p->wr_fasync.entries)))
		fasync_kill(&p->wr_fasync, POLLOUT | POLLWRNORM, POLL_OUT);
}

static bool can_read(const struct pipe *p)
{
	return !pipe_is_empty(p) || !READ_ONCE(p->writers);
}

static bool can_write(const struct pipe *p)
{
	return !pipe_is_full(p) || !READ_ONCE(p->readers);
}

/* Sleep until cond, first come first woken; -ERESTARTSYS on a signal. */
#define wait_exclusive(wq, cond)                                      \
	({                                                            \
		struct wait_node node_ = { .flags = WAIT_EXCLUSIVE }; \
		int wait_ret_ = 0;                                    \
		while (!(cond)) {                                     \
			wait_prepare((wq), &node_,                    \
				     TASK_INTERRUPTIBLE);             \
			if (cond)                                     \
				break;                                \
			if (signal_pending(current)) {                \
				wait_ret_ = -ERESTARTSYS;             \
				break;                                \
			}                                             \
			schedule();                                   \
		}                                                     \
		wait_finish((wq), &node_);                            \
		wait_ret_;                                            \
	})

/* [lock, dropped meanwhile] */
int pipe_wait_readable(struct pipe *p)
{
	int ret;

	mutex_unlock(&p->lock);
	ret = wait_exclusive(&p->rd_wait, can_read(p));
	mutex_lock(&p->lock);
	return ret;
}

int pipe_wait_writable(struct pipe *p)
{
	int ret;

	mutex_unlock(&p->lock);
	ret = wait_exclusive(&p->wr_wait, can_write(p));
	mutex_lock(&p->lock);
	return ret;
}

/*
 * [lock] What is there, up to what is asked, by whole buffers: what did not
 * arrive in full stays.  -EFAULT only if nothing came before it.
 */
static ssize_t read_ring(struct pipe *p, struct uio *to)
{
	ssize_t done = 0;

	while (to->left && !pipe_is_empty(p)) {
		struct pipe_buf *b = pipe_buf_at(p, p->tail);
		size_t n = min_t(size_t, b->len, to->left);
		size_t got = uio_put(to, (char *)page_address(b->page) +
						 b->off, n);
		bool packet = b->packet;

		if (got < n)
			return done ? done : -EFAULT;
		done += (ssize_t)got;
		b->off += (u32)got;
		b->len -= (u32)got;
		if (packet)
			b->len = 0;
		if (!b->len) {
			pipe_release_page(p, b->page);
			WRITE_ONCE(p->tail, p->tail + 1);
		}
		if (packet)
			break;
	}
	return done;
}

static ssize_t pipe_read(struct file *f, struct uio *to, u64 *pos)
{
	struct pipe *p = f->private;
	bool was_full, more;
	ssize_t ret;

	if (unlikely(!to->left))
		return 0;
	mutex_lock(&p->lock);
	for (;;) {
		was_full = pipe_is_full(p);
		ret = read_ring(p, to);
		if (ret || !p->writers)
			break;
		if (f->flags & O_NONBLOCK) {
			ret = -EAGAIN;
			break;
		}
		ret = pipe_wait_readable(p);
		if (ret)
			break;
	}
	was_full = was_full && !pipe_is_full(p);
	more = !pipe_is_empty(p);
	mutex_unlock(&p->lock);
	if (was_full)
		pipe_wake_writers(p);
	/* Another reader may have been passed over by an exclusive wake. */
	if (more && has_waiters(&p->rd_wait))
		wake_up_poll(&p->rd_wait, POLLIN | POLLRDNORM);
	return ret;
}

/* [lock] Append to the last buffer what fits there as a whole remainder. */
static ssize_t merge_last(struct pipe *p, struct uio *from)
{
	size_t part = from->left & (PAGE_SIZE - 1);
	struct pipe_buf *b;
	size_t got;

	if (!part || pipe_is_empty(p))
		return 0;
	b = pipe_buf_at(p, p->head - 1);
	if (!b->merge || b->off + b->len + part > PAGE_SIZE)
		return 0;
	got = uio_get(from, (char *)page_address(b->page) + b->off + b->len,
		      part);
	b->len += (u32)got;
	return got == part ? (ssize_t)got : -EFAULT;
}

/* [lock] One more buffer; there is a free slot. */
static ssize_t fill_slot(struct pipe *p, struct uio *from, bool packet)
{
	struct page *page = take_page(p);
	size_t n = min_t(size_t, from->left, PAGE_SIZE), got;

	if (!page)
		return -ENOMEM;
	got = uio_get(from, page_address(page), n);
	if (!got) {
		pipe_release_page(p, page);
		return -EFAULT;
	}
	*pipe_buf_at(p, p->head) = (struct pipe_buf){
		.page = page, .len = (u32)got, .merge = !packet,
		.packet = packet,
	};
	WRITE_ONCE(p->head, p->head + 1);
	return (ssize_t)got;
}

/* [lock] Until all is written, the ring is full or an error. */
static ssize_t write_ring(struct pipe *p, struct uio *from, bool packet,
			  bool first)
{
	ssize_t done = 0, got;

	if (first && !packet) {
		done = merge_last(p, from);
		if (done < 0)
			return done;
	}
	while (from->left && !pipe_is_full(p)) {
		got = fill_slot(p, from, packet);
		if (got < 0)
			return done ? done : got;
		done += got;
	}
	return done;
}

static ssize_t pipe_write(struct file *f, struct uio *from, u64 *pos)
{
	struct pipe *p = f->private;
	bool packet = f->flags & O_DIRECT, was_empty, room;
	ssize_t done = 0, ret = 0;

	if (unlikely(!from->left))
		return 0;
	mutex_lock(&p->lock);
	was_empty = pipe_is_empty(p);
	for (bool first = true;; first = false) {
		if (!p->readers) {
			ret = -EPIPE;
			break;
		}
		ret = write_ring(p, from, packet, first);
		if (ret < 0)
			break;
		done += ret;
		ret = 0;
		if (!from->left)
			break;
		if (!pipe_is_full(p))
			continue;
		if (f->flags & O_NONBLOCK) {
			ret = -EAGAIN;
			break;
		}
		/* Readers must see what is there before we sleep on them. */
		if (was_empty)
			pipe_wake_readers(p);
		ret = pipe_wait_writable(p);
		if (ret)
			break;
		was_empty = pipe_is_empty(p);
	}
	room = !pipe_is_full(p);
	mutex_unlock(&p->lock);
	if (done)
		pipe_wake_readers(p);
	if (room && has_waiters(&p->wr_wait))
		wake_up_poll(&p->wr_wait, POLLOUT | POLLWRNORM);
	if (unlikely(ret == -EPIPE) && !done)
		signal_send_task(current, SIGPIPE, NULL);
	return done ? done : ret;
}

static u32 pipe_poll(struct file *f, struct poll_table *pt)
{
	struct pipe *p = f->private;
	u32 mask = 0;

	if (f->mode & FMODE_READ)
		poll_wait(pt, &p->rd_wait);
	if (f->mode & FMODE_WRITE)
		poll_wait(pt, &p->wr_wait);
	arch_smp_mb();
	if (f->mode & FMODE_READ) {
		if (!pipe_is_empty(p))
			mask |= POLLIN | POLLRDNORM;
		if (!READ_ONCE(p->writers) && READ_ONCE(p->write_opens))
			mask |= POLLHUP;
	}
	if (f->mode & FMODE_WRITE) {
		if (!pipe_is_full(p))
			mask |= POLLOUT | POLLWRNORM;
		if (!READ_ONCE(p->readers))
			mask |= POLLERR;
	}
	return mask;
}

static long pipe_ioctl(struct file *f, u32 cmd, u64 arg)
{
	struct pipe *p = f->private;
	u32 n = 0;

	if (cmd != FIONREAD)
		return -ENOTTY;
	mutex_lock(&p->lock);
	for (u32 i = p->tail; i != p->head; i++)
		n += pipe_buf_at(p, i)->len;
	mutex_unlock(&p->lock);
	return put_user(n, (u32 __user *)user_ptr(arg));
}

static void pipe_release(struct file *f)
{
	struct pipe *p = f->private;
	struct inode *inode = f->inode;
	bool last;

	/* A FIFO's pipe lives in its inode, whose lock guards its end. */
	mutex_lock(&inode->lock);
	mutex_lock(&p->lock);
	if (f->mode & FMODE_READ)
		WRITE_ONCE(p->readers, p->readers - 1);
	if (f->mode & FMODE_WRITE)
		WRITE_ONCE(p->writers, p->writers - 1);
	last = --p->files == 0;
	mutex_unlock(&p->lock);
	if (last) {
		if (inode->fifo == p)
			inode->fifo = NULL;
		mutex_unlock(&inode->lock);
		pipe_free(p);
		return;
	}
	if (!p->readers != !p->writers) {
		wait_wake(&p->rd_wait, TASK_SLEEPING, 0,
			  POLLIN | POLLRDNORM | POLLERR | POLLHUP);
		wait_wake(&p->wr_wait, TASK_SLEEPING, 0,
			  POLLOUT | POLLWRNORM | POLLERR | POLLHUP);
		fasync_kill(&p->rd_fasync, POLLIN | POLLRDNORM, POLL_IN);
		fasync_kill(&p->wr_fasync, POLLOUT | POLLWRNORM, POLL_OUT);
	}
	mutex_unlock(&inode->lock);
}

static int pipe_fasync(struct file *f, bool on)
{
	struct pipe *p = f->private;
	int ret = 0;

	if (f->mode & FMODE_READ)
		ret = fasync_update(f, &p->rd_fasync, on);
	if (ret >= 0 && (f->mode & FMODE_WRITE))
		ret = fasync_update(f, &p->wr_fasync, on);
	return ret;
}

const struct file_ops pipe_ops = {
	.read = pipe_read,
	.write = pipe_write,
	.poll = pipe_poll,
	.ioctl = pipe_ioctl,
	.release = pipe_release,
	.fasync = pipe_fasync,
	.llseek = no_llseek,
};

bool file_is_pipe(struct file *f)
{
	return f->ops == &pipe_ops;
}
