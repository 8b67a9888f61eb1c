/* SPDX-License-Identifier: MIT */
/*
 * Signal frames: written before a handler runs, read back by rt_sigreturn(2).
 *
 * Only current's own stack and registers are touched, in task context with no
 * lock held.  Whatever comes back from user memory is checked: PSTATE may not
 * raise the exception level or mask interrupts, and the records must be well
 * formed with exactly one FP/SIMD record among them.
 */
#include <arch/elf.h>
#include <arch/impl/cpu.h>
#include <arch/impl/sigframe.h>
#include <arch/regs.h>
#include <arch/signal.h>
#include <kernel/mm.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/minmax.h>
#include <lib/string.h>

#define MIN_STACK   5120	/* AT_MINSIGSTKSZ is below this */
#define PSTATE_KEEP (0xf0000000u | PSR_DIT | PSR_SSBS | PSR_BTYPE | PSR_TCO)

static bool on_altstack(u64 sp)
{
	const struct sigaltstack_state *alt = &current->altstack;

	return !(alt->flags & SS_AUTODISARM) && sp > alt->sp &&
	       sp - alt->sp <= alt->size;
}

static struct sig_frame __user *
place_frame(const struct ksignal *ksig, const struct pt_regs *regs,
	    struct sig_frame_record __user **rec)
{
	const struct sigaltstack_state *alt = &current->altstack;
	u64 sp = regs->sp;

	if ((ksig->action.flags & SA_ONSTACK) && alt->size && !on_altstack(sp))
		sp = alt->sp + alt->size;
	sp = ALIGN_DOWN(sp - sizeof(struct sig_frame_record), 16);
	*rec = user_ptr(sp);
	return user_ptr(ALIGN_DOWN(sp - sizeof(struct sig_frame), 16));
}

static int put_context(struct sig_frame __user *frame,
		       const struct sigset *blocked,
		       const struct pt_regs *regs)
{
	const struct sigaltstack_state *alt = &current->altstack;
	struct sig_context uc = { 0 };

	uc.uc_stack.ss_sp = alt->sp;
	uc.uc_stack.ss_size = alt->size;
	if (!alt->size)
		uc.uc_stack.ss_flags = SS_DISABLE;
	else if (on_altstack(regs->sp))
		uc.uc_stack.ss_flags = SS_ONSTACK;
	uc.uc_stack.ss_flags |= (s32)(alt->flags & SS_AUTODISARM);
	uc.uc_sigmask = blocked->bits;
	uc.fault_address = current->arch.fault_address;
	memcpy(uc.regs, regs->regs, sizeof(uc.regs));
	uc.sp = regs->sp;
	uc.pc = regs->pc;
	uc.pstate = regs->pstate;
	return copy_to_user(&frame->uc, &uc, sizeof(uc));
}

static int put_records(struct sig_frame __user *frame)
{
	struct arch_fpsimd *saved = &current->arch.fpsimd;
	u8 __user *at = frame->records;
	struct sig_record end = { 0, 0 };
	struct sig_fpsimd fp;

	preempt_disable();
	arm64_fpsimd_save(saved);
	preempt_enable();
	fp.head.magic = FPSIMD_MAGIC;
	fp.head.size = sizeof(fp);
	fp.fpsr = saved->fpsr;
	fp.fpcr = saved->fpcr;
	memcpy(fp.v, saved->v, sizeof(fp.v));
	if (copy_to_user(at, &fp, sizeof(fp)))
		return -EFAULT;
	at += sizeof(fp);
	if (current->arch.fault_esr) {
		struct sig_esr esr = {
			.head = { ESR_MAGIC, sizeof(esr) },
			.esr = current->arch.fault_esr,
		};

		if (copy_to_user(at, &esr, sizeof(esr)))
			return -EFAULT;
		at += sizeof(esr);
	}
	return copy_to_user(at, &end, sizeof(end));
}

int arch_signal_setup(struct ksignal *ksig, const struct sigset *blocked,
		      struct pt_regs *regs)
{
	struct sig_frame_record record = { regs->regs[29], regs->regs[30] };
	struct sig_frame_record __user *urecord;
	struct sig_frame __user *frame = place_frame(ksig, regs, &urecord);

