/* SPDX-License-Identifier: MIT */
/*
 * What a perf backend sees: the counter, the ops to supply, the helpers.
 *
 * A backend is a const struct perf_pmu_desc registered by PERF_PMU_REGISTER.
 * It knows counters only; files, rings, ids, groups, inheritance and records
 * are the engine's.  "Event's CPU" below is the CPU the counter is, or is
 * about to be, programmed on.  "Masked" is arch_irq_save_all, so that the
 * overflow interrupt is kept out too.
 */
#ifndef SONDE_KERNEL_PERF_PMU_H
#define SONDE_KERNEL_PERF_PMU_H

#include <lib/compiler.h>
#include <lib/linkset.h>
#include <lib/list.h>
#include <lib/types.h>
#include <linux/perf_event.h>

struct perf_counter;
struct perf_pmu;
struct perf_pmu_desc;
struct pt_regs;
struct task;

/* perf_counter.state */
#define PERF_CNT_STOPPED	1u	/* not counting */
#define PERF_CNT_UPTODATE	2u	/* count holds all there is */

/* Flags of add, start, del and stop. */
#define PERF_EF_START		1u	/* add: start as well */
#define PERF_EF_RELOAD		2u	/* start: load the remaining period */
#define PERF_EF_UPDATE		4u	/* stop: fold into count */

/*
 * One counter.
 * [I] set by open, then immutable
 * [a] atomic: only by the helpers below and __atomic
 * [N] event's CPU, masked or with the PMU disabled
 * [P] the backend's own, by its own rules
 */
struct perf_counter {
	const struct perf_event_attr *attr;	/* [I] */
	struct perf_pmu *pmu;			/* [I] */
	struct task *task;			/* [I] target, NULL: CPU-wide */
	s32 cpu;				/* [I] wanted CPU or -1 */
	bool sampling;				/* [I] sample_period != 0 */

	u64 count;				/* [a] */
	u64 prev;				/* [a] hardware value at fold */
	u64 period;				/* [N] between overflows */
	u64 last_period;			/* [N] running interval */
	s64 left;				/* [a] to the next overflow */
	u32 state;				/* [N] PERF_CNT_* */

	u64 config;				/* [P] */
	u64 config_base;			/* [P] */
	s32 idx;				/* [P] -1: none */
	u32 hw_flags;				/* [P] */
	struct list_head link;			/* [P] */
	void *priv;				/* [P] */
};

/* What a backend knows about one overflow beyond the registers. */
struct perf_sample {
	u64 addr;
	u64 period;
	const void *raw;	/* PERF_SAMPLE_RAW payload or NULL */
	u32 raw_size;
	u64 ip;			/* 0: from the registers */
	u64 time;		/* of time_mono_ns(); 0: that of the overflow */
};

/* perf_pmu_desc.caps */
#define PERF_PMU_SOFTWARE	(1u << 0)  /* never out of counters */
#define PERF_PMU_NO_INTERRUPT	(1u << 1)  /* cannot sample */
#define PERF_PMU_NO_EXCLUDE	(1u << 2)  /* any exclude_*: -EINVAL */
#define PERF_PMU_SAFE_CLOCKS	(1u << 3)  /* any clockid is fine */
#define PERF_PMU_TRACING	(1u << 4)  /* tracepoint rules and filters */
#define PERF_PMU_EXTENDED_TYPE	(1u << 5)  /* HARDWARE with own type on top */
#define PERF_PMU_EXCLUSIVE	(1u << 6)  /* one event at a time */
#define PERF_PMU_HARDWARE	(1u << 7)  /* answers HARDWARE and HW_CACHE */
#define PERF_PMU_KEEP_DISABLED	(1u << 8)  /* pmu_disable brackets matter */
#define PERF_PMU_EXTENDED_REGS	(1u << 9)  /* samples hold those, too */

struct perf_pmu_string {
	const char *name;
	const char *value;
};

