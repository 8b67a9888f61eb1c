/* SPDX-License-Identifier: MIT */
/*
 * Which CPUs there are, and bringing them up and down.
 *
 * hotplug_lock (outermost of all locks) serialises changes; whoever must not
 * see one holds it as a reader.  A CPU comes up through its idle task.  To go
 * down it first stops taking tasks, then loses those it has, then leaves the
 * online mask; after a grace period nobody is still about to send it a call,
 * and its idle loop ends it.  Its timers go to the CPU that took it down.
 */
#include <arch/irq.h>
#include <arch/smp.h>
#include <kernel/ipi.h>
#include <kernel/irq.h>
#include <kernel/panic.h>
#include <kernel/perf_event.h>
#include <kernel/printk.h>
#include <kernel/reclaim.h>
#include <lib/err.h>

#include "internal.h"

#define CPU_START_NS (5 * NSEC_PER_SEC)

struct cpumask cpu_possible_mask;
struct cpumask cpu_online_mask;
u32 nr_cpu_ids;

static struct rwsem hotplug_lock = RWSEM_INIT(hotplug_lock, LOCK_RANK_HOTPLUG);
static struct task *idle_tasks[NR_CPUS];	/* [hotplug_lock] */
static DEFINE_PER_CPU(u8, cpu_must_die);	/* [a] */

void cpus_read_lock(void)
{
	rwsem_read_lock(&hotplug_lock);
}

void cpus_read_unlock(void)
{
	rwsem_read_unlock(&hotplug_lock);
}

void cpu_set_possible(u32 nr)
{
	u32 cpu;

	nr_cpu_ids = nr < NR_CPUS ? nr : NR_CPUS;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		bitmap_set(cpu_possible_mask.bits, cpu);
	bitmap_set(cpu_online_mask.bits, 0);
}

/* Interrupts masked; current is this CPU's idle task. */
void cpu_start_secondary(void)
{
	u32 cpu = cpu_id();

	arch_irq_init_cpu();
	time_init_cpu();
	perf_cpu_online(cpu);
	bitmap_set_atomic(cpu_online_mask.bits, cpu);
	sched_cpu_starts();
	arch_irq_enable();
	cpu_idle_loop();
}

/* Whoever may be pinned to it can also run there: active comes last. */
static bool cpu_is_up(u32 cpu)
{
	return cpu_is_online(cpu) && cpumask_test(&sched_active_mask, cpu);
}

static int cpu_up_locked(u32 cpu)
{
	u64 deadline = time_mono_ns() + CPU_START_NS;
	struct task *idle = idle_tasks[cpu];
	int ret;

	if (!idle) {
		idle = task_create_idle(cpu);
		if (IS_ERR_OR_NULL(idle))
			return -ENOMEM;
		idle_tasks[cpu] = idle;
	}
	sched_set_idle(cpu, idle);
	per_cpu(cpu_must_die, cpu) = 0;
	ret = arch_smp_start(cpu, idle);
	if (ret)
		return ret;
	while (!cpu_is_up(cpu)) {
		if (time_mono_ns() > deadline) {
			pr_err("CPU%u: failed to come online\n", cpu);
			return -EIO;
		}
		time_sleep_until(time_mono_ns() + NSEC_PER_MSEC / 10, false);
	}
	return 0;
}

int cpu_up(u32 cpu)
{
	int ret = 0;

	if (!cpumask_test(&cpu_possible_mask, cpu))
		return -EINVAL;
	rwsem_write_lock(&hotplug_lock);
	if (!cpu_is_online(cpu))
		ret = cpu_up_locked(cpu);
	rwsem_write_unlock(&hotplug_lock);
	return ret;
}

/* Every task that waits on cpu goes elsewhere; cpu takes none any more. */
void sched_cpu_drain(u32 cpu)
{
	struct rq *rq = rq_of(cpu);
	unsigned long flags;
	struct task *t;

	for (;;) {
		flags = spin_lock_irqsave(&rq->lock);
		t = rt_first(rq);
		if (!t)
			t = fair_first(rq);
		if (t)
			rq_dequeue(rq, t, ON_RQ_PUSH);
		if (rq->curr != rq->idle)
			rq_resched(rq);
		spin_unlock_irqrestore(&rq->lock, flags);
		if (!t)
			return;
		sched_push_away(t);
	}
}

static void cpu_empty(u32 cpu)
{
	while (READ_ONCE(rq_of(cpu)->nr_running)) {
		sched_cpu_drain(cpu);
		time_sleep_until(time_mono_ns() + NSEC_PER_MSEC / 10, false);
	}
}

static int cpu_down_locked(u32 cpu)
{
	unsigned long flags;
	int ret;

	bitmap_clear_atomic(sched_active_mask.bits, cpu);
	reclaim_sync();		/* wakers that chose it have queued by now */
	cpu_empty(cpu);
	bitmap_clear_atomic(cpu_online_mask.bits, cpu);
	reclaim_sync();		/* nobody is about to call it any more */
	WRITE_ONCE(per_cpu(cpu_must_die, cpu), 1);
	arch_ipi_send_cpu(cpu, ARCH_IPI_RESCHED);
	ret = arch_smp_wait_off(cpu);
	if (ret)
		return ret;
	bitmap_clear_atomic(sched_idle_mask.bits, cpu);
	flags = arch_irq_save();
	timer_adopt(cpu);
	arch_irq_restore(flags);
	return 0;
}

int cpu_down(u32 cpu)
{
	int ret;

	if (!cpumask_test(&cpu_possible_mask, cpu))
		return -EINVAL;
	/* Shared interrupts are routed to the boot CPU. */
	if (cpu == 0)
		return -EBUSY;
	rwsem_write_lock(&hotplug_lock);
	ret = cpu_is_online(cpu) ? cpu_down_locked(cpu) : 0;
	rwsem_write_unlock(&hotplug_lock);
	return ret;
}

bool cpu_idle_must_die(void)
{
	return unlikely(READ_ONCE(this_cpu(cpu_must_die)));
}

/* The idle loop of a CPU that was told to go: nothing runs here any more. */
void cpu_idle_die(void)
{
	arch_irq_disable();
	perf_cpu_offline(cpu_id());
	while (irq_work_run())
		;
	ipi_handle_calls();
	tick_stop_cpu();
	reclaim_quiescent();
	arch_smp_die();
	panic("CPU%u: would not die", cpu_id());
}

/* maxcpus=: how many may be brought up at boot. */
void smp_init(u32 max_cpus)
{
	u32 cpu, up = 1;

	for_each_possible_cpu(cpu) {
		if (cpu == 0 || up >= max_cpus)
			continue;
		if (cpu_up(cpu))
			pr_err("CPU%u: not started\n", cpu);
		else
			up++;
	}
	pr_info("smp: Brought up 1 node, %u CPU%s\n", up, up > 1 ? "s" : "");
}
