/* SPDX-License-Identifier: MIT */
/*
 * Life of an event: creation, references, times, readings, deferred work.
 *
 * Entry points: perf_event_create/put, perf_event_set_state, perf_event_read,
 * perf_event_queue_work.  Creation and the last put are task context and may
 * sleep; state changes are made with the context locked; queueing work is
 * allowed in the overflow interrupt.  Never touches files or user memory.
 */
#include "internal.h"

#include <kernel/page.h>
#include <lib/err.h>
#include <lib/string.h>
#include <linux/poll.h>
#include <linux/signal.h>

static u64 last_id;			/* [a] */
static struct kmem_cache *event_cache;	/* [I] after perf_events_init */

void perf_events_init(void)
{
	event_cache = kmem_cache_create("perf_event", sizeof(struct perf_event),
					64);
}

/* --- times ------------------------------------------------------------- */

/* A sibling counts as enabled only while its leader is. */
static s32 effective_state(const struct perf_event *e)
{
	const struct perf_event *leader = e->leader;

	return leader->state <= PERF_OFF ? leader->state : e->state;
}

void perf_event_times(const struct perf_event *e, u64 now, u64 *enabled,
		      u64 *running)
{
	s32 state = effective_state(e);
	u64 delta = now - e->stamp;

	*enabled = e->enabled + (state >= PERF_INACTIVE ? delta : 0);
	*running = e->running + (state >= PERF_ACTIVE ? delta : 0);
}

void perf_event_update_time(struct perf_event *e)
{
	u64 now = e->ctx->time;

	perf_event_times(e, now, &e->enabled, &e->running);
	e->stamp = now;
}

void perf_event_set_state(struct perf_event *e, enum perf_state state)
{
	struct perf_event *s;

	if (e->state == (s32)state)
		return;
	perf_event_update_time(e);
	/* A leader that goes on or off takes its siblings' time with it. */
	if (e->nr_siblings && (e->state < 0) != ((s32)state < 0))
		perf_for_each_sibling(s, e)
			perf_event_update_time(s);
	WRITE_ONCE(e->state, (s32)state);
}

/* --- readings ---------------------------------------------------------- */

static u64 fresh_count(struct perf_event *e, struct perf_cpu *here)
{
	if (e->state == PERF_ACTIVE && here)
		e->c.pmu->ops.read(&e->c);
	return perf_counter_count(&e->c);
}

static void do_read(struct perf_event *e, struct perf_ctx *ctx,
		    struct perf_cpu *here, void *arg)
{
	struct perf_reading *r = arg;
	u64 now = perf_ctx_time_now(ctx);

	r->count = fresh_count(e, here);
	perf_event_times(e, now, &r->enabled, &r->running);
}

/* One value of a group; the next one's place. */
static inline u64 *put_count(struct perf_event *e, struct perf_cpu *here,
			     const struct perf_group_reading *g, u64 *at)
{
	u64 count = fresh_count(e, here) + load_relaxed(&e->child_count);

	*at = g->add ? *at + count : count;
	return at + g->stride;
}

static void do_read_group(struct perf_event *leader, struct perf_ctx *ctx,
			  struct perf_cpu *here, void *arg)
{
	struct perf_group_reading *g = arg;
	u64 now = perf_ctx_time_now(ctx), *at = g->count;
	u32 left = g->nr;
	struct perf_event *s;

	perf_event_times(leader, now, &g->enabled, &g->running);
	/* One moment for all: the counters of a group stand still. */
	if (here && left > 1)
		perf_pmus_disable();
	at = put_count(leader, here, g, at);
	perf_for_each_sibling(s, leader) {
		if (!--left)
			break;
		at = put_count(s, here, g, at);
	}
	if (here && g->nr > 1)
		perf_pmus_enable();
}

/* What is active here only changes here: no lock. */
static inline void read_by(struct perf_event *e, perf_ctx_fn *fn, void *arg)
{
	struct perf_ctx *ctx = e->ctx;
	unsigned long flags = arch_irq_save_all();

	if (likely(READ_ONCE(ctx->active) && ctx->cpu == (s32)cpu_id())) {
		fn(e, ctx, this_cpu_ptr(perf_cpu), arg);
		arch_irq_restore_all(flags);
		return;
	}
	arch_irq_restore_all(flags);
	perf_ctx_call(e, fn, arg);
}

void perf_event_read(struct perf_event *e, struct perf_reading *r)
{
	read_by(e, do_read, r);
}

void perf_event_read_group(struct perf_event *leader,
			   struct perf_group_reading *g)
{
	read_by(leader, do_read_group, g);
}

