/* SPDX-License-Identifier: MIT */
/*
 * Registers as perf numbers them (x0..x30, sp 31, pc 32), and the clock that
 * user code can read.  Any context, no locks.
 */
#include <arch/perf.h>
#include <arch/regs.h>
#include <arch/time.h>
#include <kernel/mm.h>
#include <kernel/task.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/perf_event.h>

#define PERF_REG_SP 31
#define PERF_REG_PC 32

/* A counter that is read by user code wraps after forty years at least. */
#define WRAP_SECONDS (40ull * 365 * 24 * 3600)

u64 arch_perf_reg_value(const struct pt_regs *regs, u32 nr)
{
	if (nr == PERF_REG_SP)
		return regs->sp;
	if (nr == PERF_REG_PC)
		return regs->pc;
	return nr < PERF_REG_SP ? regs->regs[nr] : 0;
}

u32 arch_perf_reg_abi(const struct task *task)
{
	return PERF_SAMPLE_REGS_ABI_64;
}

/* A frame that stands for the caller: mode, pc, frame and stack pointer. */
void arch_perf_caller_regs(struct pt_regs *regs, u64 pc, u64 fp, u64 sp)
{
	memset(regs->regs, 0, sizeof(regs->regs));
	regs->regs[29] = fp;
	regs->sp = sp;
	regs->pc = pc;
	regs->pstate = PSR_MODE_EL1h;
	regs->syscallno = -1;
}

u64 arch_perf_user_stack_limit(const struct task *task)
{
	return ARCH_USER_END;
}

u64 arch_perf_clock_mask(void)
{
	u32 bits = (u32)ilog2(WRAP_SECONDS * arch_clock_freq() - 1) + 1;

	return ~0ull >> (64 - clamp(bits, 56u, 64u));
}
