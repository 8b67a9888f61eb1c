/* SPDX-License-Identifier: MIT */
/*
 * The one table of sample fields in ABI order, and what is derived from it.
 *
 * Entry points: perf_layout_sample, perf_layout_trailer (open time),
 * perf_layout_size and perf_layout_emit (any context, the overflow interrupt
 * included).  Takes no lock; reads user memory only for the stack dump, and
 * only by the no-fault copy.
 */
#include "layout.h"

#include <arch/perf.h>
#include <kernel/uaccess.h>
#include <lib/bits.h>
#include <lib/minmax.h>
#include <lib/string.h>

/* A word of struct perf_values, or what varies in size: size and emit. */
struct perf_field {
	u32 bit;
	u32 word;
	u32 (*size)(const struct perf_values *v);
	void (*emit)(struct perf_out *out, const struct perf_values *v);
};

static u32 size_read(const struct perf_values *v)
{
	return v->read_size;
}

static void emit_read(struct perf_out *out, const struct perf_values *v)
{
	v->read_emit(out, v->read_cookie);
}

static u32 size_chain(const struct perf_values *v)
{
	return 8 + v->chain_nr * 8;
}

static void emit_chain(struct perf_out *out, const struct perf_values *v)
{
	perf_out_u64(out, v->chain_nr);
	perf_out_copy(out, v->chain, v->chain_nr * 8);
}

/* The size word counts the padding that rounds word + bytes up to 8. */
static u32 size_raw(const struct perf_values *v)
{
	return v->raw ? ALIGN_UP(4 + v->raw_size, 8u) : 8;
}

static void emit_raw(struct perf_out *out, const struct perf_values *v)
{
	u32 whole = size_raw(v), size = whole - 4;
	u8 *at;

	if (!v->raw) {
		perf_out_u32x2(out, size, 0);
		return;
	}
	at = perf_out_piece(out, whole);
	if (likely(at)) {
		*(u64 *)(at + whole - 8) = 0;
		*(u32 *)at = size;
		memcpy(at + 4, v->raw, v->raw_size);
		return;
	}
	perf_out_copy(out, &size, 4);
	perf_out_copy(out, v->raw, v->raw_size);
	perf_out_zero(out, size - v->raw_size);
}

static void emit_regs(struct perf_out *out, const struct pt_regs *regs, u32 abi,
		      u64 mask)
{
	perf_out_u64(out, regs ? abi : PERF_SAMPLE_REGS_ABI_NONE);
	if (!regs)
		return;
	for (; mask; mask &= mask - 1)
		perf_out_u64(out, arch_perf_reg_value(
					  regs, (u32)__builtin_ctzll(mask)));
}

static u32 size_user_regs(const struct perf_values *v)
{
	return 8 + (v->user_regs ? 8u * bit_weight(v->user_mask) : 0);
}

static void emit_user_regs(struct perf_out *out, const struct perf_values *v)
{
	emit_regs(out, v->user_regs, v->user_abi, v->user_mask);
}

static u32 size_intr_regs(const struct perf_values *v)
{
	return 8 + (v->intr_regs ? 8u * bit_weight(v->intr_mask) : 0);
}

static void emit_intr_regs(struct perf_out *out, const struct perf_values *v)
{
	emit_regs(out, v->intr_regs, PERF_SAMPLE_REGS_ABI_64, v->intr_mask);
}

/* size word, bytes, and how many of them are real; nothing asked: size 0. */
static u32 size_stack(const struct perf_values *v)
{
	return v->stack_size ? 16 + v->stack_size : 8;
}

static void emit_stack(struct perf_out *out, const struct perf_values *v)
{
	u32 todo = v->stack_size, done = 0;
	bool fault = false;

	perf_out_u64(out, v->stack_size);
	if (!v->stack_size)
		return;
	while (todo) {
		u32 n, missed = 0;

		if (!out->left)
			perf_out_next_page(out);
		n = min(todo, out->left);
		missed = n;
		if (!fault)
			missed = (u32)copy_user_nofault(
				out->addr, user_ptr(v->stack_sp + done), n);
		if (missed) {
			/* What is not copied must not leak old ring bytes. */
			memset(out->addr + (n - missed), 0, missed);
			fault = true;
		}
		done += n - missed;
		out->addr += n;
		out->left -= n;
		todo -= n;
	}
	perf_out_u64(out, done);
}

#define WORD(name) (offsetof(struct perf_values, name) / sizeof(u64))
BUILD_ASSERT(WORD(none) < PERF_LAYOUT_EMIT);

#define FIXED(bit, name) { bit, WORD(name), NULL, NULL }

