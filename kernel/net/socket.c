/* SPDX-License-Identifier: MIT */
/*
 * Sockets as files, and the calls that make and connect them.
 *
 * A socket's file holds one reference to its sock in file->private.  Nothing
 * here looks inside a family: unix_create() is the only one there is, and
 * every other family answers EAFNOSUPPORT.
 */
#include "internal.h"

#include <arch/barrier.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>

BUILD_ASSERT(SOCK_CLOEXEC == O_CLOEXEC);
BUILD_ASSERT(SOCK_NONBLOCK == O_NONBLOCK);

struct sock *sock_from_fd(int fd, struct fdref *r)
{
	*r = fdget(fd);
	if (!r->file)
		return ERR_PTR(-EBADF);
	if (r->file->ops != &socket_fops) {
		fdput(*r);
		return ERR_PTR(-ENOTSOCK);
	}
	return r->file->private;
}

/* ---- File operations -------------------------------------------------- */

static ssize_t socket_read(struct file *f, struct uio *to, u64 *pos)
{
	struct sock_msg m;
	ssize_t ret;

	if (!to->left)
		return 0;
	sock_msg_init(&m, to, 0);
	ret = sock_recv(f, f->private, &m);
	scm_drop(&m.scm);
	return ret;
}

static ssize_t socket_write(struct file *f, struct uio *from, u64 *pos)
{
	struct sock *s = f->private;
	struct sock_msg m;

	sock_msg_init(&m, from, s->type == SOCK_SEQPACKET ? MSG_EOR : 0);
	return sock_send(f, s, &m);
}

static u32 socket_poll(struct file *f, struct poll_table *pt)
{
	struct sock *s = f->private;

	poll_wait(pt, &s->rd_wait);
	poll_wait(pt, &s->wr_wait);
	arch_smp_mb();
	return s->ops->poll(s, pt);
}

static long socket_ioctl(struct file *f, u32 cmd, u64 arg)
{
	return unix_ioctl(f->private, cmd, arg);
}

static void socket_release(struct file *f)
{
	unix_release(f->private);
}

static int socket_fasync(struct file *f, bool on)
{
	struct sock *s = f->private;

	return fasync_update(f, &s->fasync, on);
}

const struct file_ops socket_fops = {
	.read = socket_read,
	.write = socket_write,
	.poll = socket_poll,
	.ioctl = socket_ioctl,
	.release = socket_release,
	.fasync = socket_fasync,
	.llseek = no_llseek,
};

/* ---- Making ----------------------------------------------------------- */

static struct sock *create(s32 family, s32 type, s32 protocol)
{
	if (family < 0 || family >= AF_MAX)
		return ERR_PTR(-EAFNOSUPPORT);
	if (type < 0 || type >= SOCK_MAX)
		return ERR_PTR(-EINVAL);
	if (family != AF_UNIX)
		return ERR_PTR(-EAFNOSUPPORT);
	return unix_create((u32)type, (u32)protocol);
}

/* Takes the reference to s, also when it fails. */
static int install(struct sock *s, u32 flags)
{
	int fd = fd_reserve(0, flags);
	struct file *f;

	if (fd < 0) {
		unix_release(s);
		return fd;
	}
	f = sock_file(s, flags);
	if (IS_ERR(f)) {
		unix_release(s);
		fd_release(fd);
		return (int)PTR_ERR(f);
	}
	fd_install(fd, f);
	return fd;
}

SYSCALL3(socket, s32, family, u32, type, s32, protocol)
{
	u32 flags = type & ~(u32)SOCK_TYPE_MASK;
	struct sock *s;

	if (flags & ~(u32)(SOCK_CLOEXEC | SOCK_NONBLOCK))
		return -EINVAL;
	s = create(family, (s32)(type & SOCK_TYPE_MASK), protocol);
	return IS_ERR(s) ? PTR_ERR(s) : install(s, flags);
}

static int make_pair(s32 family, u32 type, s32 protocol, struct file *out[2])
{
	s32 kind = (s32)(type & SOCK_TYPE_MASK);
	struct sock *a, *b;
	int ret;

	a = create(family, kind, protocol);
	if (IS_ERR(a))
		return (int)PTR_ERR(a);
	b = create(family, kind, protocol);
	ret = PTR_ERR_OR_ZERO(b);
	if (ret)
		goto release_a;
	unix_pair(a, b);
	out[0] = sock_file(a, type);
	ret = PTR_ERR_OR_ZERO(out[0]);
	if (ret)
		goto release_b;
	out[1] = sock_file(b, type);
	if (!IS_ERR(out[1]))
		return 0;
	ret = (int)PTR_ERR(out[1]);
	file_put(out[0]);
	unix_release(b);
	return ret;

release_b:
	unix_release(b);
release_a:
	unix_release(a);
	return ret;
}

