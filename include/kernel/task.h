/* SPDX-License-Identifier: MIT */
/*
 * The task core: struct task (a thread) and struct process (a thread group).
 *
 * Who guards what:
 *   [I] immutable after creation   [o] the task itself, in its own context
 *   [T] tasklist_lock              [S] proc->siglock   [rq] its run queue
 *   [a] atomic                     [reclaim] read under reclaim_read_lock
 *   [T+S] written with both held, read with either
 */
#ifndef SONDE_KERNEL_TASK_H
#define SONDE_KERNEL_TASK_H

#include <arch/thread.h>
#include <kernel/cred.h>
#include <kernel/pid.h>
#include <kernel/sched.h>
#include <kernel/signal.h>
#include <kernel/thread_info.h>
#include <lib/list.h>
#include <lib/ref.h>
#include <lib/types.h>

#define TASK_COMM_LEN 16
#define RLIM_NLIMITS  16

struct files;
struct fs_ctx;
struct kretprobe_instance;
struct mm;
struct tty;
struct perf_task;
struct robust_list_head;
struct uprobe_task;

struct rlimit {
	u64 cur;
	u64 max;
};

/* task->flags */
#define TASK_KTHREAD	 (1u << 0)
#define TASK_IDLE	 (1u << 1)
#define TASK_EXITING	 (1u << 2)	/* past the start of exit */
#define TASK_FORKNOEXEC	 (1u << 3)
#define TASK_VFORK_CHILD (1u << 4)
#define TASK_OOM_VICTIM	 (1u << 5)
#define TASK_DUMPCORE	 (1u << 6)
#define TASK_SUPERPRIV	 (1u << 7)

/* Work to run in a task's context before it returns to user mode. */
struct task_work {
	struct task_work *next;
	void (*fn)(struct task_work *work);
};

struct task {
	struct thread_info ti;		/* must stay first */
	u32 state;			/* [rq, a] TASK_* */
	u32 exit_state;			/* [T] 0, ZOMBIE, DEAD */
	u32 flags;			/* [o] TASK_KTHREAD ... */
	u8 on_cpu;			/* [rq, a] its context is on a CPU */
	void *stack;			/* [I] lowest address */
	struct arch_thread arch;	/* [o] and the switch */
	struct mm *mm;			/* [o] NULL: kernel thread or exited */
	struct mm *active_mm;		/* [rq] tables in use */
	struct sched_entity se;
	struct spinlock wake_lock;	/* LOCK_RANK_TASK_PI: state vs wake */
	struct ref refs;

	struct pid *pid;		/* [I] */
	struct process *proc;		/* [I] */
	struct list_head thread_link;	/* [T+S] proc->threads */
	char comm[TASK_COMM_LEN];	/* [a bytewise] by task_set_comm */

	const struct cred *cred;	/* [o] writes; [reclaim] reads */
	struct files *files;		/* [o] writes; pointer [wake_lock] */
	struct fs_ctx *fs;		/* [o] writes; pointer [wake_lock] */

	struct sigset blocked;		/* [S] writes by self */
	struct sigset real_blocked;	/* [S] blocked, during sigtimedwait */
	struct sigset saved_sigmask;	/* [o] TIF_RESTORE_MASK */
	struct sigqueue pending;	/* [S] private signals */
	u32 jobctl;			/* [S] JOBCTL_*, kernel/signal */
	struct sigaltstack_state altstack; /* [o] */
	struct restart_block restart;	/* [o] */

	struct task_work *works;	/* [a] run before return to user */
	u32 __user *clear_child_tid;	/* [o] */
	u32 __user *set_child_tid;	/* [o] written when it first runs */
	struct task_work start_work;	/* [o] that does it */
	void __user *robust_list;	/* [o] */
	size_t robust_len;		/* [o] */
	struct completion *vfork_done;	/* [T] parent waits here */
	void __user *rseq;		/* [o] registered area, NULL none */
	u32 rseq_len, rseq_sig;		/* [o] */
	u32 rseq_cpu;			/* [o] CPU number last written there */
	u32 pi_waiters;			/* [a] blocked on its PI futexes */

	u64 start_ns;			/* [I] monotonic at creation */
	u64 utime_ns, stime_ns;		/* [rq] accounting */
	u64 acct_last_ns;		/* [o] */
	u64 min_flt, maj_flt;		/* [o] */
	u64 timer_slack_ns;		/* [o] */
	s32 exit_code;			/* [o] wait status */
	u32 pdeath_signal;		/* [o] */
	u32 personality;		/* [o] */
	u16 ioprio;			/* [a] class and level */
	bool no_new_privs;		/* [o] sticky */

	struct task *tracer;		/* [T+S] NULL: not traced */
	struct list_head tracer_link;	/* [T] tracer's proc->tracees */
	u32 ptrace;			/* [S] PT_*, kernel/process/ptrace.c */
	u32 ptrace_stop;		/* [o] why it is in TASK_TRACED */
	u64 ptrace_message;		/* [T] PTRACE_GETEVENTMSG */
	struct siginfo *ptrace_info;	/* [S] of the stop it is in */

	struct kretprobe_instance *kretprobes; /* [o] calls to return */
	struct call_frames *call_frames; /* [o] room for them, or NULL */
	struct uprobe_task *uprobe;	/* [o] NULL until it hits one */
	struct perf_task *perf;		/* [perf] lazily made; owned by perf */
	bool perf_migrated;		/* [rq] changed CPU since it last ran */
	u32 faults_disabled;		/* [o] page faults answer at once */
	s32 syscall_nr;			/* [o] -1 outside a call */
	struct reclaim_node reclaim;
};


