// SPDX-License-Identifier: MIT
/*
 * The current task's name for stacks and panics, handed to the debug layer as
 * a hook since that lies below. Reads only what is always there; any context.
 */
#include <kernel/init.h>
#include <kernel/panic.h>
#include <kernel/task.h>
#include <lib/printf.h>

static void describe_current(char *buf, size_t size)
{
	const struct task *task = current_task();

	scnprintf(buf, size, ", task %d \"%.15s\"",
		  task->pid ? task_tid(task) : 0, task->comm);
}

static int describe_init(void)
{
	panic_describe_task = describe_current;
	return 0;
}
INITCALL(INIT_CORE, describe_init);
