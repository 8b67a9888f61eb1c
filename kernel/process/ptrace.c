/* SPDX-License-Identifier: MIT */
/*
 * ptrace(2): attaching, letting go, and resuming; ptrace_regs.c has what is
 * read and written of a stopped thread, ptrace_stop.c the stops themselves.
 *
 * Locks: tasklist_lock and siglock for the tie between tracer and tracee.
 */
#include <arch/barrier.h>
#include <kernel/pid.h>
#include <kernel/ptrace.h>
#include <kernel/sched.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <linux/ptrace.h>

#include "../signal/internal.h"
#include "internal.h"
#include "ptrace.h"

static void link_locked(struct task *t, struct task *tracer, u32 flags)
{
	spin_lock(&t->proc->siglock);
	t->tracer = tracer;
	t->ptrace = PT_TRACED | flags;
	spin_unlock(&t->proc->siglock);
	list_add_tail(&t->tracer_link, &tracer->proc->tracees);
}

/* Nobody traces t any more; where it stood in a stop, it goes on. */
void ptrace_unlink_locked(struct task *t)
{
	struct process *p = t->proc;

	if (!t->tracer)
		return;
	spin_lock(&p->siglock);
	t->tracer = NULL;
	t->ptrace = 0;
	task_clear_flag(t, TIF_SYSCALL_TRACE);
	jobctl_clear_locked(t, JOBCTL_TRAP_STOP);
	/* The others of the process are stopped: so shall this one be. */
	if ((p->sig_flags & PROC_STOPPED) && !(t->flags & TASK_EXITING)) {
		t->jobctl |= JOBCTL_STOP_PENDING |
			     ((u32)p->stop_sig & JOBCTL_STOP_SIG);
		fetch_or_acq_rel(&t->ti.flags, TIF_SIGPENDING);
	}
	spin_unlock(&p->siglock);
	list_del_init(&t->tracer_link);
	wake_up_task(t, TASK_TRACED);
}

void ptrace_exit_tracer_locked(struct task *tracer)
{
	struct task *t, *n;

	list_for_each_entry_safe(t, n, &tracer->proc->tracees, tracer_link) {
		if (t->tracer != tracer)
			continue;
		if (t->ptrace & PT_EXITKILL)
			signal_send_task(t, SIGKILL, NULL);
		if (t->exit_state == TASK_ZOMBIE && t->proc->leader == t)
			process_notify_parent_locked(t, t->proc->exit_signal);
		ptrace_unlink_locked(t);
	}
}

void ptrace_attach_child_locked(struct task *child, bool follow)
{
	u32 keep = PTRACE_O_MASK << PT_OPT_SHIFT | PT_EXITKILL | PT_SEIZED;

	if (!follow || !current->tracer)
		return;
	spin_lock(&child->proc->siglock);
	child->tracer = current->tracer;
	child->ptrace = PT_TRACED | (current->ptrace & keep);
	if (child->ptrace & PT_SEIZED)
		child->jobctl |= JOBCTL_TRAP_STOP;
	else
		sigset_add(&child->pending.set, SIGSTOP);
	child->ti.flags |= TIF_SIGPENDING;
	spin_unlock(&child->proc->siglock);
	list_add_tail(&child->tracer_link, &child->tracer->proc->tracees);
}

static u32 options_of(u64 data)
{
	u32 flags = (u32)(data & 0xff) << PT_OPT_SHIFT;

	return data & PTRACE_O_EXITKILL ? flags | PT_EXITKILL : flags;
}

