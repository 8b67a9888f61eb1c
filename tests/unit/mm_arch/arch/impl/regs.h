/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: a frame that holds arguments. */
#include <lib/types.h>
struct pt_regs {
	u64 arg[6];
};
static inline u64 regs_syscall_arg(const struct pt_regs *r, unsigned int n)
{
	return r->arg[n];
}
static inline bool regs_irqs_disabled(const struct pt_regs *r)
{
	return false;
}
