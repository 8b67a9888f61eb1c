/* SPDX-License-Identifier: MIT */
/*
 * Timers of a process and restartable sequences, as fork, exec, exit and the
 * way back to user mode see them.
 */
#ifndef SONDE_KERNEL_POSIX_H
#define SONDE_KERNEL_POSIX_H

#include <lib/types.h>

struct process;
struct pt_regs;
struct task;

/* The last thread of p is gone: end its interval and POSIX timers.  Task
 * context, no lock. */
void proc_timers_exit(struct process *p);
/* execve of current's process: POSIX timers go, interval timers stay. */
void proc_timers_exec(struct process *p);

/*
 * TIF_NOTIFY_RESUME: bring the registered area up to date and leave an
 * interrupted critical section by its abort handler.  Interrupts on.
 */
void rseq_resume(struct pt_regs *regs);
/* A signal frame is about to be built on regs. */
void rseq_signal(struct pt_regs *regs);
/* fork: child shares or copies the parent's space; exec: forget. */
void rseq_fork(struct task *child, u64 clone_flags);
void rseq_exec(struct task *t);

#endif /* SONDE_KERNEL_POSIX_H */
