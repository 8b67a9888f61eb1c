/* SPDX-License-Identifier: MIT */
/*
 * Events of the scheduler: layouts and print formats as Linux 6.1's `format`
 * files show them.  The hooks are called with the run queue locked, so the
 * names are copied without a lock.
 */
#include "event.h"

#include <kernel/sched.h>
#include <kernel/task.h>
#include <lib/minmax.h>

#define COMM_LEN 16

/* As Linux counts them: 120 + nice, and 99 - priority for real time. */
static int prio_with(const struct task *t, u8 boost)
{
	u32 rt = max(t->se.rt_prio, boost);

	return rt ? 99 - (int)rt : 120 + t->se.nice;
}

static int prio_of(const struct task *t)
{
	return prio_with(t, t->se.boost);
}

static void copy_comm(char *to, const struct task *t)
{
	memcpy(to, t->comm, COMM_LEN);
}

/* The letters of R, S, D, T, t, X, Z as bits; preempted: the one above. */
static long state_of(const struct task *t, u32 state, bool preempt)
{
	if (preempt)
		return 0x100;
	if (state & TASK_DEAD)
		return t->exit_state == TASK_ZOMBIE ? 0x20 : 0x10;
	if (state & TASK_TRACED)
		return 8;
	if (state & TASK_STOPPED)
		return 4;
	if (state & (TASK_UNINTERRUPTIBLE | TASK_KILLABLE))
		return 2;
	return state & TASK_INTERRUPTIBLE ? 1 : 0;
}

/* The states by which sched_switch's text is made, and the mask over them. */
#define STATES                                                          \
	"0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | "          \
	"0x00000008 | 0x00000010 | 0x00000020 | 0x00000040"
#define STATE_MASK "((((" STATES ") + 1) << 1) - 1)"

TRACE_EVENT(sched, sched_switch,
	    (bool preempt, struct task *prev, struct task *next, u32 state),
	    (preempt, prev, next, state),
	    ((A, char, prev_comm, 16), (F, pid_t, prev_pid),
	     (F, int, prev_prio), (F, long, prev_state),
	     (A, char, next_comm, 16), (F, pid_t, next_pid),
	     (F, int, next_prio)),
	    "prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> "
	    "next_comm=%s next_pid=%d next_prio=%d",
	    "REC->prev_comm, REC->prev_pid, REC->prev_prio, "
	    "(REC->prev_state & " STATE_MASK ") ? "
	    "__print_flags(REC->prev_state & " STATE_MASK ", \"|\", "
	    "{ 0x00000001, \"S\" }, { 0x00000002, \"D\" }, "
	    "{ 0x00000004, \"T\" }, { 0x00000008, \"t\" }, "
	    "{ 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, "
	    "{ 0x00000040, \"P\" }, { 0x00000080, \"I\" }) : \"R\", "
	    "REC->prev_state & (((" STATES ") + 1) << 1) ? \"+\" : \"\", "
	    "REC->next_comm, REC->next_pid, REC->next_prio")
{
	copy_comm(r->prev_comm, prev);
	r->prev_pid = task_tid(prev);
	r->prev_prio = prio_of(prev);
	r->prev_state = state_of(prev, state, preempt);
	copy_comm(r->next_comm, next);
	r->next_pid = task_tid(next);
	r->next_prio = prio_of(next);
}

#define WAKEUP(name)                                                    \
	TRACE_EVENT_FOR(sched, name, (struct task *t), (t),             \
			((A, char, comm, 16), (F, pid_t, pid),          \
			 (F, int, prio), (F, int, target_cpu)),         \
			"comm=%s pid=%d prio=%d target_cpu=%03d",       \
			"REC->comm, REC->pid, REC->prio, "              \
			"REC->target_cpu", 1, t)                        \
	{                                                               \
		copy_comm(r->comm, t);                                  \
		r->pid = task_tid(t);                                   \
		r->prio = prio_of(t);                                   \
		r->target_cpu = (int)t->ti.cpu;                         \
	}
WAKEUP(sched_waking)
WAKEUP(sched_wakeup)
WAKEUP(sched_wakeup_new)