struct perf_pmu_ops {
	/*
	 * Find the hardware; create instances with perf_pmu_create.  Default:
	 * one instance, all CPUs.  0 or -ENODEV.  Boot CPU, task context.
	 */
	int (*probe)(const struct perf_pmu_desc *desc);
	/* A CPU starts or stops serving pmu.  That CPU, masked, no locks. */
	void (*cpu_online)(struct perf_pmu *pmu, u32 cpu);
	void (*cpu_offline)(struct perf_pmu *pmu, u32 cpu);
	/*
	 * Is this event mine?  Validate attr, take references.  0; -ENOENT not
	 * mine, ask the next; -EINVAL malformed; -EOPNOTSUPP mine, but that
	 * option is not supported; -EACCES, -EPERM not allowed; -ENODEV wrong
	 * CPU; -EBUSY, -ENOMEM.  Task context, may sleep, no locks.
	 */
	int (*event_init)(struct perf_counter *c);
	/* Undo event_init.  Task context, may sleep, counter not added. */
	void (*event_destroy)(struct perf_counter *c);
	/*
	 * Could pmu ever count its own ones of these nr counters together?
	 * 0 or -EINVAL (also for another hardware PMU's).  Task context.
	 */
	int (*group_valid)(struct perf_pmu *pmu, struct perf_counter **c,
			   u32 nr);
	/*
	 * Reserve a counter for c; start it when flags has PERF_EF_START.
	 * 0 or -EAGAIN when there is no room.  Event's CPU, masked, ctx lock,
	 * pmu disabled.
	 */
	int (*add)(struct perf_counter *c, u32 flags);
	/* Stop, fold and release.  As add. */
	void (*del)(struct perf_counter *c, u32 flags);
	/*
	 * Count, or pause with the counter kept (PERF_EF_UPDATE: fold).
	 * Event's CPU, masked; also from the overflow interrupt; no locks
	 * may be taken.
	 */
	void (*start)(struct perf_counter *c, u32 flags);
	void (*stop)(struct perf_counter *c, u32 flags);
	/* Fold the hardware into count.  Event's CPU, masked. */
	void (*read)(struct perf_counter *c);
	/* Bracket of a batch of changes on this CPU; nests in the engine. */
	void (*pmu_enable)(struct perf_pmu *pmu);
	void (*pmu_disable)(struct perf_pmu *pmu);
	/*
	 * Change c, which is off, to what attr says: MODIFY_ATTRIBUTES.  0 or
	 * errno with nothing changed; -EOPNOTSUPP by default.  Task context.
	 */
	int (*modify)(struct perf_counter *c,
		      const struct perf_event_attr *attr);
	/* New filter text (tracing); 0 or errno.  Task context, ctx mutex. */
	int (*set_filter)(struct perf_counter *c, const char *filter);
	/* Index + 1 for the user page, 0 when user code may not read it. */
	u32 (*user_index)(const struct perf_counter *c);
	/* Width in bits for the user page.  Any context. */
	u32 (*user_width)(const struct perf_counter *c);
	/* current switched with an event of pmu about.  Masked. */
	void (*sched_task)(struct perf_pmu *pmu, bool in);
};

#define PERF_PMU_NEXT_TYPE (-1)		/* the next free number */
#define PERF_PMU_NO_TYPE   (-2)		/* none, and not shown in sysfs */

struct perf_pmu_desc {
	const char *name;
	s32 type;			/* fixed number or one of the above */
	u32 caps;			/* PERF_PMU_* */
	const struct perf_pmu_ops *ops;
	const struct perf_pmu_string *format;	/* sysfs, NULL-terminated */
	const struct perf_pmu_string *events;
	const struct perf_pmu_string *attrs;	/* caps/ directory */
	/* Is events[i] there on pmu?  NULL: all are. */
	bool (*event_visible)(const struct perf_pmu *pmu, u32 i);
};

/*
 * One instance.  [I] after creation; [C] own CPU, masked; [a] atomic.
 */
struct perf_pmu {
	const struct perf_pmu_desc *desc;	/* [I] */
	struct perf_pmu_ops ops;		/* [I] defaults filled in */
	const char *name;			/* [I] */
	u32 type;				/* [I] */
	u32 caps;				/* [I] */
	u32 index;				/* [I] order of creation */
	u64 cpus;				/* [I] bit per CPU it serves */
	void *priv;				/* [I] backend's */
	struct list_head link;			/* [I] after boot */
	s32 *disabled;				/* [C] depth, one per CPU */
	u32 exclusive;				/* [a] PERF_PMU_EXCLUSIVE */
	u32 mux_ms;				/* [a] between turns */
};

