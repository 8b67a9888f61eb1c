/* SPDX-License-Identifier: MIT */
/*
 * The dead: telling the parent, and freeing what is left.
 *
 * process_notify_parent_locked() sends the exit signal and wakes who waits;
 * process_reap() takes a thread out of every table.  The last thread to go
 * takes a leader with it that nobody waits for.
 *
 * Locks: tasklist_lock; exit_state moves from ZOMBIE to DEAD under it, once,
 * and whoever moved it reaps.
 */
#include <kernel/mm.h>
#include <kernel/ptrace.h>
#include <kernel/time.h>
#include <kernel/uaccess.h>
#include <lib/string.h>

#include "../signal/internal.h"
#include "internal.h"

/* The leader has exited and no other thread exists. */
bool process_is_dead_locked(const struct process *p)
{
	return p->nr_threads == 1 && p->leader->exit_state == TASK_ZOMBIE;
}

s32 process_status(const struct process *p)
{
	return p->sig_flags & PROC_GROUP_EXIT ? p->group_exit_code :
						p->leader->exit_code;
}

static void fill_exit_info(struct siginfo *info, struct task *t, s32 sig)
{
	struct process *p = t->proc;
	s32 status = p->leader == t ? process_status(p) : t->exit_code;
	struct task_usage usage;

	process_usage(p, &usage);
	memset(info, 0, sizeof(*info));
	info->si_signo = sig;
	info->si_pid = task_tid(t);
	reclaim_read_lock();
	info->si_uid = reclaim_deref(t->cred)->uid;
	reclaim_read_unlock();
	info->si_utime = (s64)(usage.utime_ns / (NSEC_PER_SEC / USER_HZ));
	info->si_stime = (s64)(usage.stime_ns / (NSEC_PER_SEC / USER_HZ));
	if (status & 0x7f) {
		info->si_code = status & 0x80 ? CLD_DUMPED : CLD_KILLED;
		info->si_status = status & 0x7f;
	} else {
		info->si_code = CLD_EXITED;
		info->si_status = status >> 8;
	}
}

/*
 * t has exited: tell its tracer or parent with sig (0: only wake it).  True:
 * the receiver does not care, t can be reaped at once.
 */
bool process_notify_parent_locked(struct task *t, s32 sig)
{
	struct process *to = t->tracer ? t->tracer->proc : t->proc->parent;
	struct sigaction_k *act = &to->sighand->action[SIGCHLD - 1];
	bool autoreap = false;
	struct siginfo info;

	if (!t->tracer && sig == SIGCHLD) {
		bool ignored = user_addr(act->handler) == SIG_IGN;

		autoreap = ignored || (act->flags & SA_NOCLDWAIT);
		if (ignored)
			sig = 0;
	}
	if (sig > 0 && sig <= NSIG) {
		fill_exit_info(&info, t, sig);
		signal_send_process(to, sig, &info);
	}
	wake_up_all(&to->child_wait);
	return autoreap;
}

/* One thread out of the tables; *leader: reap that one too. */
static bool unlink_task(struct task *t, struct task **leader)
{
	struct process *p = t->proc;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	bool gone;

	*leader = NULL;
	ptrace_unlink_locked(t);
	process_remove_thread_locked(t);
	gone = p->nr_threads == 0;
	if (gone) {
		process_unlink_locked(p);
	} else if (p->exec_task) {
		wake_up_task(p->exec_task, TASK_KILLABLE);
	} else if (t != p->leader && process_is_dead_locked(p)) {
		struct task *l = p->leader;
		bool reap = process_notify_parent_locked(l, p->exit_signal);

		wake_up_all(&p->pid->poll_wait);
		if (reap && !l->tracer) {
			l->exit_state = TASK_DEAD;
			*leader = l;
		}
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return gone;
}

void process_reap(struct task *t)
{
	struct task *leader;

	do {
		struct process *p = t->proc;
		bool gone = unlink_task(t, &leader);

		fetch_add_relaxed(&t->cred->user->nproc, -1);
		/* The places in the tree and in the process let go. */
		if (gone)
			process_put(p);
		task_put(t);
		t = leader;
	} while (t);
}
