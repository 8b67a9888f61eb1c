/* SPDX-License-Identifier: MIT */
/*
 * execve in a process of several threads: the others end, and the one that
 * executes becomes the leader, number and all.
 *
 * Locks: siglock to mark proc->exec_task, which also keeps new threads from
 * being made; tasklist_lock for the change of leader.
 */
#include <kernel/pid.h>
#include <kernel/sched.h>
#include <lib/err.h>

#include "../signal/internal.h"
#include "exec.h"
#include "internal.h"

static void kill_others_locked(struct process *p)
{
	struct task *t;

	list_for_each_entry(t, &p->threads, thread_link) {
		if (t == current || (t->flags & TASK_EXITING))
			continue;
		jobctl_clear_locked(t, JOBCTL_PENDING);
		sigset_add(&t->pending.set, SIGKILL);
		signal_wake_locked(t, true);
	}
}

/* Only current is left, but perhaps for a leader that has exited. */
static bool is_alone(struct process *p)
{
	bool alone;

	spin_lock_irq(&tasklist_lock);
	alone = p->nr_threads == 1 ||
		(p->nr_threads == 2 && p->leader != current &&
		 p->leader->exit_state == TASK_ZOMBIE);
	spin_unlock_irq(&tasklist_lock);
	return alone;
}

static int wait_alone(struct process *p)
{
	int err = 0;

	for (;;) {
		set_current_state(TASK_KILLABLE);
		if (is_alone(p))
			break;
		if (fatal_signal_pending(current)) {
			err = -EAGAIN;
			break;
		}
		schedule();
	}
	set_current_state(TASK_RUNNING);
	return err;
}

/* The zombie leader and current exchange numbers. */
static void take_lead(struct process *p)
{
	struct task *old = p->leader;
	struct pid *mine = current->pid;

	spin_lock_irq(&tasklist_lock);
	current->start_ns = old->start_ns;
	current->pid = old->pid;
	old->pid = mine;
	reclaim_assign(current->pid->task, current);
	reclaim_assign(mine->task, old);
	spin_lock(&p->siglock);
	p->leader = current;
	list_move(&current->thread_link, &p->threads);
	spin_unlock(&p->siglock);
	old->exit_state = TASK_DEAD;
	spin_unlock_irq(&tasklist_lock);
	process_reap(old);
}

int exec_dethread(void)
{
	struct process *p = current->proc;
	int err;

	spin_lock_irq(&p->siglock);
	if ((p->sig_flags & PROC_GROUP_EXIT) || p->exec_task) {
		spin_unlock_irq(&p->siglock);
		return -EAGAIN;
	}
	if (p->nr_threads == 1) {
		spin_unlock_irq(&p->siglock);
		p->exit_signal = SIGCHLD;
		return 0;
	}
	p->exec_task = current;
	kill_others_locked(p);
	spin_unlock_irq(&p->siglock);
	err = wait_alone(p);
	if (!err && p->leader != current)
		take_lead(p);
	spin_lock_irq(&p->siglock);
	p->exec_task = NULL;
	spin_unlock_irq(&p->siglock);
	if (!err)
		p->exit_signal = SIGCHLD;
	return err;
}
