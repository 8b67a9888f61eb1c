/* SPDX-License-Identifier: MIT */
/*
 * Breakpoint instructions of arm64 probes; contract in <arch/probes.h>.
 * A debugger's own is BRK #0.
 */
#ifndef SONDE_ARM64_PROBES_H
#define SONDE_ARM64_PROBES_H

#include <arch/impl/layout.h>
#include <arch/impl/regs.h>
#include <lib/compiler.h>
#include <lib/types.h>

#define ARCH_PROBE_INSN_SIZE 4

#define ARM64_BRK(imm)	   (0xd4200000u | (imm) << 5)
#define ARM64_BRK_KPROBE   0x004u
#define ARM64_BRK_UPROBE   0x005u
#define ARM64_BRK_USTEPPED 0x006u

#define ARCH_KPROBE_BREAK   ARM64_BRK(ARM64_BRK_KPROBE)
#define ARCH_UPROBE_BREAK   ARM64_BRK(ARM64_BRK_UPROBE)
#define ARCH_UPROBE_STEPPED ARM64_BRK(ARM64_BRK_USTEPPED)

static __always_inline bool arch_kprobe_in_slot(u64 pc)
{
	return pc - ARCH_KSLOT_BASE < ARCH_KSLOT_BYTES;
}

static __always_inline u64 arch_probe_register(const struct pt_regs *regs,
					       u32 n)
{
	return n < 31 ? regs->regs[n] : 0;
}

static __always_inline u64 arch_probe_state(const struct pt_regs *regs)
{
	return regs->pstate;
}

#define ARCH_PROBE_RETURN_REGISTER 0
#define ARCH_PROBE_ARGUMENTS	   8

static inline u32 arch_probe_argument(u32 n)
{
	return n;
}

static inline int arch_probe_register_number(const char *name)
{
	int n = 0, digits = 0;

	if (name[0] == 'l' && name[1] == 'r' && !name[2])
		return 30;
	if (*name++ != 'x')
		return -1;
	for (; *name >= '0' && *name <= '9' && digits < 2; digits++)
		n = n * 10 + *name++ - '0';
	return !digits || *name || n > 30 || (digits == 2 && n < 10) ? -1 : n;
}

#endif /* SONDE_ARM64_PROBES_H */
