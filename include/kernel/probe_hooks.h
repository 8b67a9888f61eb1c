/* SPDX-License-Identifier: MIT */
/*
 * What the rest of the kernel sees of probes: the hooks.
 */
#ifndef SONDE_KERNEL_PROBE_HOOKS_H
#define SONDE_KERNEL_PROBE_HOOKS_H

#include <lib/types.h>

struct task;

#ifdef CONFIG_KPROBES
/* task is dead: it will not return from the functions it is in. */
void kretprobe_task_free(struct task *task);
#else
static inline void kretprobe_task_free(struct task *task) { }
#endif

static inline void probes_task_free(struct task *task)
{
	kretprobe_task_free(task);
}

#endif /* SONDE_KERNEL_PROBE_HOOKS_H */
