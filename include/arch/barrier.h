/* SPDX-License-Identifier: MIT */
/*
 * Memory ordering and CPU hints.  <arch/impl/barrier.h> supplies:
 *
 *   arch_mb, arch_rmb, arch_wmb     full-system barriers (devices included)
 *   arch_smp_mb, _rmb, _wmb         barriers among CPUs (inner shareable)
 *   arch_isb                        context synchronisation on this CPU
 *   arch_cpu_relax                  hint inside a spin loop (YIELD, PAUSE)
 *   arch_cpu_idle                   sleep until an interrupt is pending;
 *                                   called with all interrupts masked,
 *                                   returns with them still masked
 *   arch_cpu_halt                   stop this CPU for good
 *
 * Acquire and release accesses are spelled with <lib/atomic.h>.
 */
#ifndef SONDE_ARCH_BARRIER_H
#define SONDE_ARCH_BARRIER_H

#include <arch/impl/barrier.h>

#endif /* SONDE_ARCH_BARRIER_H */
