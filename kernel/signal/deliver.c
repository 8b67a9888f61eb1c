/* SPDX-License-Identifier: MIT */
/*
 * Delivery: what happens to a pending signal on the way to user mode.
 *
 * Entry point: signal_deliver(), from exit_to_user_work().  It takes signals
 * one by one: ignores, stops, ends the process, or builds one handler's
 * frame; and it decides what becomes of an interrupted system call.
 *
 * Locks: siglock for choosing; none while the frame is written.
 */
#include <arch/regs.h>
#include <arch/signal.h>
#include <arch/syscall.h>
#include <kernel/pid.h>
#include <kernel/posix.h>
#include <kernel/process.h>
#include <kernel/ptrace.h>
#include <kernel/sched.h>
#include <kernel/syscall.h>
#include <kernel/trace_hooks.h>
#include <kernel/uaccess.h>
#include <lib/err.h>

#include "internal.h"

enum {
#define SYSCALL_NR(number, name) CALL_##name = number,
#include <arch/impl/syscall_nr.h>
#undef SYSCALL_NR
};

/* Tell the parent of a stop or continuation; siglock held, then released. */
static void tell_group_change(struct process *p)
{
	int why = p->sig_flags & PROC_TELL_CONTINUED ? CLD_CONTINUED :
						       CLD_STOPPED;
	unsigned long flags;

	p->sig_flags &= ~(PROC_TELL_CONTINUED | PROC_TELL_STOPPED);
	siglock_irq_release(p);
	flags = spin_lock_irqsave(&tasklist_lock);
	signal_tell_parent(current, why, false);
	if (current->tracer && p->leader == current)
		signal_tell_parent(current, why, true);
	spin_unlock_irqrestore(&tasklist_lock, flags);
}

enum verdict { NEXT, AGAIN, HANDLE, FATAL };

/*
 * The default action of ksig->sig.  siglock held; AGAIN: it was released.
 */
static enum verdict default_action(struct process *p, int sig)
{
	unsigned long flags;
	bool orphaned;

	if (sig_in(sig, SIGS_IGNORE))
		return NEXT;
	if ((p->sig_flags & PROC_UNKILLABLE) &&
	    !sig_in(sig, SIGS_KERNEL_ONLY))
		return NEXT;
	if (!sig_in(sig, SIGS_STOP))
		return FATAL;
	/* A stop from the terminal is no use where nobody could continue. */
	if (sig != SIGSTOP) {
		siglock_irq_release(p);
		flags = spin_lock_irqsave(&tasklist_lock);
		orphaned = pgrp_is_orphaned_locked(p->pgrp);
		spin_unlock_irqrestore(&tasklist_lock, flags);
		if (orphaned)
			return AGAIN;
		siglock_irq(p);
	}
	return jobctl_stop_locked(sig) ? AGAIN : NEXT;
}

/* One round under siglock: what to do with the next pending signal. */
static enum verdict take_one(struct process *p, struct ksignal *ksig)
{
	struct sigaction_k *act;
	int sig;

	if ((p->sig_flags & PROC_GROUP_EXIT) ||
	    (p->exec_task && p->exec_task != current)) {
		sigset_del(&current->pending.set, SIGKILL);
		ksig->sig = SIGKILL;
		return FATAL;
	}
	if (current->jobctl & JOBCTL_STOP_PENDING)
		return jobctl_stop_locked(0) ? AGAIN : NEXT;
	if (current->jobctl & JOBCTL_TRAP_STOP) {
		ptrace_group_stop();
		return AGAIN;
	}
	sig = signal_dequeue_locked(current, ~current->blocked.bits,
				    &ksig->info);
	ksig->sig = sig;
	if (!sig)
		return HANDLE;
	if (is_traced(current) && sig != SIGKILL) {
		siglock_irq_release(p);
		sig = ptrace_signal_stop(sig, &ksig->info);
		siglock_irq(p);
		ksig->sig = sig;
		if (!sig)
			return NEXT;
	}
	act = &p->sighand->action[sig - 1];
	trace_signal_deliver(sig, &ksig->info, user_addr(act->handler),
			     act->flags);
	if (user_addr(act->handler) == SIG_IGN)
		return NEXT;
	if (user_addr(act->handler) == SIG_DFL)
		return default_action(p, sig);
	ksig->action = *act;
	if (act->flags & SA_RESETHAND)
		act->handler = user_ptr(SIG_DFL);
	return HANDLE;
}

