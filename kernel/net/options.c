/* SPDX-License-Identifier: MIT */
/*
 * getsockopt and setsockopt at the socket level; local sockets have no level
 * of their own.
 *
 * Options that are only a bit for a local socket (SO_BROADCAST and the like)
 * live in s->flags; each value is an atomic scalar, so no lock is taken except
 * for pairs.
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/syscall.h>
#include <kernel/timespec.h>
#include <kernel/uaccess.h>
#include <lib/bits.h>
#include <lib/minmax.h>

#define SEND_LIMIT_MIN 4608u
#define RECV_LIMIT_MIN 2304u

/* On or off, without a meaning for local sockets beyond being told back. */
#define FLAG_OPTIONS                                                     \
	(1u << SO_DEBUG | 1u << SO_REUSEADDR | 1u << SO_DONTROUTE |      \
	 1u << SO_BROADCAST | 1u << SO_KEEPALIVE | 1u << SO_OOBINLINE |  \
	 1u << SO_REUSEPORT)

void sock_options_init(struct sock *s)
{
	s->send_limit = s->recv_limit = SOCK_BUF_DEFAULT;
	s->recv_timeout = s->send_timeout = ~0ull;
	s->low_water = 1;
	s->peer_cred = (struct ucred){ .pid = 0, .uid = ~0u, .gid = ~0u };
}

static bool is_flag(s32 name)
{
	return name > 0 && name < 32 && (FLAG_OPTIONS & (1u << name));
}

/* ---- Asking ----------------------------------------------------------- */

static int get_flag(struct sock *s, s32 name)
{
	return !!(READ_ONCE(s->flags) & (1u << name));
}

/* The integer options: 0 and *out, or -ENOPROTOOPT. */
static int get_int(struct sock *s, s32 name, s32 *out)
{
	if (is_flag(name)) {
		*out = get_flag(s, name);
		return 0;
	}
	switch (name) {
	case SO_TYPE:
		*out = (s32)s->type;
		break;
	case SO_ERROR:
		*out = -sock_take_error(s);
		break;
	case SO_SNDBUF:
		*out = (s32)READ_ONCE(s->send_limit);
		break;
	case SO_RCVBUF:
		*out = (s32)READ_ONCE(s->recv_limit);
		break;
	case SO_PRIORITY:
		*out = (s32)READ_ONCE(s->priority);
		break;
	case SO_PASSCRED:
		*out = READ_ONCE(s->pass_cred);
		break;
	case SO_RCVLOWAT:
		*out = (s32)READ_ONCE(s->low_water);
		break;
	case SO_SNDLOWAT:
		*out = 1;
		break;
	case SO_ACCEPTCONN:
		*out = READ_ONCE(s->state) == SOCK_LISTENING;
		break;
	case SO_PROTOCOL:
		*out = (s32)s->protocol;
		break;
	case SO_DOMAIN:
		*out = AF_UNIX;
		break;
	default:
		return -ENOPROTOOPT;
	}
	return 0;
}

union option {
	s32 i;
	struct ucred cred;
	struct linger linger;
	struct kernel_timeval tv;
};

static struct kernel_timeval timeout_value(u64 ns)
{
	return ns_to_timeval(ns == ~0ull ? 0 : ns);
}

/* Length of what is in *v, or a negative errno. */
static int get_option(struct sock *s, s32 name, union option *v)
{
	int ret = 0;

	switch (name) {
	case SO_PEERCRED:
		spin_lock(&s->lock);
		v->cred = s->peer_cred;
		spin_unlock(&s->lock);
		return sizeof(v->cred);
	case SO_LINGER:
		spin_lock(&s->lock);
		v->linger = s->linger;
		spin_unlock(&s->lock);
		return sizeof(v->linger);
	case SO_RCVTIMEO_OLD:
	case SO_RCVTIMEO_NEW:
		v->tv = timeout_value(READ_ONCE(s->recv_timeout));
		return sizeof(v->tv);
	case SO_SNDTIMEO_OLD:
	case SO_SNDTIMEO_NEW:
		v->tv = timeout_value(READ_ONCE(s->send_timeout));
		return sizeof(v->tv);
	default:
		ret = get_int(s, name, &v->i);
		return ret ? ret : (int)sizeof(v->i);
	}
}

static long do_get(struct sock *s, s32 level, s32 name, void __user *value,
		   s32 __user *len_ptr)
{
	union option v = { 0 };
	s32 len;
	int n;

	if (level != SOL_SOCKET)
		return -EOPNOTSUPP;
	if (get_user(len, len_ptr))
		return -EFAULT;
	if (len < 0)
		return -EINVAL;
	n = get_option(s, name, &v);
	if (n < 0)
		return n;
	len = min(len, n);
	if (len && copy_to_user(value, &v, (size_t)len))
		return -EFAULT;
	return put_user(len, len_ptr);
}