struct process {
	struct ref refs;
	struct pid *pid;		/* [I] tgid */
	struct task *leader;		/* [T] */
	struct list_head threads;	/* [T+S] task.thread_link */
	u32 nr_threads;			/* [T+S] */
	u32 nr_live;			/* [a] not yet exiting */
	struct process *parent;		/* [T] */
	struct list_head children;	/* [T] process.sibling */
	struct list_head sibling;	/* [T] */
	struct list_head tracees;	/* [T] task.tracer_link */
	struct list_head all_link;	/* [T] all_processes */
	struct wait_queue child_wait;	/* wait4 */
	struct wait_queue signal_wait;	/* signalfd: a signal was posted */
	s32 exit_signal;		/* [T] */

	struct pid *pgrp, *session;	/* [T] */
	struct list_head pgrp_link;	/* [T] */
	struct list_head session_link;	/* [T] */
	struct tty *tty;		/* [T+S] controlling terminal */
	struct pid *tty_old_pgrp;	/* [T] in front when it hung up */
	bool is_session_leader;		/* [T] */
	bool did_exec;			/* [T] setpgid after exec: EACCES */
	bool subreaper;			/* [T] */

	struct spinlock siglock;	/* LOCK_RANK_SIGNAL */
	struct sighand *sighand;	/* [S] actions */
	struct sigqueue pending;	/* [S] shared signals */
	u32 sig_flags;			/* [S] PROC_* in signal.h */
	s32 group_exit_code;		/* [S] */
	struct task *exec_task;		/* [S] thread that is de-threading */
	u32 stop_count;			/* [S] threads still to stop */
	s32 stop_sig;			/* [S] */
	u32 exec_wait;			/* [S] threads exec_task waits for */

	struct rlimit rlim[RLIM_NLIMITS]; /* [S] */
	struct proc_timers *timers;	/* [a] set once, NULL before */
	struct task_work cpu_work;	/* [a] whose next field is set */
	u32 cpu_work_queued;		/* [a] */
	struct mutex exec_lock;		/* exec against ptrace-style access */
	s32 oom_score_adj;		/* [a] */
	u64 start_ns;			/* [I] */

	/* Folded from exited threads and waited-for children.  [S] */
	u64 utime_ns, stime_ns, sum_exec_ns, nvcsw, nivcsw, min_flt, maj_flt;
	u64 cutime_ns, cstime_ns, cnvcsw, cnivcsw, cmin_flt, cmaj_flt;
	u64 cmaxrss_pages, maxrss_pages;
	struct reclaim_node reclaim;
};

static inline struct task *current_task(void)
{
	return arch_current();
}
#define current (arch_current())

extern struct list_head all_processes;	/* [T] */
extern struct task init_task;		/* the boot CPU's idle task, pid 0 */

static inline s32 task_tid(const struct task *t)
{
	return t->pid->nr;
}
static inline s32 task_tgid(const struct task *t)
{
	return t->proc->pid->nr;
}

void task_core_init(void);
struct task *task_get(struct task *t);
void task_put(struct task *t);
struct process *process_get(struct process *p);
void process_put(struct process *p);

/* A blank task with stack, sched entity and ids unset.  NULL: no memory. */
struct task *task_alloc(void);
/* fork()-independent creation of idle tasks and kernel threads. */
struct task *task_create_idle(u32 cpu);
/*
 * A whole kernel thread, with a process and a number of its own, that is not
 * on any queue yet: the caller prepares its stack and wakes it.  The first
 * one gets number 1.  ERR_PTR.
 */
struct task *task_create_kernel(const char *name);
/* Undo task_alloc or task_create_kernel of a task that never ran. */
void task_abandon(struct task *t);

void task_set_comm(struct task *t, const char *comm, bool exec);
void task_get_comm(struct task *t, char out[TASK_COMM_LEN]);

/* Threads that exist, and how many were ever made. */
extern u32 threads_count;	/* [a] */
extern u64 threads_made;	/* [a] */

/* False: t is past its exit and will never run it. */
bool task_work_add(struct task *t, struct task_work *work);
void task_work_run(void);
void task_work_exit(void);	/* exit of current: the last run */

/* Set or clear a TIF flag of t; kick it if it runs elsewhere. */
void task_set_flag(struct task *t, u32 tif);
void task_clear_flag(struct task *t, u32 tif);
/* If t is in user mode on another CPU, make it pass the kernel's exit. */
void task_kick(struct task *t);

u64 rlimit_cur(struct task *t, u32 which);
extern const struct rlimit rlimit_boot[RLIM_NLIMITS];
extern s32 threads_max;

/* The thread list of a process changes here: tasklist_lock held; adding
 * wants siglock of p as well. */
void process_add_thread_locked(struct process *p, struct task *t);
void process_remove_thread_locked(struct task *t);
struct process *process_alloc(void);
/* Link a new process into the tree, its group and its session. */
void process_link_locked(struct process *p, struct process *parent,
			 struct pid *pgrp, struct pid *session);
void process_unlink_locked(struct process *p);
void process_set_pgrp_locked(struct process *p, struct pid *pgrp);
struct pid *process_pgrp_get(struct process *p);
void process_set_session_locked(struct process *p, struct pid *session);

/* CPU times and counters of live threads, dead ones included. */
struct task_usage {
	u64 utime_ns, stime_ns, nvcsw, nivcsw, min_flt, maj_flt;
	u64 maxrss_pages;
};
void task_usage(struct task *t, struct task_usage *out);
void process_usage(struct process *p, struct task_usage *out);

#endif /* SONDE_KERNEL_TASK_H */
