/* SPDX-License-Identifier: MIT */
/*
 * The register frame of arm64; contract in <arch/regs.h>.
 *
 * cpu/entry.S writes it with the offsets that asm-offsets.c derives from
 * here.  The last two words are a frame record {fp, pc} of what was
 * interrupted, so that a chain of frame pointers crosses the exception; the
 * record of a frame from user mode is {0, 0} and ends the chain.
 */
#ifndef SONDE_ARM64_REGS_H
#define SONDE_ARM64_REGS_H

#include <lib/types.h>

#define PSR_MODE_EL0t 0x0u
#define PSR_MODE_EL1t 0x4u
#define PSR_MODE_EL1h 0x5u
#define PSR_MODE_MASK 0xfu
#define PSR_MODE32    0x10u
#define PSR_F	      (1u << 6)
#define PSR_I	      (1u << 7)
#define PSR_A	      (1u << 8)
#define PSR_D	      (1u << 9)
#define PSR_BTYPE     (3u << 10)
#define PSR_SSBS      (1u << 12)
#define PSR_IL	      (1u << 20)
#define PSR_SS	      (1u << 21)
#define PSR_PAN	      (1u << 22)
#define PSR_UAO	      (1u << 23)
#define PSR_DIT	      (1u << 24)
#define PSR_TCO	      (1u << 25)

struct task;

/* Own task only, while it is in the kernel. */
struct pt_regs {
	u64 regs[31];
	u64 sp;
	u64 pc;
	u64 pstate;
	u64 orig_x0;	/* first argument of a system call */
	s32 syscallno;	/* -1: no system call */
	u32 pad;
	u64 irq_masked;	/* not 0: ordinary interrupts were masked by priority */
	u64 esr;	/* syndrome; not written by interrupts and calls */
	u64 record[2];
};

BUILD_ASSERT(sizeof(struct pt_regs) == 320);

/* Forced inline: kprobe hits use these two where nothing may be probed. */
static __always_inline u64 regs_ip(const struct pt_regs *regs)
{
	return regs->pc;
}

static inline u64 regs_sp(const struct pt_regs *regs)
{
	return regs->sp;
}

static inline u64 regs_fp(const struct pt_regs *regs)
{
	return regs->regs[29];
}

static __always_inline void regs_set_ip(struct pt_regs *regs, u64 ip)
{
	regs->pc = ip;
}

static inline void regs_set_sp(struct pt_regs *regs, u64 sp)
{
	regs->sp = sp;
}

static inline bool regs_user_mode(const struct pt_regs *regs)
{
	return (regs->pstate & PSR_MODE_MASK) == PSR_MODE_EL0t;
}

static inline bool regs_irqs_disabled(const struct pt_regs *regs)
{
	return (regs->pstate & PSR_I) | regs->irq_masked;
}

static inline u64 regs_return_value(const struct pt_regs *regs)
{
	return regs->regs[0];
}

static inline void regs_set_return(struct pt_regs *regs, long value)
{
	regs->regs[0] = (u64)value;
}

static inline long regs_syscall_nr(const struct pt_regs *regs)
{
	return regs->syscallno;
}

static inline u64 regs_syscall_arg(const struct pt_regs *regs, unsigned int n)
{
	return n ? regs->regs[n] : regs->orig_x0;
}

static inline void regs_forget_syscall(struct pt_regs *regs)
{
	regs->syscallno = -1;
}

/* Back to the SVC, which is 4 bytes long, with x8 as it was. */
static inline void regs_restart_syscall(struct pt_regs *regs)
{
	regs->regs[0] = regs->orig_x0;
	regs->pc -= 4;
	regs->syscallno = -1;
}

static inline void regs_restart_with(struct pt_regs *regs, long nr)
{
	regs_restart_syscall(regs);
	regs->regs[8] = (u64)nr;
}

struct pt_regs *task_pt_regs(const struct task *task);

static __always_inline void arch_regs_here(struct pt_regs *regs)
{
	u64 *save = regs->regs;

	__asm__ __volatile__("stp	x0, x1, [%0, #16 * 0]\n\t"
			     "stp	x2, x3, [%0, #16 * 1]\n\t"
			     "stp	x4, x5, [%0, #16 * 2]\n\t"
			     "stp	x6, x7, [%0, #16 * 3]\n\t"
			     "stp	x8, x9, [%0, #16 * 4]\n\t"
			     "stp	x10, x11, [%0, #16 * 5]\n\t"
			     "stp	x12, x13, [%0, #16 * 6]\n\t"
			     "stp	x14, x15, [%0, #16 * 7]\n\t"
			     "stp	x16, x17, [%0, #16 * 8]\n\t"
			     "stp	x18, x19, [%0, #16 * 9]\n\t"
			     "stp	x20, x21, [%0, #16 * 10]\n\t"
			     "stp	x22, x23, [%0, #16 * 11]\n\t"
			     "stp	x24, x25, [%0, #16 * 12]\n\t"
			     "stp	x26, x27, [%0, #16 * 13]\n\t"
			     "stp	x28, x29, [%0, #16 * 14]\n\t"
			     "str	x30, [%0, #16 * 15]"
			     : : "r"(save) : "memory");
	__asm__ __volatile__("mov	%0, sp\n\tadr	%1, ."
			     : "=r"(regs->sp), "=r"(regs->pc));
	__asm__ __volatile__("mrs	%0, daif" : "=r"(regs->pstate));
	regs->pstate |= PSR_MODE_EL1h;
	regs->orig_x0 = 0;
	regs->syscallno = -1;
	regs->irq_masked = 0;
	regs->esr = 0;
}

#endif /* SONDE_ARM64_REGS_H */