SYSCALL5(getsockopt, int, fd, s32, level, s32, name, void __user *, value,
	 s32 __user *, len)
{
	struct fdref r;
	struct sock *s = sock_from_fd(fd, &r);
	long ret;

	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = do_get(s, level, name, value, len);
	fdput(r);
	return ret;
}

/* ---- Setting ---------------------------------------------------------- */

/* Twice what is asked, as the count includes the kernel's own part. */
static u32 limit_of(s32 val, u32 least, bool force)
{
	u32 most = force ? S32_MAX / 2 : SOCK_BUF_DEFAULT;
	u32 want = val < 0 && force ? 0 : min_t(u32, (u32)val, most);

	return max(want * 2, least);
}

static void set_flag(struct sock *s, s32 name, bool on)
{
	if (on)
		fetch_or_relaxed(&s->flags, 1u << name);
	else
		fetch_and_relaxed(&s->flags, ~(1u << name));
}

static int set_timeout(u64 *to, const void __user *value, s32 len)
{
	struct kernel_timeval tv;
	u64 ns;

	if (len < (s32)sizeof(tv))
		return -EINVAL;
	if (copy_from_user(&tv, value, sizeof(tv)))
		return -EFAULT;
	if (tv.tv_usec < 0 || tv.tv_usec >= 1000000)
		return -EDOM;
	if (tv.tv_sec < 0)
		ns = 0;
	else if ((u64)tv.tv_sec >= S64_MAX / NSEC_PER_SEC)
		ns = ~0ull;
	else
		ns = (u64)tv.tv_sec * NSEC_PER_SEC +
		     (u64)tv.tv_usec * NSEC_PER_USEC;
	/* Zero in the struct means for ever; a negative time means not. */
	WRITE_ONCE(*to, ns || tv.tv_sec < 0 ? ns : ~0ull);
	return 0;
}

static int set_linger(struct sock *s, const void __user *value, s32 len)
{
	struct linger l;

	if (len < (s32)sizeof(l))
		return -EINVAL;
	if (copy_from_user(&l, value, sizeof(l)))
		return -EFAULT;
	spin_lock(&s->lock);
	s->linger.l_onoff = !!l.l_onoff;
	if (l.l_onoff)
		s->linger.l_linger = l.l_linger;
	spin_unlock(&s->lock);
	return 0;
}

static void set_send_limit(struct sock *s, s32 val, bool force)
{
	WRITE_ONCE(s->send_limit, limit_of(val, SEND_LIMIT_MIN, force));
	sock_wake_state(s);
}

static int set_int(struct sock *s, s32 name, s32 val)
{
	bool force = name == SO_SNDBUFFORCE || name == SO_RCVBUFFORCE;

	if (name == SO_DEBUG && val && !capable(CAP_NET_ADMIN))
		return -EACCES;
	if (is_flag(name)) {
		set_flag(s, name, val);
		return 0;
	}
	if (force && !capable(CAP_NET_ADMIN))
		return -EPERM;
	switch (name) {
	case SO_SNDBUF:
	case SO_SNDBUFFORCE:
		set_send_limit(s, val, force);
		return 0;
	case SO_RCVBUF:
	case SO_RCVBUFFORCE:
		WRITE_ONCE(s->recv_limit,
			   limit_of(val, RECV_LIMIT_MIN, force));
		return 0;
	case SO_PRIORITY:
		if ((val < 0 || val > 6) && !capable(CAP_NET_ADMIN) &&
		    !capable(CAP_NET_RAW))
			return -EPERM;
		WRITE_ONCE(s->priority, (u32)val);
		return 0;
	case SO_PASSCRED:
		WRITE_ONCE(s->pass_cred, val != 0);
		return 0;
	case SO_RCVLOWAT:
		WRITE_ONCE(s->low_water,
			   val < 0 ? (u32)S32_MAX : max((u32)val, 1u));
		return 0;
	default:
		return -ENOPROTOOPT;
	}
}

static long do_set(struct sock *s, s32 level, s32 name,
		   const void __user *value, s32 len)
{
	s32 val;

	if (len < 0)
		return -EINVAL;
	if (level != SOL_SOCKET)
		return -EOPNOTSUPP;
	if (len < (s32)sizeof(val))
		return -EINVAL;
	if (get_user(val, (const s32 __user *)value))
		return -EFAULT;
	switch (name) {
	case SO_RCVTIMEO_OLD:
	case SO_RCVTIMEO_NEW:
		return set_timeout(&s->recv_timeout, value, len);
	case SO_SNDTIMEO_OLD:
	case SO_SNDTIMEO_NEW:
		return set_timeout(&s->send_timeout, value, len);
	case SO_LINGER:
		return set_linger(s, value, len);
	default:
		return set_int(s, name, val);
	}
}

SYSCALL5(setsockopt, int, fd, s32, level, s32, name, const void __user *,
	 value, s32, len)
{
	struct fdref r;
	struct sock *s = sock_from_fd(fd, &r);
	long ret;

	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = do_set(s, level, name, value, len);
	fdput(r);
	return ret;
}
