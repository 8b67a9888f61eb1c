/* SPDX-License-Identifier: MIT */
/*
 * Per-CPU words of this directory that assembly or more than one file uses.
 */
#ifndef SONDE_ARM64_CPU_PERCPU_H
#define SONDE_ARM64_CPU_PERCPU_H

#include <kernel/percpu.h>
#include <lib/types.h>

struct task;

DECLARE_PER_CPU(u64, irq_stack_top);	/* [I] 0: none yet */
DECLARE_PER_CPU(struct task *, fp_owner); /* [own CPU] whose FP is loaded */
DECLARE_PER_CPU(u64, cpu_midr);
DECLARE_PER_CPU(u64, cpu_revidr);		/* [I] once the CPU was up */

#endif /* SONDE_ARM64_CPU_PERCPU_H */
