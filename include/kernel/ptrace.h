/* SPDX-License-Identifier: MIT */
/*
 * Hooks of ptrace(2): where a traced thread stops.  All are called by the
 * thread itself in task context with no lock held unless named _locked; each
 * is one test when nobody traces.
 */
#ifndef SONDE_KERNEL_PTRACE_H
#define SONDE_KERNEL_PTRACE_H

#include <kernel/task.h>
#include <lib/types.h>

struct pt_regs;

/* task->ptrace */
#define PT_TRACED     (1u << 0)
#define PT_SEIZED     (1u << 1)
#define PT_SYSCALL    (1u << 2)	/* stop at the next entry and exit */
#define PT_SINGLESTEP (1u << 3)
#define PT_LISTENING  (1u << 4)
#define PT_REPORTED   (1u << 5)	/* wait has told the tracer of this stop */
#define PT_RESUMED    (1u << 6)	/* the tracer let go of this stop */
#define PT_OPT_SHIFT  8		/* PTRACE_O_* below bit 8 */
#define PT_EXITKILL   (1u << 20)

/* task->ptrace_stop: the kind of stop it is in */
#define PTRACE_STOP_SYSCALL 1
#define PTRACE_STOP_SIGNAL  2
#define PTRACE_STOP_EVENT   3
#define PTRACE_STOP_GROUP   4

static inline bool is_traced(const struct task *t)
{
	return READ_ONCE(t->ptrace) & PT_TRACED;
}
static inline bool ptrace_wants(const struct task *t, u32 event)
{
	return READ_ONCE(t->ptrace) & (1u << (PT_OPT_SHIFT + event));
}

/* System-call stops; entry returns true when the call is to be skipped. */
bool ptrace_syscall_entry(struct pt_regs *regs);
void ptrace_syscall_exit(struct pt_regs *regs);

/* A signal is about to be delivered: what is left of it, 0 for nothing. */
int ptrace_signal_stop(int sig, struct siginfo *info);
/* A stop for PTRACE_EVENT_*; message for GETEVENTMSG. */
void ptrace_event(u32 event, u64 message);
/* execve without an event option: SIGTRAP to oneself, as of old. */
void ptrace_exec_trap(void);
/* The stop that job control or PTRACE_INTERRUPT asked for; siglock held at
 * call, released on return. */
void ptrace_group_stop(void);

/* clone: does current's tracer follow the child?  Returns the event or 0. */
u32 ptrace_clone_event(u64 clone_flags, s32 exit_signal);
void ptrace_attach_child_locked(struct task *child, bool follow);
/* Exit: let go of all tracees of this thread; tasklist_lock held. */
void ptrace_exit_tracer_locked(struct task *tracer);
void ptrace_unlink_locked(struct task *t);

#endif /* SONDE_KERNEL_PTRACE_H */
