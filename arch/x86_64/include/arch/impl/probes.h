/* SPDX-License-Identifier: MIT */
/*
 * Breakpoint instructions of x86_64 probes; contract in <arch/probes.h>.
 */
#ifndef SONDE_X86_64_PROBES_H
#define SONDE_X86_64_PROBES_H

#include <lib/types.h>

#define ARCH_PROBE_INSN_SIZE 1

#define ARCH_KPROBE_BREAK   0xccu
#define ARCH_UPROBE_BREAK   0xccu
#define ARCH_UPROBE_STEPPED 0xccu

static inline bool arch_kprobe_in_slot(u64 pc)
{
	return false;
}

#endif /* SONDE_X86_64_PROBES_H */
