/* SPDX-License-Identifier: MIT */
/*
 * Prototypes of the engine, by the file that defines them.  Included by
 * internal.h only.
 */
#ifndef SONDE_PERF_ENGINE_H
#define SONDE_PERF_ENGINE_H

/* pmu.c: registry; [I] after boot. */
extern struct list_head perf_pmus;
/* Find the PMU for c and run its event_init.  0 or errno.  Task context. */
int perf_pmu_init_event(struct perf_event *e);
/* The same for an inherited copy of e->parent. */
int perf_pmu_init_copy(struct perf_event *e);
struct perf_pmu *perf_pmu_find(u32 type);
int perf_pmus_boot(void);

/* event.c */
struct perf_reading {
	u64 count, enabled, running;
};
/* Counts of a group, stride words apart: those of read(2), in their place. */
struct perf_group_reading {
	u64 *count;		/* the leader's */
	u32 stride;
	u32 nr;			/* room; what was read */
	bool add;		/* to what stands there */
	u64 enabled, running;	/* of the leader */
};
void perf_events_init(void);
struct perf_event *perf_event_create(const struct perf_event_attr *attr,
				     struct task *task, s32 cpu,
				     struct perf_event *parent);
void perf_event_put(struct perf_event *e);
void perf_event_set_state(struct perf_event *e, enum perf_state state);
void perf_event_update_time(struct perf_event *e);
/* Both times at ctx time now. */
void perf_event_times(const struct perf_event *e, u64 now, u64 *enabled,
		      u64 *running);
/* Fresh values of e.  Ctx mutex held, task context. */
void perf_event_read(struct perf_event *e, struct perf_reading *r);
/*
 * The same of leader and its siblings, taken at one moment, with what exited
 * copies have left them.
 */
void perf_event_read_group(struct perf_event *leader,
			   struct perf_group_reading *g);
/* Value and times of e with its inherited copies.  As above. */
u64 perf_event_read_total(struct perf_event *e, u64 *enabled, u64 *running);
void perf_event_reset(struct perf_event *e);
void perf_event_queue_work(struct perf_event *e);
void perf_event_signal(struct perf_event *e, u64 addr);
void perf_event_wakeup(struct perf_event *e);

/* hooks.c */
void perf_hooks_account(struct perf_event *e, bool on);
void perf_hooks_init(void);

/* inherit.c */
extern struct mutex perf_owner_mutex;
void perf_event_release(struct perf_event *e);

/* context.c */
void perf_ctx_init(struct perf_ctx *ctx, struct task *task, s32 cpu,
		   enum lock_rank rank);
struct perf_ctx *perf_ctx_new(struct task *task);
void perf_ctx_put(struct perf_ctx *ctx);
struct perf_ctx *perf_ctx_unclone(struct perf_ctx *ctx);
struct perf_task *perf_task_of(struct task *task);
struct perf_ctx *perf_task_ctx_lock(struct perf_task *p, unsigned long *flags);
struct perf_ctx *perf_task_take_ctx(struct perf_task *p, bool dead);
/* task's context, made if need be, pinned and referenced; ERR_PTR(-ESRCH,
 * -ENOMEM).  cpu's when task is NULL.  Task context. */
struct perf_ctx *perf_ctx_get(struct task *task, s32 cpu);
void perf_ctx_unpin(struct perf_ctx *ctx);
/* What a change wants done to an event, with the context locked and, if it
 * is active, on its CPU (here is NULL when it is not). */
typedef void perf_ctx_fn(struct perf_event *e, struct perf_ctx *ctx,
			 struct perf_cpu *here, void *arg);
void perf_ctx_call(struct perf_event *e, perf_ctx_fn *fn, void *arg);
/* Changes; ctx mutex held, task context. */
int perf_event_install(struct perf_event *e, struct perf_ctx *ctx);
void perf_event_remove(struct perf_event *e, bool split, s32 state);
void perf_event_enable(struct perf_event *e);
void perf_event_disable(struct perf_event *e);
void perf_event_period(struct perf_event *e, u64 value);
void perf_event_for_each_child(struct perf_event *e,
			       void (*fn)(struct perf_event *e));
void perf_event_disable_local(struct perf_event *e);

/* group.c; ctx locked, but validate: ctx mutex */
void perf_group_attach(struct perf_event *e, struct perf_ctx *ctx);
void perf_group_split(struct perf_event *e);
void perf_group_detach(struct perf_event *e);
int perf_group_validate(struct perf_event *e, struct perf_event *leader);

/* sched.c; everything masked, contexts locked */
int perf_sched_event_in(struct perf_event *e, struct perf_ctx *ctx,
			struct perf_cpu *here);
