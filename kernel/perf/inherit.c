/* SPDX-License-Identifier: MIT */
/*
 * Events and the life of tasks: copies for a child, folding at exit, exec.
 *
 * Entry points: perf_task_fork, perf_task_free, perf_task_exit, the exec hook,
 * perf_event_release (the descriptor is gone).  Task context; ctx mutex, then
 * the parent's child_mutex.  A copy always hangs off the original event, so
 * families are flat whatever the depth of forks.
 */
#include "internal.h"

#include <kernel/page.h>
#include <lib/err.h>
#include <linux/sched.h>

struct mutex perf_owner_mutex =
	MUTEX_INIT(perf_owner_mutex, LOCK_RANK_PERF_OWNER);

/* --- fork -------------------------------------------------------------- */

static bool goes_to(const struct perf_event *e, u64 clone_flags)
{
	const struct perf_event_attr *a = &e->attr;

	return a->inherit && ((clone_flags & CLONE_THREAD) ||
			      (!a->inherit_thread && !a->sigtrap));
}

/* One copy of e; NULL when its descriptor was closed meanwhile. */
static struct perf_event *copy_event(struct perf_event *e,
				     struct perf_event *leader,
				     struct task *child, struct perf_ctx *ctx)
{
	struct perf_event *top = e->parent ? e->parent : e, *copy;
	unsigned long flags;

	copy = perf_event_create(&top->attr, child, top->c.cpu, top);
	if (IS_ERR(copy))
		return copy;
	mutex_lock(&top->child_mutex);
	if (READ_ONCE(top->state) == PERF_DEAD ||
	    !ref_get_unless_zero(&top->refs)) {
		mutex_unlock(&top->child_mutex);
		copy->parent = NULL;
		perf_event_put(copy);
		return NULL;
	}
	/* The copy goes on from what the original does, not from attr. */
	copy->state = READ_ONCE(e->state) >= PERF_INACTIVE ? PERF_INACTIVE :
							     PERF_OFF;
	copy->attr.enable_on_exec = e->attr.enable_on_exec;
	copy->attr.sample_period = e->attr.sample_period;
	copy->c.period = copy->c.last_period = e->c.period;
	copy->c.left = (s64)e->c.period;
	copy->leader = leader ? leader : copy;
	ref_get(&ctx->refs);
	copy->ctx = ctx;
	flags = perf_ctx_lock(ctx);
	perf_group_attach(copy, ctx);
	perf_ctx_unlock(ctx, flags);
	copy->attached |= PERF_ATT_CHILD;
	list_add_tail(&copy->child_link, &top->children);
	mutex_unlock(&top->child_mutex);
	return copy;
}

static int copy_group(struct perf_event *leader, struct task *child,
		      struct perf_ctx *ctx)
{
	struct perf_event *lead, *s, *copy;

	lead = copy_event(leader, NULL, child, ctx);
	if (IS_ERR_OR_NULL(lead))
		return PTR_ERR_OR_ZERO(lead);
	perf_for_each_sibling(s, leader) {
		copy = copy_event(s, lead, child, ctx);
		if (IS_ERR(copy))
			return (int)PTR_ERR(copy);
	}
	return 0;
}

/* Every group of list that child is to have; *all cleared if one is not. */
static int copy_list(struct list_head *list, struct task *child,
		     struct perf_ctx *ctx, u64 clone_flags, bool *all)
{
	struct perf_event *e;
	int err;

	list_for_each_entry(e, list, group_link) {
		if (!goes_to(e, clone_flags)) {
			*all = false;
			continue;
		}
		err = copy_group(e, child, ctx);
		if (err)
			return err;
	}
	return 0;
}

/* child has all of parent's events: they may swap contexts at a switch. */
static void mark_clone(struct perf_ctx *ctx, struct perf_ctx *parent)
{
	unsigned long flags = perf_ctx_lock(parent);
	struct perf_ctx *origin = parent->parent;

	ctx->parent = origin ? origin : parent;
	ctx->parent_gen = origin ? parent->parent_gen : parent->generation;
	ref_get(&ctx->parent->refs);
	perf_ctx_unlock(parent, flags);
}

static bool any_inherits(struct perf_ctx *ctx, u64 clone_flags)
{
	struct perf_event *e;

	list_for_each_entry(e, &ctx->events, ctx_link)
		if (perf_is_leader(e) && goes_to(e, clone_flags))
			return true;
	return false;
}

/* parent's mutex held and its context pinned. */
static int copy_context(struct task *child, struct perf_ctx *parent,
			u64 clone_flags)
{
	struct perf_task *p;
	struct perf_ctx *ctx;
	bool all = true;
	int err;

	if (!any_inherits(parent, clone_flags))
		return 0;
	p = perf_task_of(child);
	ctx = p ? perf_ctx_new(child) : NULL;
	if (!ctx)
		return -ENOMEM;
	p->ctx = ctx;
	err = copy_list(&parent->pinned, child, ctx, clone_flags, &all);
	if (!err)
		err = copy_list(&parent->flexible, child, ctx, clone_flags,
				&all);
	if (!err && all)
		mark_clone(ctx, parent);
	return err;
}

