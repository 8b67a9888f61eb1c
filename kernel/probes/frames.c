// SPDX-License-Identifier: MIT
/*
 * Room in each task for calls that are followed to their return.
 *
 * Once somebody wants them, every task has them until it dies: a call may
 * return long after whoever followed it has gone.  A task's own frames are
 * touched by that task alone, with everything masked (kretprobe.c).
 */
#include <kernel/cpu.h>
#include <kernel/page.h>
#include <kernel/pid.h>
#include <kernel/probe_hooks.h>
#include <kernel/sched.h>
#include <kernel/task.h>
#include <lib/atomic.h>
#include <lib/err.h>

#include "kprobe_internal.h"

static bool wanted;	/* [a] never false again */

u32 call_frames_depth(void)
{
	return current->call_frames->depth;
}

u64 call_frames_cookie(u32 nth)
{
	const struct call_frames *frames = current->call_frames;

	return frames->call[frames->depth - 1 - nth].cookie;
}

void call_frames_alloc(struct task *task)
{
	if (unlikely(load_acquire(&wanted)))
		task->call_frames = kzalloc(sizeof(*task->call_frames),
					    GFP_KERNEL);
}

/* task may be running, and others may be giving it some. */
static int give(struct task *task)
{
	struct call_frames *none = NULL, *frames;

	if (load_acquire(&task->call_frames))
		return 0;
	frames = kzalloc(sizeof(*frames), GFP_KERNEL);
	if (!frames)
		return -ENOMEM;
	if (!try_cmpxchg_release(&task->call_frames, &none, frames))
		kfree(frames);
	return 0;
}

static int give_process(struct process *p)
{
	struct task *t;
	s32 tid = 0;
	int err = 0;

	while (!err && (t = process_thread_next_get(p, tid))) {
		tid = task_tid(t) + 1;
		err = give(t);
		task_put(t);
	}
	return err;
}

int call_frames_use(void)
{
	struct process *p;
	s32 tgid = 0;
	u32 cpu;
	int err = 0;

	/* Whoever is made from now on has its own. */
	store_release(&wanted, true);
	for_each_possible_cpu(cpu)
		if (!err && sched_idle_task(cpu))
			err = give(sched_idle_task(cpu));
	while (!err && (p = process_next_get(tgid))) {
		tgid = p->pid->nr + 1;
		err = give_process(p);
		process_put(p);
	}
	return err;
}
