/* SPDX-License-Identifier: MIT */
/*
 * A task's machine state: made, copied by fork, reset by exec.
 *
 * The switch itself is cpu/switch.S.  The live FP/SIMD registers belong to
 * current; whoever changes current's saved copy, or replaces the live ones,
 * does so with preemption off.
 */
#include <arch/barrier.h>
#include <arch/impl/cpu.h>
#include <arch/impl/sysreg.h>
#include <arch/regs.h>
#include <arch/thread.h>
#include <kernel/task.h>
#include <lib/string.h>

#include "percpu.h"

DEFINE_PER_CPU(struct task *, fp_owner);

struct pt_regs *task_pt_regs(const struct task *task)
{
	return (struct pt_regs *)((char *)task->stack + ARCH_STACK_SIZE - 16) -
	       1;
}

void arch_thread_init(struct task *child, void (*fn)(void *), void *arg)
{
	struct pt_regs *regs = task_pt_regs(child);
	struct task **top = (struct task **)(regs + 1);
	struct arch_cpu_context *ctx = &child->arch.context;

	top[0] = child;
	top[1] = NULL;
	memset(regs, 0, sizeof(*regs));
	regs->syscallno = -1;
	memset(&child->arch, 0, sizeof(child->arch));
	child->arch.fp_cpu = -1;
	child->ti.irq_masked = 1;	/* until sched_finish_switch */
	child->ti.irq_raised = 0;
	ctx->x19_x28[0] = (uintptr_t)fn;
	ctx->x19_x28[1] = (uintptr_t)arg;
	ctx->fp = (uintptr_t)regs->record;
	ctx->sp = (uintptr_t)regs;
	ctx->pc = (uintptr_t)arm64_task_start;
}

void arch_thread_fork(struct task *child, u64 sp, bool set_tls, u64 tls)
{
	struct pt_regs *regs = task_pt_regs(child);

	*regs = *task_pt_regs(current);
	regs->regs[0] = 0;
	if (sp)
		regs->sp = sp;
	arm64_fpsimd_save(&child->arch.fpsimd);
	child->arch.fp_cpu = -1;
	child->arch.tls = set_tls ? tls : read_sysreg(tpidr_el0);
	child->arch.fault_address = 0;
	child->arch.fault_esr = 0;
}

void arch_thread_exec(struct pt_regs *regs, u64 pc, u64 sp)
{
	struct arch_thread *arch = &current->arch;

	memset(regs, 0, sizeof(*regs));
	regs->syscallno = -1;
	regs->pc = pc;
	regs->sp = sp;
	regs->pstate = PSR_MODE_EL0t;

	arch->fault_address = 0;
	arch->fault_esr = 0;
	preempt_disable();
	memset(&arch->fpsimd, 0, sizeof(arch->fpsimd));
	arm64_fpsimd_load(&arch->fpsimd);
	arch->fp_cpu = (s32)current->ti.cpu;
	this_cpu(fp_owner) = current;
	arch->tls = 0;
	write_sysreg(0, tpidr_el0);
	preempt_enable();
}

void arch_thread_free(struct task *task)
{
}
