/* SPDX-License-Identifier: MIT */
/*
 * Process descriptors: pidfd_open, pidfd_getfd, and the file behind them,
 * which polls readable once the process is dead.
 *
 * The file holds a reference to the struct pid, never to the process.
 */
#include <kernel/file.h>
#include <kernel/pid.h>
#include <kernel/pidfd.h>
#include <kernel/pseudo.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/printf.h>

#include "internal.h"

#define PIDFD_NONBLOCK O_NONBLOCK

static void pidfd_release(struct file *file)
{
	pid_put(file->private);
}

static u32 pidfd_poll(struct file *file, struct poll_table *pt)
{
	struct pid *pid = file->private;
	unsigned long flags;
	u32 events = 0;

	poll_wait(pt, &pid->poll_wait);
	flags = spin_lock_irqsave(&tasklist_lock);
	if (!pid->proc || (pid->proc->nr_threads == 1 &&
			   pid->proc->leader->exit_state))
		events = POLLIN | POLLRDNORM;
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return events;
}

static void pidfd_fdinfo(struct file *file, char *buf, size_t size)
{
	struct pid *pid = file->private;
	s32 nr = READ_ONCE(pid->proc) ? pid->nr : -1;

	snprintf(buf, size, "Pid:\t%d\nNSpid:\t%d\n", nr, nr);
}

static const struct file_ops pidfd_ops = {
	.release = pidfd_release,
	.poll = pidfd_poll,
	.fdinfo = pidfd_fdinfo,
};

struct file *pidfd_file(struct pid *pid, u32 flags)
{
	struct file *file = anon_file("[pidfd]", &pidfd_ops, pid, flags);

	if (!IS_ERR(file))
		pid_get(pid);
	return file;
}

struct pid *pidfd_get_pid(int fd)
{
	struct fdref f = fdget(fd);
	struct pid *pid = ERR_PTR(-EBADF);

	if (!f.file)
		return pid;
	if (f.file->ops == &pidfd_ops)
		pid = pid_get(f.file->private);
	fdput(f);
	return pid;
}

bool pidfd_is_nonblock(int fd)
{
	struct fdref f = fdget(fd);
	bool nonblock = f.file && (f.file->flags & O_NONBLOCK);

	if (f.file)
		fdput(f);
	return nonblock;
}

SYSCALL2(pidfd_open, s32, nr, u32, flags)
{
	struct file *file;
	struct pid *pid;
	int fd;

	if ((flags & ~PIDFD_NONBLOCK) || nr <= 0)
		return -EINVAL;
	pid = pid_find_get(nr);
	if (!pid)
		return -ESRCH;
	/* A thread that leads no process has no descriptor in 6.1. */
	fd = -EINVAL;
	if (!READ_ONCE(pid->proc)) {
		fd = READ_ONCE(pid->task) ? -EINVAL : -ESRCH;
		goto put_pid;
	}
	fd = fd_reserve(0, flags | O_RDWR | O_CLOEXEC);
	if (fd < 0)
		goto put_pid;
	file = pidfd_file(pid, flags | O_RDWR | O_CLOEXEC);
	if (IS_ERR(file)) {
		fd_release(fd);
		fd = (int)PTR_ERR(file);
		goto put_pid;
	}
	fd_install(fd, file);
put_pid:
	pid_put(pid);
	return fd;
}

static int steal_fd(struct task *t, u32 theirs)
{
	struct file *file;
	int fd;

	if (ptrace_may_access(t, true, true))
		return -EPERM;
	file = task_file_get(t, theirs);
	if (!file)
		return -EBADF;
	fd = fd_reserve(0, O_CLOEXEC);
	if (fd < 0)
		file_put(file);
	else
		fd_install(fd, file);
	return fd;
}

SYSCALL3(pidfd_getfd, int, pidfd, int, theirs, u32, flags)
{
	struct pid *pid;
	struct task *t;
	int fd = -ESRCH;

	if (flags)
		return -EINVAL;
	pid = pidfd_get_pid(pidfd);
	if (IS_ERR(pid))
		return PTR_ERR(pid);
	t = pid_task_get(pid);
	if (t) {
		fd = steal_fd(t, (u32)theirs);
		task_put(t);
	}
	pid_put(pid);
	return fd;
}
