/* SPDX-License-Identifier: MIT */
/*
 * The calls that send and receive messages.
 *
 * Everything becomes one struct sock_msg: where the bytes are, the name, the
 * flags and what travels along.  The caller of sock_send() or sock_recv()
 * owns what m->scm still holds afterwards.
 */
#include "internal.h"

#include <kernel/page.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <kernel/timespec.h>
#include <kernel/uaccess.h>
#include <lib/minmax.h>

#define NR_FAST_IOV 8

void sock_msg_init(struct sock_msg *m, struct uio *uio, u32 flags)
{
	m->uio = uio;
	m->flags = flags;
	m->out_flags = 0;
	m->name_len = 0;
	m->scm.has_cred = false;
	m->scm.files = NULL;
}

/* Descriptors that no message took with it are put. */
ssize_t sock_send(struct file *f, struct sock *s, struct sock_msg *m)
{
	ssize_t ret;

	if (f->flags & O_NONBLOCK)
		m->flags |= MSG_DONTWAIT;
	ret = s->ops->send(s, m);
	if (unlikely(m->scm.files != NULL))
		scm_drop(&m->scm);
	return ret;
}

ssize_t sock_recv(struct file *f, struct sock *s, struct sock_msg *m)
{
	if (f->flags & O_NONBLOCK)
		m->flags |= MSG_DONTWAIT;
	return s->ops->recv(s, m);
}

/* One user buffer as a uio: -EFAULT when it is not user memory at all. */
static int single_range(struct uio *u, void __user *buf, u64 len)
{
	len = min_t(u64, len, 0x7ffff000);
	if (!access_ok(buf, len))
		return -EFAULT;
	uio_user(u, buf, len);
	return 0;
}

SYSCALL6(sendto, int, fd, void __user *, buf, u64, len, u32, flags,
	 const void __user *, addr, s32, addr_len)
{
	struct sock_msg m;
	struct uio uio;
	struct fdref r;
	struct sock *s;
	ssize_t ret = single_range(&uio, buf, len);

	if (ret)
		return ret;
	s = sock_from_fd(fd, &r);
	if (IS_ERR(s))
		return PTR_ERR(s);
	sock_msg_init(&m, &uio, flags);
	if (addr) {
		ret = sock_name_from_user(m.name.raw, addr, addr_len);
		m.name_len = (u32)addr_len;
	}
	if (!ret)
		ret = sock_send(r.file, s, &m);
	fdput(r);
	return ret;
}

SYSCALL6(recvfrom, int, fd, void __user *, buf, u64, len, u32, flags,
	 void __user *, addr, s32 __user *, addr_len)
{
	struct sock_msg m;
	struct uio uio;
	struct fdref r;
	struct sock *s;
	ssize_t ret = single_range(&uio, buf, len);
	int err;

	if (ret)
		return ret;
	s = sock_from_fd(fd, &r);
	if (IS_ERR(s))
		return PTR_ERR(s);
	sock_msg_init(&m, &uio, flags);
	ret = sock_recv(r.file, s, &m);
	scm_drop(&m.scm);
	if (ret >= 0 && addr) {
		err = sock_name_to_user(m.name.raw, m.name_len, addr,
					addr_len);
		if (err)
			ret = err;
	}
	fdput(r);
	return ret;
}

/* ---- struct msghdr ---------------------------------------------------- */

/* The header, and the segments behind it. */
struct user_message {
	struct user_msghdr hdr;
	struct uio uio;
	struct iovec fast[NR_FAST_IOV];
	struct iovec *heap;
	struct sock_msg m;
};

static int import(struct user_message *um,
		  const struct user_msghdr __user *from, u32 flags)
{
	struct user_msghdr *h = &um->hdr;

	um->heap = NULL;
	if (copy_from_user(h, from, sizeof(*h)))
		return -EFAULT;
	if (!h->msg_name)
		h->msg_namelen = 0;
	if (h->msg_namelen < 0)
		return -EINVAL;
	h->msg_namelen = min(h->msg_namelen, 128);
	if (h->msg_iovlen > UIO_MAXIOV)
		return -EMSGSIZE;
	sock_msg_init(&um->m, &um->uio, flags);
	return uio_import(&um->uio, user_ptr(h->msg_iov), h->msg_iovlen,
			  um->fast, NR_FAST_IOV, &um->heap);
}

static ssize_t send_one(struct file *f, struct sock *s,
			const struct user_msghdr __user *from, u32 flags)
{
	struct user_message um;
	struct sock_msg *m = &um.m;
	ssize_t ret = import(&um, from, flags);

	if (!ret && um.hdr.msg_namelen) {
		ret = sock_name_from_user(m->name.raw,
					  user_ptr(um.hdr.msg_name),
					  um.hdr.msg_namelen);
		m->name_len = (u32)um.hdr.msg_namelen;
	}
	if (!ret && um.hdr.msg_controllen)
		ret = scm_parse(&m->scm, user_ptr(um.hdr.msg_control),
				um.hdr.msg_controllen);
	if (!ret)
		ret = sock_send(f, s, m);
	kfree(um.heap);
	return ret;
}

