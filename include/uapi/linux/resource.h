/* SPDX-License-Identifier: MIT */
/* Resource limits and usage. */
#ifndef _UAPI_LINUX_RESOURCE_H
#define _UAPI_LINUX_RESOURCE_H

#include <linux/types.h>

#define RLIMIT_CPU	  0
#define RLIMIT_FSIZE	  1
#define RLIMIT_DATA	  2
#define RLIMIT_STACK	  3
#define RLIMIT_CORE	  4
#define RLIMIT_RSS	  5
#define RLIMIT_NPROC	  6
#define RLIMIT_NOFILE	  7
#define RLIMIT_MEMLOCK	  8
#define RLIMIT_AS	  9
#define RLIMIT_LOCKS	  10
#define RLIMIT_SIGPENDING 11
#define RLIMIT_MSGQUEUE	  12
#define RLIMIT_NICE	  13
#define RLIMIT_RTPRIO	  14
#define RLIMIT_RTTIME	  15

#define RLIM64_INFINITY (~0ULL)
#define RLIM_INFINITY	(~0UL)

#define RUSAGE_SELF	0
#define RUSAGE_CHILDREN (-1)
#define RUSAGE_BOTH	(-2)
#define RUSAGE_THREAD	1

struct user_rusage {
	__s64 ru_utime_sec, ru_utime_usec;
	__s64 ru_stime_sec, ru_stime_usec;
	__s64 ru_maxrss;	/* KiB */
	__s64 ru_ixrss, ru_idrss, ru_isrss;
	__s64 ru_minflt, ru_majflt, ru_nswap;
	__s64 ru_inblock, ru_oublock;
	__s64 ru_msgsnd, ru_msgrcv, ru_nsignals;
	__s64 ru_nvcsw, ru_nivcsw;
};

#define PRIO_PROCESS 0
#define PRIO_PGRP    1
#define PRIO_USER    2

#endif /* _UAPI_LINUX_RESOURCE_H */
