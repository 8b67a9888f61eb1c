/* SPDX-License-Identifier: MIT */
/* Between ptrace.c and ptrace_regs.c. */
#ifndef SONDE_KERNEL_PROCESS_PTRACE_H
#define SONDE_KERNEL_PROCESS_PTRACE_H

#include <lib/types.h>

struct task;

int ptrace_peek(struct task *t, u64 addr, u64 data);
int ptrace_poke(struct task *t, u64 addr, u64 data);
int ptrace_regset(struct task *t, u32 note, u64 data, bool write);
int ptrace_get_info(struct task *t, u64 data);
int ptrace_set_info(struct task *t, u64 data);
int ptrace_sigmask(struct task *t, u64 size, u64 data, bool write);
long ptrace_syscall_info(struct task *t, u64 addr, u64 data);

#endif /* SONDE_KERNEL_PROCESS_PTRACE_H */
