/* SPDX-License-Identifier: MIT */
/* uname(2) and sysinfo(2). */
#ifndef _UAPI_LINUX_UTSNAME_H
#define _UAPI_LINUX_UTSNAME_H

#include <linux/types.h>

#define NEW_UTS_LEN 64

struct user_utsname {
	char sysname[NEW_UTS_LEN + 1];
	char nodename[NEW_UTS_LEN + 1];
	char release[NEW_UTS_LEN + 1];
	char version[NEW_UTS_LEN + 1];
	char machine[NEW_UTS_LEN + 1];
	char domainname[NEW_UTS_LEN + 1];
};

struct user_sysinfo {
	__s64 uptime;
	__u64 loads[3];
	__u64 totalram;
	__u64 freeram;
	__u64 sharedram;
	__u64 bufferram;
	__u64 totalswap;
	__u64 freeswap;
	__u16 procs;
	__u16 pad;
	__u32 pad2;
	__u64 totalhigh;
	__u64 freehigh;
	__u32 mem_unit;
	__u32 pad3;
};

#endif /* _UAPI_LINUX_UTSNAME_H */
