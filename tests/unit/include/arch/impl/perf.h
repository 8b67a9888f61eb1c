/* SPDX-License-Identifier: MIT */
/* The host as an architecture, for tests of code above the arch contract. */
#ifndef SONDE_UNIT_ARCH_PERF_H
#define SONDE_UNIT_ARCH_PERF_H

#include <lib/types.h>

#define ARCH_PERF_REGS_VALID ((1ull << 33) - 1)
#define ARCH_PERF_REGS_EXTENDED (1ull << 46)

struct pt_regs;
void arch_perf_fetch_regs(struct pt_regs *regs);

#endif
