/* SPDX-License-Identifier: MIT */
/*
 * Events of interrupts, idle CPUs and contended locks: layouts and print
 * formats as Linux 6.1's.
 */
#include "event.h"

#include <kernel/cpu.h>

TRACE_EVENT_TAIL(irq, irq_handler_entry, (u32 irq, const char *name),
		 (irq, name), ((F, int, irq), (S, name)), "irq=%d name=%s",
		 "REC->irq, __get_str(name)")
{
	r->irq = (int)irq;
	TRACE_TAIL(r, name, name ? name : "");
}

TRACE_EVENT(irq, irq_handler_exit, (u32 irq, bool handled), (irq, handled),
	    ((F, int, irq), (F, int, ret)), "irq=%d ret=%s",
	    "REC->irq, REC->ret ? \"handled\" : \"unhandled\"")
{
	r->irq = (int)irq;
	r->ret = handled;
}

TRACE_EVENT_TAIL(ipi, ipi_raise,
		 (const unsigned long *cpus, const char *reason),
		 (cpus, reason),
		 ((B, target_cpus), (F, const char *, reason)),
		 "target_mask=%s (%s)",
		 "__get_bitmask(target_cpus), REC->reason")
{
	r->target_cpus = trace_tail_bytes(tail, sizeof(*r), cpus,
					  sizeof(struct cpumask));
	r->reason = reason;
}

#define IPI(name)                                                       \
	TRACE_EVENT(ipi, name, (const char *reason), (reason),          \
		    ((F, const char *, reason)), "(%s)", "REC->reason") \
	{                                                               \
		r->reason = reason;                                     \
	}
IPI(ipi_entry)
IPI(ipi_exit)

TRACE_EVENT(power, cpu_idle, (u32 state, u32 cpu), (state, cpu),
	    ((F, u32, state), (F, u32, cpu_id)), "state=%lu cpu_id=%lu",
	    "(unsigned long)REC->state, (unsigned long)REC->cpu_id")
{
	r->state = state;
	r->cpu_id = cpu;
}

TRACE_EVENT(lock, contention_begin, (const void *lock, u32 flags),
	    (lock, flags),
	    ((T, "void *", const void *, lock_addr),
	     (F, unsigned int, flags)),
	    "%p (flags=%s)",
	    "REC->lock_addr, __print_flags(REC->flags, \"|\", "
	    "{ (1U << 0), \"SPIN\" }, { (1U << 1), \"READ\" }, "
	    "{ (1U << 2), \"WRITE\" }, { (1U << 3), \"RT\" }, "
	    "{ (1U << 4), \"PERCPU\" }, { (1U << 5), \"MUTEX\" } )")
{
	r->lock_addr = lock;
	r->flags = flags;
}

TRACE_EVENT(lock, contention_end, (const void *lock, int ret), (lock, ret),
	    ((T, "void *", const void *, lock_addr), (F, int, ret)),
	    "%p (ret=%d)", "REC->lock_addr, REC->ret")
{
	r->lock_addr = lock;
	r->ret = ret;
}
