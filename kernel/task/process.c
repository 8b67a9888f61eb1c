/* SPDX-License-Identifier: MIT */
/*
 * The tree of processes: who has which threads, children, group, session.
 *
 * Owns struct process from allocation to the grace period after its last
 * reference, and every link between processes.
 *
 * Locks: tasklist_lock for the links, with siglock inside it for the thread
 * list, which is therefore stable under either.
 */
#include <kernel/page.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/string.h>

#include "internal.h"

struct list_head all_processes = LIST_HEAD_INIT(all_processes);

u32 threads_count;
u64 threads_made;

static struct kmem_cache *process_cache;
static struct kmem_cache *sighand_cache;

static struct sighand init_sighand = {
	.refs = REF_INIT(1),
};

struct process init_process = {
	.refs = REF_INIT(1),
	.pid = &init_pid,
	.leader = &init_task,
	.threads = LIST_HEAD_INIT(init_process.threads),
	.children = LIST_HEAD_INIT(init_process.children),
	.sibling = LIST_HEAD_INIT(init_process.sibling),
	.tracees = LIST_HEAD_INIT(init_process.tracees),
	.all_link = LIST_HEAD_INIT(init_process.all_link),
	.pgrp_link = LIST_HEAD_INIT(init_process.pgrp_link),
	.session_link = LIST_HEAD_INIT(init_process.session_link),
	.child_wait = WAIT_QUEUE_INIT(init_process.child_wait),
	.signal_wait = WAIT_QUEUE_INIT(init_process.signal_wait),
	.pgrp = &init_pid,
	.session = &init_pid,
	.siglock = SPINLOCK_INIT(LOCK_RANK_SIGNAL),
	.sighand = &init_sighand,
	.pending = { .list = LIST_HEAD_INIT(init_process.pending.list) },
	.exec_lock = MUTEX_INIT(init_process.exec_lock, LOCK_RANK_EXEC),
};

void process_init(void)
{
	process_cache = kmem_cache_create("process", sizeof(struct process),
					  CACHE_LINE_BYTES);
	sighand_cache = kmem_cache_create("sighand", sizeof(struct sighand),
					  CACHE_LINE_BYTES);
}

struct sighand *sighand_alloc(void)
{
	struct sighand *sh = kmem_cache_alloc(sighand_cache, GFP_KERNEL);

	if (sh)
		ref_init(&sh->refs);
	return sh;
}

void sighand_put(struct sighand *sh)
{
	if (sh && ref_put(&sh->refs))
		kmem_cache_free(sighand_cache, sh);
}

struct process *process_alloc(void)
{
	struct process *p = kmem_cache_alloc(process_cache, GFP_KERNEL);

	if (!p)
		return NULL;
	memset(p, 0, sizeof(*p));
	ref_init(&p->refs);
	list_init(&p->threads);
	list_init(&p->children);
	list_init(&p->sibling);
	list_init(&p->tracees);
	list_init(&p->all_link);
	list_init(&p->pgrp_link);
	list_init(&p->session_link);
	wait_queue_init(&p->child_wait);
	wait_queue_init(&p->signal_wait);
	spin_init(&p->siglock, LOCK_RANK_SIGNAL);
	sigqueue_init(&p->pending);
	mutex_init(&p->exec_lock, LOCK_RANK_EXEC);
	return p;
}

struct process *process_get(struct process *p)
{
	ref_get(&p->refs);
	return p;
}

static void process_free(struct reclaim_node *node)
{
	struct process *p = container_of(node, struct process, reclaim);

	sigqueue_flush(&p->pending);
	sighand_put(p->sighand);
	pid_put(p->pid);
	pid_put(p->pgrp);
	pid_put(p->session);
	kmem_cache_free(process_cache, p);
}

void process_put(struct process *p)
{
	if (p && ref_put(&p->refs))
		reclaim_after(&p->reclaim, process_free);
}

void process_add_thread_locked(struct process *p, struct task *t)
{
	list_add_tail(&t->thread_link, &p->threads);
	p->nr_threads++;
	fetch_add_relaxed(&p->nr_live, 1);
	fetch_add_relaxed(&threads_count, 1);
	fetch_add_relaxed(&threads_made, 1);
	task_get(t);
	reclaim_assign(t->pid->task, t);
}

void process_remove_thread_locked(struct task *t)
{
	struct process *p = t->proc;
	struct task_usage used;

	task_usage(t, &used);
	spin_lock(&p->siglock);
	p->utime_ns += used.utime_ns;
	p->stime_ns += used.stime_ns;
	p->sum_exec_ns += t->se.sum_exec_ns;
	p->nvcsw += used.nvcsw;
	p->nivcsw += used.nivcsw;
	p->min_flt += used.min_flt;
	p->maj_flt += used.maj_flt;
	list_del_init(&t->thread_link);
	p->nr_threads--;
	spin_unlock(&p->siglock);
	fetch_add_relaxed(&threads_count, -1);
	if (t->pid->task == t) {
		t->pid->task = NULL;
		pid_release_number(t->pid);
	}
}

void process_set_pgrp_locked(struct process *p, struct pid *pgrp)
{
	struct pid *old = p->pgrp;

	if (old == pgrp)
		return;
	if (old)
		list_del(&p->pgrp_link);
	p->pgrp = pid_get(pgrp);
	list_add_tail(&p->pgrp_link, &pgrp->members[PID_PGRP]);
	if (old) {
		pid_release_number(old);
		pid_put(old);
	}
}

struct pid *process_pgrp_get(struct process *p)
{
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	struct pid *pgrp = pid_get(p->pgrp);

	spin_unlock_irqrestore(&tasklist_lock, flags);
	return pgrp;
}

void process_set_session_locked(struct process *p, struct pid *session)
{
	struct pid *old = p->session;

	if (old == session)
		return;
	if (old)
		list_del(&p->session_link);
	p->session = pid_get(session);
	list_add_tail(&p->session_link, &session->members[PID_SESSION]);
	if (old) {
		pid_release_number(old);
		pid_put(old);
	}
}

void process_link_locked(struct process *p, struct process *parent,
			 struct pid *pgrp, struct pid *session)
{
	p->parent = parent;
	list_add_tail(&p->sibling, &parent->children);
	list_add_tail(&p->all_link, &all_processes);
	process_set_pgrp_locked(p, pgrp);
	process_set_session_locked(p, session);
	process_get(p);
	reclaim_assign(p->pid->proc, p);
}

/*
 * The process is gone for everybody; the caller drops the reference that
 * process_link_locked took, after the lock.  Group and session stay readable
 * through the pointers until then.
 */
void process_unlink_locked(struct process *p)
{
	list_del_init(&p->sibling);
	list_del_init(&p->all_link);
	list_del_init(&p->pgrp_link);
	list_del_init(&p->session_link);
	p->pid->proc = NULL;
	pid_release_number(p->pid);
	if (p->pgrp != p->pid)
		pid_release_number(p->pgrp);
	if (p->session != p->pid)
		pid_release_number(p->session);
}
