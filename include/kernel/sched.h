/* SPDX-License-Identifier: MIT */
/*
 * The scheduler: runnable entities, switches, affinity, policies.
 *
 * Each CPU has a run queue: a FIFO/RR priority array above a fair class
 * ordered by weighted virtual run time.  A task on a queue is in struct
 * sched_entity form; everything else of the task is opaque to it.
 */
#ifndef SONDE_KERNEL_SCHED_H
#define SONDE_KERNEL_SCHED_H

#include <kernel/cpu.h>
#include <kernel/lock.h>
#include <kernel/sched_base.h>
#include <lib/list.h>
#include <lib/rbtree.h>
#include <lib/types.h>

struct task;

#define SCHED_NORMAL 0
#define SCHED_FIFO   1
#define SCHED_RR     2
#define SCHED_BATCH  3
#define SCHED_IDLE   5
#define SCHED_RESET_ON_FORK 0x40000000

struct sched_entity {
	struct rb_node node;		/* [rq] fair queue */
	struct list_head rt_link;	/* [rq] FIFO/RR list */
	u64 vruntime;			/* [rq] ns, weighted */
	u64 exec_start;			/* [rq] mono ns of the last account */
	u64 sum_exec_ns;		/* [rq] total run time */
	u64 slice_ns;			/* [rq] left of the RR quantum */
	u64 nvcsw, nivcsw;		/* [rq] switches: asked, preempted */
	u64 nr_migrations;		/* [rq] */
	u32 weight;			/* [rq] from nice */
	u8 on_rq;			/* [rq] 0: asleep, else runnable */
	u8 queued;			/* [rq] in the fair tree or RT list */
	u8 in_load;			/* [rq] sleeps but counts as load */
	u8 policy;			/* [rq] SCHED_* */
	u8 rt_prio;			/* [rq] 1..99, 0 for fair */
	s8 nice;			/* [rq] -20..19 */
	u8 sync;			/* [rq] it sleeps soon after waking */
	u64 wake_ns;			/* [own CPU] of its last wake-up call */
	u8 boost;			/* [rq] FIFO priority lent by waiters */
	bool reset_on_fork;		/* [rq] */
	u8 off_why;			/* [rq] it does not run, stats.c */
	u64 off_since;			/* [rq] mono ns */
	u64 shown_user, shown_sys;	/* [wake_lock] last answer given */
	struct cpumask allowed;		/* [rq] affinity */
};

void sched_init(void);			/* boot CPU, before interrupts */
void sched_init_cpu(u32 cpu);
/* idle is what cpu runs when nothing else wants it; it is not preempted. */
void sched_set_idle(u32 cpu, struct task *idle);
/* What was set; NULL: not yet.  Any context. */
struct task *sched_idle_task(u32 cpu);
/* The boot task's last step: become the idle task of this CPU. */
void sched_start(void) __noreturn;
void sched_fork(struct task *child);	/* child's entity from current's */
void sched_wake_new(struct task *child);/* first time on a queue */
void sched_exit(struct task *task);	/* last accounting of current */

void sched_yield_cpu(void);
/* schedule() with a deadline in mono ns (~0ull: none); true: woke before. */
bool schedule_until(u64 mono_ns);

/* Called on the new task's stack after a switch (arch_thread_init path). */
void sched_finish_switch(struct task *prev);

/* Attributes.  0 or -EINVAL/-EPERM is the caller's to decide before. */
int sched_set_affinity(struct task *t, const struct cpumask *mask);
void sched_set_policy(struct task *t, u8 policy, u8 rt_prio, s8 nice);
void sched_set_nice(struct task *t, s8 nice);
/* Lend a FIFO priority (futex PI); 0 takes it back. */
void sched_set_boost(struct task *t, u8 rt_prio);

/* CPUs that run a task of mm right now (may be stale at once). */
struct mm;
void sched_cpus_of_mm(const struct mm *mm, struct cpumask *out);

/* Run time of a task including the running slice, ns. */
u64 sched_runtime_ns(struct task *t);
/* Is t on a CPU right now (may be stale at once)? */
bool sched_is_running(const struct task *t);

/*
 * Is this CPU between two tasks, so that user memory need not be current's?
 * Only the overflow interrupt ever sees that.
 */
bool sched_in_switch(void);

/* /proc: nanoseconds of user, system, idle per CPU; load averages x 2048 */
struct sched_cpu_times {
	u64 user_ns, nice_ns, system_ns, idle_ns, irq_ns;
};
void sched_cpu_times(u32 cpu, struct sched_cpu_times *out);
/* kernel.sched_schedstats.  Task context. */
extern s32 sysctl_sched_schedstats;
void sched_stats_set(bool on);
void sched_load_average(u64 out[3]);
u64 sched_switch_count(void);
u32 sched_nr_running(void);

/* Hotplug: move every movable task off cpu (stopped machine). */
void sched_cpu_drain(u32 cpu);

/* A kernel thread; starts at once.  Negative errno in ERR_PTR. */
struct task *kthread_create(void (*fn)(void *), void *arg, const char *name,
			    s32 cpu);

/*
 * User and system time: the exact run time, divided in the proportion that
 * the tick found (all of it user time before the first tick).
 */
void sched_split_times(u64 run_ns, u64 user_ticks_ns, u64 sys_ticks_ns,
		       u64 *user, u64 *sys);
void sched_task_times(struct task *t, u64 *user_ns, u64 *sys_ns);

#endif /* SONDE_KERNEL_SCHED_H */
