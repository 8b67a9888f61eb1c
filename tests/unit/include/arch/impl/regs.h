/* SPDX-License-Identifier: MIT */
/* The host as an architecture, for tests of code above the arch contract. */
#ifndef SONDE_UNIT_ARCH_REGS_H
#define SONDE_UNIT_ARCH_REGS_H

#include <lib/types.h>

struct pt_regs {
	u64 ip, sp, fp;
	bool user;
};

static inline u64 regs_ip(const struct pt_regs *regs)
{
	return regs->ip;
}
static inline u64 regs_sp(const struct pt_regs *regs)
{
	return regs->sp;
}
static inline bool regs_user_mode(const struct pt_regs *regs)
{
	return regs->user;
}
struct task;
struct pt_regs *task_pt_regs(const struct task *task);

#endif