/* The next signal with a handler in *ksig; false: none is left. */
static bool next_handled(struct ksignal *ksig)
{
	struct process *p = current->proc;
	enum verdict v;

	for (;;) {
		siglock_irq(p);
		if (p->sig_flags & (PROC_TELL_STOPPED | PROC_TELL_CONTINUED)) {
			tell_group_change(p);
			continue;
		}
		do {
			v = take_one(p, ksig);
		} while (v == NEXT);
		if (v == AGAIN)
			continue;
		if (v == HANDLE)
			signal_recalc(current);
		siglock_irq_release(p);
		if (v == HANDLE)
			return ksig->sig;
		process_exit_group(ksig->sig);
	}
}

static long no_restart(struct restart_block *rb)
{
	return -EINTR;
}

static void handle(struct ksignal *ksig, struct pt_regs *regs)
{
	struct sigset blocked, *old = &current->blocked;
	bool failed;

	if (current->ti.flags & TIF_RESTORE_MASK)
		old = &current->saved_sigmask;
	current->restart.fn = no_restart;
	if (current->rseq)
		rseq_signal(regs);
	failed = arch_signal_setup(ksig, old, regs);
	if (failed) {
		if (ksig->sig == SIGSEGV) {
			siglock_irq(current->proc);
			current->proc->sighand->action[SIGSEGV - 1].handler =
				user_ptr(SIG_DFL);
			siglock_irq_release(current->proc);
		}
		signal_force(SIGSEGV, SI_KERNEL, 0);
		return;
	}
	if (current->altstack.flags & SS_AUTODISARM) {
		current->altstack.sp = 0;
		current->altstack.size = 0;
		current->altstack.flags = SS_DISABLE;
	}
	task_clear_flag(current, TIF_RESTORE_MASK);
	blocked.bits = current->blocked.bits | ksig->action.mask.bits;
	if (!(ksig->action.flags & SA_NODEFER))
		sigset_add(&blocked, ksig->sig);
	signal_set_blocked(&blocked);
}

/* A handler runs: which interrupted calls go on after it? */
static void restart_after_handler(struct pt_regs *regs, u64 sa_flags)
{
	switch ((long)regs_return_value(regs)) {
	case -ERESTARTSYS:
		if (sa_flags & SA_RESTART) {
			regs_restart_syscall(regs);
			return;
		}
		break;
	case -ERESTARTNOINTR:
		regs_restart_syscall(regs);
		return;
	case -ERESTARTNOHAND:
	case -ERESTART_RESTARTBLOCK:
		break;
	default:
		return;
	}
	regs_set_return(regs, -EINTR);
}

static void restart_without_handler(struct pt_regs *regs)
{
	switch ((long)regs_return_value(regs)) {
	case -ERESTARTSYS:
	case -ERESTARTNOINTR:
	case -ERESTARTNOHAND:
		regs_restart_syscall(regs);
		break;
	case -ERESTART_RESTARTBLOCK:
		regs_restart_with(regs, CALL_restart_syscall);
		break;
	}
}

void signal_deliver(struct pt_regs *regs)
{
	struct ksignal ksig;

	if (next_handled(&ksig)) {
		if (regs_syscall_nr(regs) >= 0) {
			restart_after_handler(regs, ksig.action.flags);
			regs_forget_syscall(regs);
		}
		handle(&ksig, regs);
		return;
	}
	if (regs_syscall_nr(regs) >= 0) {
		restart_without_handler(regs);
		regs_forget_syscall(regs);
	}
	if (current->ti.flags & TIF_RESTORE_MASK) {
		task_clear_flag(current, TIF_RESTORE_MASK);
		signal_set_blocked(&current->saved_sigmask);
	}
}

SYSCALL0(restart_syscall)
{
	struct restart_block *rb = &current->restart;

	return rb->fn ? rb->fn(rb) : -EINTR;
}

SYSCALL0(rt_sigreturn)
{
	/* An interrupted call of the handler is not to be restarted later. */
	current->restart.fn = no_restart;
	return arch_sigreturn(regs);
}