#define PERF_PMU_REGISTER(d) LINKSET_ADD(perf_pmus, d)

/*
 * Create one instance; from probe only.  name must live for ever.  Returns
 * the instance or NULL without memory.
 */
struct perf_pmu *perf_pmu_create(const struct perf_pmu_desc *desc,
				 const char *name, u64 cpus, void *priv);

/* Nesting bracket that ends in ops.pmu_disable/enable.  Masked. */
void perf_pmu_disable(struct perf_pmu *pmu);
void perf_pmu_enable(struct perf_pmu *pmu);

/*
 * The period has run out: account, write the sample, throttle.  True: the
 * backend must stop the counter.  Event's CPU, any interrupt context; takes no
 * lock, allocates nothing, wakes nobody.
 */
bool perf_pmu_overflow(struct perf_counter *c, struct perf_sample *sample,
		       struct pt_regs *regs);

/*
 * Settle the remaining period against max (largest distance the hardware can
 * count): updates left, last_period.  Returns how far to count, sets *wrapped
 * when a period ended.  Event's CPU, masked.
 */
u64 perf_pmu_set_period(struct perf_counter *c, u64 max, bool *wrapped);

/*
 * Fold: the hardware shows now in a counter of width bits; returns the
 * distance that was added to count and taken from left.  Any context.
 */
u64 perf_pmu_fold(struct perf_counter *c, u64 now, u32 width);

/* Publish index, offset and times on the user page.  Event's CPU, masked. */
void perf_pmu_update_userpage(struct perf_counter *c);

/* Should mode of regs be counted by this attr (exclude_user/kernel)? */
bool perf_pmu_regs_wanted(const struct perf_counter *c, struct pt_regs *regs);

/*
 * Run fn on each tracing counter of task that is bound to this CPU, on or off,
 * and in a group of software.  Preemption off; fn may take no lock, and finds
 * c and c->priv until a grace period after event_destroy.
 */
void perf_pmu_each_bound(struct task *task,
			 void (*fn)(struct perf_counter *c, void *arg),
			 void *arg);

/* Account a software event of nr against c: count, period, overflow. */
void perf_pmu_sw_count(struct perf_counter *c, u64 nr,
		       struct perf_sample *sample, struct pt_regs *regs);

/*
 * Does this CPU do at this moment what an event asked for: its wake-up, its
 * signal?  Whoever counts by calls leaves that out, as it could go on for
 * ever.  Preemption off.
 */
bool perf_pmu_in_work(void);

/* The engine's copy of attr, for event_init to normalise. */
struct perf_event_attr *perf_pmu_attr(struct perf_counter *c);

/* The counter that c is an inherited copy of, NULL: c was opened.  c holds a
 * reference on it.
 */
struct perf_counter *perf_pmu_parent(struct perf_counter *c);

/* May current see what the records of trace events hold?  0 or -EPERM. */
int perf_pmu_allow_records(void);

/* kernel.perf_user_access: may user code read counters at all? */
bool perf_pmu_user_access(void);

/* A software counter starts: set up its remaining period.  Masked. */
void perf_pmu_sw_start(struct perf_counter *c);

/* Nanoseconds that c's context has been active. */
u64 perf_pmu_context_time(const struct perf_counter *c);

static inline void perf_sample_init(struct perf_sample *s, u64 addr, u64 period)
{
	s->addr = addr;
	s->period = period;
	s->raw = NULL;
	s->raw_size = 0;
	s->ip = 0;
	s->time = 0;
}

static inline u64 perf_counter_count(const struct perf_counter *c)
{
	return __atomic_load_n(&c->count, __ATOMIC_RELAXED);
}

static inline void perf_counter_add(struct perf_counter *c, u64 nr)
{
	__atomic_fetch_add(&c->count, nr, __ATOMIC_RELAXED);
}

static inline bool perf_pmu_has_cpu(const struct perf_pmu *pmu, u32 cpu)
{
	return pmu->cpus >> cpu & 1;
}

/* Measured length of one overflow interrupt, for the sample-rate limit. */
void perf_pmu_interrupt_took(u64 ns);

#endif /* SONDE_KERNEL_PERF_PMU_H */
