/* SPDX-License-Identifier: MIT */
/*
 * Local sockets: making, shutting down, releasing, and what all three types
 * answer alike.
 *
 * A stream's peer is set once, under its lock, and stays until the sock is
 * released, so its own calls read it freely; a datagram sock's may change and
 * is taken with a reference by unix_peer_get().
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <linux/ioctls.h>

#define DGRAM_QUEUE_MAX 10u	/* Linux's net.unix.max_dgram_qlen */

struct sock *unix_create(u32 type, u32 protocol)
{
	static const struct sock_ops *const ops[SOCK_MAX] = {
		[SOCK_STREAM] = &unix_stream_ops,
		[SOCK_DGRAM] = &unix_dgram_ops,
		[SOCK_SEQPACKET] = &unix_seqpacket_ops,
	};
	struct sock *s;

	if (protocol && protocol != AF_UNIX)
		return ERR_PTR(-EPROTONOSUPPORT);
	if (type == SOCK_RAW)
		type = SOCK_DGRAM;
	if (!ops[type])
		return ERR_PTR(-ESOCKTNOSUPPORT);
	s = sock_new(type, ops[type]);
	if (!s)
		return ERR_PTR(-ENOMEM);
	s->protocol = protocol;
	s->backlog = DGRAM_QUEUE_MAX;
	spin_lock(&unix_table_lock);
	list_add_tail(&s->all_link, &unix_all);
	spin_unlock(&unix_table_lock);
	return s;
}

void unix_current_cred(struct ucred *out)
{
	const struct cred *c = current_cred();

	*out = (struct ucred){ (u32)task_tgid(current), c->euid, c->egid };
}

/* Neither has been seen by anyone else. */
void unix_pair(struct sock *a, struct sock *b)
{
	a->peer = sock_get(b);
	b->peer = sock_get(a);
	unix_current_cred(&a->peer_cred);
	b->peer_cred = a->peer_cred;
	a->state = b->state = SOCK_CONNECTED;
	if (!unix_is_connection(a)) {
		list_add(&a->sender_link, &b->senders);
		list_add(&b->sender_link, &a->senders);
	}
}

struct sock *unix_peer_get(struct sock *s)
{
	struct sock *peer;

	spin_lock(&s->lock);
	peer = s->peer;
	if (peer)
		sock_get(peer);
	spin_unlock(&s->lock);
	return peer;
}

/* No more connections, or no more datagrams from those not its own peer. */
bool unix_is_full(const struct sock *s)
{
	return READ_ONCE(s->queued) > READ_ONCE(s->backlog);
}

/* What waits for !unix_is_full looks at: the end of the sock too. */
bool unix_has_room(const struct sock *s)
{
	return !unix_is_full(s) || READ_ONCE(s->dead) ||
	       (READ_ONCE(s->shutdown) & SHUT_RCV);
}

void unix_shutdown(struct sock *s, u32 how)
{
	u32 other = (how & SHUT_RCV ? SHUT_SEND : 0) |
		    (how & SHUT_SEND ? SHUT_RCV : 0);
	struct sock *peer;

	spin_lock(&s->lock);
	WRITE_ONCE(s->shutdown, s->shutdown | how);
	peer = s->peer ? sock_get(s->peer) : NULL;
	spin_unlock(&s->lock);
	sock_wake_state(s);
	wake_up_all(&s->space_wait);
	if (!peer)
		return;
	if (unix_is_connection(s)) {
		spin_lock(&peer->lock);
		WRITE_ONCE(peer->shutdown, peer->shutdown | other);
		spin_unlock(&peer->lock);
		sock_wake_state(peer);
	}
	sock_put(peer);
}

/* ---- Release ---------------------------------------------------------- */

/* The other end of a connection learns that this one is gone. */
static void leave_peer(struct sock *s, struct sock *peer, bool lost)
{
	spin_lock(&peer->lock);
	WRITE_ONCE(peer->shutdown, SHUT_BOTH);
	if (lost)
		sock_set_error(peer, ECONNRESET);
	spin_unlock(&peer->lock);
	sock_wake_state(peer);
}

/* [L of none] Connections that nobody accepted end with their listener. */
static void drop_embryos(struct sock *s)
{
	struct sock *e;

	for (;;) {
		spin_lock(&s->lock);
		e = list_first_entry_or_null(&s->queue, struct sock,
					     accept_link);
		if (e) {
			list_del_init(&e->accept_link);
			s->queued--;
		}
		spin_unlock(&s->lock);
		if (!e)
			return;
		unix_release(e);
	}
}

static void drop_messages(struct sock *s)
{
	struct sock_buf *b;

	while ((b = sock_first(s))) {
		sock_unlink_buf(s, b);
		sock_buf_free(b);
	}
}

/* Those who wait for room here, or poll for it, see that there is no one. */
static void wake_senders(struct sock *s)
{
	struct sock *from;

	wake_up_all(&s->space_wait);
	spin_lock(&s->lock);
	list_for_each_entry(from, &s->senders, sender_link)
		wait_wake(&from->wr_wait, TASK_SLEEPING, 0,
			  POLLOUT | POLLWRNORM | POLLWRBAND);
	spin_unlock(&s->lock);
}

/*
 * The end of a sock, with its file's (or its listener's) reference.  Nobody
 * else can be inside a call on it; its peer and those who look it up can
 * still hold references and see `dead`.
 */
void unix_release(struct sock *s)
{
	bool listening, lost;
	struct sock *peer;

	unix_unname(s);
	spin_lock(&s->lock);
	s->dead = true;
	WRITE_ONCE(s->shutdown, SHUT_BOTH);
	listening = s->state == SOCK_LISTENING;
	WRITE_ONCE(s->state, SOCK_CLOSED);
	lost = !list_empty(&s->queue) || !s->ino;
	peer = s->peer;
	s->peer = NULL;
	spin_unlock(&s->lock);
	wake_senders(s);
	if (peer) {
		if (unix_is_connection(s))
			leave_peer(s, peer, lost);
		else
			unix_dgram_unlink(s, peer);
		sock_put(peer);
	}
	if (listening)
		drop_embryos(s);
	else
		drop_messages(s);
	sock_put(s);
	unix_collect();
}

/* ---- ioctl ------------------------------------------------------------ */

static long bytes_waiting(struct sock *s)
{
	struct sock_buf *b;
	long n = 0;

	if (READ_ONCE(s->state) == SOCK_LISTENING)
		return -EINVAL;
	mutex_lock(&s->read_lock);
	spin_lock(&s->lock);
	list_for_each_entry(b, &s->queue, link) {
		n += b->len - b->off;
		if (s->type == SOCK_DGRAM)
			break;
	}
	spin_unlock(&s->lock);
	mutex_unlock(&s->read_lock);
	return n;
}

long unix_ioctl(struct sock *s, u32 cmd, u64 arg)
{
	long n;

	switch (cmd) {
	case TIOCOUTQ:
		n = atomic_read(&s->charged) - 1;
		break;
	case FIONREAD:
		n = bytes_waiting(s);
		break;
	default:
		return -ENOTTY;
	}
	return n < 0 ? n : put_user((s32)n, (s32 __user *)user_ptr(arg));
}
