// SPDX-License-Identifier: MIT
/*
 * Return probes: at a function's entry its return address is exchanged for
 * the trampoline's, which asks here what happens and where to go on.
 *
 * Each call takes an instance of its probe's pool, with no lock, and hangs it
 * on its task, newest first: calls return in the opposite order.  Several
 * instances of one call, of several probes or of tail calls, are popped
 * together: all but the oldest "return" to the trampoline.  A pool lives as
 * long as its probe or a call that has not returned, whichever is longer; that
 * of a probe whose instances are in frames of the tasks (frames.c) is empty.
 *
 * All of it runs with everything masked and the CPU marked busy, or on a task
 * that runs no more.
 */
#include <arch/irqflags.h>
#include <arch/probes.h>
#include <arch/regs.h>
#include <kernel/cpu.h>
#include <kernel/irq.h>
#include <kernel/kprobe.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/probe_hooks.h>
#include <kernel/reclaim.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/ref.h>

#include "kprobe_internal.h"

#define MAX_ACTIVE 4096

struct kretprobe_pool {
	struct ref refs;		/* the probe, and each used instance */
	struct kretprobe *owner;	/* [a] NULL: unregistered */
	struct irq_work free;
	struct reclaim_node reclaim;
	u32 nr;				/* [I] 0: of frames */
	struct kretprobe_instance instance[];
};

static void free_pool(struct reclaim_node *node)
{
	kfree(container_of(node, struct kretprobe_pool, reclaim));
}

static void unused_pool(struct irq_work *work)
{
	struct kretprobe_pool *pool =
		container_of(work, struct kretprobe_pool, free);

	reclaim_after(&pool->reclaim, free_pool);
}

/* In any context: the allocator's locks may be held by what was hit. */
static void pool_put(struct kretprobe_pool *pool)
{
	if (ref_put(&pool->refs))
		irq_work_queue(&pool->free);
}

u32 kretprobe_max_active(const struct kretprobe *rp)
{
	u32 nr = rp->max_active;

	if (!nr)
		nr = max_t(u32, 10, 2 * nr_cpu_ids);
	return min_t(u32, nr, MAX_ACTIVE);
}

static struct kretprobe_pool *pool_alloc(struct kretprobe *rp)
{
	u32 i, nr = rp->in_frames ? 0 : kretprobe_max_active(rp);
	struct kretprobe_pool *pool;

	pool = kzalloc(sizeof(*pool) + nr * sizeof(pool->instance[0]),
		       GFP_KERNEL);
	if (!pool)
		return NULL;
	ref_init(&pool->refs);
	irq_work_init(&pool->free, unused_pool);
	pool->owner = rp;
	pool->nr = nr;
	for (i = 0; i < nr; i++)
		pool->instance[i].pool = pool;
	return pool;
}

static struct kretprobe_instance *take_frame(struct kretprobe_pool *pool)
{
	struct call_frames *frames = current->call_frames;
	struct kretprobe_instance *in;

	if (!frames || frames->depth == CALL_FRAMES)
		return NULL;
	in = &frames->call[frames->depth++];
	in->pool = pool;
	ref_get(&pool->refs);
	return in;
}

static struct kretprobe_instance *take(struct kretprobe_pool *pool)
{
	u32 i, at = cpu_id() * pool->nr / NR_CPUS;

	for (i = 0; i < pool->nr; i++) {
		struct kretprobe_instance *in = &pool->instance[at];
		u32 unused = 0;

		if (!READ_ONCE(in->used) &&
		    try_cmpxchg_acquire(&in->used, &unused, 1u)) {
			ref_get(&pool->refs);
			return in;
		}
		if (++at == pool->nr)
			at = 0;
	}
	return NULL;
}

/* Frames are given back in the opposite order, too. */
static void give_back(struct task *task, struct kretprobe_instance *in)
{
	struct kretprobe_pool *pool = in->pool;

	if (pool->nr)
		store_release(&in->used, 0u);
	else
		task->call_frames->depth--;
	pool_put(pool);
}