	if (copy_to_user(urecord, &record, sizeof(record)) ||
	    put_context(frame, blocked, regs) || put_records(frame))
		return -EFAULT;
	if ((ksig->action.flags & SA_SIGINFO) &&
	    copy_to_user(&frame->info, &ksig->info, sizeof(frame->info)))
		return -EFAULT;
	if (current->altstack.flags & SS_AUTODISARM)
		current->altstack = (struct sigaltstack_state){ 0 };

	regs->regs[0] = (u64)ksig->sig;
	if (ksig->action.flags & SA_SIGINFO) {
		regs->regs[1] = user_addr(&frame->info);
		regs->regs[2] = user_addr(&frame->uc);
	}
	regs->regs[29] = user_addr(urecord);
	regs->regs[30] = ksig->action.flags & SA_RESTORER ?
				 user_addr(ksig->action.restorer) :
				 current->mm->vdso + arch_vdso_sigreturn();
	regs->sp = user_addr(frame);
	regs->pc = user_addr(ksig->action.handler);
	regs->pstate &= ~(u64)(PSR_BTYPE | PSR_TCO | PSR_SS);
	regs->syscallno = -1;
	return 0;
}

static int get_fpsimd(const u8 __user *at)
{
	struct arch_fpsimd *saved = &current->arch.fpsimd;
	struct sig_fpsimd fp;

	if (copy_from_user(&fp, at, sizeof(fp)))
		return -EFAULT;
	preempt_disable();
	memcpy(saved->v, fp.v, sizeof(fp.v));
	saved->fpsr = fp.fpsr;
	saved->fpcr = fp.fpcr;
	arm64_fpsimd_load(saved);
	preempt_enable();
	return 0;
}

static int get_records(const struct sig_frame __user *frame)
{
	u32 at = 0;
	bool seen = false;

	for (;;) {
		struct sig_record head;

		if (SIG_RECORD_BYTES - at < sizeof(head) ||
		    copy_from_user(&head, frame->records + at, sizeof(head)))
			return -EFAULT;
		if (!head.magic)
			return head.size || !seen ? -EFAULT : 0;
		if (head.size < sizeof(head) || head.size % 16 ||
		    head.size > SIG_RECORD_BYTES - at)
			return -EFAULT;
		if (head.magic == FPSIMD_MAGIC) {
			if (seen || head.size != sizeof(struct sig_fpsimd) ||
			    get_fpsimd(frame->records + at))
				return -EFAULT;
			seen = true;
		} else if (head.magic != ESR_MAGIC) {
			return -EFAULT;
		}
		at += head.size;
	}
}

/* Errors of sigaltstack(2) are ignored here, as Linux ignores them. */
static void restore_altstack(const struct user_stack *st, u64 sp)
{
	struct sigaltstack_state *alt = &current->altstack;
	u32 mode = (u32)st->ss_flags & ~(SS_AUTODISARM | SS_ONSTACK);

	if (on_altstack(sp) || (mode && mode != SS_DISABLE))
		return;
	if (mode == SS_DISABLE) {
		*alt = (struct sigaltstack_state){ 0 };
	} else if (st->ss_size >= MIN_STACK) {
		alt->sp = st->ss_sp;
		alt->size = st->ss_size;
		alt->flags = (u32)st->ss_flags & SS_AUTODISARM;
	}
}

static int get_frame(const struct sig_frame __user *frame,
		     struct pt_regs *regs)
{
	struct sigset blocked;
	struct sig_context uc;

	if (copy_from_user(&uc, &frame->uc, sizeof(uc)))
		return -EFAULT;
	blocked.bits = uc.uc_sigmask;
	signal_set_blocked(&blocked);
	memcpy(regs->regs, uc.regs, sizeof(uc.regs));
	regs->sp = uc.sp;
	regs->pc = uc.pc;
	regs->pstate = uc.pstate & PSTATE_KEEP;
	regs->syscallno = -1;
	if (uc.pstate & (PSR_MODE_MASK | PSR_MODE32 | PSR_D | PSR_A | PSR_I |
			 PSR_F))
		return -EFAULT;
	if (get_records(frame))
		return -EFAULT;
	restore_altstack(&uc.uc_stack, regs->sp);
	return 0;
}

long arch_sigreturn(struct pt_regs *regs)
{
	u64 sp = regs->sp;

	current->restart.fn = NULL;
	if ((sp & 15) || get_frame(user_ptr(sp), regs)) {
		signal_force(SIGSEGV, SEGV_MAPERR, sp);
		return 0;
	}
	return (long)regs->regs[0];
}
