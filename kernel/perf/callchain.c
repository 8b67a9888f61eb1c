/* SPDX-License-Identifier: MIT */
/*
 * Call chains: buffers per CPU and interrupt level, and the walk with its
 * markers.
 *
 * Entry points: perf_callchain_get/put (open, close; task context),
 * perf_callchain_fill (event's CPU, any context).  The buffers exist while an
 * event wants chains; they are freed after a grace period, since a sample may
 * be under way.
 */
#include "internal.h"

#include <arch/perf.h>
#include <arch/regs.h>
#include <arch/thread.h>
#include <kernel/page.h>
#include <lib/err.h>

#define LEVELS 4

struct chain_buffers {
	struct reclaim_node reclaim;
	u32 entries;			/* [I] per level */
	u64 *cpu[NR_CPUS];		/* [I] LEVELS * entries words */
};

struct chain {
	u64 *ip;
	u32 nr;				/* entries, markers included */
	u32 pcs, max_pcs;
	u32 contexts, max_contexts;
};

static struct mutex chain_mutex = MUTEX_INIT(chain_mutex, LOCK_RANK_TRACE);
static u32 chain_users;			/* [chain_mutex] */
static struct chain_buffers *buffers;	/* [chain_mutex] writes, [reclaim] */

static void buffers_free(struct reclaim_node *node)
{
	struct chain_buffers *b =
		container_of(node, struct chain_buffers, reclaim);
	u32 cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		kfree(b->cpu[cpu]);
	kfree(b);
}

static struct chain_buffers *buffers_alloc(void)
{
	struct chain_buffers *b = kzalloc(sizeof(*b), GFP_KERNEL);
	u32 cpu;

	if (!b)
		return NULL;
	b->entries = perf_max_stack + perf_max_contexts;
	for_each_possible_cpu(cpu) {
		b->cpu[cpu] = kmalloc(sizeof(u64) * LEVELS * b->entries,
				      GFP_KERNEL);
		if (!b->cpu[cpu]) {
			buffers_free(&b->reclaim);
			return NULL;
		}
	}
	return b;
}

int perf_callchain_get(u32 max_stack)
{
	struct chain_buffers *b;
	int err = 0;

	mutex_lock(&chain_mutex);
	if (max_stack > perf_max_stack) {
		err = -EOVERFLOW;
	} else if (!chain_users++) {
		b = buffers_alloc();
		if (!b) {
			chain_users--;
			err = -ENOMEM;
		}
		reclaim_assign(buffers, b);
	}
	mutex_unlock(&chain_mutex);
	return err;
}

void perf_callchain_put(void)
{
	struct chain_buffers *b = NULL;

	mutex_lock(&chain_mutex);
	if (!--chain_users) {
		b = buffers;
		reclaim_assign(buffers, NULL);
	}
	mutex_unlock(&chain_mutex);
	if (b)
		reclaim_after(&b->reclaim, buffers_free);
}

/* perf_event_max_stack and _max_contexts: not while buffers exist. */
int perf_callchain_set_limit(u32 *which, u32 value)
{
	int err = 0;

	mutex_lock(&chain_mutex);
	if (chain_users)
		err = -EBUSY;
	else
		*which = value;
	mutex_unlock(&chain_mutex);
	return err;
}

static bool store_pc(void *cookie, u64 pc)
{
	struct chain *c = cookie;

	if (c->pcs == c->max_pcs)
		return false;
	c->ip[c->nr++] = pc;
	c->pcs++;
	return true;
}

static bool store_context(struct chain *c, u64 marker)
{
	if (c->contexts == c->max_contexts)
		return false;
	c->ip[c->nr++] = marker;
	c->contexts++;
	return true;
}

static void walk(struct perf_event *e, struct chain *c, struct pt_regs *regs)
{
	struct task *task = current_task();
	bool user = regs_user_mode(regs);

	if (!e->attr.exclude_callchain_kernel && !user &&
	    store_context(c, PERF_CONTEXT_KERNEL))
		arch_stack_walk(regs, NULL, store_pc, c);
	if (e->attr.exclude_callchain_user)
		return;
	if (!user) {
		if (!task->mm || (task->flags & TASK_KTHREAD))
			return;
		regs = task_pt_regs(task);
	}
	/* Another task's memory is not there to be walked. */
	if (e->ctx->task && e->ctx->task != task)
		return;
	if (unlikely(in_nmi() && sched_in_switch()))
		return;
	if (store_context(c, PERF_CONTEXT_USER))
		c->nr += arch_perf_user_chain(regs, c->ip + c->nr,
					      c->max_pcs - c->pcs);
}

void perf_callchain_fill(struct perf_event *e, struct perf_values *v,
			 struct pt_regs *regs)
{
	struct chain_buffers *b = reclaim_deref(buffers);
	struct chain c = { .max_contexts = READ_ONCE(perf_max_contexts) };

	v->chain = NULL;
	v->chain_nr = 0;
	if (!b)
		return;
	c.ip = b->cpu[cpu_id()] + perf_level() * b->entries;
	c.max_pcs = e->attr.sample_max_stack;
	/* The sysctls may have changed since: the buffer has the last word. */
	if (c.max_contexts > b->entries)
		c.max_contexts = b->entries;
	if (c.max_pcs > b->entries - c.max_contexts)
		c.max_pcs = b->entries - c.max_contexts;
	walk(e, &c, regs);
	v->chain = c.ip;
	v->chain_nr = c.nr;
}
