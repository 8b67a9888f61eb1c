/* SPDX-License-Identifier: MIT */
/* Whether current may change how another thread is scheduled. */
#ifndef SONDE_KERNEL_POSIX_PRIORITY_H
#define SONDE_KERNEL_POSIX_PRIORITY_H

#include <lib/types.h>

struct task;

/* Effective uid of current is the target's real or effective one. */
bool same_owner(struct task *t);
/* RLIMIT_NICE or CAP_SYS_NICE allows t this nice level. */
bool nice_is_permitted(struct task *t, s32 nice);

#endif /* SONDE_KERNEL_POSIX_PRIORITY_H */