SYSCALL4(socketpair, s32, family, u32, type, s32, protocol, s32 __user *, fds)
{
	u32 flags = type & ~(u32)SOCK_TYPE_MASK;
	struct file *files[2] = { NULL, NULL };
	s32 out[2];
	int ret;

	if (flags & ~(u32)(SOCK_CLOEXEC | SOCK_NONBLOCK))
		return -EINVAL;
	ret = out[0] = fd_reserve(0, flags);
	if (ret < 0)
		return ret;
	ret = out[1] = fd_reserve(0, flags);
	if (ret < 0)
		goto release_first;
	ret = copy_to_user(fds, out, sizeof(out));
	if (!ret)
		ret = make_pair(family, type, protocol, files);
	if (ret)
		goto release_second;
	fd_install(out[0], files[0]);
	fd_install(out[1], files[1]);
	return 0;

release_second:
	fd_release(out[1]);
release_first:
	fd_release(out[0]);
	return ret;
}

/* ---- Connecting ------------------------------------------------------- */

SYSCALL3(bind, int, fd, const void __user *, addr, s32, len)
{
	struct fdref r;
	struct sock *s = sock_from_fd(fd, &r);
	char name[128];
	int ret;

	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = sock_name_from_user(name, addr, len);
	if (!ret)
		ret = s->ops->bind(s, (struct sockaddr_un *)name, (u32)len);
	fdput(r);
	return ret;
}

SYSCALL3(connect, int, fd, const void __user *, addr, s32, len)
{
	struct fdref r;
	struct sock *s = sock_from_fd(fd, &r);
	char name[128];
	int ret;

	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = sock_name_from_user(name, addr, len);
	if (!ret)
		ret = s->ops->connect(s, (struct sockaddr_un *)name, (u32)len,
				      r.file->flags & O_NONBLOCK ?
					      MSG_DONTWAIT : 0);
	fdput(r);
	return ret;
}

SYSCALL2(listen, int, fd, s32, backlog)
{
	struct fdref r;
	struct sock *s = sock_from_fd(fd, &r);
	int ret;

	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = s->ops->listen(s, backlog);
	fdput(r);
	return ret;
}

/* The caller's name of a fresh connection's other end. */
static int tell_peer(struct sock *s, void __user *addr, s32 __user *len)
{
	struct sockaddr_un none = { .sun_family = AF_UNIX };
	struct sock *peer = unix_peer_get(s);
	struct sock_name *n;
	int ret;

	if (!addr) {
		if (peer)
			sock_put(peer);
		return 0;
	}
	if (!peer)
		return -ECONNABORTED;
	n = load_acquire(&peer->name);
	ret = n ? sock_name_to_user(&n->addr, n->len, addr, len) :
		  sock_name_to_user(&none, sizeof(none.sun_family), addr, len);
	sock_put(peer);
	return ret;
}

static long accept_at(int fd, void __user *addr, s32 __user *len, u32 flags)
{
	struct fdref r;
	struct sock *s, *fresh;
	struct file *f;
	int newfd;
	long ret;

	if (flags & ~(u32)(SOCK_CLOEXEC | SOCK_NONBLOCK))
		return -EINVAL;
	s = sock_from_fd(fd, &r);
	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = newfd = fd_reserve(0, flags);
	if (newfd < 0)
		goto put_listener;
	fresh = s->ops->accept(s, r.file->flags & O_NONBLOCK ?
					  MSG_DONTWAIT : 0);
	ret = PTR_ERR_OR_ZERO(fresh);
	if (ret)
		goto release_fd;
	f = sock_file(fresh, flags);
	if (IS_ERR(f)) {
		unix_release(fresh);
		ret = PTR_ERR(f);
		goto release_fd;
	}
	ret = tell_peer(fresh, addr, len);
	if (ret) {
		file_put(f);
		goto release_fd;
	}
	fd_install(newfd, f);
	fdput(r);
	return newfd;

release_fd:
	fd_release(newfd);
put_listener:
	fdput(r);
	return ret;
}

SYSCALL3(accept, int, fd, void __user *, addr, s32 __user *, len)
{
	return accept_at(fd, addr, len, 0);
}

SYSCALL4(accept4, int, fd, void __user *, addr, s32 __user *, len, u32, flags)
{
	return accept_at(fd, addr, len, flags);
}

SYSCALL2(shutdown, int, fd, s32, how)
{
	struct fdref r;
	struct sock *s = sock_from_fd(fd, &r);
	int ret = 0;

	if (IS_ERR(s))
		return PTR_ERR(s);
	if (how < SHUT_RD || how > SHUT_RDWR)
		ret = -EINVAL;
	else
		unix_shutdown(s, (u32)how + 1);
	fdput(r);
	return ret;
}
