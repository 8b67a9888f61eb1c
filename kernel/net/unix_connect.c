/* SPDX-License-Identifier: MIT */
/*
 * Connecting local sockets: listen, connect and accept of the connection
 * types, and the peer of a datagram sock.
 *
 * A connection that waits to be accepted is a whole sock, linked into its
 * listener's queue by accept_link; the listener owns its reference.  The step
 * that connects holds the locks of both ends.
 */
#include "internal.h"

#include <kernel/sched.h>
#include <lib/minmax.h>

#define BACKLOG_MAX 4096u	/* Linux's net.core.somaxconn */

/* One change of a datagram peer at a time. */
static struct mutex peer_mutex = MUTEX_INIT(peer_mutex, LOCK_RANK_BIND);

int unix_no_listen(struct sock *s, s32 backlog)
{
	return -EOPNOTSUPP;
}

struct sock *unix_no_accept(struct sock *s, u32 flags)
{
	return ERR_PTR(-EOPNOTSUPP);
}

int unix_listen(struct sock *s, s32 backlog)
{
	u32 limit = min((u32)backlog, BACKLOG_MAX);
	bool more;

	if (!load_acquire(&s->name))
		return -EINVAL;
	spin_lock(&s->lock);
	if (s->state == SOCK_CONNECTED) {
		spin_unlock(&s->lock);
		return -EINVAL;
	}
	more = limit > s->backlog;
	WRITE_ONCE(s->backlog, limit);
	WRITE_ONCE(s->state, SOCK_LISTENING);
	unix_current_cred(&s->peer_cred);
	spin_unlock(&s->lock);
	if (more)
		wake_up_all(&s->space_wait);
	return 0;
}

/* ---- connect ---------------------------------------------------------- */

/* [L of both] Why s cannot connect to the listener now; 1: it is full. */
static int refusal(const struct sock *s, const struct sock *listener)
{
	if (listener->state != SOCK_LISTENING ||
	    (listener->shutdown & SHUT_RCV))
		return -ECONNREFUSED;
	if (unix_is_full(listener))
		return 1;
	if (s->state == SOCK_CONNECTED)
		return -EISCONN;
	return s->state == SOCK_CLOSED ? 0 : -EINVAL;
}

/* [L of both] fresh becomes the accepting end. */
static void establish(struct sock *s, struct sock *listener,
		      struct sock *fresh)
{
	unix_current_cred(&fresh->peer_cred);
	s->peer_cred = listener->peer_cred;
	ref_get(&listener->name->refs);
	fresh->name = listener->name;
	fresh->peer = sock_get(s);
	fresh->state = SOCK_CONNECTED;
	fresh->pass_cred = listener->pass_cred;
	store_release(&s->peer, sock_get(fresh));
	WRITE_ONCE(s->state, SOCK_CONNECTED);
	list_add_tail_pub(&fresh->accept_link, &listener->queue);
	WRITE_ONCE(listener->queued, listener->queued + 1);
}

/* 0, 1 for full, 2 to look the name up again, or a negative errno. */
static int try_connect(struct sock *s, struct sock *listener,
		       struct sock *fresh)
{
	int ret;

	/* A listener that connects to itself is no closed sock. */
	if (s == listener)
		return s->state == SOCK_LISTENING ? -EINVAL : -ECONNREFUSED;
	spin_lock_two(&s->lock, &listener->lock);
	ret = listener->dead ? 2 : refusal(s, listener);
	if (!ret)
		establish(s, listener, fresh);
	spin_unlock_two(&s->lock, &listener->lock);
	if (!ret)
		sock_wake_readers(listener);
	return ret;
}

static int connect_with(struct sock *s, const struct sockaddr_un *addr,
			u32 len, u32 flags, struct sock *fresh)
{
	u64 deadline = sock_deadline(READ_ONCE(s->send_timeout), flags);
	struct sock *listener;
	int ret;

	do {
		listener = unix_find(s, addr, len);
		if (IS_ERR(listener))
			return (int)PTR_ERR(listener);
		ret = try_connect(s, listener, fresh);
		if (ret == 1) {
			ret = -EAGAIN;
			if (deadline)
				ret = wait_event_until(&listener->space_wait,
						unix_has_room(listener),
						deadline);
			ret = ret ? sock_wait_error(ret, deadline) : 2;
		}
		sock_put(listener);
	} while (ret == 2);
	return ret;
}

int unix_stream_connect(struct sock *s, const struct sockaddr_un *addr,
			u32 len, u32 flags)
{
	struct sock *fresh;
	int ret = unix_check_addr(addr, len);

	if (!ret && READ_ONCE(s->pass_cred) && !s->name)
		ret = unix_autobind(s);
	if (ret)
		return ret;
	fresh = unix_create(s->type, s->protocol);
	if (IS_ERR(fresh))
		return (int)PTR_ERR(fresh);
	ret = connect_with(s, addr, len, flags, fresh);
	if (ret)
		unix_release(fresh);
	return ret;
}

