/* SPDX-License-Identifier: MIT */
/* The host as an architecture, for tests of code above the arch contract. */
#ifndef SONDE_UNIT_ARCH_PERCPU_H
#define SONDE_UNIT_ARCH_PERCPU_H

/* One CPU, whose copy of a per-CPU variable is the variable itself. */
struct task;
extern struct task *host_current;

static inline unsigned long arch_percpu_offset(void)
{
	return 0;
}
static inline struct task *arch_current(void)
{
	return host_current;
}

#endif
