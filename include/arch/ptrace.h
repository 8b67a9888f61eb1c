/* SPDX-License-Identifier: MIT */
/*
 * Register sets of a stopped thread, for ptrace(2): NT_PRSTATUS (general
 * registers), NT_PRFPREG, and what the architecture has besides.
 *
 * The thread is stopped in the kernel (or is current) and cannot run; task
 * context of the caller.
 */
#ifndef SONDE_ARCH_PTRACE_H
#define SONDE_ARCH_PTRACE_H

#include <lib/types.h>

struct task;

#define ARCH_REGSET_MAX 1024	/* bytes of the largest set */

/* Bytes of set `note`, filled into buf (ARCH_REGSET_MAX); -EINVAL: none. */
long arch_regset_get(struct task *t, u32 note, void *buf);
/* Overwrite the first n bytes of the set: 0, -EINVAL, -EIO. */
int arch_regset_set(struct task *t, u32 note, const void *buf, size_t n);

/* AUDIT_ARCH_* of this architecture. */
u32 arch_audit_arch(void);

#endif /* SONDE_ARCH_PTRACE_H */