static const struct perf_field fields[] = {
	FIXED(PERF_SAMPLE_IDENTIFIER, id),
	FIXED(PERF_SAMPLE_IP, ip),
	FIXED(PERF_SAMPLE_TID, pid_tid),
	FIXED(PERF_SAMPLE_TIME, time),
	FIXED(PERF_SAMPLE_ADDR, addr),
	FIXED(PERF_SAMPLE_ID, id),
	FIXED(PERF_SAMPLE_STREAM_ID, stream_id),
	FIXED(PERF_SAMPLE_CPU, cpu),
	FIXED(PERF_SAMPLE_PERIOD, period),
	{ PERF_SAMPLE_READ, 0, size_read, emit_read },
	{ PERF_SAMPLE_CALLCHAIN, 0, size_chain, emit_chain },
	{ PERF_SAMPLE_RAW, 0, size_raw, emit_raw },
	/* No backend here records branches: an empty stack. */
	FIXED(PERF_SAMPLE_BRANCH_STACK, none),
	{ PERF_SAMPLE_REGS_USER, 0, size_user_regs, emit_user_regs },
	{ PERF_SAMPLE_STACK_USER, 0, size_stack, emit_stack },
	FIXED(PERF_SAMPLE_WEIGHT_TYPE, weight),
	FIXED(PERF_SAMPLE_DATA_SRC, data_src),
	FIXED(PERF_SAMPLE_TRANSACTION, txn),
	{ PERF_SAMPLE_REGS_INTR, 0, size_intr_regs, emit_intr_regs },
	FIXED(PERF_SAMPLE_PHYS_ADDR, phys_addr),
	FIXED(PERF_SAMPLE_CGROUP, cgroup),
	FIXED(PERF_SAMPLE_DATA_PAGE_SIZE, data_page_size),
	FIXED(PERF_SAMPLE_CODE_PAGE_SIZE, code_page_size),
	/* A size word of zero: no AUX buffer exists. */
	FIXED(PERF_SAMPLE_AUX, none),
};

/* The trailer's order; its identifier comes last. */
static const u32 trailer_bits[] = {
	PERF_SAMPLE_TID,       PERF_SAMPLE_TIME, PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,	 PERF_SAMPLE_IDENTIFIER,
};

static void layout_add(struct perf_layout *l, u32 index)
{
	if (fields[index].size) {
		l->field[l->nr++] = (u8)(PERF_LAYOUT_EMIT + index);
		l->var[l->nr_var++] = (u8)index;
	} else {
		l->field[l->nr++] = (u8)fields[index].word;
		l->fixed = (u16)(l->fixed + sizeof(u64));
	}
}

void perf_layout_sample(struct perf_layout *l, u64 sample_type)
{
	u32 i;

	l->fixed = l->nr = l->nr_var = 0;
	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (sample_type & fields[i].bit)
			layout_add(l, i);
}

void perf_layout_trailer(struct perf_layout *l, u64 sample_type)
{
	u32 i, j;

	l->fixed = l->nr = l->nr_var = 0;
	for (i = 0; i < ARRAY_SIZE(trailer_bits); i++) {
		if (!(sample_type & trailer_bits[i]))
			continue;
		for (j = 0; fields[j].bit != trailer_bits[i]; j++)
			;
		layout_add(l, j);
	}
}

u32 perf_layout_size(const struct perf_layout *l, const struct perf_values *v)
{
	u32 i, size = l->fixed;

	for (i = 0; i < l->nr_var; i++)
		size += fields[l->var[i]].size(v);
	return size;
}

/* Where the ring is written is in registers from word to word. */
void perf_layout_emit(const struct perf_layout *l, struct perf_out *out,
		      const struct perf_values *v)
{
	const u8 *field = l->field, *end = field + l->nr;
	const u64 *word = &v->id;
	u8 *at = out->addr;
	u32 left = out->left;

	for (; field < end; field++) {
		u32 f = *field;

		if (likely(f < PERF_LAYOUT_EMIT && left)) {
			*(u64 *)at = word[f];
			at += 8;
			left -= 8;
			continue;
		}
		out->addr = at;
		out->left = left;
		if (f < PERF_LAYOUT_EMIT)
			perf_out_u64(out, word[f]);
		else
			fields[f - PERF_LAYOUT_EMIT].emit(out, v);
		at = out->addr;
		left = out->left;
	}
	out->addr = at;
	out->left = left;
}

u32 perf_read_format_size(u64 read_format, u32 nr)
{
	u64 entry = 8, size = 0;

	if (read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		size += 8;
	if (read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		size += 8;
	if (read_format & PERF_FORMAT_ID)
		entry += 8;
	if (read_format & PERF_FORMAT_LOST)
		entry += 8;
	if (read_format & PERF_FORMAT_GROUP)
		size += 8;
	else
		nr = 1;
	size += entry * nr;
	return size > U32_MAX ? U32_MAX : (u32)size;
}
