/* SPDX-License-Identifier: MIT */
/*
 * unshare(2) and setns(2): the shared parts of a thread (files, file-system
 * context), and name spaces, of which there is one of each kind.
 */
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/perf_event.h>
#include <kernel/syscall.h>
#include <lib/err.h>
#include <linux/sched.h>

#include "internal.h"

#define UNSHARE_KNOWN                                                       \
	(CLONE_THREAD | CLONE_FS | CLONE_NEWNS | CLONE_SIGHAND | CLONE_VM | \
	 CLONE_FILES | CLONE_SYSVSEM | UNSHARE_NAMESPACES)
#define UNSHARE_NAMESPACES                                                  \
	(CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWUSER |       \
	 CLONE_NEWPID | CLONE_NEWCGROUP | CLONE_NEWTIME)

static int unshare_fs(void)
{
	struct fs_ctx *old = current->fs, *fresh;
	unsigned long flags;

	if (ref_read(&old->refs) == 1)
		return 0;
	fresh = fs_ctx_copy(old);
	if (!fresh)
		return -ENOMEM;
	flags = spin_lock_irqsave(&current->wake_lock);
	current->fs = fresh;
	spin_unlock_irqrestore(&current->wake_lock, flags);
	fs_ctx_put(old);
	return 0;
}

SYSCALL1(unshare, u64, what)
{
	int err = 0;

	if (what & ~(u64)UNSHARE_KNOWN)
		return -EINVAL;
	/* One cannot leave one's own thread group, only be alone in it. */
	if ((what & (CLONE_THREAD | CLONE_SIGHAND | CLONE_VM)) &&
	    READ_ONCE(current->proc->nr_threads) > 1)
		return -EINVAL;
	if (what & CLONE_NEWUSER)
		return -EINVAL;
	if (what & (CLONE_NEWNS | UNSHARE_NAMESPACES))
		return capable(CAP_SYS_ADMIN) ? -EINVAL : -EPERM;
	if (what & CLONE_FS)
		err = unshare_fs();
	if (!err && (what & CLONE_FILES))
		err = files_unshare();
	if (!err)
		perf_namespaces(current);
	return err;
}

SYSCALL2(setns, int, fd, int, kind)
{
	struct fdref f = fdget(fd);
	bool known;

	if (!f.file)
		return -EBADF;
	/* Entering the only one there is changes nothing. */
	known = file_is_namespace && file_is_namespace(f.file, (u32)kind);
	fdput(f);
	if (!known)
		return -EINVAL;
	return capable(CAP_SYS_ADMIN) ? 0 : -EPERM;
}

bool (*file_is_namespace)(struct file *file, u32 clone_flag);