TRACE_EVENT(sched, sched_migrate_task, (struct task *t, u32 dest), (t, dest),
	    ((A, char, comm, 16), (F, pid_t, pid), (F, int, prio),
	     (F, int, orig_cpu), (F, int, dest_cpu)),
	    "comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d",
	    "REC->comm, REC->pid, REC->prio, REC->orig_cpu, REC->dest_cpu")
{
	copy_comm(r->comm, t);
	r->pid = task_tid(t);
	r->prio = prio_of(t);
	r->orig_cpu = (int)t->ti.cpu;
	r->dest_cpu = (int)dest;
}

TRACE_EVENT_FOR(sched, sched_stat_runtime,
		(struct task *t, u64 ns, u64 vruntime), (t, ns, vruntime),
		((A, char, comm, 16), (F, pid_t, pid), (F, u64, runtime),
		 (F, u64, vruntime)),
		"comm=%s pid=%d runtime=%Lu [ns] vruntime=%Lu [ns]",
		"REC->comm, REC->pid, (unsigned long long)REC->runtime, "
		"(unsigned long long)REC->vruntime", ns, NULL)
{
	copy_comm(r->comm, t);
	r->pid = task_tid(t);
	r->runtime = ns;
	r->vruntime = vruntime;
}

/* Needs kernel.sched_schedstats. */
#define STAT(name)                                                      \
	TRACE_EVENT_FOR(sched, name, (struct task *t, u64 ns), (t, ns), \
			((A, char, comm, 16), (F, pid_t, pid),          \
			 (F, u64, delay)),                              \
			"comm=%s pid=%d delay=%Lu [ns]",                \
			"REC->comm, REC->pid, "                         \
			"(unsigned long long)REC->delay", ns, t)        \
	{                                                               \
		copy_comm(r->comm, t);                                  \
		r->pid = task_tid(t);                                   \
		r->delay = ns;                                          \
	}
STAT(sched_stat_wait)
STAT(sched_stat_sleep)
STAT(sched_stat_blocked)

TRACE_EVENT(sched, sched_pi_setprio, (struct task *t, u8 boost), (t, boost),
	    ((A, char, comm, 16), (F, pid_t, pid), (F, int, oldprio),
	     (F, int, newprio)),
	    "comm=%s pid=%d oldprio=%d newprio=%d",
	    "REC->comm, REC->pid, REC->oldprio, REC->newprio")
{
	copy_comm(r->comm, t);
	r->pid = task_tid(t);
	r->oldprio = prio_of(t);
	r->newprio = prio_with(t, boost);
}

TRACE_EVENT(sched, sched_process_fork,
	    (struct task *parent, struct task *child), (parent, child),
	    ((A, char, parent_comm, 16), (F, pid_t, parent_pid),
	     (A, char, child_comm, 16), (F, pid_t, child_pid)),
	    "comm=%s pid=%d child_comm=%s child_pid=%d",
	    "REC->parent_comm, REC->parent_pid, REC->child_comm, "
	    "REC->child_pid")
{
	copy_comm(r->parent_comm, parent);
	r->parent_pid = task_tid(parent);
	copy_comm(r->child_comm, child);
	r->child_pid = task_tid(child);
}

TRACE_EVENT_TAIL(sched, sched_process_exec,
		 (struct task *t, s32 old_pid, const char *filename),
		 (t, old_pid, filename),
		 ((S, filename), (F, pid_t, pid), (F, pid_t, old_pid)),
		 "filename=%s pid=%d old_pid=%d",
		 "__get_str(filename), REC->pid, REC->old_pid")
{
	TRACE_TAIL(r, filename, filename);
	r->pid = task_tid(t);
	r->old_pid = old_pid;
}

#define PROCESS(name, params, args, task_, pid_)                        \
	TRACE_EVENT(sched, name, params, args,                          \
		    ((A, char, comm, 16), (F, pid_t, pid),              \
		     (F, int, prio)),                                   \
		    "comm=%s pid=%d prio=%d",                           \
		    "REC->comm, REC->pid, REC->prio")                   \
	{                                                               \
		copy_comm(r->comm, task_);                              \
		r->pid = pid_;                                          \
		r->prio = prio_of(task_);                               \
	}
PROCESS(sched_process_exit, (struct task *t), (t), t, task_tid(t))
PROCESS(sched_process_free, (struct task *t), (t), t, task_tid(t))
PROCESS(sched_process_wait, (s32 pid), (pid), current_task(), pid)
