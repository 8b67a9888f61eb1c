/* SPDX-License-Identifier: MIT */
/*
 * Signal actions and the alternate stack: rt_sigaction, sigaltstack.
 *
 * Locks: siglock for the action table.
 */
#include <arch/elf.h>
#include <arch/regs.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>

#include "internal.h"

/* What this kernel acts on or stores; a caller probes the others with
 * SA_UNSUPPORTED, which is always cleared. */
#define SA_KNOWN                                                            \
	(SA_NOCLDSTOP | SA_NOCLDWAIT | SA_SIGINFO | SA_EXPOSE_TAGBITS |     \
	 SA_RESTORER | SA_ONSTACK | SA_RESTART | SA_NODEFER | SA_RESETHAND)

BUILD_ASSERT(sizeof(struct sigaction_k) == sizeof(struct user_sigaction));

static void set_action(int sig, struct sigaction_k *act,
		       struct sigaction_k *old)
{
	struct process *p = current->proc;
	struct sigaction_k *slot = &p->sighand->action[sig - 1];
	struct task *t;
	u64 handler;

	siglock_irq(p);
	*old = *slot;
	if (act) {
		act->mask.bits &= ~SIGS_KERNEL_ONLY;
		act->flags &= SA_KNOWN;
		*slot = *act;
		handler = user_addr(act->handler);
		/* What is now ignored must not stay pending. */
		if (handler == SIG_IGN ||
		    (handler == SIG_DFL && sig_in(sig, SIGS_IGNORE))) {
			sigqueue_drop(&p->pending, SIGMASK(sig));
			list_for_each_entry(t, &p->threads, thread_link)
				sigqueue_drop(&t->pending, SIGMASK(sig));
		}
	}
	siglock_irq_release(p);
}

SYSCALL4(rt_sigaction, int, sig, const struct sigaction_k __user *, uact,
	 struct sigaction_k __user *, uold, size_t, size)
{
	struct sigaction_k act, old;

	if (size != sizeof(struct sigset))
		return -EINVAL;
	if (uact && copy_from_user(&act, uact, sizeof(act)))
		return -EFAULT;
	if (sig < 1 || sig > NSIG || (uact && sig_in(sig, SIGS_KERNEL_ONLY)))
		return -EINVAL;
	set_action(sig, uact ? &act : NULL, &old);
	if (uold)
		return copy_to_user(uold, &old, sizeof(old));
	return 0;
}

static bool on_altstack(u64 sp)
{
	const struct sigaltstack_state *as = &current->altstack;

	if (as->flags & SS_AUTODISARM)
		return false;
	return sp > as->sp && sp - as->sp <= as->size;
}

int sigaltstack_set(const struct user_stack *ss, u64 sp, u64 min_size)
{
	struct sigaltstack_state *as = &current->altstack;
	u32 mode = (u32)ss->ss_flags & ~SS_AUTODISARM;

	if (on_altstack(sp))
		return -EPERM;
	if (mode != SS_DISABLE && mode != SS_ONSTACK && mode != 0)
		return -EINVAL;
	if (mode == SS_DISABLE) {
		as->sp = 0;
		as->size = 0;
	} else {
		if (ss->ss_size < min_size)
			return -ENOMEM;
		as->sp = ss->ss_sp;
		as->size = ss->ss_size;
	}
	as->flags = (u32)ss->ss_flags;
	return 0;
}

void sigaltstack_get(struct user_stack *ss, u64 sp)
{
	const struct sigaltstack_state *as = &current->altstack;

	ss->ss_sp = as->sp;
	ss->ss_size = as->size;
	ss->ss_flags = (s32)(as->flags & SS_AUTODISARM);
	ss->__pad = 0;
	if (!as->size)
		ss->ss_flags |= SS_DISABLE;
	else if (on_altstack(sp))
		ss->ss_flags |= SS_ONSTACK;
}

SYSCALL2(sigaltstack, const struct user_stack __user *, uss,
	 struct user_stack __user *, uold)
{
	u64 sp = regs_sp(task_pt_regs(current));
	struct user_stack ss, old;
	int err;

	if (uss && copy_from_user(&ss, uss, sizeof(ss)))
		return -EFAULT;
	sigaltstack_get(&old, sp);
	if (uss) {
		err = sigaltstack_set(&ss, sp, ARCH_MINSIGSTKSZ);
		if (err)
			return err;
	}
	return uold ? copy_to_user(uold, &old, sizeof(old)) : 0;
}
