/* SPDX-License-Identifier: MIT */
/* Bringing CPUs up and down.  CPU numbers are logical, 0 the boot CPU. */
#ifndef SONDE_ARCH_SMP_H
#define SONDE_ARCH_SMP_H

#include <lib/types.h>

struct task;

/* CPUs that the device tree names, at most NR_CPUS.  Boot CPU, once. */
u32 arch_smp_probe(void);

/*
 * Start cpu with idle as its task and stack (PSCI CPU_ON); it enters
 * cpu_start_secondary().  0 or a negative errno.  Task context.
 */
int arch_smp_start(u32 cpu, struct task *idle);

/* Called by the dying CPU itself, interrupts masked; does not return. */
void arch_smp_die(void);

/* Wait until cpu is really off (PSCI AFFINITY_INFO).  Task context. */
int arch_smp_wait_off(u32 cpu);

/*
 * Identification registers that sysfs shows below cpuN/regs/identification:
 * the n-th one's name and, of that CPU, its value.  False past the last.
 */
bool arch_cpu_id_register(u32 cpu, u32 n, const char **name, u64 *value);

/*
 * The n-th cache of the CPUs, as their own registers describe it: level and
 * what it holds ("Data", "Instruction", "Unified").  False past the last.
 */
bool arch_cpu_cache(u32 n, u32 *level, const char **holds);

/* Hardware id (MPIDR affinity) of a logical CPU; topology for sysfs. */
u64 arch_cpu_hwid(u32 cpu);

#endif /* SONDE_ARCH_SMP_H */
