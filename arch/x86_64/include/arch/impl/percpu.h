/* SPDX-License-Identifier: MIT */
/*
 * Per-CPU base and current task of x86_64; contract in <arch/percpu.h>.
 *
 * The GS base of kernel mode points at this CPU's struct x86_cpu, whose first
 * words are its per-CPU offset and its running task.
 */
#ifndef SONDE_X86_PERCPU_H
#define SONDE_X86_PERCPU_H

#include <lib/compiler.h>

struct task;

/* [own CPU] */
struct x86_cpu {
	unsigned long percpu_offset;
	struct task *current_task;
	unsigned long kernel_stack;	/* top, for the SYSCALL entry */
	unsigned long user_stack;	/* scratch of the SYSCALL entry */
};

static __always_inline unsigned long arch_percpu_offset(void)
{
	unsigned long offset;

	/* The memory input makes barrier() end the value's life. */
	__asm__("movq %%gs:0, %0"
		: "=r"(offset)
		: "m"(*(const unsigned long *)__builtin_frame_address(0)));
	return offset;
}

static __always_inline void arch_percpu_set_offset(unsigned long offset)
{
	__asm__ __volatile__("movq %0, %%gs:0" : : "r"(offset) : "memory");
}

static __always_inline struct task *arch_current(void)
{
	struct task *task;

	__asm__("movq %%gs:8, %0" : "=r"(task));
	return task;
}

static __always_inline void arch_set_current(struct task *task)
{
	__asm__ __volatile__("movq %0, %%gs:8" : : "r"(task) : "memory");
}

#endif /* SONDE_X86_PERCPU_H */
