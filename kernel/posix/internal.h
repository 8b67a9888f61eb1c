/* SPDX-License-Identifier: MIT */
/*
 * Interval and POSIX timers of a process, shared by the files of kernel/posix.
 *
 * struct proc_timers hangs off the process, made on first use and gone with
 * it.  Its lock is taken with interrupts off, because timers fire there; it is
 * above siglock, so signals are posted after it is released.
 */
#ifndef SONDE_KERNEL_POSIX_INTERNAL_H
#define SONDE_KERNEL_POSIX_INTERNAL_H

#include <kernel/lock.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/list.h>
#include <lib/ref.h>

/* A POSIX timer.  [L] proc_timers.lock */
struct k_itimer {
	struct ref refs;
	struct list_head link;		/* [L] proc_timers.timers */
	struct process *proc;		/* [I] */
	struct task *target;		/* [I] SIGEV_THREAD_ID's, else NULL */
	s32 id;				/* [I] */
	s32 clock;			/* [I] */
	s32 notify;			/* [I] SIGEV_* */
	bool dead;			/* [L] being deleted */
	bool wall;			/* [L] absolute on a wall clock */
	struct clock_watch watch;	/* wall clocks only */
	u64 expires;			/* [L] on its own clock, or monotonic
					 * unless wall; 0: disarmed */
	u64 interval;			/* [L] ns, 0: one shot */
	u32 overrun;			/* [L] since the last delivery */
	u32 last_overrun;		/* [L] of the last delivery */
	struct timer timer;		/* mono and wall clocks */
	struct sigqueue_entry entry;	/* [siglock] */
};

struct cpu_itimer {
	u64 expires;			/* [L] ns of process time, 0: off */
	u64 interval;			/* [L] */
};

struct proc_timers {
	struct spinlock lock;
	struct process *proc;		/* [I] */
	struct list_head timers;	/* [L] k_itimer.link */
	s32 next_id;			/* [L] */
	u32 nr_cpu;			/* [a] armed timers on CPU clocks */
	struct timer real;		/* ITIMER_REAL */
	u64 real_interval;		/* [L] */
	struct cpu_itimer cpu[2];	/* [L] ITIMER_VIRTUAL, ITIMER_PROF */
};

/* The process's, made if need be: NULL when there is no memory. */
struct proc_timers *proc_timers_get(struct process *p);

/* cpu_clock.c: clocks of run time; id is negative or one of the two names. */
bool clock_is_cpu(s32 id);
int cpu_clock_check(s32 id);
int cpu_clock_read(s32 id, u64 *ns);

/* cpu_timer.c */
void cpu_timers_armed(struct proc_timers *pt, s32 change);

/* timer.c: [L] released; the timer's signal, overruns counted. */
void k_itimer_fire(struct k_itimer *kt);
void k_itimer_put(struct k_itimer *kt);

#endif /* SONDE_KERNEL_POSIX_INTERNAL_H */
