/* SPDX-License-Identifier: MIT */
/*
 * Local stream sockets: bytes in order, in messages only as far as
 * descriptors and credentials keep them apart.
 *
 * A send is cut into pieces of at most CHUNK bytes, each one message of the
 * peer's queue.  A reader looks at the first one under read_lock alone, since
 * only holders of read_lock take messages off, and copies with that held.
 */
#include "internal.h"

#include <kernel/task.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define CHUNK (16384 - sizeof(struct sock_buf))

/* ---- Sending ---------------------------------------------------------- */

/* One more message for the peer: -EPIPE when nobody will read it. */
static int enqueue(struct sock *peer, struct sock_buf *b)
{
	spin_lock(&peer->lock);
	if (unlikely(peer->dead || (peer->shutdown & SHUT_RCV))) {
		spin_unlock(&peer->lock);
		return -EPIPE;
	}
	list_add_tail_pub(&b->link, &peer->queue);
	peer->queued++;
	spin_unlock(&peer->lock);
	sock_wake_readers(peer);
	return 0;
}

/* Bytes of one piece, or a negative errno. */
static ssize_t send_piece(struct sock *s, struct sock *peer,
			  struct sock_msg *m)
{
	size_t n = min(m->uio->left, CHUNK);
	struct sock_buf *b;
	int ret;

	n = min_t(size_t, n, (READ_ONCE(s->send_limit) >> 1) - 64);
	b = sock_buf_new(s, n, m->flags);
	if (IS_ERR(b))
		return PTR_ERR(b);
	b->cred = m->scm.cred;
	ret = -EFAULT;
	if (unlikely(uio_get(m->uio, b->data, n) < n))
		goto free_buf;
	if (unlikely(m->scm.files != NULL)) {
		ret = scm_files_depart(m->scm.files);
		if (ret)
			goto free_buf;
		scm_attach(b, &m->scm);
	}
	ret = enqueue(peer, b);
	if (unlikely(ret))
		goto free_buf;
	return (ssize_t)n;

free_buf:
	sock_buf_free(b);
	return ret;
}

static ssize_t stream_send(struct sock *s, struct sock_msg *m)
{
	struct sock *peer = load_acquire(&s->peer);
	ssize_t sent = 0, ret = 0;

	if (unlikely(m->flags & MSG_OOB))
		return -EOPNOTSUPP;
	if (unlikely(m->name_len))
		return READ_ONCE(s->state) == SOCK_CONNECTED ? -EISCONN :
							       -EOPNOTSUPP;
	if (unlikely(!peer))
		return -ENOTCONN;
	sock_add_cred(s, peer, m);
	if (unlikely(READ_ONCE(s->shutdown) & SHUT_SEND))
		ret = -EPIPE;
	while (!ret && m->uio->left) {
		ret = send_piece(s, peer, m);
		if (ret < 0)
			break;
		sent += ret;
		ret = 0;
	}
	if (unlikely(ret == -EPIPE) && !sent && !(m->flags & MSG_NOSIGNAL))
		signal_send_task(current, SIGPIPE, NULL);
	return sent ? sent : ret;
}

/* ---- Receiving -------------------------------------------------------- */

static bool readable(struct sock *s)
{
	return !sock_is_empty(s) || READ_ONCE(s->err) ||
	       (READ_ONCE(s->shutdown) & SHUT_RCV);
}

/*
 * [read_lock, dropped meanwhile] Nothing is queued: 1 at the end of the
 * stream, 0 to look again, or a negative errno.
 */
static int wait_data(struct sock *s, u64 *deadline, u32 flags)
{
	int ret = sock_take_error(s);

	if (ret)
		return ret;
	if (READ_ONCE(s->shutdown) & SHUT_RCV)
		/* What came before the end was queued before it. */
		return sock_is_empty(s) ? 1 : 0;
	if (*deadline == 1)
		*deadline = sock_deadline(READ_ONCE(s->recv_timeout), flags);
	if (!*deadline)
		return -EAGAIN;
	mutex_unlock(&s->read_lock);
	ret = wait_event_until(&s->rd_wait, readable(s), *deadline);
	mutex_lock(&s->read_lock);
	return ret ? sock_wait_error(ret, *deadline) : 0;
}

static bool same_cred(const struct ucred *a, const struct ucred *b)
{
	return a->pid == b->pid && a->uid == b->uid && a->gid == b->gid;
}

