/* SPDX-License-Identifier: MIT */
/*
 * Process numbers.
 *
 * Owns the map of used numbers, the hash from number to struct pid, and the
 * release of a number once no task, process, group or session uses it.
 *
 * Entry points: pid_alloc, pid_find and the *_find_get look-ups, the
 * iterators of /proc.
 *
 * Locks: tasklist_lock for every change; look-ups walk the hash with
 * preemption off, so a struct pid is freed through reclaim_after().
 *
 * Must never: hand out a number that a group or a session still carries.
 */
#include <kernel/page.h>
#include <kernel/pid.h>
#include <kernel/task.h>
#include <lib/bitmap.h>
#include <lib/err.h>
#include <lib/hash.h>
#include <lib/minmax.h>

#include "internal.h"

#define PID_HASH_BITS	10
#define PID_RESERVED	300	/* where allocation restarts after a wrap */
#define PIDS_PER_MAP	32768
#define PID_MAPS	(PID_MAX_LIMIT / PIDS_PER_MAP)

struct spinlock tasklist_lock = SPINLOCK_INIT(LOCK_RANK_TASKLIST);
s32 pid_max = PID_MAX_DEFAULT;

static struct hlist_head pid_hash[1 << PID_HASH_BITS];	/* [tasklist] */
static unsigned long first_map[PIDS_PER_MAP / 64];
static unsigned long *pid_maps[PID_MAPS] = { first_map }; /* [tasklist] */
static s32 last_pid;					/* [tasklist] */
static u64 nr_allocated;				/* [tasklist] */
static struct kmem_cache *pid_cache;

struct pid init_pid = {
	.refs = REF_INIT(1),
	.members = {
		LIST_HEAD_INIT(init_pid.members[0]),
		LIST_HEAD_INIT(init_pid.members[1]),
		LIST_HEAD_INIT(init_pid.members[2]),
		LIST_HEAD_INIT(init_pid.members[3]),
	},
	.poll_wait = WAIT_QUEUE_INIT(init_pid.poll_wait),
};

void pid_init(void)
{
	pid_cache = kmem_cache_create("pid", sizeof(struct pid), 16);
	bitmap_set(first_map, 0);
}

static struct hlist_head *pid_bucket(s32 nr)
{
	return &pid_hash[hash_u64_bits((u32)nr, PID_HASH_BITS)];
}

/* The first number in [from, to) that is used or free as asked; to: none. */
static s32 map_scan(s32 from, s32 to, bool used)
{
	while (from < to) {
		s32 base = from - from % PIDS_PER_MAP;
		s32 span = min(to - base, PIDS_PER_MAP);
		const unsigned long *map =
			READ_ONCE(pid_maps[from / PIDS_PER_MAP]);
		size_t bit;

		if (!map) {
			if (!used)
				return from;
			from = base + PIDS_PER_MAP;
			continue;
		}
		bit = used ? bitmap_find_next(map, span, from - base) :
			     bitmap_find_next_zero(map, span, from - base);
		if (bit < span)
			return base + (s32)bit;
		from = base + PIDS_PER_MAP;
	}
	return to;
}

static s32 take_number_locked(void)
{
	s32 limit = READ_ONCE(pid_max);
	s32 nr = map_scan(last_pid + 1, limit, false);
	unsigned long **slot;

	if (nr >= limit)
		nr = map_scan(min(PID_RESERVED, limit), limit, false);
	if (nr >= limit)
		return -EAGAIN;
	slot = &pid_maps[nr / PIDS_PER_MAP];
	if (!*slot) {
		unsigned long *map = kzalloc(PIDS_PER_MAP / 8, GFP_ATOMIC);

		if (!map)
			return -ENOMEM;
		reclaim_assign(*slot, map);
	}
	bitmap_set(*slot, nr % PIDS_PER_MAP);
	last_pid = nr;
	nr_allocated++;
	return nr;
}

s32 pid_last(void)
{
	return READ_ONCE(last_pid);
}

u64 pid_alloc_count(void)
{
	return READ_ONCE(nr_allocated);
}

