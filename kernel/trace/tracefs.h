/* SPDX-License-Identifier: MIT */
/*
 * Inside tracefs: what its files ask of each other.
 *
 * The whole of tracefs is an instance, and each directory in instances/ is
 * another: a buffer of its own, and what it wants of each event.  One that
 * a file is open in stays.
 */
#ifndef SONDE_TRACE_TRACEFS_H
#define SONDE_TRACE_TRACEFS_H

#include "buffer.h"

#include <kernel/file.h>
#include <kernel/pseudo.h>
#include <kernel/trace_error.h>
#include <kernel/trace_event.h>
#include <lib/list.h>
#include <lib/ref.h>

struct trace_filter;
struct trace_graph_state;
struct trace_instance;
struct trace_pids;
struct trace_trigger;

/* Bits of trace_instance.options; their names are in options.c. */
enum trace_option {
	TRACE_OPT_ANNOTATE, TRACE_OPT_CONTEXT_INFO, TRACE_OPT_RECORD_CMD,
	TRACE_OPT_RECORD_TGID, TRACE_OPT_OVERWRITE, TRACE_OPT_DISABLE_ON_FREE,
	TRACE_OPT_IRQ_INFO, TRACE_OPT_MARKERS, TRACE_OPT_EVENT_FORK,
	TRACE_OPT_STACKTRACE,
	/* from here on of the top instance only */
	TRACE_OPT_FUNCTION_TRACE, TRACE_OPT_FUNCTION_FORK, TRACE_OPT_FUNC_STACK,
	TRACE_OPT_GRAPH_OVERRUN, TRACE_OPT_GRAPH_CPU, TRACE_OPT_GRAPH_OVERHEAD,
	TRACE_OPT_GRAPH_PROC, TRACE_OPT_GRAPH_DURATION, TRACE_OPT_GRAPH_ABSTIME,
	TRACE_OPT_GRAPH_IRQS, TRACE_OPT_GRAPH_TAIL, TRACE_OPT_COUNT,
};

/*
 * What fills the buffer beside events, and how its text looks.  A set of them
 * is linked; current_tracer chooses one for the top instance.
 */
struct trace_tracer {
	const char *name;
	/* [trace_mutex] 0 or -errno; NULL: there is nothing to do */
	int (*start)(void);
	void (*stop)(void);
	/* NULL: as for events */
	void (*header)(struct seq *s, const struct trace_instance *in);
	/*
	 * An entry as text.  next: the one behind it on that CPU, if known;
	 * true: that one is told, too.
	 */
	bool (*print)(struct seq *s, const struct trace_instance *in,
		      struct trace_graph_state *state, u32 cpu, u64 time,
		      const void *record, u32 size, const void *next);
};

/* Whose events, or whose functions, an instance wants. */
struct trace_pid_sets {
	struct trace_pids *pids;	/* [a] NULL: all; reclaim */
	struct trace_pids *no_pids;	/* [a] but not these */
	struct trace_sink fork_sink;	/* [T] children come in, too */
	struct trace_sink free_sink;	/* [T] and leave */
	u32 following;			/* [T] of the two, those linked */
};

/*
 * What an instance keeps of one event.
 * [I] while it exists   [T] trace_mutex   [a] atomic
 */
struct trace_file {
	struct ref refs;		/* its place, each open file */
	struct trace_sink sink;		/* [T], on ev->sinks while linked */
	struct trace_instance *instance;/* [I] */
	struct trace_event *ev;		/* [T] NULL: the event is gone */
	struct trace_file *next;	/* [T] the same event elsewhere */
	struct list_head link;		/* [T] instance->files, by number */
	struct pseudo_dir *dir;		/* [T] */
	bool linked;			/* [T] */
	bool muted;			/* [a] linked for triggers alone */
	u32 soft;			/* [T] triggers that need it linked */
	bool is_switch, is_wakeup;	/* [I] concerns another task, too */
	u16 pid_at;			/* [I] whose number is there */
	struct trace_filter *filter;	/* [a] freed after a grace period */
	char *filter_text;		/* [T] as shown; NULL: none */
	struct trace_trigger *triggers;	/* [a] list, reclaim */
};

/* A system's directory in an instance. */
struct trace_system {
	struct list_head link;		/* [T] instance->systems */
	struct trace_instance *instance;/* [I] */
	const char *name;		/* [I] NULL: all of them */
	struct pseudo_dir *dir;		/* [I] */
};

/* Errors of the last commands. */
struct trace_error_list {
	char *text[8];			/* [T] the newest ones */
	u32 nr;				/* [T] ever */
};

struct trace_instance {
	struct list_head link;		/* [T] trace_instances */
	const char *name;		/* [I] NULL: the top one */
	u32 opens;			/* [T] files open in it */
	struct pseudo_dir *dir;		/* [I] */
	struct pseudo_dir *events;	/* [I] */
	struct trace_buffer buffer;
	bool expanded;			/* [T] the rings are there */
	u32 pages[CONFIG_NR_CPUS];	/* [T] of each ring, once they are */
	u32 percent;			/* [a] buffer_percent */
	u32 options;			/* [a] bits by enum trace_option */
	u8 option[TRACE_OPT_COUNT];	/* what options/NAME is private to */
	struct list_head files;		/* [T] */
	struct list_head systems;	/* [T] */
	struct trace_pid_sets event_pids;
	struct trace_pid_sets function_pids;
	struct trace_error_list errors;
};

/* instance.c: [trace_mutex]; the top one is first. */
extern struct list_head trace_instances;
extern struct trace_instance *const trace_top;
#define trace_for_each_instance(in) \
	list_for_each_entry((in), &trace_instances, link)
/*
 * [trace_mutex] The instance that private is, or lies in; NULL: it is gone.
 * private is only looked for, not looked at.
 */
