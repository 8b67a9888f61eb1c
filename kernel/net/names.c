/* SPDX-License-Identifier: MIT */
/*
 * Names of sockets between user space and the kernel: getsockname,
 * getpeername, and the copies that the other calls use.
 */
#include "internal.h"

#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/minmax.h>
#include <lib/string.h>

/* to has room for 128 bytes; what the caller left out reads as zero. */
int sock_name_from_user(void *to, const void __user *from, s32 len)
{
	if (len < 0 || len > 128)
		return -EINVAL;
	memset((char *)to + len, 0, (size_t)(128 - len));
	return len ? copy_from_user(to, from, (size_t)len) : 0;
}

/* As much as fits; *len_ptr becomes the whole length. */
int sock_name_to_user(const void *name, u32 len, void __user *to,
		      s32 __user *len_ptr)
{
	s32 room;

	if (get_user(room, len_ptr))
		return -EFAULT;
	room = min(room, (s32)len);
	if (room < 0)
		return -EINVAL;
	if (room && copy_to_user(to, name, (size_t)room))
		return -EFAULT;
	return put_user((s32)len, len_ptr);
}

static int tell_name(struct sock *s, void __user *addr, s32 __user *len)
{
	struct sockaddr_un none = { .sun_family = AF_UNIX };
	struct sock_name *n = load_acquire(&s->name);

	if (!n)
		return sock_name_to_user(&none, sizeof(none.sun_family), addr,
					 len);
	return sock_name_to_user(&n->addr, n->len, addr, len);
}

SYSCALL3(getsockname, int, fd, void __user *, addr, s32 __user *, len)
{
	struct fdref r;
	struct sock *s = sock_from_fd(fd, &r);
	int ret;

	if (IS_ERR(s))
		return PTR_ERR(s);
	ret = tell_name(s, addr, len);
	fdput(r);
	return ret;
}

SYSCALL3(getpeername, int, fd, void __user *, addr, s32 __user *, len)
{
	struct fdref r;
	struct sock *s = sock_from_fd(fd, &r), *peer;
	int ret = -ENOTCONN;

	if (IS_ERR(s))
		return PTR_ERR(s);
	peer = unix_peer_get(s);
	if (peer) {
		ret = tell_name(peer, addr, len);
		sock_put(peer);
	}
	fdput(r);
	return ret;
}
