/* SPDX-License-Identifier: MIT */
/*
 * Trace events as perf events: type 2, config is the event's number.
 *
 * Entry points: the ops, and perf_trace_* for the other tracing backends.
 * Counters that are scheduled in hang on a list per trace event and CPU; lists
 * change on their own CPU with everything masked and are walked there the
 * same way (trace_event_emit), so they have no lock.
 *
 * A filter belongs to the counter that was opened; inherited copies look at
 * their parent's.  It is set once and freed with its counter.
 *
 * A counter of a task on one CPU also counts, as on Linux whether it is on or
 * not and without a sample, what others there do to its task while that does
 * not run: deliver() finds it through the task, without a lock.
 */
#include <arch/regs.h>
#include <kernel/cpu.h>
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/perf_pmu.h>
#include <kernel/perf_trace.h>
#include <kernel/reclaim.h>
#include <kernel/task.h>
#include <kernel/trace_event.h>
#include <kernel/trace_filter.h>
#include <lib/atomic.h>
#include <lib/err.h>

/* perf_counter.priv */
struct tracer {
	struct trace_event *ev;		/* [I] referenced, enabled */
	struct trace_filter *filter;	/* [a] set once */
	struct tracer *filtered_by;	/* [I] itself, or the parent's */
	struct trace_target target;
	struct reclaim_node reclaim;
};

static int make_lists(struct trace_event *ev)
{
	u32 cpu;

	if (ev->perf)
		return 0;
	ev->perf = kmalloc(sizeof(*ev->perf) * NR_CPUS, GFP_KERNEL);
	if (!ev->perf)
		return -ENOMEM;
	for (cpu = 0; cpu < NR_CPUS; cpu++)
		list_init(&ev->perf[cpu]);
	return 0;
}

static bool is_bound(const struct perf_counter *c)
{
	return c->task && c->cpu >= 0;
}

static void account(const struct perf_counter *c, struct trace_event *ev,
		    u32 n)
{
	fetch_add_relaxed(&ev->perf_users, n);
	fetch_add_relaxed(&ev->perf_samplers, c->sampling ? n : 0);
	fetch_add_relaxed(&ev->perf_bound, is_bound(c) ? n : 0);
}

/* [trace_mutex] */
static int set_target(struct tracer *t, bool on, bool place)
{
	const struct trace_event_ops *ops = t->ev->ops;

	return ops && ops->target ? ops->target(t->ev, &t->target, on, place) :
				    0;
}

/* [trace_mutex] The source learns who it is for once it is on. */
static int enable(const struct perf_counter *c, struct tracer *t)
{
	struct trace_event *ev = t->ev;
	/* A copy's space has what its parent's had, a new program's will. */
	bool place = t->filtered_by == t && !c->attr->enable_on_exec;
	int err;

	if (ev->ops && ev->ops->exclusive && ev->users > ev->perf_users)
		return -EINTR;
	account(c, ev, 1);
	err = trace_event_enable(ev);
	if (err)
		goto undo;
	err = set_target(t, true, place);
	if (!err)
		return 0;
	trace_event_disable(ev);
undo:
	account(c, ev, -1u);
	return err;
}

int perf_trace_attach(struct perf_counter *c, struct trace_event *ev)
{
	struct perf_counter *parent = perf_pmu_parent(c);
	struct tracer *t = kzalloc(sizeof(*t), GFP_KERNEL);
	int err;

	if (!t)
		return -ENOMEM;
	t->ev = ev;
	t->filtered_by = parent ? parent->priv : t;
	t->target.task = c->task;
	mutex_lock(&trace_mutex);
	err = make_lists(ev);
	if (!err)
		err = enable(c, t);
	mutex_unlock(&trace_mutex);
	if (err) {
		kfree(t);
		return err;
	}
	c->priv = t;
	c->state = 0;	/* a bound one counts before it is added */
	return 0;
}

/* Whoever does something to the task may still be looking. */
static void free_tracer(struct reclaim_node *node)
{
	struct tracer *t = container_of(node, struct tracer, reclaim);

	trace_filter_free(t->filter);
	kfree(t);
}

struct trace_event *perf_trace_detach(struct perf_counter *c)
{
	struct tracer *t = c->priv;
	struct trace_event *ev = t->ev;

	mutex_lock(&trace_mutex);
	/* What goes with its space or with the event need not be moved. */
	set_target(t, false, ev->users > 1 &&
		   !(c->task && READ_ONCE(c->task->flags) & TASK_EXITING));
	trace_event_disable(ev);
	account(c, ev, -1u);
	mutex_unlock(&trace_mutex);
	reclaim_after(&t->reclaim, free_tracer);
	return ev;
}

struct trace_event *perf_trace_event(const struct perf_counter *c)
{
	const struct tracer *t = c->priv;

	return t->ev;
}

