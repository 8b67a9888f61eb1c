/* SPDX-License-Identifier: MIT */
/*
 * A probe as a trace event: what kprobe_events and uprobe_events define, and
 * what the perf backends make for themselves.
 *
 * A record is the common head, one or two addresses (where the probe is; for
 * a return the function and where it returns to), and the fetched arguments,
 * packed.
 */
#ifndef SONDE_PROBES_EVENT_H
#define SONDE_PROBES_EVENT_H

#include <kernel/kprobe.h>
#include <kernel/trace_event.h>
#include <lib/list.h>

#include "fetch.h"

/*
 * Several places may share a name: the first defined is the head, whose trace
 * event stands for all, and stays while one of them does.
 *
 * [I] immutable once made   [P] probe_events_mutex   [T] trace_mutex
 */
struct probe_event {
	struct trace_event ev;
	const struct probe_event_kind *kind;	/* [I] */
	bool is_return;				/* [I] */
	bool is_local;				/* [I] perf's own */
	char *system, *name;			/* [I] owned */
	char *print_fmt, *text_fmt;		/* [I] owned */
	struct trace_field *fields;		/* [I] owned */
	struct probe_args *args;	/* [I] owned; NULL: none */
	u8 **buffer;		/* [I] one per CPU, for strings */
	struct list_head link;			/* [P] definitions, in order */
	struct probe_event *head;	/* [I] once defined; itself, or it */
	struct list_head sites;		/* [T] head: all that are defined */
	struct list_head site;			/* [T] head->sites */
	bool placed;				/* [T] it is on */
};

/* What kprobes and uprobes do differently. */
struct probe_event_kind {
	bool is_user;
	const struct trace_event_ops *ops;
	void (*destroy)(struct probe_event *p);
	/* Switch one place on and off.  [trace_mutex] 0 or -errno. */
	int (*place)(struct probe_event *p);
	void (*unplace)(struct probe_event *p);
	/* The place as kprobe_events and uprobe_events show it. */
	void (*show_place)(const struct probe_event *p, char *buf,
			   size_t size);
	/* Calls that may be under way; NULL: that is no matter. */
	u32 (*max_active)(const struct probe_event *p);
	/* NULL: not in the kernel. */
	u64 (*address)(const struct probe_event *p);
	void (*counts)(const struct probe_event *p, u64 *hits, u64 *missed);
};

/*
 * Fill in what all have in common; owns args from here on.  0, -ENOMEM, or
 * -E2BIG: no record can be as large; with nothing left to undo but the
 * container.
 */
int probe_event_init(struct probe_event *p, const struct probe_event_kind *kind,
		     const char *system, const char *name, bool is_return,
		     struct probe_args *args);
void probe_event_fini(struct probe_event *p);

/* trace_event_ops.enable and .disable: all places of the name. */
int probe_event_enable(struct trace_event *ev);
void probe_event_disable(struct trace_event *ev);
/*
 * One more place of head's name, which goes on if head's event is and now
 * says so; the others than the last one leave like this.
 */
int probe_event_join(struct probe_event *head, struct probe_event *p, bool now);
void probe_event_part(struct probe_event *p);

/* addr[0] and, for a return, addr[1].  Preemption off. */
void probe_event_emit(struct probe_event *p, struct pt_regs *regs,
		      const u64 addr[2]);

/* definitions.c: kernel probes that are defined and not in use. */
void probe_events_list_idle(struct seq *s,
			    void (*show)(struct seq *s, u64 addr,
					 bool is_return, bool disabled));

/* event_kprobe.c: symbol may be NULL.  Takes over args.  ERR_PTR. */
struct probe_event *kprobe_event_new(const char *system, const char *name,
				     const char *symbol, u64 offset,
				     bool is_return, u32 max_active,
				     struct probe_args *args);

/* event_uprobe.c: the same for a file. */
struct probe_event *uprobe_event_new(const char *system, const char *name,
				     const char *path, u64 offset, u64 ref_ctr,
				     bool is_return, struct probe_args *args);
/* 0; -EINVAL: path is no regular file; or why it is not found. */
int uprobe_event_file(const char *path);

#endif /* SONDE_PROBES_EVENT_H */
