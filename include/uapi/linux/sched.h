/* SPDX-License-Identifier: MIT */
/* clone(2) flags, clone3's argument, and scheduling attributes. */
#ifndef _UAPI_LINUX_SCHED_H
#define _UAPI_LINUX_SCHED_H

#include <linux/types.h>

#define CSIGNAL		     0x000000ff
#define CLONE_NEWTIME	     0x00000080
#define CLONE_VM	     0x00000100
#define CLONE_FS	     0x00000200
#define CLONE_FILES	     0x00000400
#define CLONE_SIGHAND	     0x00000800
#define CLONE_PIDFD	     0x00001000
#define CLONE_PTRACE	     0x00002000
#define CLONE_VFORK	     0x00004000
#define CLONE_PARENT	     0x00008000
#define CLONE_THREAD	     0x00010000
#define CLONE_NEWNS	     0x00020000
#define CLONE_SYSVSEM	     0x00040000
#define CLONE_SETTLS	     0x00080000
#define CLONE_PARENT_SETTID  0x00100000
#define CLONE_CHILD_CLEARTID 0x00200000
#define CLONE_DETACHED	     0x00400000
#define CLONE_UNTRACED	     0x00800000
#define CLONE_CHILD_SETTID   0x01000000
#define CLONE_NEWCGROUP	     0x02000000
#define CLONE_NEWUTS	     0x04000000
#define CLONE_NEWIPC	     0x08000000
#define CLONE_NEWUSER	     0x10000000
#define CLONE_NEWPID	     0x20000000
#define CLONE_NEWNET	     0x40000000
#define CLONE_IO	     0x80000000

/* clone3 only */
#define CLONE_CLEAR_SIGHAND 0x100000000ULL
#define CLONE_INTO_CGROUP   0x200000000ULL

struct clone_args {
	__u64 flags;
	__u64 pidfd;
	__u64 child_tid;
	__u64 parent_tid;
	__u64 exit_signal;
	__u64 stack;
	__u64 stack_size;
	__u64 tls;
	__u64 set_tid;
	__u64 set_tid_size;
	__u64 cgroup;
};

#define CLONE_ARGS_SIZE_VER0 64
#define CLONE_ARGS_SIZE_VER1 80
#define CLONE_ARGS_SIZE_VER2 88

#endif /* _UAPI_LINUX_SCHED_H */
