/* SPDX-License-Identifier: MIT */
/*
 * The tick: 250 Hz on each CPU that is busy or was asked for it.
 *
 * It is one timer per CPU.  The scheduler starts it (tick_kick) when the CPU
 * leaves idle; nobody stops it: a tick that finds the CPU idle and nobody
 * asking does not renew itself, so an idle CPU sees at most one more.  CPUs
 * tick at different phases, which keeps them off each other's locks.
 *
 * All fields belong to their own CPU with interrupts masked.
 */
#include <kernel/cpu.h>
#include <kernel/irq.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/reclaim.h>
#include <kernel/sched_base.h>
#include <kernel/time.h>
#include <kernel/trace_hooks.h>

#include "internal.h"

struct tick_cpu {
	struct timer timer;	/* [C] */
	u32 requests;		/* [C] */
};

static DEFINE_PER_CPU(struct tick_cpu, tick_cpu);
static struct tick_subscriber *tick_subscribers;	/* [boot] then [I] */

static u64 tick_next_ns(void)
{
	u64 phase = cpu_id() * (TICK_NS / NR_CPUS);
	u64 now = time_mono_ns() + TICK_NS - phase;

	return now - now % TICK_NS + phase;
}

static void tick_fire(struct timer *t)
{
	struct tick_cpu *tick = container_of(t, struct tick_cpu, timer);
	struct pt_regs *regs = irq_regs();
	struct tick_subscriber *s;
	bool busy = sched_tick(regs);

	reclaim_kick();
	for (s = tick_subscribers; s; s = s->next)
		s->fn(regs);
	if (busy || tick->requests)
		timer_start(t, tick_next_ns());
	else
		trace_tick_stop(TRACE_TICK_SUCCESS, 0);
}

void tick_kick(void)
{
	struct tick_cpu *tick = this_cpu_ptr(tick_cpu);

	if (!tick->timer.queued)
		timer_start(&tick->timer, tick_next_ns());
}

void tick_request(bool on)
{
	struct tick_cpu *tick = this_cpu_ptr(tick_cpu);

	ASSERT(arch_irqs_disabled());
	if (on) {
		tick->requests++;
		tick_kick();
	} else {
		ASSERT(tick->requests);
		tick->requests--;
	}
}

void tick_subscribe(struct tick_subscriber *s)
{
	s->next = tick_subscribers;
	store_release(&tick_subscribers, s);
}

u64 tick_count(void)
{
	return time_mono_ns() / TICK_NS;
}

void tick_init_cpu(void)
{
	struct tick_cpu *tick = this_cpu_ptr(tick_cpu);

	timer_init(&tick->timer, tick_fire);
	tick->requests = 0;
}

/* This CPU is going down, interrupts masked: its tick ends here. */
void tick_stop_cpu(void)
{
	timer_cancel(&this_cpu_ptr(tick_cpu)->timer);
}