/* Event's CPU, masked. */
int perf_trace_add(struct perf_counter *c, u32 flags)
{
	struct tracer *t = c->priv;

	if (c->sampling)
		perf_pmu_sw_start(c);
	c->state = flags & PERF_EF_START ? 0 : PERF_CNT_STOPPED;
	list_add_tail(&c->link, &t->ev->perf[cpu_id()]);
	return 0;
}

void perf_trace_del(struct perf_counter *c, u32 flags)
{
	list_del_init(&c->link);
}

void perf_trace_start(struct perf_counter *c, u32 flags)
{
	c->state = 0;
}

void perf_trace_stop(struct perf_counter *c, u32 flags)
{
	c->state = PERF_CNT_STOPPED;
}

int perf_trace_set_filter(struct perf_counter *c, const char *text)
{
	struct tracer *t = c->priv;
	struct trace_filter *f;
	int err;

	if (t->filter)
		return -EEXIST;
	err = trace_filter_compile(t->ev, text, &f, NULL);
	if (!err)
		store_release(&t->filter, f);
	return err;
}

static bool wants(const struct perf_counter *c, const void *record,
		  struct pt_regs *regs)
{
	const struct tracer *t = c->priv;
	const struct trace_filter *f;

	if (c->state & PERF_CNT_STOPPED)
		return false;
	/* Only what user code did itself (probes, its calls). */
	if (c->attr->exclude_kernel &&
	    !(regs && regs_user_mode(regs)))
		return false;
	f = load_acquire(&t->filtered_by->filter);
	return likely(!f) || trace_filter_match(f, record);
}

struct delivery {
	struct trace_event *ev;
	const void *record;
	struct pt_regs *regs;
	u64 count;
};

/* Preemption off. */
static void count_bound(struct perf_counter *c, void *arg)
{
	const struct delivery *d = arg;

	if (c->attr->type == PERF_TYPE_TRACEPOINT &&
	    c->attr->config == d->ev->id && !c->attr->sigtrap &&
	    wants(c, d->record, d->regs))
		perf_counter_add(c, d->count);
}

/* Preemption off, everything masked.  NULL regs: nobody samples, or not yet. */
static void deliver(struct trace_event *ev, void *record, u32 size,
		    struct pt_regs *regs, u64 count, struct task *task)
{
	struct perf_counter *c, *next;
	struct perf_sample sample;

	if (unlikely(perf_pmu_in_work()))
		return;
	list_for_each_entry_safe(c, next, &ev->perf[cpu_id()], link) {
		if (!wants(c, record, regs))
			continue;
		perf_sample_init(&sample, 0, 0);
		sample.raw = record;
		sample.raw_size = size;
		perf_pmu_sw_count(c, count, &sample, regs);
	}
	if (task && task != current && unlikely(READ_ONCE(ev->perf_bound))) {
		struct delivery d = { ev, record, regs, count };

		perf_pmu_each_bound(task, count_bound, &d);
	}
}

/* What a record holds is nobody's business without the right. */
static int permit(const struct perf_counter *c, const struct trace_event *ev)
{
	if (!(c->attr->sample_type & PERF_SAMPLE_RAW))
		return 0;
	if (c->task && ev->cap_any)
		return 0;
	return perf_pmu_allow_records();
}

static int tp_event_init(struct perf_counter *c)
{
	struct trace_event *ev;
	int err = 0;

	if (c->attr->type != PERF_TYPE_TRACEPOINT)
		return -ENOENT;
	if (c->attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return -EOPNOTSUPP;
	if (c->attr->config > U16_MAX)
		return -EINVAL;
	ev = trace_event_get((u32)c->attr->config);
	if (!ev)
		return -EINVAL;
	if (!perf_pmu_parent(c))
		err = permit(c, ev);
	if (!err)
		err = perf_trace_attach(c, ev);
	if (err)
		trace_event_put(ev);
	return err;
}

static void tp_event_destroy(struct perf_counter *c)
{
	trace_event_put(perf_trace_detach(c));
}

static const struct perf_pmu_ops tp_ops = {
	.event_init = tp_event_init,
	.event_destroy = tp_event_destroy,
	.add = perf_trace_add,
	.del = perf_trace_del,
	.start = perf_trace_start,
	.stop = perf_trace_stop,
	.set_filter = perf_trace_set_filter,
};

static const struct perf_pmu_desc tp_desc = {
	.name = "tracepoint",
	.type = PERF_TYPE_TRACEPOINT,
	.caps = PERF_PMU_SOFTWARE | PERF_PMU_TRACING,
	.ops = &tp_ops,
};
PERF_PMU_REGISTER(tp_desc);

static int tp_boot(void)
{
	trace_perf_deliver = deliver;
	return 0;
}
INITCALL(INIT_CORE, tp_boot);
