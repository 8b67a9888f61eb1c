/* SPDX-License-Identifier: MIT */
/*
 * Which CPUs exist.  A cpumask is a bitmap of CONFIG_NR_CPUS bits.
 * possible is fixed at boot; online changes under the hotplug mutex and is
 * read without it (a CPU seen online may go: take cpus_read_lock to pin).
 */
#ifndef SONDE_KERNEL_CPU_H
#define SONDE_KERNEL_CPU_H

#include <kernel/percpu.h>
#include <kernel/thread_info.h>
#include <lib/bitmap.h>
#include <lib/types.h>

#define NR_CPUS	      CONFIG_NR_CPUS
#define CPUMASK_WORDS ((NR_CPUS + 63) / 64)

struct cpumask {
	unsigned long bits[CPUMASK_WORDS];
};

extern struct cpumask cpu_possible_mask;	/* [I] after boot */
extern struct cpumask cpu_online_mask;		/* [hotplug] */
extern u32 nr_cpu_ids;				/* [I] highest possible + 1 */

static inline u32 cpu_id(void)
{
	/* struct task begins with its struct thread_info. */
	return ((struct thread_info *)arch_current())->cpu;
}

static inline bool cpumask_test(const struct cpumask *mask, u32 cpu)
{
	return cpu < NR_CPUS && bitmap_test(mask->bits, cpu);
}

static inline bool cpu_is_online(u32 cpu)
{
	return cpumask_test(&cpu_online_mask, cpu);
}

#define for_each_cpu(cpu, mask)                                     \
	for ((cpu) = (u32)bitmap_find_next((mask)->bits, NR_CPUS, 0); \
	     (cpu) < NR_CPUS;                                       \
	     (cpu) = (u32)bitmap_find_next((mask)->bits, NR_CPUS, (cpu) + 1))
#define for_each_online_cpu(cpu)   for_each_cpu(cpu, &cpu_online_mask)
#define for_each_possible_cpu(cpu) for_each_cpu(cpu, &cpu_possible_mask)

/* Pin the online mask.  Task context, may sleep; nests as a reader. */
void cpus_read_lock(void);
void cpus_read_unlock(void);

/* Bring a CPU up or down (sysfs online, boot).  Task context. */
int cpu_up(u32 cpu);
int cpu_down(u32 cpu);

/* CPUs 0..nr-1 can exist; the boot CPU is online.  Boot, once. */
void cpu_set_possible(u32 nr);
/* Start possible CPUs until max_cpus (maxcpus=) are up.  Boot, task context. */
void smp_init(u32 max_cpus);

/* First C code of a secondary CPU; called by arch, does not return. */
void cpu_start_secondary(void) __noreturn;

/* The idle loop; arch_cpu_idle with tickless timer.  Does not return. */
void cpu_idle_loop(void) __noreturn;

#endif /* SONDE_KERNEL_CPU_H */
