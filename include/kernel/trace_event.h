/* SPDX-License-Identifier: MIT */
/*
 * Trace events: what an event is, who listens to it, how one is emitted.
 *
 * An event is static (TRACE_EVENT, in a linker set) or dynamic (a probe: made
 * and registered at run time).  Either has fields, a print format and a
 * number; consumers (perf counters, trace buffers) enable it, each for
 * itself, and the first one switches its source on.
 *
 * A record starts with struct trace_common, which trace_event_emit fills in;
 * the event's own fields follow as `fields` says.
 *
 * Locks: trace_mutex (LOCK_RANK_TRACE_EVENTS) for the registry, enabling and
 * disabling; emitting takes none.
 */
#ifndef SONDE_KERNEL_TRACE_EVENT_H
#define SONDE_KERNEL_TRACE_EVENT_H

#include <kernel/static_key.h>
#include <lib/compiler.h>
#include <lib/hlist.h>
#include <lib/linkset.h>
#include <lib/list.h>
#include <lib/types.h>

struct mutex;
struct pt_regs;
struct seq;
struct task;
struct trace_event;
struct trace_file;
struct trace_sink;

extern struct mutex trace_mutex;

/* The head of every record. */
struct trace_common {
	u16 type;		/* trace_event.id */
	u8 flags;		/* TRACE_FLAG_* */
	u8 preempt_count;
	s32 pid;		/* thread */
};
#define TRACE_FLAG_IRQS_OFF	0x01
#define TRACE_FLAG_NEED_RESCHED 0x04
#define TRACE_FLAG_HARDIRQ	0x08
#define TRACE_FLAG_NMI		0x40

/* Numbers below TRACE_ID_FIRST are those of records without a source. */
#define TRACE_ID_FUNCTION     1	/* a call, to the function tracer */
#define TRACE_ID_KERNEL_STACK 4	/* options/stacktrace, a trigger */
#define TRACE_ID_PRINT	      5	/* trace_marker */
#define TRACE_ID_GRAPH_EXIT   10 /* a return, to function_graph */
#define TRACE_ID_GRAPH_ENTRY  11
#define TRACE_ID_USER_STACK   12
#define TRACE_ID_RAW_DATA     16 /* trace_marker_raw */
#define TRACE_ID_FIRST	      20


/*
 * One field, as its line in `format` shows it.  The type's text decides how a
 * filter reads it: `char[N]` a string of that size, `__data_loc char[]` a
 * string elsewhere in the record (u32: offset | length << 16), `char *` a
 * pointer to one, else a number.
 */
struct trace_field {
	const char *type;	/* "char", "unsigned long", "pid_t" */
	const char *name;	/* "comm" */
	const char *array;	/* "[16]" or "" */
	u16 offset;		/* in the record */
	u16 size;
	bool is_signed;
};

/* Whom a counter of perf is about: kept by the counter for a grace period. */
struct trace_target {
	struct task *task;	/* [I] referenced; NULL: everybody */
	struct list_head link;	/* [trace_mutex], walked lock-free */
};

/* What switches a source on and off; a static event has none: its key. */
struct trace_event_ops {
	/* [trace_mutex] First consumer: 0 or a negative errno. */
	int (*enable)(struct trace_event *ev);
	/* [trace_mutex] Last consumer gone; emits end by a grace period. */
	void (*disable)(struct trace_event *ev);
	/*
	 * [trace_mutex] A counter of perf comes or goes, enabled; place: let
	 * the source follow at once.  0 or, coming, a negative errno.
	 * Optional.
	 */
	int (*target)(struct trace_event *ev, struct trace_target *t, bool on,
		      bool place);
	/* As on Linux, perf's or the trace buffers': -EINTR for the other. */
	bool exclusive;
	/* What follows "print fmt: " where print_fmt is NULL.  Task context. */
	void (*show_print)(struct trace_event *ev, struct seq *s);
};

/*
 * [I] immutable once registered   [T] trace_mutex   [a] atomic
 */
