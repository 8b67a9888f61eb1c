/* SPDX-License-Identifier: MIT */
/*
 * Inside tracefs: what its files ask of each other.
 */
#ifndef SONDE_TRACE_TRACEFS_H
#define SONDE_TRACE_TRACEFS_H

#include "buffer.h"

#include <kernel/file.h>
#include <kernel/pseudo.h>
#include <kernel/trace_error.h>
#include <kernel/trace_event.h>

struct trace_filter;

/*
 * What tracefs keeps of one event.
 * [I] while it exists   [T] trace_mutex   [a] atomic
 */
struct trace_file {
	struct trace_sink sink;		/* [T], on ev->sinks while on */
	struct trace_event *ev;		/* [I] */
	bool on;			/* [T] */
	struct trace_filter *filter;	/* [a] freed after a grace period */
	char *filter_text;		/* [T] as shown; NULL: none */
};

/* The one buffer, and its size in pages of each CPU once it is in use. */
extern struct trace_buffer trace_buffer;

/* [trace_mutex] The rings are there (made at first need).  0 or -ENOMEM. */
int trace_buffer_expand(void);

/* format.c */
void trace_format_show(struct seq *s, struct trace_event *ev);

/* control.c: [trace_mutex] the state of an event */
struct trace_file *trace_file_new(struct trace_event *ev);
void trace_file_free(struct trace_file *f);
int trace_file_enable(struct trace_file *f, bool on);
int trace_set_events(const char *text);
extern const struct pseudo_file trace_event_files[];	/* private: the file */
extern const u32 trace_nr_event_files;
/* private: the system's name */
extern const struct pseudo_file trace_system_files[2];
extern const struct pseudo_file trace_control_files[];	/* at the top */
extern const u32 trace_nr_control_files;

/* settings.c, pipe.c: files at the top, and below per_cpu/cpuN */
void trace_settings_boot(void);
void trace_pipe_boot(void);

/* errors.c: error_log */
extern const struct file_ops trace_error_log_fops;
void trace_errors_clear(void *private);

/* print.c: one entry as a line of text */
void trace_print_header(struct seq *s, u64 entries, u64 written);
void trace_print_entry(struct seq *s, u32 cpu, u64 time, const void *record,
		       u32 size);

/* cmdlines.c */
void trace_note_comm(void);	/* current's; everything masked */
void trace_find_comm(s32 pid, char comm[16]);
int trace_cmdlines_show(struct seq *s, void *private);

/* strings.c: the string at addr if records may point there, else NULL. */
const char *trace_known_string(u64 addr);
int trace_strings_show(struct seq *s, void *private);
/* A set of CPUs as text, without an end; its length. */
u32 trace_bits_text(char *out, u32 size, const void *bits, u32 len);

#endif /* SONDE_TRACE_TRACEFS_H */
