/* SPDX-License-Identifier: MIT */
/*
 * Cross-CPU calls.  fn runs on the target in hard-interrupt context with
 * ordinary interrupts masked.  Nobody waits with interrupts off or a spin
 * lock held; a waiter serves calls that come in meanwhile.
 */
#ifndef SONDE_KERNEL_IPI_H
#define SONDE_KERNEL_IPI_H

#include <kernel/cpu.h>
#include <lib/types.h>

/*
 * Run fn(arg) on cpu and wait; on this CPU it is a plain call with interrupts
 * masked.  0, or -ENXIO when cpu is offline.  Task context.
 */
int ipi_call(u32 cpu, void (*fn)(void *arg), void *arg);

/* The same on each online CPU of mask (this one included when set). */
void ipi_call_mask(const struct cpumask *mask, void (*fn)(void *arg),
		   void *arg);

/* Park every other CPU (everything masked), run fn(arg) here, release. */
void ipi_stop_machine(void (*fn)(void *arg), void *arg);

/*
 * Kernel text was changed: every CPU passes a context synchronisation event,
 * so that it executes what is there now (Arm ARM B2.2.5).  Task context.
 */
void ipi_sync_text(void);

/* Arch IPI entry. */
void ipi_handle_calls(void);

#endif /* SONDE_KERNEL_IPI_H */
