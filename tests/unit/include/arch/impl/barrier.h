/* SPDX-License-Identifier: MIT */
/* The host as an architecture, for tests of code above the arch contract. */
#ifndef SONDE_UNIT_ARCH_BARRIER_H
#define SONDE_UNIT_ARCH_BARRIER_H

#include <lib/compiler.h>

#define arch_mb()      __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define arch_smp_mb()  __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define arch_smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define arch_smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define arch_isb()     barrier()
#define arch_cpu_relax() barrier()

#endif
