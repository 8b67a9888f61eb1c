/* SPDX-License-Identifier: MIT */
/*
 * The last things each CPU did, for the report of a panic.
 *
 * recent_note() costs a handful of instructions and is called where the
 * kernel changes what it works on: switches, interrupts, cross-calls, the
 * steps of a process's life.  Each CPU writes its own ring; a reader (the
 * panic, with the others stopped) may see the newest entry half written.
 */
#ifndef SONDE_KERNEL_RECENT_H
#define SONDE_KERNEL_RECENT_H

#include <arch/time.h>
#include <kernel/percpu.h>
#include <lib/compiler.h>
#include <lib/types.h>

enum recent_kind {
	RECENT_NONE,
	RECENT_SWITCH,	/* a: from, b: to (thread numbers) */
	RECENT_IRQ,	/* a: interrupt number */
	RECENT_FORK,	/* a: parent, b: child */
	RECENT_EXEC,	/* a: process */
	RECENT_EXIT,	/* a: thread, b: wait status */
};

#define RECENT_ENTRIES 32u	/* a power of two */

struct recent_entry {
	u64 clock;		/* arch_clock_read() */
	u32 kind;
	u32 a;
	u64 b;
};

struct recent_ring {
	u32 next;		/* [C] free running */
	struct recent_entry entry[RECENT_ENTRIES]; /* [C] */
};

DECLARE_PER_CPU(struct recent_ring, recent_ring);

/* Any context with preemption off but the overflow interrupt. */
static __always_inline void recent_note(enum recent_kind kind, u32 a, u64 b)
{
	struct recent_ring *ring = this_cpu_ptr(recent_ring);
	u32 n = ring->next;
	struct recent_entry *e = &ring->entry[n % RECENT_ENTRIES];

	ring->next = n + 1;
	e->clock = arch_clock_read();
	e->kind = kind;
	e->a = a;
	e->b = b;
}

/* The same from task context. */
void recent_event(enum recent_kind kind, u32 a, u64 b);

/* The newest entries of this CPU, oldest first, on the log.  Panic only. */
void recent_show(void);

#endif /* SONDE_KERNEL_RECENT_H */
