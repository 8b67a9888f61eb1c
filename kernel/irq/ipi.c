/* SPDX-License-Identifier: MIT */
/*
 * Cross-CPU calls and stopping the machine.
 *
 * A request lives on the caller's stack (or in its CPU's array for a mask of
 * targets) and is pushed on the target's lock-free list; the first push sends
 * the interrupt.  The target runs a request and releases it by its done flag,
 * after which it must not touch it.  The caller waits with interrupts on, so
 * that calls which come to it meanwhile are served; nobody waits with
 * interrupts off or a spin lock held.
 */
#include <arch/irq.h>
#include <kernel/ipi.h>
#include <kernel/irq.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <lib/noprobe.h>
#include <lib/err.h>

struct ipi_request {
	struct ipi_request *next;	/* [target's list] */
	void (*fn)(void *arg);		/* [I] while queued */
	void *arg;			/* [I] while queued */
	u32 done;			/* [a] target releases */
};

static DEFINE_PER_CPU(struct ipi_request *, ipi_queue);
/* What this CPU asks of every other one; owned with preemption off. */
static DEFINE_PER_CPU(struct ipi_request, ipi_mask_requests)[NR_CPUS];

/*
 * Interrupts are masked from the push to the sending: who is parked between
 * them by ipi_stop_machine leaves a list that looks as if the interrupt were
 * on its way, so that the target is never asked to park, and all wait.
 */
static void ipi_post(u32 cpu, struct ipi_request *req, void (*fn)(void *),
		     void *arg)
{
	struct ipi_request **list = per_cpu_ptr(ipi_queue, cpu);
	unsigned long flags = arch_irq_save();
	struct ipi_request *first = load_relaxed(list);

	req->fn = fn;
	req->arg = arg;
	req->done = 0;
	do {
		req->next = first;
	} while (!try_cmpxchg_release(list, &first, req));
	if (!first)
		arch_ipi_send_cpu(cpu, ARCH_IPI_CALL);
	arch_irq_restore(flags);
}

static void ipi_wait(struct ipi_request *req)
{
	while (!load_acquire(&req->done))
		arch_cpu_relax();
}

static void ipi_run_here(void (*fn)(void *), void *arg)
{
	unsigned long flags = arch_irq_save();

	fn(arg);
	arch_irq_restore(flags);
}

void ipi_handle_calls(void)
{
	struct ipi_request *req, *next;

	req = xchg_acquire(this_cpu_ptr(ipi_queue), NULL);
	for (; req; req = next) {
		next = req->next;
		req->fn(req->arg);
		store_release(&req->done, 1);
	}
}

int ipi_call(u32 cpu, void (*fn)(void *arg), void *arg)
{
	struct ipi_request req;
	int ret = 0;

	preempt_disable();
	if (cpu == cpu_id()) {
		ipi_run_here(fn, arg);
	} else if (!cpu_is_online(cpu)) {
		ret = -ENXIO;
	} else {
		ASSERT(!arch_irqs_disabled() && !in_interrupt());
		ipi_post(cpu, &req, fn, arg);
		ipi_wait(&req);
	}
	preempt_enable();
	return ret;
}

void ipi_call_mask(const struct cpumask *mask, void (*fn)(void *arg),
		   void *arg)
{
	struct ipi_request *reqs;
	struct cpumask sent = { 0 };
	u32 cpu, me;

	preempt_disable();
	me = cpu_id();
	reqs = *this_cpu_ptr(ipi_mask_requests);
	for_each_cpu(cpu, mask) {
		if (cpu == me || !cpu_is_online(cpu))
			continue;
		ipi_post(cpu, &reqs[cpu], fn, arg);
		bitmap_set(sent.bits, cpu);
	}
	if (cpumask_test(mask, me))
		ipi_run_here(fn, arg);
	for_each_cpu(cpu, &sent)
		ipi_wait(&reqs[cpu]);
	preempt_enable();
}

static void nothing(void *arg)
{
}

void ipi_sync_text(void)
{
	ipi_call_mask(&cpu_online_mask, nothing, NULL);
}

struct stop_state {
	u32 parked;		/* [a] CPUs that arrived */
	u32 release;		/* [a] set when they may go */
};

static u32 stop_busy;		/* [a] one stop at a time */

static void stop_park(void *arg)
{
	struct stop_state *stop = arg;
	unsigned long flags = arch_irq_save_all();

	fetch_add_acq_rel(&stop->parked, 1);
	while (!load_acquire(&stop->release))
		arch_cpu_relax();
	arch_isb();
	arch_irq_restore_all(flags);
}
NOPROBE(stop_park);

void ipi_stop_machine(void (*fn)(void *arg), void *arg)
{
	struct stop_state stop = { 0 };
	struct ipi_request *reqs;
	struct cpumask sent = { 0 };
	unsigned long flags;
	u32 cpu, nr = 0;

	preempt_disable();
	/* Whoever stops meanwhile parks this CPU out of an interrupt. */
	while (xchg_acquire(&stop_busy, 1))
		arch_cpu_relax();
	reqs = *this_cpu_ptr(ipi_mask_requests);
	for_each_online_cpu(cpu) {
		if (cpu == cpu_id())
			continue;
		ipi_post(cpu, &reqs[cpu], stop_park, &stop);
		bitmap_set(sent.bits, cpu);
		nr++;
	}
	while (load_acquire(&stop.parked) != nr)
		arch_cpu_relax();
	flags = arch_irq_save_all();
	fn(arg);
	arch_irq_restore_all(flags);
	store_release(&stop.release, 1);
	for_each_cpu(cpu, &sent)
		ipi_wait(&reqs[cpu]);
	store_release(&stop_busy, 0);
	preempt_enable();
}
NOPROBE(ipi_stop_machine);
