/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: one CPU needs none. */
#define arch_smp_mb() __sync_synchronize()
#define arch_wmb()    __sync_synchronize()
static inline void arch_cpu_relax(void)
{
}
