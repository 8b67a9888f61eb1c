/* SPDX-License-Identifier: MIT */
/*
 * Membership of events in contexts and groups.
 *
 * Entry points: perf_group_attach/detach (context locked), perf_group_validate
 * (ctx mutex).  Only links and counters are changed here; taking an event off
 * the PMU first is the caller's business.
 */
#include "internal.h"

#include <kernel/page.h>
#include <lib/err.h>

static bool wants_records(const struct perf_event_attr *a)
{
	return a->mmap || a->mmap_data || a->mmap2 || a->comm || a->task ||
	       a->context_switch || a->namespaces || a->ksymbol;
}

static void account(struct perf_event *e, struct perf_ctx *ctx, u32 n)
{
	const struct perf_event_attr *a = &e->attr;

	ctx->nr_events += n;
	if (!perf_is_software(e))
		ctx->nr_hw += n;
	if (a->inherit_stat)
		ctx->nr_stat += n;
	if (wants_records(a))
		ctx->nr_sideband += n;
	if (a->context_switch)
		ctx->nr_switch += n;
	ctx->generation++;
}

static void link_leader(struct perf_event *e, struct perf_ctx *ctx)
{
	if (e->attr.pinned) {
		list_add_tail(&e->group_link, &ctx->pinned);
		ctx->nr_pinned++;
	} else {
		list_add_tail(&e->group_link, &ctx->flexible);
	}
}

static void unlink_leader(struct perf_event *e)
{
	list_del_init(&e->group_link);
	if (e->attr.pinned)
		e->ctx->nr_pinned--;
}

/*
 * Those who do something to a task find its bound tracing events on a list
 * that they walk without a lock.  As on Linux, a group that has hardware is
 * not among them.
 */
static void list_bound(struct perf_event *e, struct perf_ctx *ctx)
{
	if (!e->tracing || !e->c.task || e->c.cpu < 0)
		return;
	e->is_bound = e->was_bound = true;
	list_add_tail_pub(&e->bound_link, &ctx->bound);
}

static void unlist_bound(struct perf_event *e)
{
	if (!e->is_bound)
		return;
	e->is_bound = false;
	list_del_pub(&e->bound_link);
}

/* A group has got hardware. */
static void unlist_group(struct perf_event *leader)
{
	struct perf_event *s;

	unlist_bound(leader);
	perf_for_each_sibling(s, leader)
		unlist_bound(s);
}

void perf_pmu_each_bound(struct task *task,
			 void (*fn)(struct perf_counter *c, void *arg),
			 void *arg)
{
	struct perf_task *p = reclaim_deref(task->perf);
	struct perf_ctx *ctx = p ? reclaim_deref(p->ctx) : NULL;
	s32 cpu = (s32)cpu_id();
	struct perf_event *e;

	if (!ctx)
		return;
	list_for_each_entry_pub(e, &ctx->bound, bound_link)
		if (e->c.cpu == cpu)
			fn(&e->c, arg);
}

/* The size of PERF_SAMPLE_READ depends on how many the group has. */
static void set_read_sizes(struct perf_event *leader)
{
	u32 nr = 1 + leader->nr_siblings;
	struct perf_event *s;

	leader->read_size = perf_read_format_size(leader->attr.read_format, nr);
	perf_for_each_sibling(s, leader)
		s->read_size = perf_read_format_size(s->attr.read_format, nr);
}

/* Put e on ctx and into the group of e->leader. */
void perf_group_attach(struct perf_event *e, struct perf_ctx *ctx)
{
	struct perf_event *leader = e->leader;

	e->stamp = ctx->time;
	list_add_tail(&e->ctx_link, &ctx->events);
	e->attached |= PERF_ATT_CTX | PERF_ATT_GROUP;
	account(e, ctx, 1);
	if (leader == e) {
		e->group_software = perf_is_software(e);
		link_leader(e, ctx);
	} else {
		leader->group_software &= perf_is_software(e);
		list_add_tail(&e->group_link, &leader->siblings);
		leader->nr_siblings++;
		leader->group_gen++;
		if (!leader->group_software)
			unlist_group(leader);
	}
	if (leader->group_software)
		list_bound(e, ctx);
	set_read_sizes(leader);
}

static void promote_siblings(struct perf_event *leader)
{
	struct perf_event *s, *next;

	list_for_each_entry_safe(s, next, &leader->siblings, group_link) {
		/* Its clock so far ran under the leader's state. */
		perf_event_update_time(s);
		list_del_init(&s->group_link);
		s->leader = s;
		s->group_software = leader->group_software;
		s->attached |= PERF_ATT_GROUP;
		if (s->attached & PERF_ATT_CTX)
			link_leader(s, s->ctx);
		set_read_sizes(s);
	}
	leader->nr_siblings = 0;
	leader->group_gen++;
}

/* Out of its group: siblings of a leader live on, each by itself. */
void perf_group_split(struct perf_event *e)
{
	struct perf_event *leader = e->leader;

	if (!(e->attached & PERF_ATT_GROUP))
		return;
	e->attached &= ~PERF_ATT_GROUP;
	if (leader != e) {
		perf_event_update_time(e);
		list_del_init(&e->group_link);
		leader->nr_siblings--;
		leader->group_gen++;
		e->leader = e;
		set_read_sizes(leader);
	} else {
		promote_siblings(e);
	}
	e->read_size = perf_read_format_size(e->attr.read_format, 1);
}

/* Off its context.  A group that is to stay readable keeps its links. */
void perf_group_detach(struct perf_event *e)
{
	if (!(e->attached & PERF_ATT_CTX))
		return;
	e->attached &= ~PERF_ATT_CTX;
	list_del_init(&e->ctx_link);
	unlist_bound(e);
	account(e, e->ctx, -1u);
	if (e->leader == e && !list_empty(&e->group_link))
		unlink_leader(e);
}

/* Linux does not hold room for what is off and stays so. */
static bool needs_room(const struct perf_event *e)
{
	return e->state > PERF_OFF ||
	       (e->state == PERF_OFF && e->attr.enable_on_exec);
}

/*
 * Could e's PMU be counting leader's group with e all at once?  Nobody else is
 * asked: e only takes room on its own PMU.
 */
int perf_group_validate(struct perf_event *e, struct perf_event *leader)
{
	struct perf_counter **list;
	struct perf_event *s;
	u32 n = 0;
	int err;

	if (perf_is_software(e))
		return 0;
	/* Siblings must not be closed under the walk. */
	if (leader != e)
		mutex_lock(&leader->ctx->mutex);
	err = -ENOMEM;
	list = kmalloc((leader->nr_siblings + 2) * sizeof(*list), GFP_KERNEL);
	if (!list)
		goto unlock;
	if (leader != e) {
		if (needs_room(leader))
			list[n++] = &leader->c;
		perf_for_each_sibling(s, leader)
			if (needs_room(s))
				list[n++] = &s->c;
	}
	if (needs_room(e))
		list[n++] = &e->c;
	err = n ? e->c.pmu->ops.group_valid(e->c.pmu, list, n) : 0;
	kfree(list);
unlock:
	if (leader != e)
		mutex_unlock(&leader->ctx->mutex);
	return err;
}
