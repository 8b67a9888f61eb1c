/* SPDX-License-Identifier: MIT */
/*
 * Which events are on the PMU: groups all or nothing, pinned before flexible,
 * the CPU's before the task's, rotation of what does not fit.
 *
 * Entry points: the switch hooks (run-queue lock held), perf_sched_try (an
 * event was enabled), perf_sched_rotate (timer).  Everything here runs on the
 * CPU concerned with everything masked and with the CPU context and the task
 * context in question locked, in that order.  Wakes nobody.
 */
#include "internal.h"

#include <lib/err.h>
#include <lib/minmax.h>

/* --- one event --------------------------------------------------------- */

int perf_sched_event_in(struct perf_event *e, struct perf_ctx *ctx,
			struct perf_cpu *here)
{
	struct perf_pmu *pmu = e->c.pmu;
	int err;

	if (e->state <= PERF_OFF)
		return 0;
	WRITE_ONCE(e->oncpu, here->ctx.cpu);
	perf_event_set_state(e, PERF_ACTIVE);
	if (unlikely(e->interrupts == PERF_THROTTLED))
		perf_freq_unthrottle(e);

	perf_pmu_disable(pmu);
	err = pmu->ops.add(&e->c, PERF_EF_START);
	perf_pmu_enable(pmu);
	if (unlikely(err)) {
		perf_event_set_state(e, PERF_INACTIVE);
		e->oncpu = -1;
		return -EAGAIN;
	}
	ctx->nr_active++;
	if (!perf_is_software(e)) {
		here->nr_hw++;
		if (e->attr.exclusive)
			here->exclusive = true;
	}
	if (e->attr.freq && e->c.sampling) {
		here->nr_tick++;
		perf_freq_start(e);
		perf_cpu_arm_tick(here);
	}
	if (unlikely(e->ring))
		perf_userpage_update(e);
	return 0;
}

void perf_sched_event_out(struct perf_event *e, struct perf_ctx *ctx,
			  struct perf_cpu *here)
{
	enum perf_state state = PERF_INACTIVE;
	struct perf_pmu *pmu = e->c.pmu;

	if (e->state != PERF_ACTIVE)
		return;
	perf_pmu_disable(pmu);
	pmu->ops.del(&e->c, 0);
	perf_pmu_enable(pmu);
	e->oncpu = -1;
	/* An overflow asked for it, and its deferred work has not run yet. */
	if (unlikely(xchg_relaxed(&e->want_disable, 0)))
		state = PERF_OFF;
	perf_event_set_state(e, state);
	ctx->nr_active--;
	if (!perf_is_software(e)) {
		here->nr_hw--;
		if (e->attr.exclusive || !here->nr_hw)
			here->exclusive = false;
	}
	if (e->attr.freq && e->c.sampling)
		here->nr_tick--;
	if (unlikely(e->ring))
		perf_userpage_update(e);
}

/* --- one group --------------------------------------------------------- */

void perf_sched_group_out(struct perf_event *leader, struct perf_ctx *ctx,
			  struct perf_cpu *here)
{
	struct perf_event *s;

	if (leader->state != PERF_ACTIVE)
		return;
	perf_sched_event_out(leader, ctx, here);
	perf_for_each_sibling(s, leader)
		perf_sched_event_out(s, ctx, here);
}

int perf_sched_group_in(struct perf_event *leader, struct perf_ctx *ctx,
			struct perf_cpu *here)
{
	struct perf_event *s, *failed;

	if (leader->state == PERF_OFF)
		return 0;
	if (perf_sched_event_in(leader, ctx, here))
		return -EAGAIN;
	perf_for_each_sibling(s, leader) {
		if (perf_sched_event_in(s, ctx, here)) {
			failed = s;
			goto undo;
		}
	}
	return 0;
undo:
	perf_for_each_sibling(s, leader) {
		if (s == failed)
			break;
		perf_sched_event_out(s, ctx, here);
	}
	perf_sched_event_out(leader, ctx, here);
	return -EAGAIN;
}

/* full: PMUs that had no room for an earlier group of this pass. */
static bool may_try(const struct perf_event *leader, struct perf_cpu *here,
		    u64 full)
{
	if (leader->group_software)
		return true;
	if (here->exclusive || (leader->attr.exclusive && here->nr_hw))
		return false;
	/* Room is for whoever is next in turn, not for whoever is small. */
	return !full;
}

/* --- lists ------------------------------------------------------------- */

static void pinned_in(struct perf_ctx *ctx, struct perf_cpu *here)
{
	struct perf_event *e;

	list_for_each_entry(e, &ctx->pinned, group_link) {
		if (e->state != PERF_INACTIVE ||
		    !perf_cpu_matches(e, (u32)here->ctx.cpu))
			continue;
		if (!may_try(e, here, 0) || perf_sched_group_in(e, ctx, here))
			perf_event_set_state(e, PERF_ERROR);
	}
}

