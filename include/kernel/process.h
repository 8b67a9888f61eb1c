/* SPDX-License-Identifier: MIT */
/*
 * Processes as a whole: fork, exec, exit, wait.
 */
#ifndef SONDE_KERNEL_PROCESS_H
#define SONDE_KERNEL_PROCESS_H

#include <lib/compiler.h>
#include <lib/types.h>

struct cred;
struct file;
struct pid;
struct process;
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

/* Hooks, set at boot by their owners; NULL: nobody.  RLIMIT_CPU of p has
 * changed; is file a name space of that CLONE_NEW kind (0: any)? */
extern void (*process_cpu_limit_changed)(struct process *p);
extern bool (*file_is_namespace)(struct file *file, u32 clone_flag);

extern const char uts_version[];	/* "#1 SMP ..." */

/*
 * Make current, the kernel thread with number 1, the first user process:
 * descriptor table, file-system context, session, never killed by accident.
 * Then process_exec_kernel() and return from the thread's function.
 */
void process_run_init(void);

/*
 * Host and domain name, at most 64 bytes each: set by sethostname and by
 * /proc/sys/kernel.  uts_get fills a buffer of 65 bytes.
 */
void uts_get(bool domain, char *out);
int uts_set(bool domain, const char *name, size_t len);

/* pgrp_is_orphaned_locked as if `except` were gone already;
 * tasklist_lock held. */
bool pgrp_would_orphan_locked(struct pid *pgrp, struct process *except);
bool pgrp_has_stopped_locked(struct pid *pgrp);

#endif /* SONDE_KERNEL_PROCESS_H */
