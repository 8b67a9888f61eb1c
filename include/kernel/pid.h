/* SPDX-License-Identifier: MIT */
/*
 * Process ids: one namespace, allocated upwards and wrapped at pid_max.
 * struct pid outlives its tasks by reference, so that a stored one is never
 * confused with a recycled number.
 *
 * Look-ups run under reclaim_read_lock or tasklist_lock.
 */
#ifndef SONDE_KERNEL_PID_H
#define SONDE_KERNEL_PID_H

#include <kernel/reclaim.h>
#include <kernel/wait.h>
#include <lib/hlist.h>
#include <lib/ref.h>
#include <lib/types.h>

#define PID_MAX_DEFAULT 32768
#define PID_MAX_LIMIT	4194304

enum pid_kind {
	PID_TASK,	/* a thread (tid) */
	PID_PROC,	/* a process (tgid) */
	PID_PGRP,
	PID_SESSION,
	PID_KINDS,
};

struct process;
struct task;

struct pid {
	struct ref refs;
	s32 nr;					/* [I] */
	struct task *task;			/* [tasklist, reclaim] */
	struct process *proc;			/* [tasklist, reclaim] */
	struct list_head members[PID_KINDS];	/* [tasklist] PGRP and SESSION:
						   processes */
	struct hlist_node hash;			/* [tasklist, reclaim] */
	struct wait_queue poll_wait;		/* pidfd */
	struct reclaim_node reclaim;
};

extern struct spinlock tasklist_lock;	/* writers; spin_lock_irqsave */
extern s32 pid_max;			/* [a] sysctl */

/* The number given out last, and how many were in all.  Any context. */
s32 pid_last(void);
u64 pid_alloc_count(void);

struct pid *pid_alloc(void);			/* ERR_PTR(-EAGAIN/-ENOMEM) */
void pid_release_number(struct pid *pid);	/* under tasklist_lock */
struct pid *pid_get(struct pid *pid);
void pid_put(struct pid *pid);
struct pid *pid_find(s32 nr);	/* no reference; reader locked */
struct pid *pid_find_get(s32 nr);

/* A referenced task or process by number; NULL when there is none. */
struct task *task_find_get(s32 tid);
struct process *process_find_get(s32 tgid);

/* Does no member of the group have a parent in another group of its session?
 * tasklist_lock held. */
bool pgrp_is_orphaned_locked(struct pid *pgrp);

/* The task or process a pid names now, referenced; NULL: gone. */
struct task *pid_task_get(struct pid *pid);
struct process *pid_process_get(struct pid *pid);

/* Iterate for /proc: the first process or thread with number >= nr. */
struct process *process_next_get(s32 nr);
struct task *process_thread_next_get(struct process *proc, s32 tid);

#endif /* SONDE_KERNEL_PID_H */
