/* SPDX-License-Identifier: MIT */
/*
 * Signals: state and posting (task core); delivery, actions and system calls
 * are kernel/signal.  Everything here that changes state takes siglock of the
 * target's process itself unless the name ends in _locked.
 */
#ifndef SONDE_KERNEL_SIGNAL_H
#define SONDE_KERNEL_SIGNAL_H

#include <kernel/lock.h>
#include <lib/list.h>
#include <lib/ref.h>
#include <lib/types.h>
#include <linux/signal.h>

struct pt_regs;
struct task;
struct process;
struct k_itimer;
struct pid;
struct user;
struct wait_queue;
struct cred;

#define NSIG 64

struct sigset {
	u64 bits;		/* bit n-1 for signal n */
};

static inline bool sigset_has(const struct sigset *s, int sig)
{
	return s->bits & (1ull << (sig - 1));
}
static inline void sigset_add(struct sigset *s, int sig)
{
	s->bits |= 1ull << (sig - 1);
}
static inline void sigset_del(struct sigset *s, int sig)
{
	s->bits &= ~(1ull << (sig - 1));
}

/* Kernel form of siginfo: the 128-byte user layout itself. */
struct ksiginfo {
	struct siginfo info;	/* <linux/signal.h> */
};

struct sigqueue_entry {
	struct list_head link;	/* [siglock] empty: not queued */
	struct sigqueue *queue;	/* [siglock] where, while queued */
	struct siginfo info;
	struct user *user;	/* whose RLIMIT_SIGPENDING counts it */
	struct k_itimer *timer;	/* a posix timer's own entry, else NULL */
};

struct sigqueue {
	struct sigset set;	/* [siglock] pending signals */
	struct list_head list;	/* [siglock] sigqueue_entry, oldest first */
	u32 nr;			/* [siglock] */
};

struct sigaction_k {
	void __user *handler;
	u64 flags;
	void __user *restorer;
	struct sigset mask;
};

struct sighand {
	struct ref refs;
	struct sigaction_k action[NSIG];/* [siglock] */
};

struct sigaltstack_state {
	u64 sp;
	u64 size;
	u32 flags;
};

/* What restart_syscall(2) resumes. */
struct restart_block {
	long (*fn)(struct restart_block *rb);
	u64 arg[6];
};

struct ksignal {
	struct sigaction_k action;
	struct siginfo info;
	int sig;
};

/* process.sig_flags */
#define PROC_GROUP_EXIT	  (1u << 0)	/* whole process is dying */
#define PROC_STOPPED	  (1u << 1)	/* job-control stop complete */
#define PROC_CONTINUED	  (1u << 2)	/* for WCONTINUED */
#define PROC_STOP_WAITED  (1u << 3)	/* stop status already reported */
#define PROC_UNKILLABLE	  (1u << 4)	/* init */
#define PROC_STOPPING	  (1u << 5)
#define PROC_TELL_STOPPED   (1u << 6)	/* parent to be told by a thread */
#define PROC_TELL_CONTINUED (1u << 7)
#define PROC_NO_CORE	  (1u << 8)

void signal_init(void);
struct sighand *sighand_alloc(void);	/* actions unset */
void sighand_put(struct sighand *sh);
void sigqueue_init(struct sigqueue *q);
/* Drop all queued entries.  siglock or no other user. */
void sigqueue_flush(struct sigqueue *q);

/*
 * Post.  info NULL: SI_KERNEL from the kernel.  0, -EAGAIN (queue limit for a
 * real-time signal), -ESRCH.  Any context but the overflow interrupt.
 */
int signal_send_task(struct task *t, int sig, const struct siginfo *info);
int signal_send_process(struct process *p, int sig, const struct siginfo *info);
int signal_send_pgrp(struct pid *pgrp, int sig, const struct siginfo *info);
/* Synchronous fault of current: unblocks and resets an ignored one. */
void signal_force(int sig, int code, u64 addr);
void signal_force_info(const struct siginfo *info);
/* Kill the whole process with a fatal signal, no handler (exec failure). */
void signal_kill_process(struct process *p, int sig);

/* May current send sig to p?  0 or -EPERM. */
int signal_permitted(struct process *p, int sig);

bool signal_pending(const struct task *t);	/* TIF_SIGPENDING */
bool fatal_signal_pending(const struct task *t);
void signal_recalc(struct task *t);		/* siglock held */
void signal_set_blocked(const struct sigset *set);	/* of current */
/* For ppoll and its like: block set until the call returns to user mode. */
int signal_set_user_mask(const struct sigset __user *mask, size_t size);
/* End of such a call: interrupted true leaves the old mask for delivery. */
void signal_restore_user_mask(bool interrupted);

/* signalfd: what of set waits for current; take one (0: none).  Both take
 * siglock; proc->signal_wait is woken when something is posted. */
bool signal_is_pending(const struct sigset *set);
int signal_take(const struct sigset *set, struct siginfo *out);

/*
 * POSIX timers post a preallocated entry of their own (entry->timer set);
 * 1: it is queued already (an overrun), 0: posted, -1: ignored.  group: to
 * the process.  The owner unlinks it with signal_timer_cancel before freeing.
 */
int signal_send_timer(struct task *t, struct sigqueue_entry *entry,
		      bool group);
void signal_timer_cancel(struct process *p, struct sigqueue_entry *entry);
/* Hook of the timers: an entry is about to be delivered; siglock held. */
extern void (*signal_timer_dequeued)(struct k_itimer *timer,
				     struct siginfo *info);

/* Alternate stack, for signal frames; sp is the user's.  0 or -errno. */
int sigaltstack_set(const struct user_stack *ss, u64 sp, u64 min_size);
void sigaltstack_get(struct user_stack *ss, u64 sp);

/* siginfo to user memory: 0 or -EFAULT. */
int signal_copy_info(struct siginfo __user *to, const struct siginfo *info);

/* Exit-to-user path: deliver what is pending, restart or not. */
void signal_deliver(struct pt_regs *regs);

/*
 * SIGIO-style owner of a file (F_SETOWN, F_SETSIG), used by fasync.
 */
struct file_owner {
	struct spinlock lock;	/* LOCK_RANK_FASYNC */
	struct pid *pid;	/* [lock] */
	u32 kind;		/* [lock] enum pid_kind */
	u32 uid, euid;		/* [lock] of the setter */
	int sig;		/* [lock] F_SETSIG, 0: SIGIO */
};
void signal_send_owner(struct file_owner *owner, int fd, long band, int code);

#endif /* SONDE_KERNEL_SIGNAL_H */