struct pid *pid_alloc(void)
{
	struct pid *pid = kmem_cache_alloc(pid_cache, GFP_KERNEL);
	unsigned long flags;
	s32 nr;

	if (!pid)
		return ERR_PTR(-ENOMEM);
	ref_init(&pid->refs);
	pid->task = NULL;
	pid->proc = NULL;
	for (u32 i = 0; i < PID_KINDS; i++)
		list_init(&pid->members[i]);
	wait_queue_init(&pid->poll_wait);

	flags = spin_lock_irqsave(&tasklist_lock);
	nr = take_number_locked();
	if (nr > 0) {
		pid->nr = nr;
		hlist_add_head_pub(&pid->hash, pid_bucket(nr));
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	if (nr < 0) {
		kmem_cache_free(pid_cache, pid);
		return ERR_PTR(nr);
	}
	return pid;
}

void pid_release_number(struct pid *pid)
{
	if (pid->task || pid->proc || hlist_unhashed(&pid->hash) ||
	    !list_empty(&pid->members[PID_PGRP]) ||
	    !list_empty(&pid->members[PID_SESSION]))
		return;
	hlist_del_pub(&pid->hash);
	bitmap_clear(pid_maps[pid->nr / PIDS_PER_MAP], pid->nr % PIDS_PER_MAP);
}

struct pid *pid_get(struct pid *pid)
{
	ref_get(&pid->refs);
	return pid;
}

static void pid_free(struct reclaim_node *node)
{
	kmem_cache_free(pid_cache, container_of(node, struct pid, reclaim));
}

void pid_put(struct pid *pid)
{
	if (pid && ref_put(&pid->refs))
		reclaim_after(&pid->reclaim, pid_free);
}

struct pid *pid_find(s32 nr)
{
	struct pid *pid;

	if (nr <= 0)
		return NULL;
	hlist_for_each_entry_pub(pid, pid_bucket(nr), hash) {
		if (pid->nr == nr)
			return pid;
	}
	return NULL;
}

struct pid *pid_find_get(s32 nr)
{
	struct pid *pid;

	reclaim_read_lock();
	pid = pid_find(nr);
	if (pid && !ref_get_unless_zero(&pid->refs))
		pid = NULL;
	reclaim_read_unlock();
	return pid;
}

struct task *pid_task_get(struct pid *pid)
{
	struct task *t;

	reclaim_read_lock();
	t = reclaim_deref(pid->task);
	if (t && !ref_get_unless_zero(&t->refs))
		t = NULL;
	reclaim_read_unlock();
	return t;
}

struct process *pid_process_get(struct pid *pid)
{
	struct process *p;

	reclaim_read_lock();
	p = reclaim_deref(pid->proc);
	if (p && !ref_get_unless_zero(&p->refs))
		p = NULL;
	reclaim_read_unlock();
	return p;
}

struct task *task_find_get(s32 tid)
{
	struct task *t = NULL;
	struct pid *pid;

	reclaim_read_lock();
	pid = pid_find(tid);
	if (pid)
		t = pid_task_get(pid);
	reclaim_read_unlock();
	return t;
}

struct process *process_find_get(s32 tgid)
{
	struct process *p = NULL;
	struct pid *pid;

	reclaim_read_lock();
	pid = pid_find(tgid);
	if (pid)
		p = pid_process_get(pid);
	reclaim_read_unlock();
	return p;
}

struct process *process_next_get(s32 nr)
{
	s32 limit = READ_ONCE(pid_max);
	struct process *p;

	for (nr = max(nr, 1);; nr++) {
		nr = map_scan(nr, limit, true);
		if (nr >= limit)
			return NULL;
		p = process_find_get(nr);
		if (p)
			return p;
	}
}

struct task *process_thread_next_get(struct process *proc, s32 tid)
{
	struct task *best = NULL;
	unsigned long flags;
	struct task *t;

	flags = spin_lock_irqsave(&tasklist_lock);
	list_for_each_entry(t, &proc->threads, thread_link) {
		if (t->pid->nr >= tid && (!best || t->pid->nr < best->pid->nr))
			best = t;
	}
	if (best)
		task_get(best);
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return best;
}
