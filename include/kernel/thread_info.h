/* SPDX-License-Identifier: MIT */
/*
 * The first bytes of every struct task: what entry assembly and the
 * preemption macros touch.
 *
 * preempt_count and need_resched share one 64-bit word, so that "may I
 * preempt here" is one load and one compare with zero: need_resched is
 * INVERTED (0 means a reschedule is wanted).
 *
 *   bits 0..7    preempt_disable depth
 *   bits 8..15   soft nesting (irq_work and deferred calls)
 *   bits 16..19  hard interrupt nesting
 *   bits 20..23  NMI (pseudo-NMI) nesting
 */
#ifndef SONDE_KERNEL_THREAD_INFO_H
#define SONDE_KERNEL_THREAD_INFO_H

#include <kernel/lockrank.h>
#include <lib/types.h>

#define PREEMPT_SHIFT  0
#define SOFT_SHIFT     8
#define HARDIRQ_SHIFT  16
#define NMI_SHIFT      20
#define PREEMPT_OFFSET (1u << PREEMPT_SHIFT)
#define SOFT_OFFSET    (1u << SOFT_SHIFT)
#define HARDIRQ_OFFSET (1u << HARDIRQ_SHIFT)
#define NMI_OFFSET     (1u << NMI_SHIFT)
#define IRQ_MASK       (0xffffu << SOFT_SHIFT)
#define NMI_MASK       (0xfu << NMI_SHIFT)

/* thread_info.flags: work to do before returning to user mode. */
#define TIF_NEED_RESCHED  (1u << 0)
#define TIF_SIGPENDING    (1u << 1)
#define TIF_NOTIFY_RESUME (1u << 2)	/* task_work queued, rseq */
#define TIF_RESTORE_MASK  (1u << 3)	/* put saved_sigmask back */
#define TIF_SINGLESTEP    (1u << 4)
#define TIF_SYSCALL_TRACE (1u << 8)	/* slow system-call path */
#define TIF_WORK_MASK     0xffu

struct thread_info {
	union {
		u64 preempt;			/* own CPU only */
		struct {
			u32 preempt_count;	/* little endian: low word */
			u32 resched_not_needed;
		};
	};
	u32 flags;	/* [a] TIF_*: atomic or/and by anyone */
	u32 cpu;	/* [rq lock] the CPU it runs or last ran on */
	/* The architecture's, where masking is no register's matter. */
	u32 irq_masked;	/* own task: ordinary interrupts are masked */
	u32 irq_raised;	/* own CPU, all masked: one of them was refused */
#ifdef CONFIG_DEBUG_LOCK_RANK
	struct lockrank_held held;	/* own task only: sleeping locks */
#endif
};

#endif /* SONDE_KERNEL_THREAD_INFO_H */