int perf_task_fork(struct task *child, u64 clone_flags)
{
	struct perf_task *p = current_task()->perf;
	struct perf_ctx *ctx;
	unsigned long flags;
	int err;

	child->perf = NULL;
	child->perf_migrated = false;
	if (!p || !p->ctx)
		return 0;
	ctx = perf_task_ctx_lock(p, &flags);
	if (!ctx)
		return 0;
	/* Pinned: no swap gives it to another task while it is copied. */
	ctx->pins++;
	ref_get(&ctx->refs);
	perf_ctx_unlock(ctx, flags);

	mutex_lock(&ctx->mutex);
	err = copy_context(child, ctx, clone_flags);
	mutex_unlock(&ctx->mutex);
	perf_ctx_unpin(ctx);
	perf_ctx_put(ctx);
	return err;
}

/* --- exit -------------------------------------------------------------- */

/*
 * A copy ends: its counts go to the original.  task: who leaves it by exec,
 * and has a READ record; an exit has none, as on the reference.  Ctx mutex
 * held.
 */
static void fold_copy(struct perf_event *e, struct task *task)
{
	struct perf_event *top = e->parent;

	mutex_lock(&top->child_mutex);
	perf_event_remove(e, true, PERF_EXIT);
	if (e->attr.inherit_stat && task) {
		preempt_disable();
		perf_output_read(e, task);
		preempt_enable();
	}
	fetch_add_relaxed(&top->child_count, perf_counter_count(&e->c));
	fetch_add_relaxed(&top->child_enabled, e->enabled);
	fetch_add_relaxed(&top->child_running, e->running);
	if (e->attached & PERF_ATT_CHILD) {
		e->attached &= ~PERF_ATT_CHILD;
		list_del_init(&e->child_link);
	}
	mutex_unlock(&top->child_mutex);
	perf_event_wakeup(top);
	perf_event_put(e);
}

/* The task of e is gone (NULL), or e leaves it at exec.  Ctx mutex held. */
static void end_event(struct perf_event *e, struct task *task)
{
	if (e->parent) {
		fold_copy(e, task);
		return;
	}
	perf_event_remove(e, false, PERF_EXIT);
	perf_event_wakeup(e);
}

/* Nothing is active any more; task is NULL for one that never ran. */
static void end_context(struct perf_task *p, struct perf_ctx *ctx,
			struct task *task)
{
	struct perf_event *e, *next;
	struct perf_ctx *origin;
	struct perf_cpu *here;
	unsigned long flags;

	mutex_lock(&ctx->mutex);
	preempt_disable();
	flags = arch_irq_save_all();
	here = this_cpu_ptr(perf_cpu);
	spin_lock(&here->ctx.lock);
	spin_lock(&ctx->lock);
	if (ctx->active)
		perf_sched_task_out(ctx, here);
	ctx->task_dead = true;
	ctx->task = NULL;
	store_release(&p->ctx, NULL);
	origin = perf_ctx_unclone(ctx);
	spin_unlock(&ctx->lock);
	spin_unlock(&here->ctx.lock);
	arch_irq_restore_all(flags);
	preempt_enable();

	if (task)
		perf_sb_exit(ctx);
	list_for_each_entry_safe(e, next, &ctx->events, ctx_link)
		end_event(e, NULL);
	mutex_unlock(&ctx->mutex);
	if (origin)
		perf_ctx_put(origin);
	perf_ctx_put(ctx);
}

static void leave(struct perf_task *p, bool dead)
{
	struct perf_event *e, *next;
	struct perf_ctx *ctx = NULL;

	if (p) {
		mutex_lock(&perf_owner_mutex);
		list_for_each_entry_safe(e, next, &p->owned, owner_link) {
			list_del_init(&e->owner_link);
			e->owner = NULL;
		}
		mutex_unlock(&perf_owner_mutex);
		ctx = perf_task_take_ctx(p, dead);
	}
	if (ctx)
		end_context(p, ctx, current_task());
	else
		perf_sb_exit(NULL);
}

void perf_task_exit(void)
{
	/* Who makes the record after this look sees the task exiting. */
	arch_smp_mb();
	leave(load_relaxed(&current_task()->perf), true);
}

void perf_exec_secure(void)
{
	if (current_task()->perf)
		leave(current_task()->perf, false);
}

void perf_task_free(struct task *task)
{
	struct perf_task *p = task->perf;

	if (!p)
		return;
	if (p->ctx)
		end_context(p, p->ctx, NULL);
	task->perf = NULL;
	kfree(p);
}

