/* SPDX-License-Identifier: MIT */
/* Between the files of kernel/task only. */
#ifndef SONDE_KERNEL_TASK_INTERNAL_H
#define SONDE_KERNEL_TASK_INTERNAL_H

#include <kernel/pid.h>
#include <kernel/task.h>

extern struct pid init_pid;		/* number 0: idle tasks */
extern struct process init_process;	/* their process */

void pid_init(void);
void cred_init(void);
void process_init(void);
void rlimit_init(void);

#endif /* SONDE_KERNEL_TASK_INTERNAL_H */
