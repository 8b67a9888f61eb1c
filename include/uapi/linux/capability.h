/* SPDX-License-Identifier: MIT */
/* capget(2) and capset(2). */
#ifndef _UAPI_LINUX_CAPABILITY_H
#define _UAPI_LINUX_CAPABILITY_H

#include <linux/types.h>

#define LINUX_CAPABILITY_VERSION_1 0x19980330
#define LINUX_CAPABILITY_VERSION_2 0x20071026
#define LINUX_CAPABILITY_VERSION_3 0x20080522

struct user_cap_header {
	__u32 version;
	__s32 pid;
};

/* One word of 32 capabilities; versions 2 and 3 carry two. */
struct user_cap_data {
	__u32 effective;
	__u32 permitted;
	__u32 inheritable;
};

#endif /* _UAPI_LINUX_CAPABILITY_H */
