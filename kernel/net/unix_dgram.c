/* SPDX-License-Identifier: MIT */
/*
 * Local datagram sockets, and the sequenced packets that differ from them
 * only by having a connection.
 *
 * A message goes to a named receiver or to the peer.  A receiver that is not
 * connected to the sender takes only so many: the sender waits on the
 * receiver's space_wait, and one that polls is woken through the receiver's
 * list of senders when its queue is no longer full.
 */
#include "internal.h"

#include <kernel/task.h>
#include <lib/minmax.h>
#include <lib/string.h>

/* ---- Sending ---------------------------------------------------------- */

/* The receiver, referenced, or ERR_PTR. */
static struct sock *receiver(struct sock *s, struct sock_msg *m)
{
	struct sock *to;

	if (m->name_len)
		return unix_find(s, &m->name.un, m->name_len);
	to = unix_peer_get(s);
	return to ? to : ERR_PTR(-ENOTCONN);
}

enum verdict { DELIVERED, FULL, DEAD };

/* [no lock] An enum verdict or a negative errno. */
static int deliver(struct sock *s, struct sock *to, struct sock_buf *b)
{
	int ret = DELIVERED;

	spin_lock(&to->lock);
	if (to->dead)
		ret = DEAD;
	else if (to->peer && to->peer != s)
		ret = -EPERM;
	else if (to->shutdown & SHUT_RCV)
		ret = -EPIPE;
	else if (to != s && to->peer != s && unix_is_full(to))
		ret = FULL;
	if (ret == DELIVERED) {
		list_add_tail_pub(&b->link, &to->queue);
		WRITE_ONCE(to->queued, to->queued + 1);
	}
	spin_unlock(&to->lock);
	if (ret == DELIVERED)
		sock_wake_readers(to);
	return ret;
}

/* 0 to look for the receiver again. */
static int after_dead(struct sock *s, struct sock *to)
{
	if (s->type == SOCK_SEQPACKET)
		return -EPIPE;
	return unix_dgram_set_peer(s, NULL, to) ? -ECONNREFUSED : 0;
}

static int wait_space(struct sock *s, struct sock *to, u64 *deadline,
		      u32 flags)
{
	int ret;

	if (*deadline == 1)
		*deadline = sock_deadline(READ_ONCE(s->send_timeout), flags);
	if (!*deadline)
		return -EAGAIN;
	ret = wait_event_until(&to->space_wait, unix_has_room(to), *deadline);
	return ret ? sock_wait_error(ret, *deadline) : 0;
}

/* Consumes the reference to the receiver. */
static int send_buf(struct sock *s, struct sock *to, struct sock_msg *m,
		    struct sock_buf *b)
{
	u64 deadline = 1;
	int ret;

	for (;;) {
		ret = deliver(s, to, b);
		if (ret == FULL)
			ret = wait_space(s, to, &deadline, m->flags);
		else if (ret == DEAD)
			ret = after_dead(s, to);
		else
			break;
		if (ret)
			break;
		sock_put(to);
		to = receiver(s, m);
		if (IS_ERR(to))
			return m->name_len ? (int)PTR_ERR(to) : -ECONNRESET;
	}
	sock_put(to);
	return ret;
}

static int check_send(struct sock *s, struct sock_msg *m)
{
	int ret = 0;

	if (m->flags & MSG_OOB)
		return -EOPNOTSUPP;
	if (m->name_len) {
		ret = unix_check_addr(&m->name.un, m->name_len);
		if (ret)
			return ret;
	} else if (!READ_ONCE(s->peer)) {
		return -ENOTCONN;
	}
	if (READ_ONCE(s->pass_cred) && !s->name) {
		ret = unix_autobind(s);
		if (ret)
			return ret;
	}
	if (m->uio->left + 32 > READ_ONCE(s->send_limit))
		return -EMSGSIZE;
	return 0;
}

static ssize_t dgram_send(struct sock *s, struct sock_msg *m)
{
	size_t len = m->uio->left;
	struct sock_buf *b;
	struct sock *to;
	int ret = check_send(s, m);

	if (ret)
		return ret;
	b = sock_buf_new(s, len, m->flags);
	if (IS_ERR(b))
		return PTR_ERR(b);
	ret = -EFAULT;
	if (uio_get(m->uio, b->data, len) < len)
		goto free_buf;
	to = receiver(s, m);
	ret = PTR_ERR_OR_ZERO(to);
	if (ret)
		goto free_buf;
	sock_add_cred(s, to, m);
	b->cred = m->scm.cred;
	if (m->scm.files) {
		ret = scm_files_depart(m->scm.files);
		if (ret) {
			sock_put(to);
			goto free_buf;
		}
		scm_attach(b, &m->scm);
	}
	ret = send_buf(s, to, m, b);
	if (!ret)
		return (ssize_t)len;

free_buf:
	sock_buf_free(b);
	return ret;
}

/* ---- Receiving -------------------------------------------------------- */

static bool readable(struct sock *s)
{
	return !sock_is_empty(s) || READ_ONCE(s->err) ||
	       (READ_ONCE(s->shutdown) & SHUT_RCV) ||
	       (s->type == SOCK_SEQPACKET &&
		READ_ONCE(s->state) == SOCK_CLOSED);
}

/* [read_lock, dropped meanwhile] The first message: NULL at the end. */
static struct sock_buf *wait_message(struct sock *s, u32 flags)
{
	u64 deadline = 1;
	struct sock_buf *b;
	int ret;

