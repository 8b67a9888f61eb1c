/* SPDX-License-Identifier: MIT */
/* Process descriptors: files that stand for a struct pid. */
#ifndef SONDE_KERNEL_PIDFD_H
#define SONDE_KERNEL_PIDFD_H

#include <lib/types.h>

struct file;
struct pid;

/* A reference to the process behind descriptor fd: ERR_PTR(-EBADF). */
struct pid *pidfd_get_pid(int fd);
bool pidfd_is_nonblock(int fd);
/* A new file for pid; flags O_CLOEXEC, O_NONBLOCK, O_RDWR.  ERR_PTR. */
struct file *pidfd_file(struct pid *pid, u32 flags);

#endif /* SONDE_KERNEL_PIDFD_H */