static void entered(struct kprobe *p, struct pt_regs *regs)
{
	struct kretprobe *rp = container_of(p, struct kretprobe, entry);
	struct kretprobe_instance *in = rp->in_frames ? take_frame(rp->pool) :
							take(rp->pool);

	if (!in) {
		__atomic_fetch_add(&rp->missed, 1, __ATOMIC_RELAXED);
		return;
	}
	in->cookie = 0;
	if (rp->entered && !rp->entered(rp, regs, &in->cookie)) {
		give_back(current, in);
		return;
	}
	in->func = p->addr;
	in->ret = arch_probe_return_address(regs);
	in->fp = regs_fp(regs);
	in->next = current->kretprobes;
	WRITE_ONCE(current->kretprobes, in);
	arch_probe_set_return_address(regs,
				      (uintptr_t)arch_kretprobe_trampoline);
}

bool kretprobe_is_entry(const struct kprobe *p)
{
	return p->hit == entered;
}

static u64 real_return(const struct kretprobe_instance *in)
{
	while (in && in->ret == (uintptr_t)arch_kretprobe_trampoline)
		in = in->next;
	CHECK(in);
	return in->ret;
}

static void pop_all(struct pt_regs *regs, u64 ret, bool tell)
{
	struct kretprobe_instance *in;
	bool last;

	do {
		struct kretprobe *rp;

		in = current->kretprobes;
		last = in->ret == ret;
		rp = READ_ONCE(in->pool->owner);
		if (rp && tell)
			rp->returned(rp, regs, in->func, ret, in->cookie);
		else if (rp)
			__atomic_fetch_add(&rp->missed, 1, __ATOMIC_RELAXED);
		WRITE_ONCE(current->kretprobes, in->next);
		give_back(current, in);
	} while (!last);
}

u64 kretprobe_returned(struct pt_regs *regs)
{
	bool tell = kprobe_enter();
	u64 ret = real_return(current->kretprobes);

	regs_set_ip(regs, ret);
	pop_all(regs, ret, tell);
	if (tell)
		kprobe_leave();
	return ret;
}

void kretprobe_task_free(struct task *task)
{
	struct kretprobe_instance *in = task->kretprobes;

	task->kretprobes = NULL;
	while (in) {
		struct kretprobe_instance *next = in->next;

		give_back(task, in);
		in = next;
	}
	kfree(task->call_frames);
	task->call_frames = NULL;
}

/* Of the instances of one call, the oldest knows. */
u64 kretprobe_real_return(const struct task *task, u64 addr, u64 fp)
{
	const struct kretprobe_instance *in;

	if (likely(addr != (uintptr_t)arch_kretprobe_trampoline))
		return addr;
	in = READ_ONCE(task->kretprobes);
	while (in && (in->fp != fp ||
		      in->ret == (uintptr_t)arch_kretprobe_trampoline))
		in = READ_ONCE(in->next);
	return in ? in->ret : addr;
}

static int prepare(struct kretprobe *rp)
{
	int err;

	if (!kprobe_on_entry(rp->entry.addr)) {
		err = kprobe_check(rp->entry.addr);
		return err ? err : -EINVAL;
	}
	rp->missed = 0;
	rp->pool = pool_alloc(rp);
	rp->entry.hit = entered;
	return rp->pool ? 0 : -ENOMEM;
}

/* Calls may hold what p had: it goes with them. */
static void drop_pool(struct kretprobe *rp)
{
	if (rp->pool) {
		WRITE_ONCE(rp->pool->owner, NULL);
		pool_put(rp->pool);
	}
	rp->pool = NULL;
}

static struct kretprobe *of(struct kprobe *entry)
{
	return container_of(entry, struct kretprobe, entry);
}

int kretprobes_register(struct kprobe *entries)
{
	struct kprobe *p, *failed = NULL;
	int err = 0;

	for (p = entries; p && !err; p = p->chain) {
		err = prepare(of(p));
		failed = p->chain;
	}
	if (!err)
		err = kprobes_register(entries);
	for (p = entries; err && p != failed; p = p->chain)
		drop_pool(of(p));
	return err;
}

void kretprobes_unregister(struct kprobe *entries)
{
	struct kprobe *p;

	for (p = entries; p; p = p->chain)
		WRITE_ONCE(of(p)->pool->owner, NULL);
	kprobes_unregister(entries);	/* waits for those who saw them */
	for (p = entries; p; p = p->chain)
		drop_pool(of(p));
}

int kretprobe_register(struct kretprobe *rp)
{
	rp->entry.chain = NULL;
	return kretprobes_register(&rp->entry);
}

void kretprobe_unregister(struct kretprobe *rp)
{
	kretprobes_unregister(&rp->entry);
}
