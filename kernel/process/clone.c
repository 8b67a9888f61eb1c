/* SPDX-License-Identifier: MIT */
/*
 * The system calls that make tasks: clone, clone3, and set_tid_address.
 * They turn their arguments into struct clone_args_k; fork.c does the work.
 *
 * The argument order of clone is the one of architectures that pass the TLS
 * before the child's tid address; another order is the architecture's own
 * system call over process_clone().
 */
#include <kernel/page.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/string.h>
#include <linux/sched.h>

#include "internal.h"

SYSCALL5(clone, u64, flags, u64, stack, s32 __user *, parent_tid, u64, tls,
	 s32 __user *, child_tid)
{
	struct clone_args_k args = {
		.flags = (u32)flags & ~(u64)CSIGNAL,
		.stack = stack,
		.tls = tls,
		.pidfd = parent_tid,
		.parent_tid = parent_tid,
		.child_tid = child_tid,
		.exit_signal = (s32)(flags & CSIGNAL),
	};

	/* Here both would be written to one place. */
	return process_clone(&args);
}

static int read_args(struct clone_args *ua, void __user *uargs, size_t size)
{
	if (size > PAGE_SIZE)
		return -E2BIG;
	if (size < CLONE_ARGS_SIZE_VER0)
		return -EINVAL;
	return copy_struct_from_user(ua, sizeof(*ua), uargs, size);
}

static int check_args(const struct clone_args *ua, size_t size)
{
	u64 known = 0xffffffffull | CLONE_CLEAR_SIGHAND | CLONE_INTO_CGROUP;

	if (ua->set_tid_size > 32 || (!ua->set_tid && ua->set_tid_size) ||
	    (ua->set_tid && !ua->set_tid_size))
		return -EINVAL;
	if ((ua->exit_signal & ~(u64)CSIGNAL) || ua->exit_signal > NSIG)
		return -EINVAL;
	if ((ua->flags & CLONE_INTO_CGROUP) &&
	    (ua->cgroup > INT_MAX || size < CLONE_ARGS_SIZE_VER2))
		return -EINVAL;
	if (ua->flags & ~known)
		return -EINVAL;
	if (ua->flags & (CLONE_DETACHED | (CSIGNAL & ~CLONE_NEWTIME)))
		return -EINVAL;
	if ((ua->flags & (CLONE_SIGHAND | CLONE_CLEAR_SIGHAND)) ==
	    (CLONE_SIGHAND | CLONE_CLEAR_SIGHAND))
		return -EINVAL;
	if ((ua->flags & (CLONE_THREAD | CLONE_PARENT)) && ua->exit_signal)
		return -EINVAL;
	if (!ua->stack && ua->stack_size)
		return -EINVAL;
	if (ua->stack && (!ua->stack_size ||
			  !access_ok(user_ptr(ua->stack), ua->stack_size)))
		return -EINVAL;
	return 0;
}

SYSCALL2(clone3, void __user *, uargs, size_t, size)
{
	struct clone_args ua;
	struct clone_args_k args;
	int err;

	err = read_args(&ua, uargs, size);
	if (!err)
		err = check_args(&ua, size);
	if (err)
		return err;
	/* Choosing numbers and control groups: neither exists here. */
	if (ua.set_tid_size)
		return capable(CAP_CHECKPOINT_RESTORE) ? -EINVAL : -EPERM;
	if (ua.flags & CLONE_INTO_CGROUP)
		return -EBADF;
	memset(&args, 0, sizeof(args));
	args.flags = ua.flags;
	args.stack = ua.stack ? ua.stack + ua.stack_size : 0;
	args.tls = ua.tls;
	args.pidfd = (s32 __user *)user_ptr(ua.pidfd);
	args.child_tid = (s32 __user *)user_ptr(ua.child_tid);
	args.parent_tid = (s32 __user *)user_ptr(ua.parent_tid);
	args.exit_signal = (s32)ua.exit_signal;
	return process_clone(&args);
}

SYSCALL1(set_tid_address, u32 __user *, addr)
{
	current->clear_child_tid = addr;
	return task_tid(current);
}
