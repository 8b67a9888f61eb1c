/* SPDX-License-Identifier: MIT */
/*
 * Events of tasks and signals: layouts and print formats as Linux 6.1's.
 */
#include "event.h"

#include <kernel/signal.h>
#include <kernel/task.h>
#include <lib/atomic.h>
#include <linux/signal.h>

TRACE_EVENT(task, task_newtask, (struct task *t, u64 clone_flags),
	    (t, clone_flags),
	    ((F, pid_t, pid), (A, char, comm, 16),
	     (F, unsigned long, clone_flags), (F, short, oom_score_adj)),
	    "pid=%d comm=%s clone_flags=%lx oom_score_adj=%hd",
	    "REC->pid, REC->comm, REC->clone_flags, REC->oom_score_adj")
{
	r->pid = task_tid(t);
	memcpy(r->comm, t->comm, sizeof(r->comm));
	r->clone_flags = clone_flags;
	r->oom_score_adj = (short)load_relaxed(&t->proc->oom_score_adj);
}

TRACE_EVENT(task, task_rename, (struct task *t, const char *comm), (t, comm),
	    ((F, pid_t, pid), (A, char, oldcomm, 16), (A, char, newcomm, 16),
	     (F, short, oom_score_adj)),
	    "pid=%d oldcomm=%s newcomm=%s oom_score_adj=%hd",
	    "REC->pid, REC->oldcomm, REC->newcomm, REC->oom_score_adj")
{
	r->pid = task_tid(t);
	memcpy(r->oldcomm, t->comm, sizeof(r->oldcomm));
	strlcpy_k(r->newcomm, comm, sizeof(r->newcomm));
	r->oom_score_adj = (short)load_relaxed(&t->proc->oom_score_adj);
}

/* No info: the kernel itself sent it. */
static int code_of(const struct siginfo *info)
{
	return info ? info->si_code : SI_KERNEL;
}

TRACE_EVENT(signal, signal_generate,
	    (int sig, const struct siginfo *info, struct task *t, int group,
	     int result),
	    (sig, info, t, group, result),
	    ((F, int, sig), (T, "int", int, errno), (F, int, code),
	     (A, char, comm, 16), (F, pid_t, pid), (F, int, group),
	     (F, int, result)),
	    "sig=%d errno=%d code=%d comm=%s pid=%d grp=%d res=%d",
	    "REC->sig, REC->errno, REC->code, REC->comm, REC->pid, "
	    "REC->group, REC->result")
{
	r->sig = sig;
	r->errno = info ? info->si_errno : 0;
	r->code = code_of(info);
	memcpy(r->comm, t->comm, sizeof(r->comm));
	r->pid = task_tid(t);
	r->group = group;
	r->result = result;
}

TRACE_EVENT(signal, signal_deliver,
	    (int sig, const struct siginfo *info, u64 handler, u64 flags),
	    (sig, info, handler, flags),
	    ((F, int, sig), (T, "int", int, errno), (F, int, code),
	     (F, unsigned long, sa_handler), (F, unsigned long, sa_flags)),
	    "sig=%d errno=%d code=%d sa_handler=%lx sa_flags=%lx",
	    "REC->sig, REC->errno, REC->code, REC->sa_handler, "
	    "REC->sa_flags")
{
	r->sig = sig;
	r->errno = info ? info->si_errno : 0;
	r->code = code_of(info);
	r->sa_handler = handler;
	r->sa_flags = flags;
}