/* --- exec -------------------------------------------------------------- */

static void remove_on_exec(struct perf_ctx *ctx)
{
	struct perf_event *e, *next;
	struct perf_ctx *origin = NULL;
	unsigned long flags;
	bool any = false;

	mutex_lock(&ctx->mutex);
	list_for_each_entry_safe(e, next, &ctx->events, ctx_link) {
		if (!e->attr.remove_on_exec)
			continue;
		any = true;
		end_event(e, current_task());
	}
	if (any) {
		flags = perf_ctx_lock(ctx);
		origin = perf_ctx_unclone(ctx);
		perf_ctx_unlock(ctx, flags);
	}
	mutex_unlock(&ctx->mutex);
	if (origin)
		perf_ctx_put(origin);
}

/* Everything masked, CPU locked. */
static bool enable_on_exec(struct perf_ctx *ctx, struct perf_cpu *here)
{
	struct perf_event *e;
	bool any = false;

	perf_ctx_update_time(ctx);
	list_for_each_entry(e, &ctx->events, ctx_link) {
		if (!e->attr.enable_on_exec)
			continue;
		e->attr.enable_on_exec = 0;
		if (e->state >= PERF_INACTIVE)
			continue;
		perf_event_set_state(e, PERF_INACTIVE);
		any = true;
	}
	if (!any)
		return false;
	list_for_each_entry(e, &ctx->events, ctx_link)
		if (e->state == PERF_INACTIVE)
			perf_sched_try(e, ctx, here);
	return true;
}

void perf_exec_body(void)
{
	struct perf_task *p = current_task()->perf;
	struct perf_ctx *ctx = p ? p->ctx : NULL, *origin = NULL;
	struct perf_cpu *here;
	unsigned long flags;

	if (!ctx)
		return;
	preempt_disable();
	flags = arch_irq_save_all();
	here = this_cpu_ptr(perf_cpu);
	ctx = here->task_ctx;
	if (ctx) {
		perf_cpu_lock(here);
		if (enable_on_exec(ctx, here))
			origin = perf_ctx_unclone(ctx);
		/* No switch gives it to another task meanwhile. */
		ctx->pins++;
		ref_get(&ctx->refs);
		perf_cpu_unlock_both(here, ctx);
	}
	arch_irq_restore_all(flags);
	preempt_enable();
	if (!ctx)
		return;
	if (origin)
		perf_ctx_put(origin);
	remove_on_exec(ctx);
	perf_ctx_unpin(ctx);
	perf_ctx_put(ctx);
}

/* --- close ------------------------------------------------------------- */

static void release_children(struct perf_event *e)
{
	struct perf_event *child;
	struct perf_ctx *ctx;

	for (;;) {
		mutex_lock(&e->child_mutex);
		child = list_first_entry_or_null(&e->children,
						 struct perf_event, child_link);
		ctx = child ? child->ctx : NULL;
		if (ctx)
			ref_get(&ctx->refs);
		mutex_unlock(&e->child_mutex);
		if (!child)
			return;
		/* The right order of mutexes; see whether it is still there. */
		mutex_lock(&ctx->mutex);
		mutex_lock(&e->child_mutex);
		if (list_first_entry_or_null(&e->children, struct perf_event,
					     child_link) == child) {
			perf_event_remove(child, true, PERF_DEAD);
			child->attached &= ~PERF_ATT_CHILD;
			list_del_init(&child->child_link);
		} else {
			child = NULL;
		}
		mutex_unlock(&e->child_mutex);
		mutex_unlock(&ctx->mutex);
		perf_ctx_put(ctx);
		if (child)
			perf_event_put(child);
	}
}

/* The descriptor is closed for good: e ends, and its copies with it. */
void perf_event_release(struct perf_event *e)
{
	struct perf_ctx *ctx = e->ctx;

	if (READ_ONCE(e->owner)) {
		mutex_lock(&perf_owner_mutex);
		if (e->owner)
			list_del_init(&e->owner_link);
		e->owner = NULL;
		mutex_unlock(&perf_owner_mutex);
	}
	mutex_lock(&ctx->mutex);
	perf_event_remove(e, true, PERF_DEAD);
	mutex_unlock(&ctx->mutex);
	if (e->attr.inherit)
		release_children(e);
	perf_event_put(e);
}

/* prctl: events that current has opened, whatever they count. */
int perf_prctl(bool enable)
{
	struct perf_task *p = current_task()->perf;
	struct perf_event *e;

	if (!p)
		return 0;
	mutex_lock(&perf_owner_mutex);
	list_for_each_entry(e, &p->owned, owner_link) {
		mutex_lock(&e->ctx->mutex);
		perf_event_for_each_child(e, enable ? perf_event_enable :
						      perf_event_disable);
		mutex_unlock(&e->ctx->mutex);
	}
	mutex_unlock(&perf_owner_mutex);
	return 0;
}
