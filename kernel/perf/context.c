/* SPDX-License-Identifier: MIT */
/*
 * Contexts: who has one, and how a change reaches the CPU where it is active.
 *
 * A task's context is made with its first event; each CPU has one for
 * CPU-wide events.  While a context is active, only its CPU changes it:
 * perf_ctx_call runs a function there (here, without a cross-call, when that
 * is this CPU), or under the lock alone when it is not active.  Everything
 * else in this file is built on that.
 *
 * Locks: ctx lock (and the CPU context's before it), install_lock for making
 * a task's context against its exit.
 */
#include "internal.h"

#include <kernel/ipi.h>
#include <kernel/page.h>
#include <lib/err.h>

static struct spinlock install_lock = SPINLOCK_INIT(LOCK_RANK_PERF_EVENT);

void perf_ctx_init(struct perf_ctx *ctx, struct task *task, s32 cpu,
		   enum lock_rank rank)
{
	spin_init(&ctx->lock, rank);
	mutex_init(&ctx->mutex, LOCK_RANK_PERF_CTX_MUTEX);
	ref_init(&ctx->refs);
	ctx->task = task;
	ctx->cpu = cpu;
	list_init(&ctx->pinned);
	list_init(&ctx->flexible);
	list_init(&ctx->events);
	list_init(&ctx->bound);
}

struct perf_ctx *perf_ctx_new(struct task *task)
{
	struct perf_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);

	if (ctx)
		perf_ctx_init(ctx, task, -1, LOCK_RANK_PERF_TASK_CTX);
	return ctx;
}

static void ctx_reclaim(struct reclaim_node *node)
{
	kfree(container_of(node, struct perf_ctx, reclaim));
}

void perf_ctx_put(struct perf_ctx *ctx)
{
	if (!ref_put(&ctx->refs))
		return;
	if (ctx->parent)
		perf_ctx_put(ctx->parent);
	reclaim_after(&ctx->reclaim, ctx_reclaim);
}

/* ctx locked: it is nobody's clone from now on; put what is returned. */
struct perf_ctx *perf_ctx_unclone(struct perf_ctx *ctx)
{
	struct perf_ctx *parent = ctx->parent;

	ctx->parent = NULL;
	ctx->generation++;
	return parent;
}

/* The perf part of task, made if need be.  NULL: no memory. */
struct perf_task *perf_task_of(struct task *task)
{
	struct perf_task *p = reclaim_deref(task->perf), *old = NULL;

	if (p)
		return p;
	p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		return NULL;
	list_init(&p->owned);
	if (!try_cmpxchg_acq_rel(&task->perf, &old, p)) {
		kfree(p);
		return old;
	}
	return p;
}

/* The context that p's task has now, locked against swaps; NULL: none. */
struct perf_ctx *perf_task_ctx_lock(struct perf_task *p, unsigned long *flags)
{
	struct perf_ctx *ctx;

	for (;;) {
		reclaim_read_lock();
		ctx = reclaim_deref(p->ctx);
		if (!ctx) {
			reclaim_read_unlock();
			return NULL;
		}
		*flags = perf_ctx_lock(ctx);
		reclaim_read_unlock();
		if (likely(ctx == load_relaxed(&p->ctx)))
			return ctx;
		perf_ctx_unlock(ctx, *flags);
	}
}

static struct perf_ctx *get_existing(struct perf_task *p)
{
	struct perf_ctx *ctx, *parent;
	unsigned long flags;

	ctx = perf_task_ctx_lock(p, &flags);
	if (!ctx)
		return NULL;
	parent = perf_ctx_unclone(ctx);
	ctx->pins++;
	ref_get(&ctx->refs);
	perf_ctx_unlock(ctx, flags);
	if (parent)
		perf_ctx_put(parent);
	return ctx;
}

/* Give p's task a context unless it has one or is exiting. */
static int install_new(struct perf_task *p, struct perf_ctx *ctx)
{
	unsigned long flags = spin_lock_irqsave(&install_lock);
	int err = 0;

	/* A task that had no record here has passed by unseen. */
	if (p->dead || (READ_ONCE(ctx->task->flags) & TASK_EXITING))
		err = -ESRCH;
	else if (p->ctx)
		err = -EAGAIN;
	else
		reclaim_assign(p->ctx, ctx);
	spin_unlock_irqrestore(&install_lock, flags);
	return err;
}

struct perf_ctx *perf_ctx_get(struct task *task, s32 cpu)
{
	struct perf_task *p;
	struct perf_ctx *ctx;
	int err;

