/* SPDX-License-Identifier: MIT */
/*
 * Processes as a whole: fork, exec, exit, wait.
 */
#ifndef SONDE_KERNEL_PROCESS_H
#define SONDE_KERNEL_PROCESS_H

#include <lib/compiler.h>
#include <lib/types.h>

struct file;
struct pt_regs;
struct task;

struct clone_args_k {
	u64 flags;
	u64 stack;		/* new stack pointer, 0: the parent's */
	u64 tls;
	s32 __user *pidfd;
	s32 __user *child_tid;
	s32 __user *parent_tid;
	s32 exit_signal;
	s32 set_tid;		/* 0: any */
};

/* The child's pid or a negative errno.  Task context. */
s32 process_clone(const struct clone_args_k *args);

/* Replace current's program.  argv and envp are kernel arrays here; the
 * system call has its own path for user arrays.  0: regs point at the new
 * program. */
int process_exec_kernel(const char *path, const char *const *argv,
			const char *const *envp);

/* End current (one thread), or its whole process.  status as wait sees it. */
void task_exit(s32 code) __noreturn;
void process_exit_group(s32 code) __noreturn;

/* Start the first user process from a kernel thread. */
void process_run_init(void);

#endif /* SONDE_KERNEL_PROCESS_H */
