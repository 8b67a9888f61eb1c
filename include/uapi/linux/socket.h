/* SPDX-License-Identifier: MIT */
/* Sockets: families, types, options, messages. */
#ifndef SONDE_UAPI_LINUX_SOCKET_H
#define SONDE_UAPI_LINUX_SOCKET_H

#include <linux/types.h>

#define AF_UNSPEC 0
#define AF_UNIX	  1
#define AF_INET	  2
#define AF_PACKET 17
#define AF_MAX	  46

#define SOCK_STREAM    1
#define SOCK_DGRAM     2
#define SOCK_RAW       3
#define SOCK_SEQPACKET 5
#define SOCK_PACKET    10
#define SOCK_MAX       11
#define SOCK_TYPE_MASK 0xf
#define SOCK_CLOEXEC   02000000
#define SOCK_NONBLOCK  00004000

#define SHUT_RD	  0
#define SHUT_WR	  1
#define SHUT_RDWR 2

#define SOL_SOCKET 1

#define SO_DEBUG	 1
#define SO_REUSEADDR	 2
#define SO_TYPE		 3
#define SO_ERROR	 4
#define SO_DONTROUTE	 5
#define SO_BROADCAST	 6
#define SO_SNDBUF	 7
#define SO_RCVBUF	 8
#define SO_KEEPALIVE	 9
#define SO_OOBINLINE	 10
#define SO_PRIORITY	 12
#define SO_LINGER	 13
#define SO_REUSEPORT	 15
#define SO_PASSCRED	 16
#define SO_PEERCRED	 17
#define SO_RCVLOWAT	 18
#define SO_SNDLOWAT	 19
#define SO_RCVTIMEO_OLD	 20
#define SO_SNDTIMEO_OLD	 21
#define SO_ACCEPTCONN	 30
#define SO_SNDBUFFORCE	 32
#define SO_RCVBUFFORCE	 33
#define SO_PROTOCOL	 38
#define SO_DOMAIN	 39
#define SO_RCVTIMEO_NEW	 66
#define SO_SNDTIMEO_NEW	 67

#define SCM_RIGHTS	0x01
#define SCM_CREDENTIALS 0x02
#define SCM_MAX_FD	253

#define MSG_OOB		 0x1u
#define MSG_PEEK	 0x2u
#define MSG_CTRUNC	 0x8u
#define MSG_TRUNC	 0x20u
#define MSG_DONTWAIT	 0x40u
#define MSG_EOR		 0x80u
#define MSG_WAITALL	 0x100u
#define MSG_ERRQUEUE	 0x2000u
#define MSG_NOSIGNAL	 0x4000u
#define MSG_MORE	 0x8000u
#define MSG_WAITFORONE	 0x10000u
#define MSG_CMSG_CLOEXEC 0x40000000u
#define MSG_CMSG_COMPAT	 0x80000000u

#define UNIX_PATH_MAX 108

struct sockaddr_un {
	__u16 sun_family;
	char sun_path[UNIX_PATH_MAX];
};

struct ucred {
	__u32 pid;
	__u32 uid;
	__u32 gid;
};

struct linger {
	__s32 l_onoff;
	__s32 l_linger;
};

struct user_msghdr {
	__u64 msg_name;
	__s32 msg_namelen;
	__u32 pad1;
	__u64 msg_iov;
	__u64 msg_iovlen;
	__u64 msg_control;
	__u64 msg_controllen;
	__u32 msg_flags;
	__u32 pad2;
};

struct mmsghdr {
	struct user_msghdr msg_hdr;
	__u32 msg_len;
	__u32 pad;
};

struct cmsghdr {
	__u64 cmsg_len;
	__s32 cmsg_level;
	__s32 cmsg_type;
};
#define CMSG_ALIGN(len) (((len) + 7ul) & ~7ul)
#define CMSG_LEN(len)	(sizeof(struct cmsghdr) + (len))
#define CMSG_SPACE(len) (sizeof(struct cmsghdr) + CMSG_ALIGN(len))

#endif /* SONDE_UAPI_LINUX_SOCKET_H */
