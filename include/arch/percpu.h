/* SPDX-License-Identifier: MIT */
/*
 * Per-CPU base and the current task.  <arch/impl/percpu.h> supplies:
 *
 *   unsigned long arch_percpu_offset(void)   what to add to the address of a
 *                                            DEFINE_PER_CPU variable to reach
 *                                            this CPU's copy (TPIDR_EL1, GS)
 *   void arch_percpu_set_offset(unsigned long)  early boot of each CPU only
 *   struct task *arch_current(void)          running task (SP_EL0, per-CPU)
 *   void arch_set_current(struct task *)     switch and early boot only
 *
 * arch_percpu_offset is only stable with preemption off; arch_current always.
 */
#ifndef SONDE_ARCH_PERCPU_H
#define SONDE_ARCH_PERCPU_H

struct task;

#include <arch/impl/percpu.h>

#endif /* SONDE_ARCH_PERCPU_H */