u64 perf_event_read_total(struct perf_event *e, u64 *enabled, u64 *running)
{
	struct perf_reading r;
	struct perf_event *child;
	u64 total;

	perf_event_read(e, &r);
	total = r.count;
	*enabled = r.enabled;
	*running = r.running;
	if (!e->attr.inherit)
		return total;

	mutex_lock(&e->child_mutex);
	total += load_relaxed(&e->child_count);
	*enabled += load_relaxed(&e->child_enabled);
	*running += load_relaxed(&e->child_running);
	list_for_each_entry(child, &e->children, child_link) {
		perf_event_read(child, &r);
		total += r.count;
		*enabled += r.enabled;
		*running += r.running;
	}
	mutex_unlock(&e->child_mutex);
	return total;
}

void perf_event_reset(struct perf_event *e)
{
	struct perf_reading r;

	/* Fold what the hardware holds first, so that it cannot come back. */
	perf_event_read(e, &r);
	store_relaxed(&e->c.count, 0);
	perf_userpage_update(e);
}

/* --- deferred work ----------------------------------------------------- */

/* Where this level of this CPU notes that it does an event's work. */
static bool *in_work(void)
{
	return &this_cpu(perf_cpu).in_work[in_interrupt()];
}

static void work_begin(void)
{
	preempt_disable();
	*in_work() = true;
}

static void work_end(void)
{
	*in_work() = false;
	preempt_enable();
}

bool perf_pmu_in_work(void)
{
	return !in_nmi() && *in_work();
}

static void send_sigtrap(struct task_work *work)
{
	struct perf_event *e = container_of(work, struct perf_event, sig_work);
	struct siginfo info;

	memset(&info, 0, sizeof(info));
	store_release(&e->sig_queued, 0);
	info.si_signo = SIGTRAP;
	info.si_code = TRAP_PERF;
	info.si_addr = load_relaxed(&e->sig_addr);
	info.si_perf_data = e->attr.sig_data;
	info.si_perf_type = e->attr.type;
	if (current_task()->flags & TASK_EXITING)
		goto put;
	/* A program that holds it back shall get it late, not die of it. */
	work_begin();
	if (sigset_has(&current_task()->blocked, SIGTRAP)) {
		info.si_perf_flags = TRAP_PERF_FLAG_ASYNC;
		signal_send_task(current_task(), SIGTRAP, &info);
	} else {
		signal_force_info(&info);
	}
	work_end();
put:
	perf_event_put(e);
}

/*
 * SIGTRAP for current, on its way to user mode.  Event's CPU, any context: the
 * list of such work has no lock, and when deferred work of this CPU runs, the
 * overflow may have been another task's.
 */
void perf_event_signal(struct perf_event *e, u64 addr)
{
	store_relaxed(&e->sig_addr, addr);
	if (__atomic_exchange_n(&e->sig_queued, 1, __ATOMIC_ACQUIRE))
		return;
	/* It runs here, later: the reference is taken in time. */
	if (task_work_add(current_task(), &e->sig_work))
		ref_get(&e->refs);
	else
		store_relaxed(&e->sig_queued, 0);
}

static void run_work(struct irq_work *work)
{
	struct perf_event *e = container_of(work, struct perf_event, work);

	work_begin();
	if (xchg_acquire(&e->want_disable, 0))
		perf_event_disable_local(e);
	if (xchg_acquire(&e->want_wakeup, 0))
		perf_event_wakeup(e);
	work_end();
}

/* Any context. */
void perf_event_queue_work(struct perf_event *e)
{
	irq_work_queue(&e->work);
}

/* Wake pollers and send SIGIO; not from the overflow interrupt. */
void perf_event_wakeup(struct perf_event *e)
{
	u32 kill = xchg_acq_rel(&e->want_kill, 0);
	struct perf_event *to = e->parent ? e->parent : e;

	perf_ring_wakeup(to);
	if (kill)
		fasync_kill(&to->fasync,
			    kill == POLL_HUP ? POLLHUP | POLLERR :
					       POLLIN | POLLRDNORM,
			    (int)kill);
}

/* --- creation and end -------------------------------------------------- */

static void set_clock(struct perf_event *e)
{
	e->wall_clock = e->attr.use_clockid &&
			(e->attr.clockid == 0 || e->attr.clockid == 11);
}

static void init_counter(struct perf_event *e)
{
	struct perf_counter *c = &e->c;
	u64 period = e->attr.sample_period;

	c->attr = &e->attr;
	c->sampling = period != 0;
	if (e->attr.freq && period)
		period = 1;
	c->period = c->last_period = period;
	c->left = (s64)period;
	c->idx = -1;
	c->state = PERF_CNT_STOPPED;
	list_init(&c->link);
}