struct trace_instance *trace_instance_of(const void *private);
/* hold and drop of files with such a private; they take trace_mutex. */
int trace_instance_hold(void *private);
void trace_instance_drop(void *private);
/* open and release of a text over private, the instance held meanwhile. */
int trace_instance_open(struct file *file, void *private,
			int (*show)(struct seq *s, void *private));
void trace_instance_release(struct file *file);
void trace_instances_boot(void);

static inline bool trace_option_on(const struct trace_instance *in,
				   enum trace_option opt)
{
	return READ_ONCE(in->options) >> opt & 1;
}

/* settings.c: [trace_mutex] The rings are there (made at first need). */
int trace_instance_expand(struct trace_instance *in);
int trace_settings_add(struct trace_instance *in);

/* format.c */
void trace_format_show(struct seq *s, struct trace_event *ev);

/* tracefs.c: [trace_mutex] the tree of events of a new instance; its end */
int trace_events_add(struct trace_instance *in);
void trace_events_remove(struct trace_instance *in);

/* control.c: [trace_mutex] the state of an event in an instance */
struct trace_file *trace_file_new(struct trace_instance *in,
				  struct trace_event *ev);
void trace_file_remove(struct trace_file *f);
struct trace_file *trace_file_find(struct trace_instance *in,
				   const char *system, const char *name);
int trace_file_enable(struct trace_file *f, bool on);
int trace_file_soft(struct trace_file *f, bool on);
int trace_sink_link(struct trace_event *ev, struct trace_sink *sink);
void trace_sink_unlink(struct trace_event *ev, struct trace_sink *sink);
/* private: a system */
extern const struct pseudo_file trace_system_files[2];

/* files.c: the files of one event; the first two are all of some. */
#define TRACE_EVENT_FILES 5
extern const struct pseudo_file trace_event_files[TRACE_EVENT_FILES];
int trace_apply_filter(struct trace_file *f, const char *text);
char *trace_text_copy(const char *text, size_t len);
char *trace_text_stripped(const char *text);

/* events_set.c: set_event */
int trace_set_event_add(struct trace_instance *in);
int trace_enable_matching(struct trace_instance *in, const char *system,
			  const char *name, bool on);

/* pids.c: set_event_pid and its like */
int trace_pids_add(struct trace_instance *in);
void trace_pids_remove(struct trace_instance *in);
/* Does the instance want what current does to that event?  Any context. */
bool trace_pids_want(const struct trace_file *f, const void *record);
/* Is current among them?  Any context. */
bool trace_pids_want_current(const struct trace_pid_sets *sets);
/* [trace_mutex] event-fork, function-fork; 0 or -errno */
int trace_pids_follow(struct trace_instance *in, struct trace_pid_sets *sets,
		      bool on);

/* tracer.c: available_tracers, current_tracer */
int trace_tracer_add(struct trace_instance *in);
/* [trace_mutex] */
const struct trace_tracer *trace_tracer_of(const struct trace_instance *in);

/* options.c */
int trace_options_add(struct trace_instance *in);

/* trigger.c: [trace_mutex] */
void trace_triggers_show(struct seq *s, struct trace_file *f);
int trace_trigger_command(struct trace_file *f, const char *text);
void trace_triggers_free(struct trace_file *f);
/* Everything masked: in front of a record, and behind it. */
void trace_triggers_before(struct trace_file *f);
void trace_triggers_after(struct trace_file *f, const void *record,
			  struct pt_regs *regs);

/* stack.c: everything masked */
void trace_kernel_stack(struct trace_instance *in, struct pt_regs *regs);
/* The same at the entry of a function, whose caller no frame names yet. */
void trace_call_stack(struct trace_instance *in, struct pt_regs *regs,
		      u64 caller);

/* pipe.c, marker.c: files at the top, and below per_cpu/cpuN */
int trace_pipe_add(struct trace_instance *in);
int trace_marker_add(struct trace_instance *in);

/* errors.c: error_log */
int trace_errors_add(struct trace_instance *in);
void trace_errors_free(struct trace_instance *in);
/* [trace_mutex] */
void trace_instance_error(struct trace_instance *in, const char *where,
			  const char *command, const char *text, u32 pos);

/* graph_print.c: what its lines leave for the next.  NULL: no memory. */
#ifdef CONFIG_FUNCTION_TRACER
struct trace_graph_state *trace_graph_state_new(void);
#else
static inline struct trace_graph_state *trace_graph_state_new(void)
{
	return NULL;
}
#endif

/* print.c: one entry as a line of text */
void trace_print_header(struct seq *s, const struct trace_instance *in,
			u64 entries, u64 written);
void trace_print_entry(struct seq *s, const struct trace_instance *in, u32 cpu,
		       u64 time, const void *record, u32 size);
/* The same without who, where and when. */
void trace_print_text(struct seq *s, const void *record, u32 size);

/* expr.c: an event's print format, interpreted */
void trace_print_format(struct seq *s, const struct trace_event *ev,
			const char *record, u32 size);
void trace_print_symbol(struct seq *s, u64 addr, bool offset);

/* cmdlines.c */
void trace_note_comm(const struct trace_instance *in);	/* current's; masked */
void trace_find_comm(s32 pid, char comm[16]);
s32 trace_find_tgid(s32 pid);		/* -1: not known */
void trace_cmdlines_boot(void);

/* readme.c */
extern const char trace_readme[];

/* strings.c: the string at addr if records may point there, else NULL. */
const char *trace_known_string(u64 addr);
int trace_strings_show(struct seq *s, void *private);
/* A set of CPUs as text, without an end; its length. */
u32 trace_bits_text(char *out, u32 size, const void *bits, u32 len);

#endif /* SONDE_TRACE_TRACEFS_H */
