/* SPDX-License-Identifier: MIT */
/*
 * arm64 part of <arch/perf.h>: register numbers are x0..x30, sp (31), pc
 * (32).  VG (46) joins the mask only when SVE state is carried.
 */
#ifndef SONDE_ARM64_IMPL_PERF_H
#define SONDE_ARM64_IMPL_PERF_H

#include <lib/types.h>

#define ARM64_PERF_REGS		33
#define ARCH_PERF_REGS_VALID	((1ull << ARM64_PERF_REGS) - 1)
#define ARCH_PERF_REGS_EXTENDED	(1ull << 46)

/* Out of line: needs the layout of pt_regs.  arch/arm64/perf/regs.c. */
struct pt_regs;
void arch_perf_caller_regs(struct pt_regs *regs, u64 pc, u64 fp, u64 sp);

#define arch_perf_fetch_regs(regs)					\
	arch_perf_caller_regs((regs), (u64)__builtin_return_address(0),	\
			      (u64)__builtin_frame_address(0),		\
			      (u64)__builtin_frame_address(0))

#endif /* SONDE_ARM64_IMPL_PERF_H */
