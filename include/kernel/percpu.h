/* SPDX-License-Identifier: MIT */
/*
 * Per-CPU variables.  The static copy in the image (.data..percpu) is the
 * template and is never used as such after percpu_init(); each CPU has its
 * own copy at per_cpu_offset[cpu] from it.
 *
 * this_cpu_ptr needs preemption off (or the caller pinned); per_cpu_ptr
 * does not.
 */
#ifndef SONDE_KERNEL_PERCPU_H
#define SONDE_KERNEL_PERCPU_H

#include <arch/percpu.h>
#include <lib/compiler.h>
#include <lib/types.h>

#define DECLARE_PER_CPU(type, name) extern __typeof__(type) percpu_##name
#define DEFINE_PER_CPU(type, name) \
	__section(".data..percpu") __typeof__(type) percpu_##name

extern unsigned long per_cpu_offset[CONFIG_NR_CPUS];

#define PERCPU_ADD(p, off) \
	((__typeof__(p))((unsigned long)(p) + (off)))

#define this_cpu_ptr(name)     PERCPU_ADD(&percpu_##name, arch_percpu_offset())
#define per_cpu_ptr(name, cpu) PERCPU_ADD(&percpu_##name, per_cpu_offset[cpu])
#define this_cpu(name)	       (*this_cpu_ptr(name))
#define per_cpu(name, cpu)     (*per_cpu_ptr(name, cpu))

/* Lay out the copies of every possible CPU; boot CPU, before interrupts. */
void percpu_init(void);

#endif /* SONDE_KERNEL_PERCPU_H */
