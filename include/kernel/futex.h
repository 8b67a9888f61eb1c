/* SPDX-License-Identifier: MIT */
/* Futexes: hashed buckets keyed by (mm, address) or (inode, offset). */
#ifndef SONDE_KERNEL_FUTEX_H
#define SONDE_KERNEL_FUTEX_H

#include <lib/types.h>

struct task;

/* exit and exec: walk the robust list of current; task context. */
void futex_exit_robust(struct task *t);
/* Wake waiters at uaddr (clear_child_tid).  Task context. */
int futex_wake(u32 __user *uaddr, bool shared, u32 nr, u32 bitset);

#endif /* SONDE_KERNEL_FUTEX_H */
