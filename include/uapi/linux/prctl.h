/* SPDX-License-Identifier: MIT */
/* prctl(2). */
#ifndef _UAPI_LINUX_PRCTL_H
#define _UAPI_LINUX_PRCTL_H

#define PR_SET_PDEATHSIG	   1
#define PR_GET_PDEATHSIG	   2
#define PR_GET_DUMPABLE		   3
#define PR_SET_DUMPABLE		   4
#define PR_GET_UNALIGN		   5
#define PR_SET_UNALIGN		   6
#define PR_GET_KEEPCAPS		   7
#define PR_SET_KEEPCAPS		   8
#define PR_GET_FPEMU		   9
#define PR_SET_FPEMU		   10
#define PR_GET_FPEXC		   11
#define PR_SET_FPEXC		   12
#define PR_GET_TIMING		   13
#define PR_SET_TIMING		   14
#define PR_SET_NAME		   15
#define PR_GET_NAME		   16
#define PR_GET_ENDIAN		   19
#define PR_SET_ENDIAN		   20
#define PR_GET_SECCOMP		   21
#define PR_SET_SECCOMP		   22
#define PR_CAPBSET_READ		   23
#define PR_CAPBSET_DROP		   24
#define PR_GET_TSC		   25
#define PR_SET_TSC		   26
#define PR_GET_SECUREBITS	   27
#define PR_SET_SECUREBITS	   28
#define PR_SET_TIMERSLACK	   29
#define PR_GET_TIMERSLACK	   30
#define PR_TASK_PERF_EVENTS_DISABLE 31
#define PR_TASK_PERF_EVENTS_ENABLE 32
#define PR_MCE_KILL		   33
#define PR_MCE_KILL_GET		   34
#define PR_SET_MM		   35
#define PR_SET_CHILD_SUBREAPER	   36
#define PR_GET_CHILD_SUBREAPER	   37
#define PR_SET_NO_NEW_PRIVS	   38
#define PR_GET_NO_NEW_PRIVS	   39
#define PR_GET_TID_ADDRESS	   40
#define PR_SET_THP_DISABLE	   41
#define PR_GET_THP_DISABLE	   42
#define PR_CAP_AMBIENT		   47
#define PR_SVE_SET_VL		   50
#define PR_SVE_GET_VL		   51
#define PR_GET_SPECULATION_CTRL	   52
#define PR_SET_SPECULATION_CTRL	   53
#define PR_PAC_RESET_KEYS	   54
#define PR_SET_TAGGED_ADDR_CTRL	   55
#define PR_GET_TAGGED_ADDR_CTRL	   56
#define PR_SET_IO_FLUSHER	   57
#define PR_GET_IO_FLUSHER	   58
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_PAC_SET_ENABLED_KEYS	   60
#define PR_PAC_GET_ENABLED_KEYS	   61
#define PR_SCHED_CORE		   62
#define PR_SME_SET_VL		   63
#define PR_SME_GET_VL		   64
#define PR_SET_VMA		   0x53564d41
#define PR_SET_PTRACER		   0x59616d61

#define PR_CAP_AMBIENT_IS_SET	 1
#define PR_CAP_AMBIENT_RAISE	 2
#define PR_CAP_AMBIENT_LOWER	 3
#define PR_CAP_AMBIENT_CLEAR_ALL 4

#define PR_TAGGED_ADDR_ENABLE 1

/* securebits */
#define SECBIT_NOROOT			   (1 << 0)
#define SECBIT_NOROOT_LOCKED		   (1 << 1)
#define SECBIT_NO_SETUID_FIXUP		   (1 << 2)
#define SECBIT_NO_SETUID_FIXUP_LOCKED	   (1 << 3)
#define SECBIT_KEEP_CAPS		   (1 << 4)
#define SECBIT_KEEP_CAPS_LOCKED		   (1 << 5)
#define SECBIT_NO_CAP_AMBIENT_RAISE	   (1 << 6)
#define SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED (1 << 7)
#define SECURE_ALL_BITS			   0x55
#define SECURE_ALL_LOCKS		   (SECURE_ALL_BITS << 1)

#endif /* _UAPI_LINUX_PRCTL_H */
