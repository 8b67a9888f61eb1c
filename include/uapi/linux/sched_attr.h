/* SPDX-License-Identifier: MIT */
/* sched_setattr(2) and sched_setparam(2). */
#ifndef _UAPI_LINUX_SCHED_ATTR_H
#define _UAPI_LINUX_SCHED_ATTR_H

#include <linux/types.h>

struct sched_param {
	__s32 sched_priority;
};

#define SCHED_ATTR_SIZE_VER0 48
#define SCHED_ATTR_SIZE_VER1 56

#define SCHED_FLAG_RESET_ON_FORK 0x01
#define SCHED_FLAG_RECLAIM	 0x02
#define SCHED_FLAG_DL_OVERRUN	 0x04
#define SCHED_FLAG_KEEP_POLICY	 0x08
#define SCHED_FLAG_KEEP_PARAMS	 0x10
#define SCHED_FLAG_ALL		 0x7f

struct sched_attr {
	__u32 size;
	__u32 sched_policy;
	__u64 sched_flags;
	__s32 sched_nice;
	__u32 sched_priority;
	__u64 sched_runtime;
	__u64 sched_deadline;
	__u64 sched_period;
	__u32 sched_util_min;
	__u32 sched_util_max;
};

#endif /* _UAPI_LINUX_SCHED_ATTR_H */
