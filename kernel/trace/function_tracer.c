/* SPDX-License-Identifier: MIT */
/*
 * The tracer `function`: an entry for each call, with its caller.
 */
#include "function.h"

#include <arch/probes.h>
#include <arch/regs.h>
#include <kernel/probe_hooks.h>
#include <kernel/task.h>

struct function_record {
	struct trace_common common;
	u64 ip, parent_ip;
};

/* Everything masked, in the probed function's first instruction. */
static void called(struct kprobe *p, struct pt_regs *regs)
{
	struct trace_instance *in = trace_top;
	struct function_record rec = { .ip = p->addr };

	if (!functions_are_on())
		return;
	rec.parent_ip = kretprobe_real_return(current,
					      arch_probe_return_address(regs),
					      regs_fp(regs));
	trace_fill_probed(TRACE_ID_FUNCTION, &rec.common, regs);
	if (!trace_buffer_write(&in->buffer, &rec, sizeof(rec)))
		return;
	trace_note_comm(in);
	if (trace_option_on(in, TRACE_OPT_FUNC_STACK))
		trace_call_stack(in, regs, rec.parent_ip);
}

static const struct function_ops ops = { .hit = called };

static int start(void)
{
	return functions_trace(&ops);
}

static const struct trace_tracer function_tracer = {
	.name = "function",
	.start = start,
	.stop = functions_stop,
};
LINKSET_ADD(trace_tracers, function_tracer);