static void flexible_in(struct perf_ctx *ctx, struct perf_cpu *here, u64 *full)
{
	struct perf_event *e;

	list_for_each_entry(e, &ctx->flexible, group_link) {
		if (e->state != PERF_INACTIVE ||
		    !perf_cpu_matches(e, (u32)here->ctx.cpu))
			continue;
		if (may_try(e, here, *full) &&
		    !perf_sched_group_in(e, ctx, here))
			continue;
		*full = 1;
		ctx->rotate = true;
	}
	if (ctx->rotate)
		perf_cpu_arm_mux(here);
}

static void list_out(struct list_head *list, struct perf_ctx *ctx,
		     struct perf_cpu *here)
{
	struct perf_event *e;

	if (!ctx->nr_active)
		return;
	list_for_each_entry(e, list, group_link)
		perf_sched_group_out(e, ctx, here);
}

static void flexible_out(struct perf_ctx *ctx, struct perf_cpu *here)
{
	ctx->rotate = false;
	list_out(&ctx->flexible, ctx, here);
}

/* Flexible events of both contexts have been turned out. */
static void all_flexible_in(struct perf_cpu *here)
{
	u64 full = 0;

	flexible_in(&here->ctx, here, &full);
	if (here->task_ctx)
		flexible_in(here->task_ctx, here, &full);
}

/*
 * Everything anew, in order of rank.  The time of ctx is that of the change
 * which is the cause: who comes in at once has not waited.
 */
static void resched(struct perf_ctx *ctx, struct perf_cpu *here)
{
	struct perf_ctx *task_ctx = here->task_ctx;

	perf_pmus_disable();
	if (ctx != &here->ctx)
		perf_ctx_update_time(&here->ctx);
	flexible_out(&here->ctx, here);
	if (task_ctx) {
		if (ctx != task_ctx)
			perf_ctx_update_time(task_ctx);
		flexible_out(task_ctx, here);
	}
	pinned_in(&here->ctx, here);
	if (task_ctx)
		pinned_in(task_ctx, here);
	all_flexible_in(here);
	perf_pmus_enable();
}

void perf_sched_try(struct perf_event *e, struct perf_ctx *ctx,
		    struct perf_cpu *here)
{
	struct perf_event *leader = e->leader;
	int err;

	if (e->state < PERF_INACTIVE ||
	    !perf_cpu_matches(e, (u32)here->ctx.cpu))
		return;
	if (leader == e) {
		if (may_try(e, here, 0) &&
		    !perf_sched_group_in(e, ctx, here))
			return;
	} else {
		if (leader->state != PERF_ACTIVE)
			return;
		err = perf_sched_event_in(e, ctx, here);
		if (!err)
			return;
		/* Together or not at all. */
		perf_sched_group_out(leader, ctx, here);
	}
	/* Only what ranks lower may be displaced. */
	if (leader->attr.pinned || !ctx->task) {
		resched(ctx, here);
	} else {
		ctx->rotate = true;
		perf_cpu_arm_mux(here);
	}
}

/* --- tasks ------------------------------------------------------------- */

void perf_sched_task_in(struct perf_ctx *ctx, struct perf_cpu *here)
{
	bool bracket = ctx->nr_hw || (ctx->nr_pinned && here->ctx.nr_hw);
	u64 full = 0;

	here->task_ctx = ctx;
	ctx->cpu = here->ctx.cpu;
	ctx->stamp = time_mono_ns();
	WRITE_ONCE(ctx->active, true);
	if (bracket)
		perf_pmus_disable();
	if (unlikely(ctx->nr_pinned)) {
		/* They rank above the CPU's flexible events. */
		perf_ctx_update_time(&here->ctx);
		flexible_out(&here->ctx, here);
		pinned_in(ctx, here);
		flexible_in(&here->ctx, here, &full);
	}
	full |= here->ctx.rotate;
	flexible_in(ctx, here, &full);
	if (bracket)
		perf_pmus_enable();
}

void perf_sched_task_out(struct perf_ctx *ctx, struct perf_cpu *here)
{
	bool bracket = ctx->nr_hw;

	if (bracket)
		perf_pmus_disable();
	perf_ctx_update_time(ctx);
	flexible_out(ctx, here);
	list_out(&ctx->pinned, ctx, here);
	WRITE_ONCE(ctx->active, false);
	here->task_ctx = NULL;
	if (bracket)
		perf_pmus_enable();
}

/* Are a and b unchanged copies of one another or of one third? */
static bool are_clones(const struct perf_ctx *a, const struct perf_ctx *b)
{
	if (a->pins || b->pins)
		return false;
	if (a == b->parent && a->generation == b->parent_gen)
		return true;
	if (b == a->parent && b->generation == a->parent_gen)
		return true;
	return a->parent && a->parent == b->parent &&
	       a->parent_gen == b->parent_gen;
}

