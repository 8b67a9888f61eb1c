/* SPDX-License-Identifier: MIT */
/*
 * Signals: numbers, siginfo, actions and alternate stacks of the 64-bit
 * Linux ABI.  Members of struct siginfo overlap as si_code says.
 */
#ifndef _UAPI_LINUX_SIGNAL_H
#define _UAPI_LINUX_SIGNAL_H

#include <linux/types.h>

#define SIGHUP	  1
#define SIGINT	  2
#define SIGQUIT	  3
#define SIGILL	  4
#define SIGTRAP	  5
#define SIGABRT	  6
#define SIGBUS	  7
#define SIGFPE	  8
#define SIGKILL	  9
#define SIGUSR1	  10
#define SIGSEGV	  11
#define SIGUSR2	  12
#define SIGPIPE	  13
#define SIGALRM	  14
#define SIGTERM	  15
#define SIGSTKFLT 16
#define SIGCHLD	  17
#define SIGCONT	  18
#define SIGSTOP	  19
#define SIGTSTP	  20
#define SIGTTIN	  21
#define SIGTTOU	  22
#define SIGURG	  23
#define SIGXCPU	  24
#define SIGXFSZ	  25
#define SIGVTALRM 26
#define SIGPROF	  27
#define SIGWINCH  28
#define SIGIO	  29
#define SIGPOLL	  SIGIO
#define SIGPWR	  30
#define SIGSYS	  31
#define SIGRTMIN  32
#define SIGRTMAX  64

#define SA_NOCLDSTOP	  0x00000001
#define SA_NOCLDWAIT	  0x00000002
#define SA_SIGINFO	  0x00000004
#define SA_UNSUPPORTED	  0x00000400
#define SA_EXPOSE_TAGBITS 0x00000800
#define SA_RESTORER	  0x04000000
#define SA_ONSTACK	  0x08000000
#define SA_RESTART	  0x10000000
#define SA_NODEFER	  0x40000000
#define SA_RESETHAND	  0x80000000

#define SIG_BLOCK   0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

/* Values of a handler. */
#define SIG_DFL 0
#define SIG_IGN 1

#define SS_ONSTACK    1
#define SS_DISABLE    2
#define SS_AUTODISARM (1U << 31)

/* si_code: from anybody */
#define SI_USER	    0
#define SI_KERNEL   0x80
#define SI_QUEUE    (-1)
#define SI_TIMER    (-2)
#define SI_MESGQ    (-3)
#define SI_ASYNCIO  (-4)
#define SI_SIGIO    (-5)
#define SI_TKILL    (-6)
#define SI_DETHREAD (-7)
#define SI_ASYNCNL  (-60)

/* SIGILL */
#define ILL_ILLOPC 1
#define ILL_ILLOPN 2
#define ILL_ILLADR 3
#define ILL_ILLTRP 4
#define ILL_PRVOPC 5
#define ILL_PRVREG 6
#define ILL_COPROC 7
#define ILL_BADSTK 8

/* SIGFPE */
#define FPE_INTDIV   1
#define FPE_INTOVF   2
#define FPE_FLTDIV   3
#define FPE_FLTOVF   4
#define FPE_FLTUND   5
#define FPE_FLTRES   6
#define FPE_FLTINV   7
#define FPE_FLTSUB   8
#define FPE_FLTUNK   14

/* SIGSEGV */
#define SEGV_MAPERR  1
#define SEGV_ACCERR  2
#define SEGV_BNDERR  3
#define SEGV_PKUERR  4
#define SEGV_MTEAERR 8
#define SEGV_MTESERR 9

/* SIGBUS */
#define BUS_ADRALN    1
#define BUS_ADRERR    2
#define BUS_OBJERR    3
#define BUS_MCEERR_AR 4
#define BUS_MCEERR_AO 5

/* SIGTRAP */
#define TRAP_BRKPT  1
#define TRAP_TRACE  2
#define TRAP_BRANCH 3
#define TRAP_HWBKPT 4
#define TRAP_UNK    5
#define TRAP_PERF   6

#define TRAP_PERF_FLAG_ASYNC (1U << 0)

/* SIGCHLD */
#define CLD_EXITED    1
#define CLD_KILLED    2
#define CLD_DUMPED    3
#define CLD_TRAPPED   4
#define CLD_STOPPED   5
#define CLD_CONTINUED 6

/* SIGIO */
#define POLL_IN	 1
#define POLL_OUT 2
#define POLL_MSG 3
#define POLL_ERR 4
#define POLL_PRI 5
#define POLL_HUP 6

/* SIGSYS */
#define SYS_SECCOMP	  1
#define SYS_USER_DISPATCH 2

union sigval {
	__s32 sival_int;
	__u64 sival_ptr;
};

struct siginfo {
	__s32 si_signo;
	__s32 si_errno;
	__s32 si_code;
	__s32 __pad;
	union {
		/* kill, real time, children */
		struct {
			__s32 si_pid;
			__u32 si_uid;
			union {
				union sigval si_value;
				struct {
					__s32 si_status;
					__s32 __pad_status;
					__s64 si_utime;
					__s64 si_stime;
				};
			};
		};
		/* POSIX timers; si_value as above */
		struct {
			__s32 si_timerid;
			__s32 si_overrun;
			__u64 __timer_value;
			__s32 si_sys_private;
		};
		/* faults and perf events */
		struct {
			__u64 si_addr;
			union {
				__s32 si_trapno;
				__s16 si_addr_lsb;
				struct {
					__u64 __pad_bound;
					__u64 si_lower;
					__u64 si_upper;
				};
				struct {
					__u64 __pad_key;
					__u32 si_pkey;
				};
				struct {
					__u64 si_perf_data;
					__u32 si_perf_type;
					__u32 si_perf_flags;
				};
			};
		};
		/* SIGIO */
		struct {
			__s64 si_band;
			__s32 si_fd;
		};
		/* SIGSYS */
		struct {
			__u64 si_call_addr;
			__s32 si_syscall;
			__u32 si_arch;
		};
		__u8 __fill[112];
	};
};

/* What rt_sigaction(2) takes where SA_RESTORER exists. */
struct user_sigaction {
	__u64 sa_handler;
	__u64 sa_flags;
	__u64 sa_restorer;
	__u64 sa_mask;
};

struct user_stack {
	__u64 ss_sp;
	__s32 ss_flags;
	__u32 __pad;
	__u64 ss_size;
};

#define SIGEV_SIGNAL	0
#define SIGEV_NONE	1
#define SIGEV_THREAD	2
#define SIGEV_THREAD_ID 4

struct user_sigevent {
	union sigval sigev_value;
	__s32 sigev_signo;
	__s32 sigev_notify;
	union {
		__s32 sigev_tid;
		__s32 __fill[12];
	};
};

#endif /* _UAPI_LINUX_SIGNAL_H */
