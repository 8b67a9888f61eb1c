/* SPDX-License-Identifier: MIT */
/*
 * Offsets and constants that assembly shares with C.  Compiled to assembly
 * only; the build turns each `->NAME value` into a #define, and the .ascii
 * keeps an assembler that checks the text content.  Owns no code.
 */
#include <arch/impl/cpu.h>
#include <arch/mmu.h>
#include <arch/regs.h>
#include <arch/thread.h>
#include <kernel/task.h>
#include <lib/types.h>

#define DEFINE(name, value)                                 \
	__asm__ __volatile__("\n.ascii \"->" #name " %0\"" \
			     :                          \
			     : "i"((long)(value)))

void asm_offsets(void);

void asm_offsets(void)
{
	DEFINE(S_X0, OFFSET_OF(struct pt_regs, regs));
	DEFINE(S_LR, OFFSET_OF(struct pt_regs, regs[30]));
	DEFINE(S_SP, OFFSET_OF(struct pt_regs, sp));
	DEFINE(S_PC, OFFSET_OF(struct pt_regs, pc));
	DEFINE(S_PSTATE, OFFSET_OF(struct pt_regs, pstate));
	DEFINE(S_ORIG_X0, OFFSET_OF(struct pt_regs, orig_x0));
	DEFINE(S_SYSCALLNO, OFFSET_OF(struct pt_regs, syscallno));
	DEFINE(S_ESR, OFFSET_OF(struct pt_regs, esr));
	DEFINE(S_IRQ_MASKED, OFFSET_OF(struct pt_regs, irq_masked));
	DEFINE(S_RECORD, OFFSET_OF(struct pt_regs, record));
	DEFINE(S_SIZE, sizeof(struct pt_regs));

	DEFINE(TI_PREEMPT, OFFSET_OF(struct task, ti.preempt));
	DEFINE(TI_FLAGS, OFFSET_OF(struct task, ti.flags));
	DEFINE(TI_IRQ_MASKED, OFFSET_OF(struct task, ti.irq_masked));
	DEFINE(TI_IRQ_RAISED, OFFSET_OF(struct task, ti.irq_raised));
	DEFINE(TI_CPU, OFFSET_OF(struct task, ti.cpu));
	DEFINE(TASK_STACK, OFFSET_OF(struct task, stack));
	DEFINE(TASK_MM, OFFSET_OF(struct task, mm));
	DEFINE(TASK_FPSIMD, OFFSET_OF(struct task, arch.fpsimd));
	DEFINE(TASK_CONTEXT, OFFSET_OF(struct task, arch.context));
	DEFINE(TASK_TLS, OFFSET_OF(struct task, arch.tls));
	DEFINE(TASK_FP_CPU, OFFSET_OF(struct task, arch.fp_cpu));
	DEFINE(FPSIMD_FPSR, OFFSET_OF(struct arch_fpsimd, fpsr));

	DEFINE(FEATURE_PAN, ARM64_HAS_PAN);
	DEFINE(FEATURE_DCZVA, ARM64_HAS_DCZVA);
	DEFINE(TIF_WORK, TIF_WORK_MASK);
}
