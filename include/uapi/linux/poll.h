/* SPDX-License-Identifier: MIT */
/* poll and epoll events. */
#ifndef SONDE_UAPI_LINUX_POLL_H
#define SONDE_UAPI_LINUX_POLL_H

#include <linux/types.h>

#include <asm/eventpoll.h>

#define POLLIN	   0x0001
#define POLLPRI	   0x0002
#define POLLOUT	   0x0004
#define POLLERR	   0x0008
#define POLLHUP	   0x0010
#define POLLNVAL   0x0020
#define POLLRDNORM 0x0040
#define POLLRDBAND 0x0080
#define POLLWRNORM 0x0100
#define POLLWRBAND 0x0200
#define POLLMSG	   0x0400
#define POLLRDHUP  0x2000

struct pollfd {
	__s32 fd;
	__s16 events;
	__s16 revents;
};

#define EPOLLIN	  0x00000001u
#define EPOLLPRI  0x00000002u
#define EPOLLOUT  0x00000004u
#define EPOLLERR  0x00000008u
#define EPOLLHUP  0x00000010u
#define EPOLLNVAL 0x00000020u
#define EPOLLRDHUP 0x00002000u
#define EPOLLEXCLUSIVE (1u << 28)
#define EPOLLWAKEUP (1u << 29)
#define EPOLLONESHOT (1u << 30)
#define EPOLLET	  (1u << 31)

#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3

struct epoll_event {
	__u32 events;
	__u64 data;
} EPOLL_PACKED;

#endif /* SONDE_UAPI_LINUX_POLL_H */
