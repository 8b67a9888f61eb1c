/* SPDX-License-Identifier: MIT */
/* eventfd for kernel users: raise a counter that user space polls. */
#ifndef SONDE_KERNEL_FS_EVENTFD_H
#define SONDE_KERNEL_FS_EVENTFD_H

#include <lib/types.h>

struct eventfd;
struct eventfd *eventfd_from_fd(int fd);	/* referenced or ERR_PTR */
/* Any context that may wake a task. */
void eventfd_signal(struct eventfd *e, u64 n);
void eventfd_drop(struct eventfd *e);

#endif /* SONDE_KERNEL_FS_EVENTFD_H */
