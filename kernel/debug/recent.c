/* SPDX-License-Identifier: MIT */
/*
 * Prints the ring of <kernel/recent.h>: what this CPU did last, oldest first,
 * in microseconds before the report.  Called once, by the panic, with the
 * other CPUs parked; takes no lock and allocates nothing.
 */
#include <arch/time.h>
#include <kernel/lock.h>
#include <kernel/printk.h>
#include <kernel/recent.h>
#include <kernel/time.h>
#include <lib/minmax.h>
#include <lib/printf.h>

#define SHOWN 12u

DEFINE_PER_CPU(struct recent_ring, recent_ring);

/* What a and b of each kind mean; %llu stands for b where it is printed. */
static const char *const text[] = {
	[RECENT_SWITCH] = "switch from thread %u to %llu",
	[RECENT_IRQ] = "interrupt %u",
	[RECENT_FORK] = "process %u made thread %llu",
	[RECENT_EXEC] = "process %u runs a new program",
	[RECENT_EXIT] = "thread %u exits with status %llu",
};

static void show(const struct recent_entry *e, u64 now)
{
	u64 ago = ((now - e->clock) * time_conv.mult >> time_conv.shift) /
		  NSEC_PER_USEC;
	char line[64];

	scnprintf(line, sizeof(line), text[e->kind], e->a, e->b);
	printk(LOG_EMERG, "  %8llu us ago: %s", ago, line);
}

void recent_event(enum recent_kind kind, u32 a, u64 b)
{
	preempt_disable();
	recent_note(kind, a, b);
	preempt_enable();
}

void recent_show(void)
{
	const struct recent_ring *ring = this_cpu_ptr(recent_ring);
	u64 now = arch_clock_read();
	u32 n = min(ring->next, SHOWN);

	if (n)
		printk(LOG_EMERG, "The last events of this CPU:");
	for (; n; n--) {
		const struct recent_entry *e =
			&ring->entry[(ring->next - n) % RECENT_ENTRIES];

		if (e->kind > RECENT_NONE && e->kind < ARRAY_SIZE(text))
			show(e, now);
	}
}
