/* SPDX-License-Identifier: MIT */
/*
 * Barriers and hints of x86_64; contract in <arch/barrier.h>.
 *
 * Loads are not reordered with loads nor stores with stores on normal memory,
 * so among CPUs only store-then-load needs an instruction.
 */
#ifndef SONDE_X86_BARRIER_H
#define SONDE_X86_BARRIER_H

#include <lib/compiler.h>

#define arch_mb()      __asm__ __volatile__("mfence" ::: "memory")
#define arch_rmb()     __asm__ __volatile__("lfence" ::: "memory")
#define arch_wmb()     __asm__ __volatile__("sfence" ::: "memory")
#define arch_smp_mb()  \
	__asm__ __volatile__("lock addl $0, -4(%%rsp)" ::: "memory", "cc")
#define arch_smp_rmb() barrier()
#define arch_smp_wmb() barrier()

/* IRET, a serialising instruction at every privilege level, is far; CPUID. */
static inline void arch_isb(void)
{
	unsigned int eax = 0, ebx, ecx = 0, edx;

	__asm__ __volatile__("cpuid"
			     : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx)
			     :
			     : "memory");
}

static inline void arch_cpu_relax(void)
{
	__asm__ __volatile__("pause" ::: "memory");
}

/* STI takes effect after HLT has begun, so no wake-up is lost in between. */
static inline void arch_cpu_idle(void)
{
	__asm__ __volatile__("sti\n\thlt\n\tcli" ::: "memory");
}

static inline void __noreturn arch_cpu_halt(void)
{
	for (;;)
		__asm__ __volatile__("cli\n\thlt" ::: "memory");
}

#endif /* SONDE_X86_BARRIER_H */
