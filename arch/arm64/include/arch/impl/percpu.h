/* SPDX-License-Identifier: MIT */
/*
 * Per-CPU base (TPIDR_EL1) and current task (SP_EL0) of arm64; contract in
 * <arch/percpu.h>.
 *
 * The read of the base takes a word of the stack as a pretended input, so
 * that barrier() stops the compiler from keeping it across a preemption
 * point; the current task never changes under its own feet, so its read may
 * be kept.
 */
#ifndef SONDE_ARM64_PERCPU_H
#define SONDE_ARM64_PERCPU_H

#include <lib/compiler.h>

struct task;

register unsigned long arm64_stack_pointer __asm__("sp");

static __always_inline unsigned long arch_percpu_offset(void)
{
	unsigned long offset;

	__asm__("mrs %0, tpidr_el1"
		: "=r"(offset)
		: "Q"(*(const unsigned long *)arm64_stack_pointer));
	return offset;
}

static __always_inline void arch_percpu_set_offset(unsigned long offset)
{
	__asm__ __volatile__("msr tpidr_el1, %0" : : "r"(offset) : "memory");
}

static __always_inline struct task *arch_current(void)
{
	struct task *task;

	__asm__("mrs %0, sp_el0" : "=r"(task));
	return task;
}

static __always_inline void arch_set_current(struct task *task)
{
	__asm__ __volatile__("msr sp_el0, %0" : : "r"(task) : "memory");
}

#endif /* SONDE_ARM64_PERCPU_H */