static void copy_name(struct sock_msg *m, const struct sock *from)
{
	const struct sock_name *n = load_acquire(&from->name);

	if (n) {
		memcpy(m->name.raw, n->raw, n->len);
		m->name_len = n->len;
	}
}

/*
 * [read_lock] Bytes of the message b: true when the call may go on to the
 * next one.  *ret is what was copied, or -EFAULT if that is not all.
 */
static bool take(struct sock *s, struct sock_msg *m, struct sock_buf *b,
		 ssize_t *ret)
{
	size_t n = min_t(size_t, b->len - b->off, m->uio->left);
	bool peek = m->flags & MSG_PEEK;
	size_t got = uio_put(m->uio, b->data + b->off, n);

	*ret = (ssize_t)got;
	if (unlikely(got < n)) {
		*ret = -EFAULT;
		return false;
	}
	if (unlikely(b->files != NULL)) {
		if (peek) {
			m->scm.files = scm_files_copy(b->files);
			return false;
		}
		scm_files_arrive(b->files);
		m->scm.files = b->files;
		b->files = NULL;
	}
	if (peek)
		return true;
	b->off += (u32)n;
	if (b->off == b->len) {
		sock_unlink_buf(s, b);
		sock_buf_free(b);
	}
	return !m->scm.files;
}

/* [read_lock] The message after b, or the first one. */
static struct sock_buf *next_buf(struct sock *s, struct sock_buf *b)
{
	struct list_head *next;

	if (!b)
		return sock_first(s);
	next = load_acquire(&b->link.next);
	return next == &s->queue ? NULL :
				   list_entry(next, struct sock_buf, link);
}

/* [read_lock] */
static ssize_t recv_locked(struct sock *s, struct sock_msg *m)
{
	size_t target = m->flags & MSG_WAITALL ?
			m->uio->left :
			min_t(size_t, READ_ONCE(s->low_water), m->uio->left);
	struct sock_buf *b, *peeked = NULL;
	u64 deadline = 1;
	ssize_t done = 0, got;
	int ret;

	target = max_t(size_t, target, 1);
	do {
		b = next_buf(s, peeked);
		if (!b) {
			if (done >= (ssize_t)target)
				break;
			ret = wait_data(s, &deadline, m->flags);
			if (ret)
				return done ? done : ret < 0 ? ret : 0;
			if (peeked) {
				/* The queue may be another one by now. */
				uio_revert(m->uio, (size_t)done);
				done = 0;
				peeked = NULL;
			}
			continue;
		}
		if (done && m->scm.has_cred && READ_ONCE(s->pass_cred) &&
		    !same_cred(&m->scm.cred, &b->cred))
			break;
		if (!m->scm.has_cred) {
			m->scm.cred = b->cred;
			m->scm.has_cred = true;
			copy_name(m, b->from);
		}
		peeked = m->flags & MSG_PEEK ? b : NULL;
		if (!take(s, m, b, &got))
			return done + max_t(ssize_t, got, 0) ?
				       done + max_t(ssize_t, got, 0) : got;
		done += got;
	} while (m->uio->left);
	return done;
}

static ssize_t stream_recv(struct sock *s, struct sock_msg *m)
{
	ssize_t ret;

	if (unlikely(READ_ONCE(s->state) != SOCK_CONNECTED ||
		     (m->flags & MSG_OOB)))
		return -EINVAL;
	mutex_lock(&s->read_lock);
	ret = recv_locked(s, m);
	mutex_unlock(&s->read_lock);
	return ret;
}

static u32 stream_poll(struct sock *s, struct poll_table *pt)
{
	u32 state = READ_ONCE(s->state), shut = READ_ONCE(s->shutdown);
	u32 mask = 0;

	if (READ_ONCE(s->err))
		mask |= POLLERR;
	if (shut == SHUT_BOTH)
		mask |= POLLHUP;
	if (shut & SHUT_RCV)
		mask |= POLLRDHUP | POLLIN | POLLRDNORM;
	if (!sock_is_empty(s))
		mask |= POLLIN | POLLRDNORM;
	if (state == SOCK_CLOSED)
		mask |= POLLHUP;
	if (state != SOCK_LISTENING && sock_can_write(s))
		mask |= POLLOUT | POLLWRNORM | POLLWRBAND;
	return mask;
}

const struct sock_ops unix_stream_ops = {
	.bind = unix_bind,
	.connect = unix_stream_connect,
	.listen = unix_listen,
	.accept = unix_accept,
	.send = stream_send,
	.recv = stream_recv,
	.poll = stream_poll,
};