static struct perf_event *event_alloc(const struct perf_event_attr *attr)
{
	struct perf_event *e = kmem_cache_alloc(event_cache,
						GFP_KERNEL | GFP_ZERO);

	if (!e)
		return NULL;
	e->attr = *attr;
	init_counter(e);
	ref_init(&e->refs);
	e->id = fetch_add_relaxed(&last_id, 1) + 1;
	e->leader = e;
	e->state = attr->disabled ? PERF_OFF : PERF_INACTIVE;
	e->oncpu = -1;
	list_init(&e->ctx_link);
	list_init(&e->group_link);
	list_init(&e->siblings);
	list_init(&e->children);
	list_init(&e->child_link);
	list_init(&e->ring_link);
	list_init(&e->owner_link);
	mutex_init(&e->child_mutex, LOCK_RANK_PERF_CHILD);
	mutex_init(&e->mmap_mutex, LOCK_RANK_PERF_RING);
	wait_queue_init(&e->waitq);
	irq_work_init(&e->work, run_work);
	fasync_list_init(&e->fasync);
	e->sig_work.fn = send_sigtrap;
	return e;
}

/*
 * Make an event for task (or cpu), not attached to anything yet.  The errors
 * and their order are the contract's; inherited copies (parent) skip what
 * their parent was checked for.  Task context.
 */
struct perf_event *perf_event_create(const struct perf_event_attr *attr,
				     struct task *task, s32 cpu,
				     struct perf_event *parent)
{
	struct perf_event *e;
	int err;

	if (attr->sigtrap && !task)
		return ERR_PTR(-EINVAL);
	e = event_alloc(attr);
	if (!e)
		return ERR_PTR(-ENOMEM);
	e->c.task = task ? task_get(task) : NULL;
	e->c.cpu = cpu;
	e->parent = parent;
	if (attr->freq && parent)
		e->c.period = e->c.last_period = parent->c.period;
	set_clock(e);
	if (parent) {
		e->sample = parent->sample;
		e->trailer = parent->trailer;
	} else if (attr->sample_type) {
		perf_layout_sample(&e->sample, attr->sample_type);
		if (attr->sample_id_all)
			perf_layout_trailer(&e->trailer, attr->sample_type);
	}
	if (!(attr->sample_type & PERF_SAMPLE_BRANCH_STACK))
		e->attr.branch_sample_type = 0;

	err = -EINVAL;
	if (attr->inherit && (attr->sample_type & PERF_SAMPLE_READ))
		goto free_event;
	err = parent ? perf_pmu_init_copy(e) : perf_pmu_init_event(e);
	if (err)
		goto free_event;
	err = -EOPNOTSUPP;
	if (attr->aux_output)
		goto destroy_event;
	e->tracing = e->c.pmu->caps & PERF_PMU_TRACING;
	if (!parent && (attr->sample_type & PERF_SAMPLE_CALLCHAIN)) {
		err = perf_callchain_get(attr->sample_max_stack);
		if (err)
			goto destroy_event;
		e->has_chain = true;
	}
	perf_hooks_account(e, true);
	return e;

destroy_event:
	e->c.pmu->ops.event_destroy(&e->c);
free_event:
	if (task)
		task_put(task);
	kmem_cache_free(event_cache, e);
	return ERR_PTR(err);
}

static void event_reclaim(struct reclaim_node *node)
{
	kmem_cache_free(event_cache,
			container_of(node, struct perf_event, reclaim));
}

/* Nobody can find e any more.  Task context. */
static void event_free(struct perf_event *e)
{
	struct perf_event *parent = e->parent;

	irq_work_sync(&e->work);
	perf_hooks_account(e, false);
	if (e->ring)
		perf_ring_attach(e, NULL);
	if (e->has_chain)
		perf_callchain_put();
	e->c.pmu->ops.event_destroy(&e->c);
	if (e->c.task)
		task_put(e->c.task);
	if (e->ctx)
		perf_ctx_put(e->ctx);
	/* Lists of a ring and of a context are walked without a lock. */
	if (e->was_on_ring || e->was_bound)
		reclaim_after(&e->reclaim, event_reclaim);
	else
		kmem_cache_free(event_cache, e);
	if (parent)
		perf_event_put(parent);
}

void perf_event_put(struct perf_event *e)
{
	if (ref_put(&e->refs))
		event_free(e);
}
