/* SPDX-License-Identifier: MIT */
/*
 * membarrier(2): a memory barrier on the CPUs that run certain threads.
 *
 * The global command waits for a grace period.  The expedited ones interrupt
 * the CPUs that run a thread of the address space (or, for the global one,
 * all); they ask for a registration first, except the global.  An interrupt
 * returns through an exception return, which synchronises the instruction
 * stream, and puts a thread's critical section (rseq) up for inspection.
 */
#include <arch/barrier.h>
#include <kernel/ipi.h>
#include <kernel/mm.h>
#include <kernel/reclaim.h>
#include <kernel/sched.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <linux/membarrier.h>

#define ALL_COMMANDS                                                        \
	(MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED |           \
	 MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED |                          \
	 MEMBARRIER_CMD_PRIVATE_EXPEDITED |                                  \
	 MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED |                         \
	 MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE |                        \
	 MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE |               \
	 MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ |                             \
	 MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ)

static void barrier_here(void *arg)
{
	arch_smp_mb();
}

static void barrier_rseq_here(void *arg)
{
	struct task *t = current;

	arch_smp_mb();
	if (t->rseq)
		fetch_or_relaxed(&t->ti.flags, TIF_NOTIFY_RESUME);
}

static long barrier_private(u32 need, void (*fn)(void *), s32 cpu)
{
	struct mm *mm = current->mm;
	struct cpumask mask;

	if (!(load_acquire(&mm->membarrier) & need))
		return -EPERM;
	arch_smp_mb();
	sched_cpus_of_mm(mm, &mask);
	if (cpu >= 0) {
		if (cpu >= (s32)nr_cpu_ids || !cpumask_test(&mask, (u32)cpu))
			return 0;
		bitmap_zero(mask.bits, NR_CPUS);
		bitmap_set(mask.bits, (u32)cpu);
	}
	ipi_call_mask(&mask, fn, NULL);
	arch_smp_mb();
	return 0;
}

SYSCALL3(membarrier, int, cmd, u32, flags, int, cpu)
{
	if (cmd == MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ) {
		if (flags & ~MEMBARRIER_CMD_FLAG_CPU)
			return -EINVAL;
	} else if (flags) {
		return -EINVAL;
	}
	if (!(flags & MEMBARRIER_CMD_FLAG_CPU))
		cpu = -1;
	switch (cmd) {
	case MEMBARRIER_CMD_QUERY:
		return ALL_COMMANDS;
	case MEMBARRIER_CMD_GLOBAL:
		reclaim_sync();
		return 0;
	case MEMBARRIER_CMD_GLOBAL_EXPEDITED:
		arch_smp_mb();
		ipi_call_mask(&cpu_online_mask, barrier_here, NULL);
		return 0;
	case MEMBARRIER_CMD_PRIVATE_EXPEDITED:
		return barrier_private(
			MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED,
			barrier_here, -1);
	case MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE:
		return barrier_private(
			MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE,
			barrier_here, -1);
	case MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ:
		return barrier_private(
			MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ,
			barrier_rseq_here, cpu);
	case MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED:
	case MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED:
	case MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE:
	case MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ:
		fetch_or_acq_rel(&current->mm->membarrier, (u32)cmd);
		return 0;
	}
	return -EINVAL;
}