void perf_sched_event_out(struct perf_event *e, struct perf_ctx *ctx,
			  struct perf_cpu *here);
int perf_sched_group_in(struct perf_event *leader, struct perf_ctx *ctx,
			struct perf_cpu *here);
void perf_sched_group_out(struct perf_event *leader, struct perf_ctx *ctx,
			  struct perf_cpu *here);
/* e (off or new) has become INACTIVE: give it a counter if one is free, or
 * by displacing what ranks below it. */
void perf_sched_try(struct perf_event *e, struct perf_ctx *ctx,
		    struct perf_cpu *here);
void perf_sched_task_in(struct perf_ctx *ctx, struct perf_cpu *here);
void perf_sched_task_out(struct perf_ctx *ctx, struct perf_cpu *here);
/* Turn the flexible events of here out and in again, next ones first. */
void perf_sched_rotate(struct perf_cpu *here);

/* cpu.c: per-CPU state, its timers, hotplug */
void perf_cpus_init(void);
void perf_cpu_arm_mux(struct perf_cpu *here);
void perf_cpu_arm_tick(struct perf_cpu *here);
/* Bracket every hardware PMU of this CPU.  All masked. */
void perf_pmus_disable(void);
void perf_pmus_enable(void);

/* freq.c; event's CPU, masked */
void perf_freq_start(struct perf_event *e);
void perf_freq_tick(struct perf_ctx *ctx, u64 now);
void perf_freq_overflow(struct perf_event *e);
bool perf_freq_throttle(struct perf_event *e, u64 now, bool stop);
void perf_freq_unthrottle(struct perf_event *e);

/* limits.c */
#define perf_paranoid sysctl_perf_event_paranoid /* <kernel/kptr.h> */
extern u32 perf_mlock_kb, perf_max_rate, perf_cpu_percent, perf_max_stack,
	perf_max_contexts, perf_user_access, perf_max_per_tick;
/* Each 0 or the errno that Linux gives. */
int perf_allow_kernel(void);
int perf_allow_cpu(void);
bool perf_capable(void);
void perf_limits_update(void);
void perf_limits_init(void);

/* output.c; event's CPU, preemption off, any context */
struct perf_record {
	struct perf_out out;
	struct perf_event *event;	/* whose attr, ids and clock */
	struct perf_event *to;		/* whose ring */
	struct perf_values ids;		/* for the trailer */
};
/*
 * Reserve a record of payload bytes behind its header; the trailer is added
 * by perf_record_end.  0, -ENOSPC (lost, accounted) or -ENOENT (no ring).
 */
int perf_record_begin(struct perf_record *r, struct perf_event *e, u32 type,
		      u16 misc, u32 payload);
void perf_record_end(struct perf_record *r);
void perf_output_sample(struct perf_event *e, struct perf_sample *s,
			struct pt_regs *regs);
void perf_output_throttle(struct perf_event *e, bool on);
void perf_output_read(struct perf_event *e, struct task *task);
/* Door: physical address and page size behind a user address, or 0. */
extern void (*perf_addr_hook)(u64 addr, u64 *phys, u64 *page_size);

/* ring.c */
/* e's ring, referenced, or NULL. */
struct perf_ring *perf_ring_of(struct perf_event *e);
/* Make ring (referenced by the caller; NULL: none) e's output. */
void perf_ring_attach(struct perf_event *e, struct perf_ring *ring);
void perf_ring_wakeup(struct perf_event *e);

/* userpage.c */
void perf_userpage_boot(void);
void perf_userpage_update(struct perf_event *e);
void perf_userpage_init(struct perf_event *e);
void perf_userpage_refresh(struct perf_event *e);

/* callchain.c */
int perf_callchain_get(u32 max_stack);
void perf_callchain_put(void);
/* Fill v->chain, v->chain_nr from this CPU's buffer of this context level. */
void perf_callchain_fill(struct perf_event *e, struct perf_values *v,
			 struct pt_regs *regs);
int perf_callchain_set_limit(u32 *which, u32 value);

/* sideband.c */
void perf_sb_switch(struct task *other, bool out, bool preempt);
void perf_sb_exit(struct perf_ctx *ctx);

/* Level of interrupt nesting here: 0 task, 1 soft, 2 hard, 3 overflow. */
static inline u32 perf_level(void)
{
	u32 count = READ_ONCE(current_info()->preempt_count);

	if (count & NMI_MASK)
		return 3;
	if (count & (0xfu << HARDIRQ_SHIFT))
		return 2;
	return count & (0xffu << SOFT_SHIFT) ? 1 : 0;
}

#endif /* SONDE_PERF_ENGINE_H */
