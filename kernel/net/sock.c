/* SPDX-License-Identifier: MIT */
/*
 * What every kind of socket shares: the life of a sock, its messages and who
 * pays for them, sleeping and waking.
 *
 * A message is charged to its sender until the receiver has freed it.  The
 * charge keeps the sender's memory: `charged` starts at one and the sock is
 * freed (after a grace period) by whoever takes it to zero.  sock_put() of the
 * last reference takes that one away.
 */
#include "internal.h"

#include <arch/barrier.h>
#include <kernel/page.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/minmax.h>
#include <lib/string.h>

static struct kmem_cache *sock_cache;

struct sock *sock_new(u32 type, const struct sock_ops *ops)
{
	struct sock *s;

	if (unlikely(!sock_cache))
		sock_cache = kmem_cache_create("sock", sizeof(*s), 16);
	s = kmem_cache_alloc(sock_cache, GFP_KERNEL);
	if (!s)
		return NULL;
	memzero(s, sizeof(*s));
	atomic_set(&s->charged, 1);
	ref_init(&s->refs);
	s->type = type;
	s->ops = ops;
	spin_init(&s->lock, LOCK_RANK_INODE_SPIN);
	mutex_init(&s->read_lock, LOCK_RANK_SOCKET);
	list_init(&s->queue);
	wait_queue_init(&s->rd_wait);
	wait_queue_init(&s->wr_wait);
	wait_queue_init(&s->space_wait);
	fasync_list_init(&s->fasync);
	list_init(&s->senders);
	list_init(&s->sender_link);
	list_init(&s->accept_link);
	list_init(&s->flight_link);
	sock_options_init(s);
	return s;
}

struct sock *sock_get(struct sock *s)
{
	ref_get(&s->refs);
	return s;
}

static void sock_free(struct reclaim_node *node)
{
	struct sock *s = container_of(node, struct sock, reclaim);

	if (s->name)
		sock_name_put(s->name);
	kmem_cache_free(sock_cache, s);
}

void sock_put(struct sock *s)
{
	if (ref_put(&s->refs) && atomic_dec_and_test(&s->charged))
		reclaim_after(&s->reclaim, sock_free);
}

/* Takes the caller's reference when it succeeds. */
struct file *sock_file(struct sock *s, u32 flags)
{
	struct file *f = inode_file("socket", S_IFSOCK | 0777, &socket_fops,
				    s, O_RDWR | (flags & O_NONBLOCK));

	if (!IS_ERR(f)) {
		s->file = f;
		s->ino = f->inode->ino;
	}
	return f;
}

struct sock *file_sock(const struct file *f)
{
	return f->ops == &socket_fops ? f->private : NULL;
}

int sock_take_error(struct sock *s)
{
	return likely(!READ_ONCE(s->err)) ? 0 : -xchg_acq_rel(&s->err, 0);
}

void sock_set_error(struct sock *s, s32 err)
{
	store_release(&s->err, err);
}

u64 sock_deadline(u64 timeout, u32 flags)
{
	u64 now;

	if (flags & MSG_DONTWAIT)
		return 0;
	if (timeout == ~0ull)
		return ~0ull;
	now = time_mono_ns();
	return timeout > ~0ull - 1 - now ? ~0ull - 1 : now + timeout;
}

/* The errno of a wait that failed: a call with a timeout never restarts. */
int sock_wait_error(int ret, u64 deadline)
{
	if (ret == -ETIMEDOUT)
		return -EAGAIN;
	if (ret == -ERESTARTSYS && deadline != ~0ull)
		return -EINTR;
	return ret;
}

/* ---- Messages --------------------------------------------------------- */

/*
 * What a message of this length counts against SO_SNDBUF: as much as it does
 * on Linux, whose buffers carry 256 bytes of head and 320 of tail, so that a
 * writer that fills a socket gets as far.
 */
static u32 buf_charge(size_t len)
{
	return 256 + (u32)(len <= 7872 ? roundup_pow2(len + 320) :
					 ALIGN_UP(len + 320, 4096));
}

