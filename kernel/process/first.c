/* SPDX-License-Identifier: MIT */
/*
 * The first user process: what the kernel thread with number 1 needs before
 * it can execute a program.
 */
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/panic.h>
#include <kernel/sched.h>
#include <lib/err.h>

#include "../signal/internal.h"
#include "internal.h"

void process_run_init(void)
{
	struct process *p = current->proc;
	unsigned long flags;

	if (p->pid->nr != 1)
		panic("the first process has number %d", p->pid->nr);
	if (!current->fs) {
		current->fs = fs_ctx_copy(init_task.fs);
		if (!current->fs)
			panic("no memory for the first process");
	}
	if (!current->files) {
		current->files = files_copy(NULL);
		if (IS_ERR_OR_NULL(current->files))
			panic("no memory for the first process");
	}
	flags = spin_lock_irqsave(&tasklist_lock);
	spin_lock(&p->siglock);
	current->flags &= ~TASK_KTHREAD;
	current->blocked.bits = 0;
	p->sig_flags |= PROC_UNKILLABLE;
	sigqueue_flush(&p->pending);
	sigqueue_flush(&current->pending);
	spin_unlock(&p->siglock);
	spin_unlock_irqrestore(&tasklist_lock, flags);
}
