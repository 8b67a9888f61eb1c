/* SPDX-License-Identifier: MIT */
/*
 * Inside the scheduler: the run queue and what its files ask of each other.
 *
 * Who guards what:
 *   [L] rq->lock, interrupts off   [I] set once at boot
 *   [a] written under rq->lock, read anywhere with READ_ONCE
 *
 * Order of locks: task->wake_lock, then one rq->lock; a second rq->lock is
 * taken by trylock, or by spin_lock_two when none is held.
 */
#ifndef SONDE_KERNEL_SCHED_INTERNAL_H
#define SONDE_KERNEL_SCHED_INTERNAL_H

#include <kernel/percpu.h>
#include <kernel/sched.h>
#include <kernel/static_key.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/rbtree.h>

#include "fair_math.h"

/* se.on_rq, apart from 0 and 1: between two CPUs' queues, in no list. */
#define ON_RQ_PUSH 2

/* Wakes followed by sleep within this time count as handing over. */
#define SYNC_WAKE_NS (500 * NSEC_PER_USEC)
#define SYNC_MAX     8
#define SYNC_SURE    4

#define RT_PRIOS     100		/* 1..99 in use */
#define RR_SLICE_NS  (100 * NSEC_PER_MSEC)

/* RT tasks leave this much of each period to the others, if they want it. */
#define RT_PERIOD_NS NSEC_PER_SEC
#define RT_QUOTA_NS  (950 * NSEC_PER_MSEC)

struct rq {
	struct spinlock lock;		/* LOCK_RANK_RQ */
	u32 cpu;			/* [I] */
	u32 nr_running;			/* [a] runnable tasks, curr included */
	struct task *curr;		/* [a] */
	struct task *idle;		/* [I] */

	/* Fair class: curr is not in the tree. */
	struct rb_root fair;		/* [L] by vruntime */
	u64 min_vruntime;		/* [a] never goes back */

	/* FIFO and RR: curr is not in its list. */
	u64 rt_bits[2];			/* [L] which lists are not empty */
	struct list_head rt[RT_PRIOS];	/* [L] */
	u64 rt_period_start;		/* [L] */
	u64 rt_used_ns;			/* [L] by RT tasks in this period */
	bool rt_throttled;		/* [L] fair tasks go first */

	struct task *push;		/* [L] leaves this CPU next */
	u64 switches;			/* [a] */
	s32 nr_blocked;			/* [a] sleepers that count as load */
	u32 ticks;			/* [L] for periodic balance */
	u64 idle_since;			/* [a] idle from, 0: not */
	struct sched_cpu_times times;	/* [a] */
};

DECLARE_PER_CPU(struct rq, sched_rq);
extern struct cpumask sched_idle_mask;	 /* [a] idle and not yet claimed */
extern struct cpumask sched_active_mask; /* [a] CPUs that take tasks */

static inline struct rq *rq_of(u32 cpu)
{
	return per_cpu_ptr(sched_rq, cpu);
}

static inline bool se_is_rt(const struct sched_entity *se)
{
	return se->rt_prio | se->boost;
}

static inline u32 se_rt_prio(const struct sched_entity *se)
{
	return se->rt_prio > se->boost ? se->rt_prio : se->boost;
}

static inline bool task_allowed_on(const struct task *t, u32 cpu)
{
	return bitmap_test(t->se.allowed.bits, cpu);
}

static inline bool need_resched(void)
{
	return READ_ONCE(current_info()->flags) & TIF_NEED_RESCHED;
}

/* core.c: [L] */
void rq_update_curr(struct rq *rq, u64 now);
void rq_enqueue(struct rq *rq, struct task *t);
void rq_dequeue(struct rq *rq, struct task *t, u8 on_rq);
void rq_check_preempt(struct rq *rq, struct task *t);
void rq_resched(struct rq *rq);
/* Lock t's wake_lock and its run queue against everybody; interrupts off. */
struct rq *task_rq_lock(struct task *t, unsigned long *flags);
void task_rq_unlock(struct rq *rq, struct task *t, unsigned long flags);
/* Move a task that is off every queue or locked; t->ti.cpu's only writer. */
void task_set_cpu(struct task *t, u32 cpu);
/* Put t on the queue of its CPU.  wake_lock held, t not on a queue. */
void task_activate(struct task *t, u64 now);

/* fair.c: [L] */
void fair_insert(struct rq *rq, struct task *t);
void fair_remove(struct rq *rq, struct task *t);
struct task *fair_first(struct rq *rq);
void fair_place_woken(struct rq *rq, struct task *t);
bool fair_should_preempt(struct rq *rq, struct task *t);
void fair_update_min(struct rq *rq);

/* rt.c: [L] */
void rt_init(struct rq *rq);
void rt_insert(struct rq *rq, struct task *t, bool head);
void rt_remove(struct rq *rq, struct task *t);
struct task *rt_first(struct rq *rq);
void rt_tick(struct rq *rq, struct task *t);
void rt_tick_throttle(struct rq *rq, u64 now);

/* load.c */
u32 sched_select_cpu(struct task *t);
bool sched_pull(struct rq *rq, u32 min_busiest);	/* [L] */
void sched_tick_balance(struct rq *rq);			/* [L] */
void sched_push_away(struct task *t);
void sched_load_start(void);

/* hotplug.c: this CPU, interrupts off or the idle loop */
bool cpu_idle_must_die(void);
void cpu_idle_die(void) __noreturn;

/* core.c: the idle loop's switch; preemption off by one */
void sched_idle_switch(void);
void sched_cpu_starts(void);

/* stats.c: [L] */
DECLARE_STATIC_KEY(sched_stats_key);
void sched_stats_enqueue(struct task *t, u64 now);
void sched_stats_switch(struct rq *rq, struct task *prev, struct task *next,
			u64 now);

/* account.c: [L] */
void account_tick(struct rq *rq, struct task *t, struct pt_regs *regs);
void account_idle_end(struct rq *rq, u64 now);

#endif /* SONDE_KERNEL_SCHED_INTERNAL_H */
