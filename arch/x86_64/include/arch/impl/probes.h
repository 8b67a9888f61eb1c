/* SPDX-License-Identifier: MIT */
/*
 * Breakpoint instructions of x86_64 probes; contract in <arch/probes.h>.
 */
#ifndef SONDE_X86_64_PROBES_H
#define SONDE_X86_64_PROBES_H

#include <arch/impl/regs.h>
#include <lib/types.h>

#define ARCH_PROBE_INSN_SIZE 1

#define ARCH_KPROBE_BREAK   0xccu
#define ARCH_UPROBE_BREAK   0xccu
#define ARCH_UPROBE_STEPPED 0xccu

static inline bool arch_kprobe_in_slot(u64 pc)
{
	return false;
}

#define ARCH_PROBE_RETURN_REGISTER 0
#define ARCH_PROBE_ARGUMENTS	   6

static inline u64 arch_probe_register(const struct pt_regs *regs, u32 n)
{
	return 0;
}

static inline u64 arch_probe_state(const struct pt_regs *regs)
{
	return 0;
}

static inline u32 arch_probe_argument(u32 n)
{
	return n;
}

static inline int arch_probe_register_number(const char *name)
{
	return -1;
}

#endif /* SONDE_X86_64_PROBES_H */