static int report(struct sock *s, struct user_message *um,
		  struct user_msghdr __user *to)
{
	struct user_msghdr *h = &um->hdr;
	u64 control = h->msg_control;
	struct sock_msg *m = &um->m;
	int ret;

	scm_deliver(s, m, h);
	if (h->msg_name) {
		ret = sock_name_to_user(m->name.raw, m->name_len,
					user_ptr(h->msg_name),
					user_field(to, msg_namelen));
		if (ret)
			return ret;
	}
	if (put_user(m->out_flags | (m->flags & MSG_CMSG_CLOEXEC),
		     user_field(to, msg_flags)))
		return -EFAULT;
	return put_user(h->msg_control - control,
			user_field(to, msg_controllen));
}

static ssize_t recv_one(struct file *f, struct sock *s,
			struct user_msghdr __user *hdr, u32 flags)
{
	struct user_message um;
	ssize_t ret = import(&um, hdr, flags);
	int err;

	if (!ret) {
		ret = sock_recv(f, s, &um.m);
		if (ret >= 0) {
			err = report(s, &um, hdr);
			if (err)
				ret = err;
		}
		scm_drop(&um.m.scm);
	}
	kfree(um.heap);
	return ret;
}

SYSCALL3(sendmsg, int, fd, const struct user_msghdr __user *, hdr, u32, flags)
{
	struct fdref r;
	struct sock *s;
	ssize_t ret;

	if (flags & MSG_CMSG_COMPAT)
		return -EINVAL;
	s = sock_from_fd(fd, &r);
	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = send_one(r.file, s, hdr, flags);
	fdput(r);
	return ret;
}

SYSCALL3(recvmsg, int, fd, struct user_msghdr __user *, hdr, u32, flags)
{
	struct fdref r;
	struct sock *s;
	ssize_t ret;

	if (flags & MSG_CMSG_COMPAT)
		return -EINVAL;
	s = sock_from_fd(fd, &r);
	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = recv_one(r.file, s, hdr, flags);
	fdput(r);
	return ret;
}

SYSCALL4(sendmmsg, int, fd, struct mmsghdr __user *, vec, u32, n, u32, flags)
{
	struct fdref r;
	struct sock *s;
	ssize_t ret = 0;
	u32 done = 0;

	if (flags & MSG_CMSG_COMPAT)
		return -EINVAL;
	n = min_t(u32, n, UIO_MAXIOV);
	s = sock_from_fd(fd, &r);
	if (IS_ERR(s))
		return PTR_ERR(s);
	for (; done < n; done++) {
		ret = send_one(r.file, s, user_field(&vec[done], msg_hdr),
			       flags);
		if (ret < 0)
			break;
		ret = put_user((u32)ret, user_field(&vec[done], msg_len));
		if (ret)
			break;
		if (signal_pending(current)) {
			done++;
			break;
		}
	}
	fdput(r);
	return done ? (long)done : ret;
}

/* An error after the first message is kept for the next call. */
static long recv_many(struct file *f, struct sock *s,
		      struct mmsghdr __user *vec, u32 n, u32 flags,
		      u64 deadline)
{
	ssize_t ret = sock_take_error(s);
	u32 done = 0;

	if (ret)
		return ret;
	while (done < n) {
		ret = recv_one(f, s, user_field(&vec[done], msg_hdr),
			       flags & ~MSG_WAITFORONE);
		if (ret < 0)
			break;
		ret = put_user((u32)ret, user_field(&vec[done], msg_len));
		if (ret)
			break;
		done++;
		if (flags & MSG_WAITFORONE)
			flags |= MSG_DONTWAIT;
		if (deadline != ~0ull && time_mono_ns() >= deadline)
			break;
	}
	if (!done)
		return ret;
	if (ret < 0 && ret != -EAGAIN && ret != -EINTR && ret != -ERESTARTSYS)
		sock_set_error(s, (s32)-ret);
	return done;
}

SYSCALL5(recvmmsg, int, fd, struct mmsghdr __user *, vec, u32, n, u32, flags,
	 void __user *, timeout)
{
	u64 deadline = ~0ull, now, ns;
	struct fdref r;
	struct sock *s;
	long ret;

	if (flags & MSG_CMSG_COMPAT)
		return -EINVAL;
	if (timeout) {
		ret = timespec_from_user(timeout, &ns);
		if (ret)
			return ret;
		deadline = time_mono_ns() + ns;
	}
	s = sock_from_fd(fd, &r);
	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = recv_many(r.file, s, vec, n, flags, deadline);
	fdput(r);
	if (ret > 0 && timeout) {
		now = time_mono_ns();
		if (timespec_to_user(timeout,
				     deadline > now ? deadline - now : 0))
			ret = -EFAULT;
	}
	return ret;
}
