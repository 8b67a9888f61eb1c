/* SPDX-License-Identifier: MIT */
/*
 * The tracer `function_graph`: calls and their returns, nested, with times.
 *
 * A call is followed if its task is in another that is, or if it may be the
 * first.  Its cookie is the time it began; 0 is that of a call that is not
 * told, and nor is what it calls.
 */
#include "graph.h"

#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/parse.h>

static u32 max_depth;		/* [a] max_graph_depth; 0: all */
static u64 threshold_us;	/* [a] tracing_thresh */

/* Everything masked. */
static bool is_followed(const struct traced_function *f, u32 depth)
{
	u32 max = READ_ONCE(max_depth);

	if (!functions_are_on() || (max && depth >= max))
		return false;
	if ((current_info()->preempt_count & (IRQ_MASK & ~NMI_MASK)) &&
	    !trace_option_on(trace_top, TRACE_OPT_GRAPH_IRQS))
		return false;
	return depth ? call_frames_cookie(1) != 0 : READ_ONCE(f->is_root);
}

static bool entered(struct kretprobe *rp, struct pt_regs *regs, u64 *cookie)
{
	struct traced_function *f =
		container_of(rp, struct traced_function, probe);
	u32 depth = call_frames_depth() - 1;
	struct graph_entry rec = { .func = rp->entry.addr,
				   .depth = (s32)depth };

	if (!is_followed(f, depth))
		return false;
	if (READ_ONCE(f->is_quiet))
		return true;
	*cookie = trace_clock_now(&trace_top->buffer);
	if (READ_ONCE(threshold_us))
		return true;
	trace_fill_probed(TRACE_ID_GRAPH_ENTRY, &rec.common, regs);
	if (trace_buffer_write(&trace_top->buffer, &rec, GRAPH_ENTRY_SIZE))
		trace_note_comm(trace_top);
	return true;
}

static void returned(struct kretprobe *rp, struct pt_regs *regs, u64 func,
		     u64 ret, u64 cookie)
{
	struct graph_exit rec = {
		.func = func,
		.depth = (s32)call_frames_depth() - 1,
		.calltime = cookie,
		.rettime = trace_clock_now(&trace_top->buffer),
	};
	u64 least = READ_ONCE(threshold_us) * 1000;

	if (!cookie || (least && rec.rettime - cookie < least))
		return;
	trace_fill_probed(TRACE_ID_GRAPH_EXIT, &rec.common, regs);
	if (trace_buffer_write(&trace_top->buffer, &rec, sizeof(rec)))
		trace_note_comm(trace_top);
}

static const struct function_ops ops = {
	.entered = entered,
	.returned = returned,
};

static int start(void)
{
	return functions_trace(&ops);
}

static const struct trace_tracer graph_tracer = {
	.name = "function_graph",
	.start = start,
	.stop = functions_stop,
	.header = graph_print_header,
	.print = graph_print,
};
LINKSET_ADD(trace_tracers, graph_tracer);

/* --- files --------------------------------------------------------------- */

static int depth_show(struct seq *s, void *private)
{
	seq_printf(s, "%u\n", READ_ONCE(max_depth));
	return 0;
}

/* As observed, the low 32 bits count. */
static ssize_t depth_store(const char *text, size_t len, void *private)
{
	u64 v;
	int err = parse_u64(text, 10, &v);

	if (err)
		return err;
	WRITE_ONCE(max_depth, (u32)v);
	return (ssize_t)len;
}

static int threshold_show(struct seq *s, void *private)
{
	seq_printf(s, "%llu\n", (unsigned long long)READ_ONCE(threshold_us));
	return 0;
}

static ssize_t threshold_store(const char *text, size_t len, void *private)
{
	u64 v;
	int err = parse_u64(text, 10, &v);

	if (err)
		return err;
	WRITE_ONCE(threshold_us, v);
	return (ssize_t)len;
}

static int graph_boot(void)
{
	static const struct pseudo_file files[] = {
		{ .name = "max_graph_depth", .mode = 0640, .show = depth_show,
		  .store = depth_store, .store_empty = true },
		{ .name = "tracing_thresh", .mode = 0640,
		  .show = threshold_show, .store = threshold_store,
		  .store_empty = true },
	};

	CHECK(!pseudo_create_all(tracefs_root, files, ARRAY_SIZE(files), NULL));
	return 0;
}
INITCALL(INIT_LATE, graph_boot);
