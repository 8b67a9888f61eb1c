/* SPDX-License-Identifier: MIT */
/* inotify events and flags. */
#ifndef SONDE_UAPI_LINUX_INOTIFY_H
#define SONDE_UAPI_LINUX_INOTIFY_H

#include <linux/types.h>

struct inotify_event {
	__s32 wd;
	__u32 mask;
	__u32 cookie;
	__u32 len;
	char name[];
};

#define IN_ACCESS	 0x00000001u
#define IN_MODIFY	 0x00000002u
#define IN_ATTRIB	 0x00000004u
#define IN_CLOSE_WRITE	 0x00000008u
#define IN_CLOSE_NOWRITE 0x00000010u
#define IN_OPEN		 0x00000020u
#define IN_MOVED_FROM	 0x00000040u
#define IN_MOVED_TO	 0x00000080u
#define IN_CREATE	 0x00000100u
#define IN_DELETE	 0x00000200u
#define IN_DELETE_SELF	 0x00000400u
#define IN_MOVE_SELF	 0x00000800u
#define IN_UNMOUNT	 0x00002000u
#define IN_Q_OVERFLOW	 0x00004000u
#define IN_IGNORED	 0x00008000u
#define IN_ONLYDIR	 0x01000000u
#define IN_DONT_FOLLOW	 0x02000000u
#define IN_EXCL_UNLINK	 0x04000000u
#define IN_MASK_CREATE	 0x10000000u
#define IN_MASK_ADD	 0x20000000u
#define IN_ISDIR	 0x40000000u
#define IN_ONESHOT	 0x80000000u
#define IN_ALL_EVENTS	 0x00000fffu

#endif /* SONDE_UAPI_LINUX_INOTIFY_H */
