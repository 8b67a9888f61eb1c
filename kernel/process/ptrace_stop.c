/* SPDX-License-Identifier: MIT */
/*
 * The traced side of ptrace: a thread stops, tells its tracer, and goes on
 * when the tracer lets it.
 *
 * A stop is JOBCTL_TRACED with state TASK_TRACED; exit_code is what wait
 * shows of it, and afterwards what the tracer wants delivered.
 *
 * Locks: siglock for the stop itself, tasklist_lock to tell the tracer.
 */
#include <arch/regs.h>
#include <kernel/ptrace.h>
#include <kernel/sched.h>
#include <lib/err.h>
#include <lib/string.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

#include "../signal/internal.h"
#include "internal.h"

/* siglock held, released on return: what the tracer left in exit_code. */
static s32 stop_locked(s32 code, u32 kind, struct siginfo *info)
{
	struct process *p = current->proc;
	bool complete = false;
	unsigned long flags;

	if (fatal_signal_pending(current) || !is_traced(current)) {
		siglock_irq_release(p);
		return 0;
	}
	current->exit_code = code;
	current->ptrace_info = info;
	current->ptrace_stop = kind;
	current->ptrace &= ~(PT_REPORTED | PT_LISTENING);
	current->jobctl &= ~JOBCTL_TRAP_STOP;
	current->jobctl |= JOBCTL_TRACED;
	if (current->jobctl & JOBCTL_STOP_PENDING)
		complete = jobctl_participate_locked(current);
	set_current_state(TASK_TRACED);
	siglock_irq_release(p);

	flags = spin_lock_irqsave(&tasklist_lock);
	if (current->tracer) {
		signal_tell_parent(current, CLD_TRAPPED, true);
		if (complete)
			signal_tell_parent(current, CLD_STOPPED, false);
	} else {
		/* It went in between. */
		set_current_state(TASK_RUNNING);
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	schedule();

	siglock_irq(p);
	code = current->exit_code;
	current->exit_code = 0;
	current->ptrace_info = NULL;
	current->ptrace_stop = 0;
	current->jobctl &= ~JOBCTL_TRACED;
	signal_recalc(current);
	siglock_irq_release(p);
	return code;
}

static s32 stop(s32 code, u32 kind, struct siginfo *info)
{
	siglock_irq(current->proc);
	return stop_locked(code, kind, info);
}

static void trap_info(struct siginfo *info, s32 code)
{
	memset(info, 0, sizeof(*info));
	info->si_signo = SIGTRAP;
	info->si_code = code;
	info->si_pid = task_tid(current);
	info->si_uid = current->cred->uid;
}

static void syscall_stop(u64 message)
{
	struct siginfo info;
	s32 code = SIGTRAP;

	if (!(READ_ONCE(current->ptrace) & PT_SYSCALL))
		return;
	if (ptrace_wants(current, 0))
		code |= 0x80;
	trap_info(&info, code);
	current->ptrace_message = message;
	code = stop(code, PTRACE_STOP_SYSCALL, &info);
	current->ptrace_message = 0;
	if (code > 0 && code <= NSIG)
		signal_send_task(current, code, NULL);
}

bool ptrace_syscall_entry(struct pt_regs *regs)
{
	syscall_stop(PTRACE_EVENTMSG_SYSCALL_ENTRY);
	return fatal_signal_pending(current);
}

void ptrace_syscall_exit(struct pt_regs *regs)
{
	syscall_stop(PTRACE_EVENTMSG_SYSCALL_EXIT);
}

int ptrace_signal_stop(int sig, struct siginfo *info)
{
	s32 code = stop(sig, PTRACE_STOP_SIGNAL, info);

	if (code <= 0 || code > NSIG)
		return 0;
	/* Another one than came in: it comes from the tracer. */
	if (code != info->si_signo) {
		memset(info, 0, sizeof(*info));
		info->si_signo = code;
		reclaim_read_lock();
		if (current->tracer) {
			info->si_pid = task_tgid(current->tracer);
			info->si_uid =
				reclaim_deref(current->tracer->cred)->uid;
		}
		reclaim_read_unlock();
	}
	if (sigset_has(&current->blocked, code)) {
		signal_send_task(current, code, info);
		return 0;
	}
	return code;
}

void ptrace_event(u32 event, u64 message)
{
	struct siginfo info;
	s32 code = (s32)(event << 8 | SIGTRAP);

	trap_info(&info, code);
	current->ptrace_message = message;
	code = stop(code, PTRACE_STOP_EVENT, &info);
	if (code > 0 && code <= NSIG)
		signal_send_task(current, code, NULL);
}

void ptrace_exec_trap(void)
{
	/* Seized threads never see this one. */
	if (!(READ_ONCE(current->ptrace) & PT_SEIZED))
		signal_send_task(current, SIGTRAP, NULL);
}

void ptrace_group_stop(void)
{
	u32 sig = current->jobctl & JOBCTL_STOP_SIG;
	struct process *p = current->proc;
	struct siginfo info;

	if (!is_traced(current)) {
		current->jobctl &= ~JOBCTL_TRAP_STOP;
		siglock_irq_release(p);
		return;
	}
	if (!(p->sig_flags & PROC_STOPPED) && !p->stop_count)
		sig = 0;
	if (!(current->ptrace & PT_SEIZED)) {
		stop_locked((s32)sig, PTRACE_STOP_GROUP, NULL);
		return;
	}
	sig = PTRACE_EVENT_STOP << 8 | (sig ? sig : SIGTRAP);
	trap_info(&info, (s32)sig);
	stop_locked((s32)sig, PTRACE_STOP_GROUP, &info);
}

u32 ptrace_clone_event(u64 clone_flags, s32 exit_signal)
{
	u32 event = PTRACE_EVENT_FORK;

	if (!is_traced(current) || (clone_flags & CLONE_UNTRACED))
		return 0;
	if (clone_flags & CLONE_VFORK)
		event = PTRACE_EVENT_VFORK;
	else if (exit_signal != SIGCHLD)
		event = PTRACE_EVENT_CLONE;
	return ptrace_wants(current, event) ? event : 0;
}
