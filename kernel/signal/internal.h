/* SPDX-License-Identifier: MIT */
/*
 * Between the files of kernel/signal (and the exit and ptrace code, which
 * stop and wake threads).  All *_locked functions want siglock of the task's
 * process.
 */
#ifndef SONDE_KERNEL_SIGNAL_INTERNAL_H
#define SONDE_KERNEL_SIGNAL_INTERNAL_H

#include <kernel/signal.h>
#include <kernel/task.h>
#include <lib/types.h>

#define SIGMASK(sig) (1ull << ((sig)-1))

#define SIGS_KERNEL_ONLY (SIGMASK(SIGKILL) | SIGMASK(SIGSTOP))
#define SIGS_STOP                                                           \
	(SIGMASK(SIGSTOP) | SIGMASK(SIGTSTP) | SIGMASK(SIGTTIN) |           \
	 SIGMASK(SIGTTOU))
#define SIGS_IGNORE                                                         \
	(SIGMASK(SIGCONT) | SIGMASK(SIGCHLD) | SIGMASK(SIGWINCH) |          \
	 SIGMASK(SIGURG))
/* Raised by what the thread itself did: delivered before the others. */
#define SIGS_SYNC                                                           \
	(SIGMASK(SIGSEGV) | SIGMASK(SIGBUS) | SIGMASK(SIGILL) |             \
	 SIGMASK(SIGTRAP) | SIGMASK(SIGFPE) | SIGMASK(SIGSYS))

/* task->jobctl */
#define JOBCTL_STOP_DEQUEUED (1u << 16)	/* a stop signal was taken */
#define JOBCTL_STOP_PENDING  (1u << 17)	/* has to take part in a stop */
#define JOBCTL_STOP_CONSUME  (1u << 18)	/* is counted in stop_count */
#define JOBCTL_TRAP_STOP     (1u << 19)	/* PTRACE_INTERRUPT or seized stop */
#define JOBCTL_STOPPED	     (1u << 20)	/* it is in a group stop */
#define JOBCTL_TRACED	     (1u << 21)	/* it is in a ptrace stop */
#define JOBCTL_STOP_SIG	     0xffffu
#define JOBCTL_PENDING	     (JOBCTL_STOP_PENDING | JOBCTL_TRAP_STOP)

static inline bool sig_in(int sig, u64 set)
{
	return SIGMASK(sig) & set;
}

/* siglock of a task's own process, where interrupts are known to be on. */
static inline void siglock_irq(struct process *p)
{
	spin_lock_irq(&p->siglock);
}
static inline void siglock_irq_release(struct process *p)
{
	spin_unlock_irq(&p->siglock);
}

/* queue.c */
struct sigqueue_entry *sigqueue_alloc(struct task *t, bool force);
void sigqueue_free(struct sigqueue_entry *e);
/* Take sig (any of mask, see dequeue order) out of q; fills info. */
int sigqueue_take(struct sigqueue *q, u64 mask, struct siginfo *info);
void sigqueue_drop(struct sigqueue *q, u64 mask);

/* send.c */
void signal_wake_locked(struct task *t, bool fatal);
int signal_send_locked(struct task *t, int sig, const struct siginfo *info,
		       bool group, bool force);
int signal_post_entry_locked(struct task *t, struct sigqueue *q,
			     struct sigqueue_entry *e, bool group);
bool signal_recalc_locked(struct task *t);
int signal_dequeue_locked(struct task *t, u64 mask, struct siginfo *info);
void signal_zap_others_locked(struct process *p, s32 code);

/* stop.c */
bool jobctl_stop_locked(int sig);
void signal_tell_parent(struct task *t, int why, bool tracer);
bool jobctl_participate_locked(struct task *t);
void jobctl_clear_locked(struct task *t, u32 mask);

#endif /* SONDE_KERNEL_SIGNAL_INTERNAL_H */
