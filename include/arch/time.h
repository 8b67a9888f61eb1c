/* SPDX-License-Identifier: MIT */
/*
 * The clock source and the per-CPU one-shot timer.
 * <arch/impl/time.h>: u64 arch_clock_read(void), the free-running counter,
 * monotonic and synchronous on all CPUs, any context.
 */
#ifndef SONDE_ARCH_TIME_H
#define SONDE_ARCH_TIME_H

#include <lib/types.h>

#include <arch/impl/time.h>

/* Counter frequency in Hz, constant after arch_time_init. */
u64 arch_clock_freq(void);

/* Find the timer in the device tree; boot CPU, once.  Then per CPU. */
int arch_time_init(void);
void arch_time_init_cpu(void);

/*
 * Arm this CPU's timer for an absolute counter value (past: fires at once);
 * ~0ull disarms.  Its interrupt calls timer_interrupt().  Interrupts masked.
 */
void arch_timer_arm(u64 deadline);

#endif /* SONDE_ARCH_TIME_H */