	for (;;) {
		ret = sock_take_error(s);
		if (ret)
			return ERR_PTR(ret);
		b = sock_first(s);
		if (b)
			return b;
		if (deadline == 1)
			deadline = sock_deadline(READ_ONCE(s->recv_timeout),
						 flags);
		if (READ_ONCE(s->shutdown) & SHUT_RCV) {
			if (!sock_is_empty(s))
				continue;
			if (deadline || s->type == SOCK_SEQPACKET)
				return NULL;
		}
		if (!deadline)
			return ERR_PTR(-EAGAIN);
		mutex_unlock(&s->read_lock);
		ret = wait_event_until(&s->rd_wait, readable(s), deadline);
		mutex_lock(&s->read_lock);
		if (ret)
			return ERR_PTR(sock_wait_error(ret, deadline));
	}
}

/* [read_lock] b leaves the queue; senders go on when it is full no more. */
static void unlink_message(struct sock *s, struct sock_buf *b)
{
	struct sock *from;
	bool was_full;

	spin_lock(&s->lock);
	was_full = unix_is_full(s);
	list_del(&b->link);
	WRITE_ONCE(s->queued, s->queued - 1);
	if (unlikely(was_full && !unix_is_full(s))) {
		wake_up_all(&s->space_wait);
		list_for_each_entry(from, &s->senders, sender_link)
			wait_wake(&from->wr_wait, TASK_SLEEPING, 0,
				  POLLOUT | POLLWRNORM | POLLWRBAND);
	}
	spin_unlock(&s->lock);
}

static void copy_name(struct sock_msg *m, const struct sock *from)
{
	const struct sock_name *n = load_acquire(&from->name);

	if (n) {
		memcpy(m->name.raw, n->raw, n->len);
		m->name_len = n->len;
	}
}

/* [read_lock] */
static ssize_t take_message(struct sock *s, struct sock_msg *m,
			    struct sock_buf *b)
{
	size_t n = min_t(size_t, b->len, m->uio->left);
	bool peek = m->flags & MSG_PEEK;
	ssize_t ret = m->flags & MSG_TRUNC ? (ssize_t)b->len : (ssize_t)n;

	if (n < b->len)
		m->out_flags |= MSG_TRUNC;
	copy_name(m, b->from);
	m->scm.cred = b->cred;
	m->scm.has_cred = true;
	if (uio_put(m->uio, b->data, n) < n)
		ret = -EFAULT;
	if (peek) {
		if (b->files && ret >= 0)
			m->scm.files = scm_files_copy(b->files);
		return ret;
	}
	unlink_message(s, b);
	if (b->files && ret >= 0) {
		scm_files_arrive(b->files);
		m->scm.files = b->files;
		b->files = NULL;
	}
	sock_buf_free(b);
	return ret;
}

static ssize_t dgram_recv(struct sock *s, struct sock_msg *m)
{
	struct sock_buf *b;
	ssize_t ret = 0;

	if (m->flags & MSG_OOB)
		return -EOPNOTSUPP;
	mutex_lock(&s->read_lock);
	b = wait_message(s, m->flags);
	if (IS_ERR(b))
		ret = PTR_ERR(b);
	else if (b)
		ret = take_message(s, m, b);
	mutex_unlock(&s->read_lock);
	return ret;
}

static u32 dgram_poll(struct sock *s, struct poll_table *pt)
{
	u32 shut = READ_ONCE(s->shutdown), mask = 0;
	struct sock *peer;
	bool room;

	if (READ_ONCE(s->err))
		mask |= POLLERR;
	if (shut & SHUT_RCV)
		mask |= POLLRDHUP | POLLIN | POLLRDNORM;
	if (shut == SHUT_BOTH)
		mask |= POLLHUP;
	if (!sock_is_empty(s))
		mask |= POLLIN | POLLRDNORM;
	if (s->type == SOCK_SEQPACKET && READ_ONCE(s->state) == SOCK_CLOSED)
		mask |= POLLHUP;
	if (pt && !(pt->events & (POLLOUT | POLLWRNORM | POLLWRBAND)))
		return mask;
	room = sock_can_write(s);
	peer = room ? unix_peer_get(s) : NULL;
	if (peer) {
		room = READ_ONCE(peer->peer) == s || !unix_is_full(peer);
		sock_put(peer);
	}
	if (room)
		mask |= POLLOUT | POLLWRNORM | POLLWRBAND;
	return mask;
}

const struct sock_ops unix_dgram_ops = {
	.bind = unix_bind,
	.connect = unix_dgram_connect,
	.listen = unix_no_listen,
	.accept = unix_no_accept,
	.send = dgram_send,
	.recv = dgram_recv,
	.poll = dgram_poll,
};

/* ---- Sequenced packets ------------------------------------------------ */

static ssize_t seqpacket_send(struct sock *s, struct sock_msg *m)
{
	int ret = sock_take_error(s);

	if (ret)
		return ret;
	if (READ_ONCE(s->state) != SOCK_CONNECTED)
		return -ENOTCONN;
	m->name_len = 0;
	return dgram_send(s, m);
}

static ssize_t seqpacket_recv(struct sock *s, struct sock_msg *m)
{
	if (READ_ONCE(s->state) != SOCK_CONNECTED)
		return -ENOTCONN;
	return dgram_recv(s, m);
}

const struct sock_ops unix_seqpacket_ops = {
	.bind = unix_bind,
	.connect = unix_stream_connect,
	.listen = unix_listen,
	.accept = unix_accept,
	.send = seqpacket_send,
	.recv = seqpacket_recv,
	.poll = dgram_poll,
};