static int traceme(void)
{
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	int err = -EPERM;

	if (!current->tracer) {
		link_locked(current, current->proc->parent->leader, 0);
		err = 0;
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return err;
}

/* Who stands in a group stop when it is attached moves to a ptrace stop. */
static void move_stopped_locked(struct task *t)
{
	spin_lock(&t->proc->siglock);
	if (READ_ONCE(t->state) == TASK_STOPPED) {
		t->jobctl = (t->jobctl & ~JOBCTL_STOP_SIG) |
			    ((u32)t->proc->stop_sig & JOBCTL_STOP_SIG) |
			    JOBCTL_TRAP_STOP;
		signal_wake_locked(t, false);
		wake_up_task(t, TASK_STOPPED);
	}
	spin_unlock(&t->proc->siglock);
}

static int attach(struct task *t, bool seize, u64 addr, u64 data)
{
	unsigned long flags;
	int err;

	if (seize && (addr || (data & ~(u64)PTRACE_O_MASK)))
		return -EIO;
	if ((t->flags & TASK_KTHREAD) || t->proc == current->proc)
		return -EPERM;
	if (mutex_lock_killable(&t->proc->exec_lock))
		return -ERESTARTNOINTR;
	err = ptrace_may_access(t, true, true);
	if (!err) {
		flags = spin_lock_irqsave(&tasklist_lock);
		if (t->exit_state || t->tracer) {
			err = -EPERM;
		} else {
			link_locked(t, current,
				    seize ? PT_SEIZED | options_of(data) : 0);
			move_stopped_locked(t);
		}
		spin_unlock_irqrestore(&tasklist_lock, flags);
	}
	mutex_unlock(&t->proc->exec_lock);
	if (!err && !seize)
		signal_send_task(t, SIGSTOP, NULL);
	return err;
}

/* t is ours and stopped, and its registers are all in memory. */
static int check_stopped(struct task *t)
{
	int err = -ESRCH;

	spin_lock_irq(&t->proc->siglock);
	if (t->tracer == current && (t->jobctl & JOBCTL_TRACED) &&
	    !(t->ptrace & PT_LISTENING))
		err = 0;
	spin_unlock_irq(&t->proc->siglock);
	if (err)
		return err;
	while (load_acquire(&t->on_cpu)) {
		if (fatal_signal_pending(current))
			return -ESRCH;
		sched_yield_cpu();
	}
	return READ_ONCE(t->state) == TASK_TRACED ? 0 : -ESRCH;
}

static int resume(struct task *t, int request, u64 data)
{
	if (data > NSIG)
		return -EIO;
	spin_lock_irq(&t->proc->siglock);
	if (request == PTRACE_SYSCALL) {
		t->ptrace |= PT_SYSCALL;
		fetch_or_relaxed(&t->ti.flags, TIF_SYSCALL_TRACE);
	} else {
		t->ptrace &= ~PT_SYSCALL;
		fetch_and_relaxed(&t->ti.flags, ~TIF_SYSCALL_TRACE);
	}
	t->exit_code = (s32)data;
	t->jobctl &= ~JOBCTL_TRACED;
	spin_unlock_irq(&t->proc->siglock);
	wake_up_task(t, TASK_TRACED);
	return 0;
}

static int detach(struct task *t, u64 data)
{
	unsigned long flags;

	if (data > NSIG)
		return -EIO;
	flags = spin_lock_irqsave(&tasklist_lock);
	t->exit_code = (s32)data;
	ptrace_unlink_locked(t);
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return 0;
}

static int set_options(struct task *t, u64 data)
{
	u32 all = 0xffu << PT_OPT_SHIFT | PT_EXITKILL;

	if (data & ~(u64)PTRACE_O_MASK)
		return -EINVAL;
	spin_lock_irq(&t->proc->siglock);
	t->ptrace = (t->ptrace & ~all) | options_of(data);
	spin_unlock_irq(&t->proc->siglock);
	return 0;
}

/* Stop a seized thread, without a signal. */
static int interrupt(struct task *t)
{
	int err = -EIO;

	spin_lock_irq(&t->proc->siglock);
	if (t->tracer != current) {
		err = -ESRCH;
	} else if (t->ptrace & PT_SEIZED) {
		t->jobctl |= JOBCTL_TRAP_STOP;
		signal_wake_locked(t, false);
		if (t->ptrace & PT_LISTENING)
			wake_up_task(t, TASK_TRACED);
		err = 0;
	}
	spin_unlock_irq(&t->proc->siglock);
	return err;
}

static int listen(struct task *t)
{
	int err = -EIO;

	spin_lock_irq(&t->proc->siglock);
	if ((t->ptrace & PT_SEIZED) && t->ptrace_stop == PTRACE_STOP_GROUP) {
		t->ptrace |= PT_LISTENING;
		err = 0;
	}
	spin_unlock_irq(&t->proc->siglock);
	return err;
}

static long request_stopped(struct task *t, long request, u64 addr, u64 data)
{
	switch (request) {
	case PTRACE_PEEKTEXT:
	case PTRACE_PEEKDATA:
		return ptrace_peek(t, addr, data);
	case PTRACE_POKETEXT:
	case PTRACE_POKEDATA:
		return ptrace_poke(t, addr, data);
	case PTRACE_CONT:
	case PTRACE_SYSCALL:
		return resume(t, (int)request, data);
	case PTRACE_DETACH:
		return detach(t, data);
	case PTRACE_SETOPTIONS:
		return set_options(t, data);
	case PTRACE_GETEVENTMSG:
		return put_user(t->ptrace_message,
				(u64 __user *)user_ptr(data));
	case PTRACE_GETSIGINFO:
		return ptrace_get_info(t, data);
	case PTRACE_SETSIGINFO:
		return ptrace_set_info(t, data);
	case PTRACE_GETREGSET:
		return ptrace_regset(t, (u32)addr, data, false);
	case PTRACE_SETREGSET:
		return ptrace_regset(t, (u32)addr, data, true);
	case PTRACE_GETSIGMASK:
		return ptrace_sigmask(t, addr, data, false);
	case PTRACE_SETSIGMASK:
		return ptrace_sigmask(t, addr, data, true);
	case PTRACE_LISTEN:
		return listen(t);
	case PTRACE_GET_SYSCALL_INFO:
		return ptrace_syscall_info(t, addr, data);
	}
	/* Single steps, user areas and the rest do not exist. */
	return -EIO;
}

SYSCALL4(ptrace, long, request, s32, pid, u64, addr, u64, data)
{
	struct task *t;
	long ret;

	if (request == PTRACE_TRACEME)
		return traceme();
	t = task_find_get(pid);
	if (!t)
		return -ESRCH;
	switch (request) {
	case PTRACE_ATTACH:
		ret = attach(t, false, addr, data);
		break;
	case PTRACE_SEIZE:
		ret = attach(t, true, addr, data);
		break;
	case PTRACE_INTERRUPT:
		ret = interrupt(t);
		break;
	case PTRACE_KILL:
		ret = t->tracer == current ?
			      signal_send_task(t, SIGKILL, NULL) : -ESRCH;
		break;
	default:
		ret = check_stopped(t);
		if (!ret)
			ret = request_stopped(t, request, addr, data);
	}
	task_put(t);
	return ret;
}