/* ---- accept ----------------------------------------------------------- */

static struct sock *take_embryo(struct sock *s)
{
	struct sock *e;

	spin_lock(&s->lock);
	e = list_first_entry_or_null(&s->queue, struct sock, accept_link);
	if (e) {
		list_del_init(&e->accept_link);
		WRITE_ONCE(s->queued, s->queued - 1);
	}
	spin_unlock(&s->lock);
	if (e)
		wake_up_all(&s->space_wait);
	return e;
}

struct sock *unix_accept(struct sock *s, u32 flags)
{
	u64 deadline = sock_deadline(READ_ONCE(s->recv_timeout), flags);
	struct sock *e;
	int ret;

	if (READ_ONCE(s->state) != SOCK_LISTENING)
		return ERR_PTR(-EINVAL);
	for (;;) {
		e = take_embryo(s);
		if (e)
			return e;
		if (READ_ONCE(s->shutdown) & SHUT_RCV)
			return ERR_PTR(-EINVAL);
		if (!deadline)
			return ERR_PTR(-EAGAIN);
		ret = wait_event_until(&s->rd_wait,
				       !sock_is_empty(s) ||
				       (READ_ONCE(s->shutdown) & SHUT_RCV),
				       deadline);
		if (ret)
			return ERR_PTR(sock_wait_error(ret, deadline));
	}
}

/* ---- Datagrams -------------------------------------------------------- */

/* s no longer sends to peer by default. */
void unix_dgram_unlink(struct sock *s, struct sock *peer)
{
	spin_lock(&peer->lock);
	list_del_init(&s->sender_link);
	spin_unlock(&peer->lock);
}

/*
 * s has left peer: what peer had sent is lost, and peer hears of it if it was
 * connected to s.
 */
static void dgram_lost(struct sock *s, struct sock *peer)
{
	struct sock_buf *b;
	bool any = false;

	mutex_lock(&s->read_lock);
	while ((b = sock_first(s))) {
		sock_unlink_buf(s, b);
		sock_buf_free(b);
		any = true;
	}
	mutex_unlock(&s->read_lock);
	if (!any)
		return;
	wake_up_all(&s->space_wait);
	spin_lock(&peer->lock);
	any = !peer->dead && peer->peer == s;
	if (any)
		sock_set_error(peer, ECONNRESET);
	spin_unlock(&peer->lock);
	if (any)
		sock_wake_state(peer);
}

/*
 * Replace the peer; to is a consumed reference or NULL.  With only, nothing
 * happens unless that is the peer now; true when it was.
 */
bool unix_dgram_set_peer(struct sock *s, struct sock *to, struct sock *only)
{
	struct sock *old;

	mutex_lock(&peer_mutex);
	spin_lock(&s->lock);
	old = s->peer;
	if (only && old != only) {
		spin_unlock(&s->lock);
		mutex_unlock(&peer_mutex);
		return false;
	}
	s->peer = to;
	WRITE_ONCE(s->state, to ? SOCK_CONNECTED : SOCK_CLOSED);
	spin_unlock(&s->lock);
	if (old)
		unix_dgram_unlink(s, old);
	if (to) {
		spin_lock(&to->lock);
		if (list_empty(&s->sender_link))
			list_add(&s->sender_link, &to->senders);
		spin_unlock(&to->lock);
	}
	if (old && old != to)
		dgram_lost(s, old);
	mutex_unlock(&peer_mutex);
	if (old)
		sock_put(old);
	return true;
}

static int may_connect(struct sock *s, struct sock *to)
{
	int ret;

	spin_lock(&to->lock);
	ret = to->dead ? 1 : !to->peer || to->peer == s ? 0 : -EPERM;
	spin_unlock(&to->lock);
	return ret;
}

int unix_dgram_connect(struct sock *s, const struct sockaddr_un *addr,
		       u32 len, u32 flags)
{
	struct sock *to;
	int ret;

	if (len < sizeof(addr->sun_family))
		return -EINVAL;
	if (addr->sun_family == AF_UNSPEC) {
		unix_dgram_set_peer(s, NULL, NULL);
		return 0;
	}
	ret = unix_check_addr(addr, len);
	if (!ret && READ_ONCE(s->pass_cred) && !s->name)
		ret = unix_autobind(s);
	if (ret)
		return ret;
	do {
		to = unix_find(s, addr, len);
		if (IS_ERR(to))
			return (int)PTR_ERR(to);
		ret = may_connect(s, to);
		if (ret)
			sock_put(to);
	} while (ret == 1);
	if (ret)
		return ret;
	unix_dgram_set_peer(s, to, NULL);
	return 0;
}
