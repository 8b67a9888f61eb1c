/* SPDX-License-Identifier: MIT */
/*
 * Which hooks are live: perf_key (one static key for all hooks) and the
 * counts per kind behind it.
 *
 * Entry point: perf_hooks_account, task context.  The key goes on with the
 * first event and off only a second after the last, so that tools which open
 * and close in a loop do not patch kernel text each time.
 */
#include "internal.h"

#include <arch/barrier.h>
#include <kernel/static_key.h>
#include <lib/atomic.h>

#define KEY_LINGER_NS NSEC_PER_SEC

DEFINE_STATIC_KEY(perf_key);
s32 perf_hooks[PERF_HOOK_COUNT];	/* [a] */
s32 perf_sw_wanted[PERF_SW_IDS];	/* [a] */

static struct mutex key_mutex = MUTEX_INIT(key_mutex, LOCK_RANK_TRACE);
static bool key_on;			/* [key_mutex], read anywhere */
static struct timer key_timer;
static struct reclaim_node key_node;
static u32 key_pending;			/* [a] key_node is queued */

/* Task context. */
static void key_drop(struct reclaim_node *node)
{
	mutex_lock(&key_mutex);
	store_release(&key_pending, 0);
	if (key_on) {
		/* Before the look: who comes now sees it, or is seen. */
		WRITE_ONCE(key_on, false);
		arch_smp_mb();
		if (load_relaxed(&perf_hooks[PERF_HOOK_SCHED]) == 0)
			static_key_dec(&perf_key);
		else
			WRITE_ONCE(key_on, true);
	}
	mutex_unlock(&key_mutex);
}

static void key_expired(struct timer *t)
{
	if (load_relaxed(&perf_hooks[PERF_HOOK_SCHED]) == 0 &&
	    !xchg_acq_rel(&key_pending, 1))
		reclaim_after(&key_node, key_drop);
}

static void key_raise(void)
{
	mutex_lock(&key_mutex);
	if (!key_on) {
		static_key_inc(&perf_key);
		WRITE_ONCE(key_on, true);
	}
	mutex_unlock(&key_mutex);
}

static void add(enum perf_hook kind, bool wanted, s32 n)
{
	if (wanted)
		fetch_add_relaxed(&perf_hooks[kind], n);
}

void perf_hooks_account(struct perf_event *e, bool on)
{
	const struct perf_event_attr *a = &e->attr;
	bool maps = a->mmap || a->mmap_data;
	s32 n = on ? 1 : -1;

	/* mmap2 says in which form, and asks for nothing by itself. */
	add(PERF_HOOK_MMAP, maps, n);
	add(PERF_HOOK_BUILD_ID, a->build_id, n);
	add(PERF_HOOK_COMM, a->comm, n);
	add(PERF_HOOK_TASK, maps || a->comm || a->task, n);
	add(PERF_HOOK_NAMESPACES, a->namespaces, n);
	add(PERF_HOOK_KSYMBOL, a->ksymbol, n);
	n += fetch_add_acq_rel(&perf_hooks[PERF_HOOK_SCHED], n);
	arch_smp_mb();		/* pairs with key_drop() */
	if (on && unlikely(!READ_ONCE(key_on)))
		key_raise();
	else if (!n && !READ_ONCE(key_timer.queued))
		timer_start(&key_timer, time_mono_ns() + KEY_LINGER_NS);
}

void perf_hooks_init(void)
{
	timer_init(&key_timer, key_expired);
}