	if (!task) {
		ctx = &per_cpu_ptr(perf_cpu, cpu)->ctx;
		ref_get(&ctx->refs);
		return ctx;
	}
	p = perf_task_of(task);
	if (!p)
		return ERR_PTR(-ENOMEM);
	/* An exit either finds p, or has raised the flag that we look at. */
	arch_smp_mb();
	for (;;) {
		ctx = get_existing(p);
		if (ctx)
			return ctx;
		ctx = perf_ctx_new(task);
		if (!ctx)
			return ERR_PTR(-ENOMEM);
		ctx->pins = 1;
		ref_get(&ctx->refs);
		err = install_new(p, ctx);
		if (!err)
			return ctx;
		kfree(ctx);
		if (err != -EAGAIN)
			return ERR_PTR(err);
	}
}

void perf_ctx_unpin(struct perf_ctx *ctx)
{
	unsigned long flags;

	if (!ctx->task)
		return;
	flags = perf_ctx_lock(ctx);
	ctx->pins--;
	perf_ctx_unlock(ctx, flags);
}

/*
 * The exiting task gives up its context; the reference goes to the caller.
 * Pinned: until it is ended, every switch could give it to another task.
 */
struct perf_ctx *perf_task_take_ctx(struct perf_task *p, bool dead)
{
	unsigned long flags = spin_lock_irqsave(&install_lock);
	struct perf_ctx *ctx;

	if (dead)
		p->dead = true;
	spin_unlock_irqrestore(&install_lock, flags);
	ctx = perf_task_ctx_lock(p, &flags);
	if (ctx) {
		ctx->pins++;
		perf_ctx_unlock(ctx, flags);
	}
	return ctx;
}

/* --- reaching a context ------------------------------------------------ */

struct ctx_call {
	struct perf_event *e;
	struct perf_ctx *ctx;
	perf_ctx_fn *fn;
	void *arg;
	bool done;
};

/* Everything masked.  True when ctx is active on this CPU and fn has run. */
static bool call_here(struct ctx_call *call)
{
	struct perf_ctx *ctx = call->ctx;
	struct perf_cpu *here = this_cpu_ptr(perf_cpu);
	struct perf_ctx *task_ctx;

	if (!READ_ONCE(ctx->active) || ctx->cpu != (s32)cpu_id())
		return false;
	perf_cpu_lock(here);
	task_ctx = here->task_ctx;	/* fn may end its activity */
	call->fn(call->e, ctx, here, call->arg);
	perf_cpu_unlock_both(here, task_ctx);
	return true;
}

static void call_remote(void *arg)
{
	struct ctx_call *call = arg;
	unsigned long flags = arch_irq_save_all();

	call->done = call_here(call);
	arch_irq_restore_all(flags);
}

static bool call_inactive(struct ctx_call *call)
{
	unsigned long flags = perf_ctx_lock(call->ctx);
	bool active = call->ctx->active;

	if (!active)
		call->fn(call->e, call->ctx, NULL, call->arg);
	perf_ctx_unlock(call->ctx, flags);
	return !active;
}

void perf_ctx_call(struct perf_event *e, perf_ctx_fn *fn, void *arg)
{
	struct perf_ctx *ctx = e->ctx;
	struct ctx_call call = { .e = e, .ctx = ctx, .fn = fn, .arg = arg };
	unsigned long flags;
	bool done;

	for (;;) {
		preempt_disable();
		flags = arch_irq_save_all();
		done = call_here(&call);
		arch_irq_restore_all(flags);
		preempt_enable();
		if (done || call_inactive(&call))
			return;
		/* It may have moved before the call arrives: then again. */
		ipi_call((u32)READ_ONCE(ctx->cpu), call_remote, &call);
		if (call.done)
			return;
	}
}

/* --- changes ----------------------------------------------------------- */

static void do_install(struct perf_event *e, struct perf_ctx *ctx,
		       struct perf_cpu *here, void *arg)
{
	int *err = arg;

	*err = 0;
	if (ctx->task_dead) {
		*err = -ESRCH;
		return;
	}
	if (!ctx->task && !here) {
		*err = -ENODEV;	/* its CPU is offline */
		return;
	}
	perf_ctx_update_time(ctx);
	perf_group_attach(e, ctx);
	if (here)
		perf_sched_try(e, ctx, here);
}

/* The context has events and its task is running, here: let it count. */
static void activate_here(void *arg)
{
	struct perf_ctx *ctx = arg;
	unsigned long flags = arch_irq_save_all();
	struct perf_cpu *here = this_cpu_ptr(perf_cpu);

	spin_lock(&here->ctx.lock);
	spin_lock(&ctx->lock);
	if (ctx->task == current_task() && !ctx->active && ctx->nr_events)
		perf_sched_task_in(ctx, here);
	spin_unlock(&ctx->lock);
	spin_unlock(&here->ctx.lock);
	arch_irq_restore_all(flags);
}

