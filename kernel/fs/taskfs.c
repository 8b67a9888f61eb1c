/* SPDX-License-Identifier: MIT */
/*
 * Another task's file-system context and descriptor table, for procfs: the
 * pointers are read under the task's wake_lock, so that its exit cannot free
 * them meanwhile.
 */
#include <kernel/fs.h>
#include <kernel/task.h>

struct fs_ctx *task_fs_get(struct task *t)
{
	unsigned long flags = spin_lock_irqsave(&t->wake_lock);
	struct fs_ctx *fs = t->fs;

	if (fs)
		ref_get(&fs->refs);
	spin_unlock_irqrestore(&t->wake_lock, flags);
	return fs;
}
