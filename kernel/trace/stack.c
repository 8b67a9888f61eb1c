/* SPDX-License-Identifier: MIT */
/*
 * kernel_stack entries: where the kernel was when something happened.
 *
 * Everything masked, any context; the walk never faults.
 */
#include "tracefs.h"

#include <arch/regs.h>
#include <arch/thread.h>

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

/* regs: where to begin; what user code did (a call) begins here. */
void trace_kernel_stack(struct trace_instance *in, struct pt_regs *regs)
{
	struct stack_record rec = { .size = 0 };

	if (regs && regs_user_mode(regs))
		regs = NULL;
	arch_stack_walk(regs, NULL, store, &rec);
	trace_fill_common(TRACE_ID_KERNEL_STACK, &rec.common);
	trace_buffer_write(&in->buffer, &rec,
			   (u32)((const char *)&rec.caller[rec.size] -
				 (const char *)&rec));
}