/*
 * A context without events is never active.  Its first event must not wait
 * for the task's next switch: after the event is on the list, either that
 * switch sees it or we see the task running.
 */
static void activate(struct perf_ctx *ctx)
{
	struct task *task = READ_ONCE(ctx->task);

	if (!task)
		return;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (task == current_task()) {
		preempt_disable();
		activate_here(ctx);
		preempt_enable();
	} else if (sched_is_running(task)) {
		ipi_call(READ_ONCE(task->ti.cpu), activate_here, ctx);
	}
}

/* Consumes the caller's reference on ctx.  -ESRCH, -ENODEV. */
int perf_event_install(struct perf_event *e, struct perf_ctx *ctx)
{
	int err = 0;

	e->ctx = ctx;
	perf_ctx_call(e, do_install, &err);
	if (!err && !READ_ONCE(ctx->active))
		activate(ctx);
	return err;
}

struct remove_arg {
	bool split;
	s32 state;
};

static void do_remove(struct perf_event *e, struct perf_ctx *ctx,
		      struct perf_cpu *here, void *arg)
{
	struct remove_arg *r = arg;

	perf_ctx_update_time(ctx);
	if (here)
		perf_sched_event_out(e, ctx, here);
	if (e->state > r->state)
		perf_event_set_state(e, (enum perf_state)r->state);
	if (r->split)
		perf_group_split(e);
	perf_group_detach(e);
	if (here && ctx->task && !ctx->nr_events)
		perf_sched_task_out(ctx, here);
}

void perf_event_remove(struct perf_event *e, bool split, s32 state)
{
	struct remove_arg r = { .split = split, .state = state };

	perf_ctx_call(e, do_remove, &r);
}

static void do_enable(struct perf_event *e, struct perf_ctx *ctx,
		      struct perf_cpu *here, void *arg)
{
	if (e->state >= PERF_INACTIVE || e->state < PERF_ERROR)
		return;
	/* Its CPU has been offline: it stays as it is for good. */
	if (!(e->attached & PERF_ATT_CTX))
		return;
	perf_ctx_update_time(ctx);
	/* An event in error gets another try. */
	perf_event_set_state(e, PERF_INACTIVE);
	perf_userpage_update(e);
	if (here)
		perf_sched_try(e, ctx, here);
}

void perf_event_enable(struct perf_event *e)
{
	perf_ctx_call(e, do_enable, NULL);
}

static void do_disable(struct perf_event *e, struct perf_ctx *ctx,
		       struct perf_cpu *here, void *arg)
{
	if (e->state < PERF_INACTIVE)
		return;
	perf_ctx_update_time(ctx);
	if (here) {
		if (perf_is_leader(e))
			perf_sched_group_out(e, ctx, here);
		else
			perf_sched_event_out(e, ctx, here);
	}
	perf_event_set_state(e, PERF_OFF);
	perf_userpage_update(e);
}

void perf_event_disable(struct perf_event *e)
{
	perf_ctx_call(e, do_disable, NULL);
}

/*
 * From irq_work on the CPU of the overflow.  If the context has left that CPU
 * meanwhile, switching it out has seen want_disable.
 */
void perf_event_disable_local(struct perf_event *e)
{
	struct ctx_call call = { .e = e, .ctx = e->ctx, .fn = do_disable };
	unsigned long flags = arch_irq_save_all();
	bool done = call_here(&call);

	arch_irq_restore_all(flags);
	if (!done && !call_inactive(&call))
		store_relaxed(&e->want_disable, 1);
}

static void do_period(struct perf_event *e, struct perf_ctx *ctx,
		      struct perf_cpu *here, void *arg)
{
	u64 value = *(u64 *)arg;
	bool active = here && e->state == PERF_ACTIVE;
	struct perf_pmu *pmu = e->c.pmu;

	e->attr.sample_period = value;
	if (active) {
		perf_pmu_disable(pmu);
		if (e->interrupts == PERF_THROTTLED)
			perf_freq_unthrottle(e);
		pmu->ops.stop(&e->c, PERF_EF_UPDATE);
	}
	if (!e->attr.freq)
		e->c.period = value;
	store_relaxed(&e->c.left, 0);
	if (active) {
		pmu->ops.start(&e->c, PERF_EF_RELOAD);
		perf_pmu_enable(pmu);
	}
}

void perf_event_period(struct perf_event *e, u64 value)
{
	perf_ctx_call(e, do_period, &value);
}

void perf_event_for_each_child(struct perf_event *e,
			       void (*fn)(struct perf_event *e))
{
	struct perf_event *child;

	if (!e->attr.inherit) {
		fn(e);
		return;
	}
	mutex_lock(&e->child_mutex);
	fn(e);
	list_for_each_entry(child, &e->children, child_link)
		fn(child);
	mutex_unlock(&e->child_mutex);
}
