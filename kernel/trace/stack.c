/* SPDX-License-Identifier: MIT */
/*
 * kernel_stack entries: where the kernel was when something happened.
 *
 * Everything masked, any context; the walk never faults.
 */
#include "tracefs.h"

#include <arch/regs.h>
#include <arch/thread.h>
#include <lib/minmax.h>

#define FRAMES 64

struct stack_record {
	struct trace_common common;
	s32 size;
	u64 caller[FRAMES];
};

static bool store(void *cookie, u64 pc)
{
	struct stack_record *rec = cookie;

	rec->caller[rec->size++] = pc;
	return rec->size < FRAMES;
}

static void write(struct trace_instance *in, struct stack_record *rec)
{
	trace_buffer_write(&in->buffer, rec,
			   (u32)((const char *)&rec->caller[rec->size] -
				 (const char *)rec));
}

/* regs: where to begin; what user code did (a call) begins here. */
void trace_kernel_stack(struct trace_instance *in, struct pt_regs *regs)
{
	struct stack_record rec = { .size = 0 };

	if (regs && regs_user_mode(regs))
		regs = NULL;
	arch_stack_walk(regs, NULL, store, &rec);
	trace_fill_common(TRACE_ID_KERNEL_STACK, &rec.common);
	write(in, &rec);
}

static bool store_behind_caller(void *cookie, u64 pc)
{
	struct stack_record *rec = cookie;

	if (rec->size == 1)
		rec->size = 2;	/* the caller's place */
	return store(cookie, pc);
}

void trace_call_stack(struct trace_instance *in, struct pt_regs *regs,
		      u64 caller)
{
	struct stack_record rec = { .size = 0 };

	arch_stack_walk(regs, NULL, store_behind_caller, &rec);
	rec.caller[1] = caller;
	rec.size = max(rec.size, 2);
	trace_fill_probed(TRACE_ID_KERNEL_STACK, &rec.common, regs);
	write(in, &rec);
}
