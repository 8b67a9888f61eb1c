/* SPDX-License-Identifier: MIT */
/*
 * Inside tracefs: what its files ask of each other.
 */
#ifndef SONDE_TRACE_TRACEFS_H
#define SONDE_TRACE_TRACEFS_H

#include <kernel/pseudo.h>
#include <kernel/trace_event.h>

/* An entry of events/: its format and its number. */
int trace_format_show(struct seq *s, void *private);
int trace_id_show(struct seq *s, void *private);

#endif /* SONDE_TRACE_TRACEFS_H */