/* inherit_stat: each task keeps its own counts though the events move. */
static void swap_stats(struct perf_ctx *a, struct perf_ctx *b)
{
	struct perf_event *x, *y;

	perf_ctx_update_time(a);
	y = list_first_entry(&b->events, struct perf_event, ctx_link);
	list_for_each_entry(x, &a->events, ctx_link) {
		if (list_entry_is_head(y, &b->events, ctx_link))
			break;
		if (x->attr.inherit_stat) {
			if (x->state == PERF_ACTIVE)
				x->c.pmu->ops.read(&x->c);
			perf_event_update_time(x);
			perf_event_update_time(y);
			swap(x->c.count, y->c.count);
			swap(x->enabled, y->enabled);
			swap(x->running, y->running);
			perf_userpage_update(x);
			perf_userpage_update(y);
		}
		y = list_next_entry(y, ctx_link);
	}
}

/*
 * prev and next have copies of the same events: exchange the contexts and
 * leave the PMU alone.
 */
static bool swap_contexts(struct perf_task *prev, struct perf_task *next,
			  struct perf_ctx *ctx)
{
	struct perf_ctx *other = load_relaxed(&next->ctx);
	bool done = false;
	struct task *task;

	if (!other || (!ctx->parent && !other->parent))
		return false;
	spin_lock_two(&ctx->lock, &other->lock);
	if (are_clones(ctx, other) && !other->active) {
		task = ctx->task;
		ctx->task = other->task;
		other->task = task;
		store_release(&prev->ctx, other);
		store_release(&next->ctx, ctx);
		if (ctx->nr_stat)
			swap_stats(ctx, other);
		done = true;
	}
	spin_unlock_two(&ctx->lock, &other->lock);
	return done;
}

void perf_sched_out_body(struct task *prev, struct task *next, bool preempt)
{
	struct perf_task *p = prev->perf, *n = next->perf;
	unsigned long flags = arch_irq_save_all();
	struct perf_cpu *here = this_cpu_ptr(perf_cpu);
	struct perf_ctx *ctx = here->task_ctx;

	if (READ_ONCE(perf_sw_wanted[PERF_COUNT_SW_CONTEXT_SWITCHES]))
		perf_sw_event_body(PERF_COUNT_SW_CONTEXT_SWITCHES, 1, NULL, 0);
	if (unlikely(here->ctx.nr_switch || (ctx && ctx->nr_switch)))
		perf_sb_switch(next, true, preempt);
	if (ctx && !(n && swap_contexts(p, n, ctx))) {
		perf_cpu_lock(here);
		perf_sched_task_out(ctx, here);
		perf_cpu_unlock_both(here, ctx);
	}
	arch_irq_restore_all(flags);
}

void perf_sched_in_body(struct task *prev, struct task *next)
{
	struct perf_task *n = next->perf;
	unsigned long flags = arch_irq_save_all();
	struct perf_cpu *here = this_cpu_ptr(perf_cpu);
	struct perf_ctx *ctx = n ? load_acquire(&n->ctx) : NULL;

	if (ctx && ctx->nr_events && here->task_ctx != ctx) {
		spin_lock(&here->ctx.lock);
		spin_lock(&ctx->lock);
		if (ctx->nr_events)
			perf_sched_task_in(ctx, here);
		spin_unlock(&ctx->lock);
		spin_unlock(&here->ctx.lock);
	}
	if (unlikely(here->ctx.nr_switch || (ctx && ctx->nr_switch)))
		perf_sb_switch(prev, false, false);
	if (unlikely(next->perf_migrated)) {
		next->perf_migrated = false;
		perf_sw_event(PERF_COUNT_SW_CPU_MIGRATIONS, 1, NULL, 0);
	}
	arch_irq_restore_all(flags);
}

void perf_migrated_body(struct task *task)
{
	task->perf_migrated = true;
}

/* --- rotation ---------------------------------------------------------- */

/* The group that has had its turn goes to the back. */
static void rotate_list(struct perf_ctx *ctx, u32 cpu)
{
	struct perf_event *e, *pick = NULL;

	list_for_each_entry(e, &ctx->flexible, group_link) {
		if (!perf_cpu_matches(e, cpu))
			continue;
		if (e->state == PERF_ACTIVE) {
			pick = e;
			break;
		}
		if (!pick)
			pick = e;
	}
	if (pick)
		list_move_tail(&pick->group_link, &ctx->flexible);
}

void perf_sched_rotate(struct perf_cpu *here)
{
	struct perf_ctx *task_ctx = here->task_ctx;
	bool cpu = here->ctx.rotate;
	bool task = task_ctx && (task_ctx->rotate || cpu);
	u64 full = 0;

	perf_pmus_disable();
	if (task) {
		/* The list turns only if it is this one that does not fit. */
		bool turn = task_ctx->rotate;

		perf_ctx_update_time(task_ctx);
		if (turn)
			rotate_list(task_ctx, (u32)here->ctx.cpu);
		flexible_out(task_ctx, here);
	}
	if (cpu) {
		perf_ctx_update_time(&here->ctx);
		rotate_list(&here->ctx, (u32)here->ctx.cpu);
		flexible_out(&here->ctx, here);
		flexible_in(&here->ctx, here, &full);
	}
	if (task)
		flexible_in(task_ctx, here, &full);
	perf_pmus_enable();
}
