/* SPDX-License-Identifier: MIT */
/*
 * Register sets of a stopped thread for ptrace(2); contract in
 * <arch/ptrace.h>.
 *
 * The user frame lies on the thread's stack; its FP/SIMD registers were saved
 * when it was switched out.  A changed set is loaded afresh at the next
 * switch, because fp_cpu is forgotten.
 *
 * Must never: let a tracer set PSTATE bits that user mode cannot have.
 */
#include <arch/ptrace.h>
#include <arch/regs.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/string.h>
#include <linux/elf.h>
#include <linux/ptrace.h>

/* NZCV, and the bits that user code can change itself. */
#define PSR_USER_BITS (0xf0000000u | PSR_BTYPE | PSR_SSBS | PSR_DIT)

struct user_pt_regs {
	u64 regs[31];
	u64 sp;
	u64 pc;
	u64 pstate;
};

struct user_fpsimd {
	u64 v[64];
	u32 fpsr;
	u32 fpcr;
	u32 reserved[2];
};

BUILD_ASSERT(sizeof(struct user_pt_regs) == 272);
BUILD_ASSERT(sizeof(struct user_fpsimd) == 528);

static void get_general(struct task *t, struct user_pt_regs *u)
{
	const struct pt_regs *regs = task_pt_regs(t);

	memcpy(u->regs, regs->regs, sizeof(u->regs));
	u->sp = regs->sp;
	u->pc = regs->pc;
	u->pstate = regs->pstate;
}

static int set_general(struct task *t, const struct user_pt_regs *u)
{
	struct pt_regs *regs = task_pt_regs(t);

	if (u->pstate & (PSR_MODE_MASK | PSR_MODE32))
		return -EINVAL;
	memcpy(regs->regs, u->regs, sizeof(u->regs));
	regs->sp = u->sp;
	regs->pc = u->pc;
	regs->pstate = u->pstate & PSR_USER_BITS;
	return 0;
}

static void get_fp(struct task *t, struct user_fpsimd *u)
{
	const struct arch_fpsimd *fp = &t->arch.fpsimd;

	memcpy(u->v, fp->v, sizeof(u->v));
	u->fpsr = fp->fpsr;
	u->fpcr = fp->fpcr;
}

static void set_fp(struct task *t, const struct user_fpsimd *u)
{
	struct arch_fpsimd *fp = &t->arch.fpsimd;

	memcpy(fp->v, u->v, sizeof(u->v));
	fp->fpsr = u->fpsr;
	fp->fpcr = u->fpcr;
	t->arch.fp_cpu = -1;
}

long arch_regset_get(struct task *t, u32 note, void *buf)
{
	switch (note) {
	case NT_PRSTATUS:
		get_general(t, buf);
		return sizeof(struct user_pt_regs);
	case NT_PRFPREG:
		get_fp(t, buf);
		return sizeof(struct user_fpsimd);
	case NT_ARM_TLS:
		memcpy(buf, &t->arch.tls, sizeof(u64));
		return sizeof(u64);
	case NT_ARM_SYSTEM_CALL:
		memcpy(buf, &task_pt_regs(t)->syscallno, sizeof(s32));
		return sizeof(s32);
	}
	return -EINVAL;
}

int arch_regset_set(struct task *t, u32 note, const void *buf, size_t n)
{
	switch (note) {
	case NT_PRSTATUS:
		return set_general(t, buf);
	case NT_PRFPREG:
		set_fp(t, buf);
		return 0;
	case NT_ARM_TLS:
		memcpy(&t->arch.tls, buf, sizeof(u64));
		return 0;
	case NT_ARM_SYSTEM_CALL:
		memcpy(&task_pt_regs(t)->syscallno, buf, sizeof(s32));
		return 0;
	}
	return -EINVAL;
}

u32 arch_audit_arch(void)
{
	return AUDIT_ARCH_AARCH64;
}
