/* SPDX-License-Identifier: MIT */
/*
 * The event, its context and the per-CPU state: shared by the files of
 * kernel/perf and by nobody else.
 *
 * Locks, outermost first: owner mutex, ctx->mutex, event->child_mutex,
 * event->mmap_mutex, cpu ctx lock, task ctx lock, ring list lock.  A ctx lock
 * is taken with everything masked (perf_ctx_lock), because what it guards is
 * also read by the overflow interrupt.
 *
 * Who guards a field:
 *   [I] immutable once the event is attached
 *   [M] ctx mutex          [m] child_mutex       [R] mmap_mutex
 *   [c] ctx lock; while the context is active only its CPU may take it to
 *       change things, so that CPU may read with everything masked
 *   [N] event's CPU, everything masked or the PMU disabled
 *   [a] atomic             [O] owner mutex
 */
#ifndef SONDE_PERF_INTERNAL_H
#define SONDE_PERF_INTERNAL_H

#include "layout.h"

#include <kernel/file.h>
#include <kernel/irq.h>
#include <kernel/kptr.h>
#include <kernel/lock.h>
#include <kernel/perf_event.h>
#include <kernel/perf_pmu.h>
#include <kernel/reclaim.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <kernel/wait.h>
#include <lib/list.h>
#include <lib/ref.h>

struct perf_ring;
struct perf_ctx;

enum perf_state {
	PERF_DEAD = -4,		/* closed */
	PERF_EXIT = -3,		/* its task is gone */
	PERF_ERROR = -2,	/* pinned, and did not fit */
	PERF_OFF = -1,		/* disabled */
	PERF_INACTIVE = 0,	/* would like to run */
	PERF_ACTIVE = 1,	/* on the PMU */
};

/* event->attached */
#define PERF_ATT_CTX	(1u << 0)	/* on ctx->events */
#define PERF_ATT_GROUP	(1u << 1)	/* on the leader's siblings */
#define PERF_ATT_CHILD	(1u << 2)	/* on the parent's children */

#define PERF_THROTTLED	U32_MAX		/* event->interrupts */

struct perf_event {
	struct perf_counter c;		/* what the backend sees; first */
	struct perf_event_attr attr;	/* [I] but period: [N] */
	struct ref refs;
	u64 id;				/* [I] */
	bool wall_clock;		/* [I] attr.clockid follows sets */
	bool tracing;			/* [I] tracepoint rules */
	bool has_chain;			/* [I] holds the chain buffers */
	bool was_on_ring;		/* [R] freed after a grace period */
	bool dead_file;			/* [a] descriptor closed */
	bool is_bound;			/* [c] on ctx->bound */
	bool was_bound;			/* [c] freed after a grace period */

	struct perf_ctx *ctx;		/* [M], and [c] to change */
	struct list_head ctx_link;	/* [c] ctx->events */
	struct list_head bound_link;	/* [c], walked lock-free */
	struct list_head group_link;	/* [c] leader: ctx->pinned/flexible,
					   sibling: leader->siblings */
	struct list_head siblings;	/* [c] leader only */
	struct perf_event *leader;	/* [c] self when leading */
	u32 nr_siblings;		/* [c] */
	bool group_software;		/* [c] leader: all are software */
	u64 group_gen;			/* [c] leader: membership changes */
	u32 attached;			/* [c] PERF_ATT_* */
	s32 state;			/* [c] enum perf_state */
	s32 oncpu;			/* [c] -1: not active */
	u64 stamp;			/* [c] ctx time of the last update */
	u64 enabled, running;		/* [c] ns */

	u32 interrupts;			/* [N] in this window */
	u64 window_end;			/* [N] */
	u64 freq_stamp;			/* [N] running time at an overflow */
	u64 freq_tick_stamp, freq_count; /* [N] at the last tick */
	s32 limit;			/* [a] IOC_REFRESH budget */

	struct mutex child_mutex;
	struct list_head children;	/* [m] */
	struct list_head child_link;	/* [parent's m] */
	struct perf_event *parent;	/* [I] referenced */
	u64 child_count;		/* [a] folded from exited children */
	u64 child_enabled, child_running; /* [a] */

	struct perf_layout sample;	/* [I] */
	struct perf_layout trailer;	/* [I] sample_id_all */
	u32 read_size;			/* [c] of PERF_SAMPLE_READ */
	u64 lost;			/* [a] FORMAT_LOST */

	struct mutex mmap_mutex;
	struct perf_ring *ring;		/* [R] writes, [reclaim] reads */
	struct list_head ring_link;	/* [ring list lock] */
	u32 mmap_count;			/* [R] of this event's own mappings */

	struct wait_queue waitq;	/* poll */
	struct irq_work work;		/* deferred wakeup, disable */
	u8 want_wakeup, want_disable;	/* [a] */
	u32 want_kill;			/* [a] POLL_IN or POLL_HUP */
	struct task_work sig_work;	/* sigtrap on the way to user mode */
	u64 sig_addr;			/* [a] */
	u8 sig_queued;			/* [a] sig_work holds a reference */
	struct fasync_list fasync;	/* who gets SIGIO */

	struct task *owner;		/* [O] not referenced */
	struct list_head owner_link;	/* [O] */
	struct reclaim_node reclaim;
};

