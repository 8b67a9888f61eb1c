/* SPDX-License-Identifier: MIT */
/*
 * Which fields a record has, in what order, and how they are written.
 *
 * One const table (layout.c) gives for each PERF_SAMPLE_ bit its fixed size
 * or size function, and its emitter, in ABI order: size and emission cannot
 * disagree.  Open turns an event's bits into a struct perf_layout, for
 * SAMPLE records and for the trailer of every other record separately.
 */
#ifndef SONDE_PERF_LAYOUT_H
#define SONDE_PERF_LAYOUT_H

#include "ring_core.h"

#include <lib/types.h>

struct pt_regs;

#define PERF_LAYOUT_MAX 26

/* [I] after open. */
struct perf_layout {
	u16 fixed;			/* bytes that never vary */
	u8 nr;				/* fields */
	u8 nr_var;			/* fields of varying size */
	u8 field[PERF_LAYOUT_MAX];	/* in order: the word of perf_values,
					   or, from PERF_LAYOUT_EMIT on, the
					   row of the table */
	u8 var[8];			/* rows of those of varying size */
};

#define PERF_LAYOUT_EMIT 0x80u

/*
 * Everything a record's fields can need, gathered before the ring is entered.
 * Members are only valid for the bits that were asked for.  The first ones
 * are words just as records have them.
 */
struct perf_values {
	u64 id;				/* of the event or its parent */
	u64 stream_id;			/* the event's own */
	u64 ip;
	u64 pid_tid;
	u64 time;
	u64 addr;
	u64 cpu;
	u64 period;
	u64 weight;
	u64 data_src;
	u64 txn;
	u64 phys_addr;
	u64 cgroup;
	u64 data_page_size;
	u64 code_page_size;
	u64 none;			/* 0: what nothing here supplies */

	const u64 *chain;		/* call chain */
	u32 chain_nr;
	const void *raw;
	u32 raw_size;

	const struct pt_regs *user_regs; /* NULL: none */
	u32 user_abi;
	u64 user_mask;
	const struct pt_regs *intr_regs;
	u64 intr_mask;
	u64 stack_sp;
	u32 stack_size;			/* bytes reserved for the dump */

	u32 read_size;			/* PERF_SAMPLE_READ */
	void (*read_emit)(struct perf_out *out, void *cookie);
	void *read_cookie;
};

void perf_layout_sample(struct perf_layout *l, u64 sample_type);
void perf_layout_trailer(struct perf_layout *l, u64 sample_type);

/* Bytes that layout needs for v; a multiple of 8. */
u32 perf_layout_size(const struct perf_layout *l, const struct perf_values *v);

/* Write the fields in order. */
void perf_layout_emit(const struct perf_layout *l, struct perf_out *out,
		      const struct perf_values *v);

/* Size of what read(2) returns for nr events; U32_MAX when absurd. */
u32 perf_read_format_size(u64 read_format, u32 nr);

#endif /* SONDE_PERF_LAYOUT_H */