struct trace_event {
	const char *system;			/* [I] "sched" */
	const char *name;			/* [I] "sched_switch" */
	const struct trace_field *fields;	/* [I] after the common ones */
	u16 nr_fields;				/* [I] */
	u16 size;				/* [I] of the fixed part */
	u16 id;					/* [I] by registration */
	bool dynamic;			/* [I] may be removed */
	bool cap_any;			/* [I] RAW needs no rights */
	const char *print_fmt;			/* [I] after "print fmt: " */
	const char *text_fmt;	/* [I] that of `trace`; NULL: print_fmt */
	struct static_key *key;			/* [I] NULL: see ops */
	const struct trace_event_ops *ops;	/* [I] NULL: see key */
	void *private;				/* [I] its owner's */

	u32 users;				/* [T] consumers */
	u32 refs;				/* [T] held, on or not */
	struct list_head link;			/* [T] all events, by number */
	struct hlist_node named;		/* [T] same hash of the name */

	u32 perf_users;				/* [a] counters that exist */
	u32 perf_samplers;			/* [a] those that sample */
	u32 perf_bound;			/* [a] of a task on one CPU */
	struct list_head *perf;			/* [a] counters on each CPU */
	struct trace_sink *sinks;		/* [a] buffers, reclaim */
	struct trace_file *files;		/* [T] tracefs's, by instance */
};

/*
 * A trace buffer that wants an event: one per (buffer, event).  Records are
 * handed to fn with preemption off and interrupts masked.
 */
struct trace_sink {
	struct trace_sink *next;		/* [a] */
	void (*fn)(struct trace_sink *sink, struct trace_event *ev,
		   const void *record, u32 size, struct pt_regs *regs);
};

/*
 * Give an event its number and show it.  system, name and the like must stay
 * until it is unregistered.  0; -EEXIST that name is taken; -ENOMEM; -ENODEV
 * no number is left.  Task context.
 */
int trace_event_register(struct trace_event *ev);
/* 0, or -EBUSY while somebody uses it.  Nobody emits it any more after. */
int trace_event_unregister(struct trace_event *ev);

/*
 * By number or name, referenced (a dynamic one cannot go then); NULL: none.
 * Task context.
 */
struct trace_event *trace_event_get(u32 id);
struct trace_event *trace_event_get_named(const char *system,
					  const char *name);
void trace_event_put(struct trace_event *ev);

/* One more, one less consumer.  [trace_mutex], referenced.  0 or -errno. */
int trace_event_enable(struct trace_event *ev);
void trace_event_disable(struct trace_event *ev);

/* Can it be switched on at all? */
static inline bool trace_event_has_source(const struct trace_event *ev)
{
	return ev->key || ev->ops;
}

/*
 * Hand a record to all consumers.  record: size bytes, a multiple of 4,
 * starting with room for struct trace_common.  regs: the frame the event is
 * about; NULL: the caller's own.  Any context but the overflow interrupt.
 */
void trace_event_emit(struct trace_event *ev, void *record, u32 size,
		      struct pt_regs *regs);
/* The head of a record that does not go through there. */
void trace_fill_common(u32 id, struct trace_common *c);
/* The same in a probe's handler, about the code that regs are of. */
void trace_fill_probed(u32 id, struct trace_common *c, struct pt_regs *regs);
/* As emit_for, of a record that has its head. */
void trace_event_hand_out(struct trace_event *ev, void *record, u32 size,
			  struct pt_regs *regs, u64 count, struct task *task);
/*
 * As emit, for an event that stands for count of something, or that also
 * concerns another task than the current one (task, or NULL).
 */
void trace_event_emit_for(struct trace_event *ev, void *record, u32 size,
			  struct pt_regs *regs, u64 count, struct task *task);

/* [trace_mutex] In order of their numbers. */
extern struct list_head trace_events;
#define trace_for_each_event(ev) list_for_each_entry((ev), &trace_events, link)

/*
 * perf's part, set at boot by its backend: a record for the counters of ev.
 * Preemption off, everything masked.  regs NULL: there was no sampler.
 */
extern void (*trace_perf_deliver)(struct trace_event *ev, void *record,
				  u32 size, struct pt_regs *regs, u64 count,
				  struct task *task);

/* tracefs, set at boot: an event came or goes.  [trace_mutex] */
extern void (*trace_event_shown)(struct trace_event *ev, bool on);

#endif /* SONDE_KERNEL_TRACE_EVENT_H */