struct perf_ctx {
	struct spinlock lock;
	struct mutex mutex;		/* membership; door calls */
	struct ref refs;
	struct task *task;		/* [c] NULL: CPU context or dead */
	bool task_dead;			/* [c] its task has exited */
	bool active;			/* [c] counting on ctx->cpu */
	s32 cpu;			/* [c] */
	u64 time;			/* [c] ns that the context was active */
	u64 stamp;			/* [c] clock at the last update */
	struct list_head pinned;	/* [c] leaders */
	struct list_head flexible;	/* [c] leaders, next to run first */
	struct list_head events;	/* [c] all of them */
	struct list_head bound;		/* [c], walked lock-free: group.c */
	u32 nr_events;			/* [c] */
	u32 nr_active;			/* [c] */
	u32 nr_hw;			/* [c] events of hardware PMUs */
	u32 nr_stat;			/* [c] inherit_stat */
	u32 nr_sideband;		/* [c] want records */
	u32 nr_pinned;			/* [c] leaders */
	u32 nr_switch;			/* [c] want SWITCH */
	bool rotate;			/* [c] somebody did not fit */
	struct perf_ctx *parent;	/* [c] clone of, NULL: of none */
	u64 parent_gen;			/* [c] parent->generation then */
	u64 generation;			/* [c] membership changes */
	u32 pins;			/* [c] no clone swap while > 0 */
	struct reclaim_node reclaim;
};

/*
 * Per CPU.  [C] own CPU, everything masked, plus ctx.lock.
 */
struct perf_cpu {
	struct perf_ctx ctx;		/* CPU-wide events */
	struct perf_ctx *task_ctx;	/* [C] of the running task */
	bool online;			/* [C] */
	bool exclusive;			/* [C] an exclusive group runs */
	u32 nr_hw;			/* [C] events on hardware PMUs */
	struct timer mux;		/* rotation; only while needed */
	struct timer tick;		/* frequency, unthrottling */
	bool mux_armed, tick_armed;	/* [C] */
	u32 nr_tick;			/* [C] active frequency events */
	u32 nr_throttled;		/* [a] events stopped until the tick */
	struct irq_work tick_work;	/* arms tick from the overflow irq */
	bool in_work[2];		/* [C] perf_pmu_in_work: task, irq */
	u64 irq_len;			/* [C] running sum, limits.c */
};

/* task->perf: made with the first event that concerns the task. */
struct perf_task {
	struct perf_ctx *ctx;		/* [a] set once; [c] swap */
	struct list_head owned;		/* [O] events opened by this task */
	bool dead;			/* [install_lock] its task has exited */
};

DECLARE_PER_CPU(struct perf_cpu, perf_cpu);

static inline struct perf_event *perf_event_of(struct perf_counter *c)
{
	return container_of(c, struct perf_event, c);
}

/* Times of one ring or group are of one clock; that of nobody's choice is
 * none of those that can be named.
 */
static inline bool perf_same_clock(const struct perf_event *a,
				   const struct perf_event *b)
{
	return a->attr.use_clockid == b->attr.use_clockid &&
	       (!a->attr.use_clockid || a->attr.clockid == b->attr.clockid);
}

static inline bool perf_is_leader(const struct perf_event *e)
{
	return e->leader == e;
}

static inline bool perf_is_software(const struct perf_event *e)
{
	return e->c.pmu->caps & PERF_PMU_SOFTWARE;
}

#define perf_for_each_sibling(s, lead)					\
	list_for_each_entry((s), &(lead)->siblings, group_link)

/* May e run on cpu at all? */
static inline bool perf_cpu_matches(const struct perf_event *e, u32 cpu)
{
	return (e->c.cpu == -1 || e->c.cpu == (s32)cpu) &&
	       perf_pmu_has_cpu(e->c.pmu, cpu);
}

/* Lock a context with everything masked; PMU handlers stay out. */
static inline unsigned long perf_ctx_lock(struct perf_ctx *ctx)
{
	unsigned long flags = arch_irq_save_all();

	spin_lock(&ctx->lock);
	return flags;
}

static inline void perf_ctx_unlock(struct perf_ctx *ctx, unsigned long flags)
{
	/* Preemption comes back only after interrupts do. */
	lockrank_release(&ctx->lock);
	__atomic_store_n(&ctx->lock.locked, 0, __ATOMIC_RELEASE);
	arch_irq_restore_all(flags);
	preempt_enable();
}

/* Lock what runs here: the CPU context, then the task's.  All masked. */
static inline void perf_cpu_lock(struct perf_cpu *here)
{
	spin_lock(&here->ctx.lock);
	if (here->task_ctx)
		spin_lock(&here->task_ctx->lock);
}

static inline void perf_cpu_unlock_both(struct perf_cpu *here,
					struct perf_ctx *task_ctx)
{
	if (task_ctx)
		spin_unlock(&task_ctx->lock);
	spin_unlock(&here->ctx.lock);
}

/* Time of ctx when the clock says now, without moving it. */
static inline u64 perf_ctx_time_at(const struct perf_ctx *ctx, u64 now)
{
	u64 t = READ_ONCE(ctx->time);

	if (READ_ONCE(ctx->active))
		t += now - READ_ONCE(ctx->stamp);
	return t;
}

static inline u64 perf_ctx_time_now(const struct perf_ctx *ctx)
{
	return perf_ctx_time_at(ctx, time_mono_ns());
}

static inline void perf_ctx_update_time(struct perf_ctx *ctx)
{
	u64 now;

	if (!ctx->active)
		return;
	now = time_mono_ns();
	WRITE_ONCE(ctx->time, ctx->time + (now - ctx->stamp));
	WRITE_ONCE(ctx->stamp, now);
}

#include "engine.h"

#endif /* SONDE_PERF_INTERNAL_H */
