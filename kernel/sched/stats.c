/* SPDX-License-Identifier: MIT */
/*
 * Why a task did not run: the events sched_stat_wait, _sleep and _blocked,
 * while kernel.sched_schedstats is 1.
 *
 * se.off_since is when the task began to wait or sleep, se.off_why which of
 * them; both change under its run queue's lock.  A time from before the last
 * switching on says nothing and is dropped.  Off, it costs a nop in the switch
 * and one in a wake-up.
 */
#include <kernel/trace_hooks.h>

#include "internal.h"

enum off_why {
	OFF_NOTHING,	/* it runs, or is new */
	OFF_WAITS,	/* on a queue */
	OFF_SLEEPS,	/* may be interrupted */
	OFF_BLOCKED,
};

DEFINE_STATIC_KEY(sched_stats_key);
static struct mutex stats_mutex = MUTEX_INIT(stats_mutex, LOCK_RANK_TRACE);
s32 sysctl_sched_schedstats;		/* [stats_mutex] read anywhere */
static u64 stats_since;			/* [a] they are on from */

void sched_stats_set(bool on)
{
	mutex_lock(&stats_mutex);
	if (on && !sysctl_sched_schedstats) {
		store_relaxed(&stats_since, time_mono_ns());
		static_key_inc(&sched_stats_key);
	} else if (!on && sysctl_sched_schedstats) {
		static_key_dec(&sched_stats_key);
	}
	store_relaxed(&sysctl_sched_schedstats, on);
	mutex_unlock(&stats_mutex);
}

static void off_begins(struct sched_entity *se, enum off_why why, u64 now)
{
	se->off_why = why;
	se->off_since = now;
}

/* How long it was, 0: not known. */
static u64 off_ends(struct sched_entity *se, u64 now)
{
	u64 since = se->off_since;

	return since >= load_relaxed(&stats_since) && now > since ?
		       now - since : 0;
}

void sched_stats_enqueue(struct task *t, u64 now)
{
	u8 why = t->se.off_why;
	u64 ns = off_ends(&t->se, now);

	if (ns && why == OFF_SLEEPS)
		trace_sched_stat_sleep(t, ns);
	else if (ns && why == OFF_BLOCKED)
		trace_sched_stat_blocked(t, ns);
	off_begins(&t->se, OFF_WAITS, now);
}

void sched_stats_switch(struct rq *rq, struct task *prev, struct task *next,
			u64 now)
{
	u32 state = READ_ONCE(prev->state);

	if (prev != rq->idle)
		off_begins(&prev->se,
			   prev->se.on_rq ? OFF_WAITS :
			   state & TASK_INTERRUPTIBLE ? OFF_SLEEPS :
			   state & (TASK_UNINTERRUPTIBLE | TASK_KILLABLE) ?
			   OFF_BLOCKED : OFF_NOTHING, now);
	if (next == rq->idle)
		return;
	if (next->se.off_why == OFF_WAITS && off_ends(&next->se, now))
		trace_sched_stat_wait(next, off_ends(&next->se, now));
	next->se.off_why = OFF_NOTHING;
}
