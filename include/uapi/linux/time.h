/* SPDX-License-Identifier: MIT */
/* Clocks, timers and the structures that carry time (64-bit ABI). */
#ifndef _UAPI_LINUX_TIME_H
#define _UAPI_LINUX_TIME_H

#include <linux/types.h>

#define CLOCK_REALTIME		 0
#define CLOCK_MONOTONIC		 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID	 3
#define CLOCK_MONOTONIC_RAW	 4
#define CLOCK_REALTIME_COARSE	 5
#define CLOCK_MONOTONIC_COARSE	 6
#define CLOCK_BOOTTIME		 7
#define CLOCK_REALTIME_ALARM	 8
#define CLOCK_BOOTTIME_ALARM	 9
#define CLOCK_TAI		 11

/* A negative id: bits 31..3 ~pid, bit 2 thread, bits 1..0 which. */
#define CPUCLOCK_PERTHREAD_MASK 4
#define CPUCLOCK_CLOCK_MASK	3
#define CPUCLOCK_PROF		0
#define CPUCLOCK_VIRT		1
#define CPUCLOCK_SCHED		2
#define CLOCKFD			3

#define TIMER_ABSTIME 1

#define ITIMER_REAL    0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF    2

#define SIGEV_SIGNAL	0
#define SIGEV_NONE	1
#define SIGEV_THREAD	2
#define SIGEV_THREAD_ID 4

struct kernel_timespec {
	__s64 tv_sec;
	__s64 tv_nsec;
};

struct kernel_timeval {
	__s64 tv_sec;
	__s64 tv_usec;
};

struct kernel_itimerspec {
	struct kernel_timespec it_interval;
	struct kernel_timespec it_value;
};

struct kernel_itimerval {
	struct kernel_timeval it_interval;
	struct kernel_timeval it_value;
};

struct timezone {
	__s32 tz_minuteswest;
	__s32 tz_dsttime;
};

struct kernel_sigevent {
	__u64 sigev_value;
	__s32 sigev_signo;
	__s32 sigev_notify;
	__s32 sigev_tid;
	__s32 __pad[11];
};

struct kernel_tms {
	__s64 tms_utime;
	__s64 tms_stime;
	__s64 tms_cutime;
	__s64 tms_cstime;
};

/* adjtimex */
#define ADJ_OFFSET_SINGLESHOT 0x8001
#define ADJ_OFFSET_SS_READ    0xa001
#define STA_UNSYNC	      0x0040
#define TIME_ERROR	      5

struct kernel_timex {
	__u32 modes;
	__u32 __pad0;
	__s64 offset;
	__s64 freq;
	__s64 maxerror;
	__s64 esterror;
	__s32 status;
	__s32 __pad1;
	__s64 constant;
	__s64 precision;
	__s64 tolerance;
	struct kernel_timeval time;
	__s64 tick;
	__s64 ppsfreq;
	__s64 jitter;
	__s32 shift;
	__s32 __pad2;
	__s64 stabil;
	__s64 jitcnt;
	__s64 calcnt;
	__s64 errcnt;
	__s64 stbcnt;
	__s32 tai;
	__s32 __pad3[11];
};

#endif /* _UAPI_LINUX_TIME_H */
