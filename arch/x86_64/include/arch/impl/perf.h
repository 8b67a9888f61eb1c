/* SPDX-License-Identifier: MIT */
/*
 * Sampling on x86_64; contract in <arch/perf.h>.  Register numbers are those
 * of the ABI: ax bx cx dx si di bp sp ip flags cs ss, four segments that
 * 64-bit mode does not have, r8 to r15.
 */
#ifndef SONDE_X86_PERF_H
#define SONDE_X86_PERF_H

#include <arch/regs.h>
#include <lib/compiler.h>
#include <lib/types.h>

#define ARCH_PERF_REGS_MAX   24
#define ARCH_PERF_REGS_VALID 0xff0fffull
#define ARCH_PERF_REGS_EXTENDED (0xffffffffull << 32)

static __always_inline void arch_perf_fetch_regs(struct pt_regs *regs)
{
	u64 ip, sp;

	__asm__ __volatile__("leaq 1f(%%rip), %0\n1:	movq %%rsp, %1"
			     : "=r"(ip), "=r"(sp));
	regs->ip = ip;
	regs->sp = sp;
	regs->bp = (uintptr_t)__builtin_frame_address(0);
	regs->flags = 0;
	regs->cs = 0x10;
	regs->ss = 0x18;
	regs->orig_ax = -1;
}

#endif /* SONDE_X86_PERF_H */
