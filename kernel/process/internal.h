/* SPDX-License-Identifier: MIT */
/* Between the files of kernel/process only. */
#ifndef SONDE_KERNEL_PROCESS_INTERNAL_H
#define SONDE_KERNEL_PROCESS_INTERNAL_H

#include <kernel/process.h>
#include <kernel/task.h>
#include <lib/types.h>

struct user_rusage;

/* exit.c */
void exit_release_mm(void);	/* what a space is owed before it is left */
void exit_vfork_done(void);	/* let the parent of a vfork go on */
void process_reap(struct task *t);
bool process_notify_parent_locked(struct task *leader, s32 sig);
bool process_is_dead_locked(const struct process *p);
s32 process_status(const struct process *p);

/* fork.c: handlers back to the default, what is ignored stays so */
void sighand_reset(struct sighand *sh);

/* rusage.c */
void usage_to_user(struct user_rusage *out, const struct task_usage *in);
/* What p has used with the children it waited for. */
void usage_of_dead(struct process *p, struct user_rusage *out);
void usage_fold_child_locked(struct process *parent, struct process *child);

/* setuid.c: consequences of a change of ids for dumping and capabilities */
void cred_commit_checked(struct cred *next);
void cred_fix_caps_setuid(struct cred *next, const struct cred *old);

#endif /* SONDE_KERNEL_PROCESS_INTERNAL_H */
