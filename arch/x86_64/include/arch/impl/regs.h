/* SPDX-License-Identifier: MIT */
/*
 * The register frame of x86_64; contract in <arch/regs.h>.
 *
 * In the order of user_regs_struct up to ss, so that ptrace copies it whole.
 * orig_ax holds the system-call number, -1 when the frame is none; the first
 * argument is in rdi, which a call does not change.
 */
#ifndef SONDE_X86_REGS_H
#define SONDE_X86_REGS_H

#include <lib/types.h>

struct task;

/* Own task only, while it is in the kernel. */
struct pt_regs {
	u64 r15, r14, r13, r12, bp, bx;
	u64 r11, r10, r9, r8;
	u64 ax, cx, dx, si, di;
	s64 orig_ax;
	u64 ip, cs, flags, sp, ss;
	u64 error_code;
	u64 record[2];
};

BUILD_ASSERT(OFFSET_OF(struct pt_regs, ss) == 160);

static inline u64 regs_ip(const struct pt_regs *regs)
{
	return regs->ip;
}

static inline u64 regs_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

static inline u64 regs_fp(const struct pt_regs *regs)
{
	return regs->bp;
}

static inline void regs_set_ip(struct pt_regs *regs, u64 ip)
{
	regs->ip = ip;
}

static inline void regs_set_sp(struct pt_regs *regs, u64 sp)
{
	regs->sp = sp;
}

static inline bool regs_user_mode(const struct pt_regs *regs)
{
	return (regs->cs & 3) == 3;
}

static inline bool regs_irqs_disabled(const struct pt_regs *regs)
{
	return !(regs->flags & 1u << 9);
}

static inline u64 regs_return_value(const struct pt_regs *regs)
{
	return regs->ax;
}

static inline void regs_set_return(struct pt_regs *regs, long value)
{
	regs->ax = (u64)value;
}

static inline long regs_syscall_nr(const struct pt_regs *regs)
{
	return (long)regs->orig_ax;
}

static inline u64 regs_syscall_arg(const struct pt_regs *regs, unsigned int n)
{
	switch (n) {
	case 0:
		return regs->di;
	case 1:
		return regs->si;
	case 2:
		return regs->dx;
	case 3:
		return regs->r10;
	case 4:
		return regs->r8;
	default:
		return regs->r9;
	}
}

static inline void regs_forget_syscall(struct pt_regs *regs)
{
	regs->orig_ax = -1;
}

/* Back to the SYSCALL instruction, which is 2 bytes long. */
static inline void regs_restart_syscall(struct pt_regs *regs)
{
	regs->ax = (u64)regs->orig_ax;
	regs->ip -= 2;
	regs->orig_ax = -1;
}

static inline void regs_restart_with(struct pt_regs *regs, long nr)
{
	regs_restart_syscall(regs);
	regs->ax = (u64)nr;
}

struct pt_regs *task_pt_regs(const struct task *task);

static __always_inline void arch_regs_here(struct pt_regs *regs)
{
	__asm__ __volatile__("movq	%%r15, %0\n\tmovq	%%r14, %1\n\t"
			     "movq	%%r13, %2\n\tmovq	%%r12, %3\n\t"
			     "movq	%%rbp, %4\n\tmovq	%%rbx, %5\n\t"
			     "movq	%%rsp, %6"
			     : "=m"(regs->r15), "=m"(regs->r14),
			       "=m"(regs->r13), "=m"(regs->r12),
			       "=m"(regs->bp), "=m"(regs->bx),
			       "=m"(regs->sp));
	__asm__ __volatile__("leaq	(%%rip), %0\n\tpushfq\n\tpopq	%1"
			     : "=r"(regs->ip), "=r"(regs->flags));
	regs->cs = regs->ss = 0;
	regs->orig_ax = -1;
}

#endif /* SONDE_X86_REGS_H */