static bool may_send(struct sock *s)
{
	return (u32)(atomic_read(&s->charged) - 1) <
		       READ_ONCE(s->send_limit) ||
	       (READ_ONCE(s->shutdown) & SHUT_SEND) || READ_ONCE(s->err);
}

/* A buffer paid for by s, waiting for room unless told not to.  ERR_PTR. */
struct sock_buf *sock_buf_new(struct sock *s, size_t len, u32 flags)
{
	struct sock_buf *b;
	u64 deadline = 1;
	int ret;

	for (;;) {
		ret = sock_take_error(s);
		if (unlikely(ret))
			return ERR_PTR(ret);
		if (unlikely(READ_ONCE(s->shutdown) & SHUT_SEND))
			return ERR_PTR(-EPIPE);
		if (likely((u32)(atomic_read(&s->charged) - 1) <
			   READ_ONCE(s->send_limit)))
			break;
		if (deadline == 1)
			deadline = sock_deadline(READ_ONCE(s->send_timeout),
						 flags);
		if (!deadline)
			return ERR_PTR(-EAGAIN);
		ret = wait_event_until(&s->wr_wait, may_send(s), deadline);
		if (ret)
			return ERR_PTR(sock_wait_error(ret, deadline));
	}
	b = kmalloc(sizeof(*b) + len, GFP_KERNEL);
	if (!b)
		return ERR_PTR(-ENOBUFS);
	b->from = s;
	b->charge = buf_charge(len);
	b->len = (u32)len;
	b->off = 0;
	b->files = NULL;
	atomic_add(&s->charged, (int)b->charge);
	return b;
}

/*
 * Give the charge back.  A sleeping writer is woken when three quarters are
 * free; the grace period keeps the sender while its queue is looked at.
 */
void sock_buf_free(struct sock_buf *b)
{
	struct sock *from = b->from;
	u32 charge = b->charge, limit;
	int left;

	if (unlikely(b->files != NULL))
		scm_files_free(b->files);
	kfree(b);
	reclaim_read_lock();
	left = atomic_sub_return(&from->charged, (int)charge);
	limit = READ_ONCE(from->send_limit) / 4;
	if (unlikely(!left)) {
		reclaim_after(&from->reclaim, sock_free);
	} else if ((u32)left - 1 <= limit && (u32)left - 1 + charge > limit) {
		arch_smp_mb();
		if (!list_empty(&from->wr_wait.waiters))
			wait_wake(&from->wr_wait, TASK_SLEEPING, 0,
				  POLLOUT | POLLWRNORM | POLLWRBAND);
		if (unlikely(!list_empty(&from->fasync.entries)))
			fasync_kill(&from->fasync,
				    POLLOUT | POLLWRNORM | POLLWRBAND,
				    POLL_OUT);
	}
	reclaim_read_unlock();
}

/* [read_lock] */
void sock_unlink_buf(struct sock *s, struct sock_buf *b)
{
	spin_lock(&s->lock);
	list_del(&b->link);
	s->queued--;
	spin_unlock(&s->lock);
}

/* ---- Waking ----------------------------------------------------------- */

void sock_wake_readers(struct sock *s)
{
	arch_smp_mb();
	if (!list_empty(&s->rd_wait.waiters))
		wait_wake(&s->rd_wait, TASK_SLEEPING, 0,
			  POLLIN | POLLRDNORM | POLLRDBAND);
	if (unlikely(!list_empty(&s->fasync.entries)))
		fasync_kill(&s->fasync, POLLIN | POLLRDNORM, POLL_IN);
}

/* Shut down, hung up, an error: everyone looks again. */
void sock_wake_state(struct sock *s)
{
	bool both = READ_ONCE(s->shutdown) == SHUT_BOTH;
	u64 key = POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM | POLLRDHUP |
		  POLLERR | POLLHUP;

	arch_smp_mb();
	wait_wake(&s->rd_wait, TASK_SLEEPING, 0, key);
	wait_wake(&s->wr_wait, TASK_SLEEPING, 0, key);
	if (unlikely(!list_empty(&s->fasync.entries)))
		fasync_kill(&s->fasync,
			    both ? POLLHUP : POLLIN | POLLRDNORM,
			    both ? POLL_HUP : POLL_IN);
}
