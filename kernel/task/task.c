/* SPDX-License-Identifier: MIT */
/*
 * The life of struct task.
 *
 * Owns the boot CPU's idle task, allocation and the final free of a task,
 * idle tasks, the frame of kernel threads, names.
 *
 * A task starts with one reference, which the scheduler drops after its last
 * switch; its place in a process holds another one, which reaping drops.
 * Lock-free readers may look at a task until a grace period after both, so
 * the last put goes through reclaim_after().
 */
#include <arch/thread.h>
#include <kernel/page.h>
#include <kernel/perf_event.h>
#include <kernel/trace_hooks.h>
#include <kernel/probe_hooks.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/err.h>
#include <lib/string.h>

#include "internal.h"

#define SLACK_DEFAULT_NS 50000

struct task init_task = {
	.ti = { .resched_not_needed = 1 },
	.flags = TASK_KTHREAD | TASK_IDLE,
	.on_cpu = 1,
	.refs = REF_INIT(1),
	.wake_lock = SPINLOCK_INIT(LOCK_RANK_TASK_PI),
	.pid = &init_pid,
	.proc = &init_process,
	.thread_link = LIST_HEAD_INIT(init_task.thread_link),
	.tracer_link = LIST_HEAD_INIT(init_task.tracer_link),
	.comm = "swapper/0",
	.cred = &init_cred,
	.pending = { .list = LIST_HEAD_INIT(init_task.pending.list) },
	.timer_slack_ns = SLACK_DEFAULT_NS,
	.syscall_nr = -1,
};

static struct kmem_cache *task_cache;

void task_core_init(void)
{
	task_cache = kmem_cache_create("task", sizeof(struct task),
				       CACHE_LINE_BYTES);
	pid_init();
	cred_init();
	process_init();
	signal_init();
	rlimit_init();
}

struct task *task_alloc(void)
{
	struct task *t = kmem_cache_alloc(task_cache, GFP_KERNEL);

	if (!t)
		return NULL;
	memset(t, 0, sizeof(*t));
	t->stack = kstack_alloc();
	if (!t->stack) {
		kmem_cache_free(task_cache, t);
		return NULL;
	}
	t->ti.resched_not_needed = 1;
	t->state = TASK_NEW;
	ref_init(&t->refs);
	spin_init(&t->wake_lock, LOCK_RANK_TASK_PI);
	list_init(&t->thread_link);
	list_init(&t->tracer_link);
	sigqueue_init(&t->pending);
	t->timer_slack_ns = SLACK_DEFAULT_NS;
	t->syscall_nr = -1;
	call_frames_alloc(t);
	return t;
}

static void task_free(struct task *t)
{
	perf_task_free(t);
	probes_task_free(t);
	arch_thread_free(t);
	sigqueue_flush(&t->pending);
	kstack_free(t->stack);
	cred_put(t->cred);
	pid_put(t->pid);
	process_put(t->proc);
	kmem_cache_free(task_cache, t);
}

static void task_reclaim(struct reclaim_node *node)
{
	struct task *t = container_of(node, struct task, reclaim);

	trace_sched_process_free(t);
	task_free(t);
}

struct task *task_get(struct task *t)
{
	ref_get(&t->refs);
	return t;
}

void task_put(struct task *t)
{
	if (ref_put(&t->refs))
		reclaim_after(&t->reclaim, task_reclaim);
}

static void set_kernel_identity(struct task *t, const char *name)
{
	t->flags = TASK_KTHREAD;
	t->cred = cred_get(&init_cred);
	t->start_ns = time_mono_ns();
	strlcpy_k(t->comm, name, sizeof(t->comm));
}

struct task *task_create_idle(u32 cpu)
{
	struct task *t = task_alloc();

	if (!t)
		return NULL;
	set_kernel_identity(t, "swapper/");
	t->flags |= TASK_IDLE;
	for (u32 at = 8, div = cpu >= 100 ? 100 : cpu >= 10 ? 10 : 1; div;
	     div /= 10)
		t->comm[at++] = (char)('0' + cpu / div % 10);
	t->pid = pid_get(&init_pid);
	t->proc = process_get(&init_process);
	t->ti.cpu = cpu;
	return t;
}

struct task *task_create_kernel(const char *name)
{
	struct task *t = task_alloc();
	struct process *p;
	unsigned long flags;
	int err = -ENOMEM;

	if (!t)
		return ERR_PTR(-ENOMEM);
	set_kernel_identity(t, name);
	p = t->proc = process_alloc();
	if (!p)
		goto put_task;
	p->sighand = sighand_alloc();
	if (!p->sighand)
		goto put_task;
	memset(p->sighand->action, 0, sizeof(p->sighand->action));
	t->pid = pid_alloc();
	if (IS_ERR(t->pid)) {
		err = (int)PTR_ERR(t->pid);
		t->pid = NULL;
		goto put_task;
	}
	p->pid = pid_get(t->pid);
	p->leader = t;
	p->start_ns = t->start_ns;
	p->exit_signal = SIGCHLD;
	p->sig_flags = PROC_UNKILLABLE;
	memcpy(p->rlim, init_process.rlim, sizeof(p->rlim));
	fetch_add_relaxed(&t->cred->user->nproc, 1);
	t->blocked.bits = ~0ull;

	flags = spin_lock_irqsave(&tasklist_lock);
	process_link_locked(p, &init_process, &init_pid, &init_pid);
	spin_lock(&p->siglock);
	process_add_thread_locked(p, t);
	spin_unlock(&p->siglock);
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return t;
put_task:
	task_free(t);
	return ERR_PTR(err);
}

void task_abandon(struct task *t)
{
	struct process *p = t->proc;
	unsigned long flags;

	if (list_empty(&t->thread_link)) {
		task_free(t);
		return;
	}
	flags = spin_lock_irqsave(&tasklist_lock);
	process_remove_thread_locked(t);
	process_unlink_locked(p);
	spin_unlock_irqrestore(&tasklist_lock, flags);
	fetch_add_relaxed(&t->cred->user->nproc, -1);
	process_put(p);
	task_put(t);
	task_put(t);
}

void task_set_comm(struct task *t, const char *comm, bool exec)
{
	size_t len = strnlen(comm, TASK_COMM_LEN - 1);

	trace_task_rename(t, comm);
	/* Readers take bytes as they come; the last one is always NUL. */
	for (size_t i = 0; i < TASK_COMM_LEN; i++)
		WRITE_ONCE(t->comm[i], i < len ? comm[i] : '\0');
	perf_comm(t, exec);
}

void task_get_comm(struct task *t, char out[TASK_COMM_LEN])
{
	for (size_t i = 0; i < TASK_COMM_LEN - 1; i++)
		out[i] = READ_ONCE(t->comm[i]);
	out[TASK_COMM_LEN - 1] = '\0';
}
