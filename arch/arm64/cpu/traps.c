/* SPDX-License-Identifier: MIT */
/*
 * Synchronous exceptions: aborts to mm, the rest to signals or to panic.
 *
 * Entry assembly calls arm64_el0_sync and arm64_el1_sync with everything
 * masked, so that the fault address is read before anything can overwrite
 * it; they unmask what the interrupted context had unmasked.  System calls
 * never come here.  A fault of the no-fault copies is redirected at once, in
 * any context, without a lock.
 */
#include <arch/impl/cpu.h>
#include <arch/impl/sysreg.h>
#include <arch/irqflags.h>
#include <arch/regs.h>
#include <arch/uaccess.h>
#include <arch/probes.h>
#include <kernel/irq.h>
#include <kernel/kprobe.h>
#include <kernel/mm.h>
#include <kernel/panic.h>
#include <kernel/printk.h>
#include <kernel/probe_hooks.h>
#include <kernel/signal.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <kernel/uprobe.h>
#include <lib/noprobe.h>
#include <linux/signal.h>

#include "percpu.h"

DEFINE_PER_CPU(u64, irq_stack_top);
DEFINE_PER_CPU(u8, overflow_stack)[4096] __aligned(16);

extern char uaccess_nofault_start[], uaccess_nofault_end[];

static void unmask_all(void)
{
	__asm__ __volatile__("msr daif, xzr" ::: "memory");
}

/* Debug and errors are always let in; interrupts as they were. */
static void unmask_as(const struct pt_regs *regs)
{
	u64 daif = regs->pstate & (PSR_I | PSR_F);

	__asm__ __volatile__("msr daif, %0" : : "r"(daif) : "memory");
}

static __always_inline u64 fault_address(void)
{
	return read_sysreg(far_el1);
}

/* For the signal frame's syndrome record. */
static void note_fault(u64 addr, u64 esr)
{
	current->arch.fault_address = addr;
	current->arch.fault_esr = esr;
}

static u32 abort_flags(u64 esr, bool user)
{
	u32 ec = ESR_EC(esr);
	u32 flags = user ? FAULT_USER : 0;

	if (ec == ESR_EC_IABT_LOW || ec == ESR_EC_IABT_CUR)
		flags |= FAULT_EXEC;
	else if ((esr & ESR_WNR) && !(esr & ESR_CM))
		flags |= FAULT_WRITE;
	return flags;
}

/* Does the walk answer it, rather than the bus or an alignment check? */
static bool is_page_fault(u64 esr)
{
	u32 type = ESR_FSC_TYPE(esr);

	return type == ESR_FSC_TRANS || type == ESR_FSC_ACCESS ||
	       type == ESR_FSC_PERM;
}

static void user_abort(struct pt_regs *regs, u64 esr, u64 addr)
{
	unmask_all();
	note_fault(addr, esr);
	addr = ARCH_UNTAG(addr);
	if (likely(is_page_fault(esr) && addr < ARCH_USER_END)) {
		mm_fault(regs, addr, abort_flags(esr, true));
		return;
	}
	uprobe_abort_step(regs);
	if (is_page_fault(esr)) {
		signal_force(SIGSEGV, SEGV_MAPERR, addr);
	} else if (ESR_FSC(esr) == ESR_FSC_ALIGN) {
		signal_force(SIGBUS, BUS_ADRALN, addr);
	} else if (ESR_FSC_TYPE(esr) == ESR_FSC_ADDR_SIZE) {
		signal_force(SIGSEGV, SEGV_MAPERR, addr);
	} else {
		signal_force(SIGBUS, BUS_OBJERR, addr);
	}
}

static void user_undefined(struct pt_regs *regs, u64 esr)
{
	unmask_all();
	if (arm64_emulate(regs, esr))
		return;
	uprobe_abort_step(regs);
	note_fault(regs->pc, 0);
	signal_force(SIGILL, ILL_ILLOPC, regs->pc);
}

/* The cumulative flags of the syndrome, worst first, as Linux orders them. */
static void user_fp_exception(struct pt_regs *regs, u64 esr)
{
	int code = FPE_FLTUNK;

	unmask_all();
	uprobe_abort_step(regs);
	if (esr & (1u << 23)) {
		if (esr & 0x01)
			code = FPE_FLTINV;
		else if (esr & 0x02)
			code = FPE_FLTDIV;
		else if (esr & 0x04)
			code = FPE_FLTOVF;
		else if (esr & 0x08)
			code = FPE_FLTUND;
		else if (esr & 0x10)
			code = FPE_FLTRES;
	}
	note_fault(regs->pc, esr);
	signal_force(SIGFPE, code, regs->pc);
}

static void user_trap(struct pt_regs *regs, u64 esr, int sig, int code,
		      u64 addr)
{
	bool here = addr == regs->pc;

	unmask_all();
	uprobe_abort_step(regs);
	if (here)
		addr = regs->pc;
	note_fault(addr, esr);
	signal_force(sig, code, addr);
}

static void user_break(struct pt_regs *regs, u64 esr)
{
	u32 number = (u32)esr & 0xffff;

	unmask_all();
	if (number == ARM64_BRK_UPROBE && uprobe_break(regs))
		return;
	if (number == ARM64_BRK_USTEPPED && uprobe_stepped(regs))
		return;
	user_trap(regs, esr, SIGTRAP, TRAP_BRKPT, regs->pc);
}

/* A function, as kernel_abort() is: it may be probed, its caller must not. */
static noinline void debug_hit(struct pt_regs *regs, u64 esr, u64 addr)
{
	if (ESR_EC(esr) == ESR_EC_BREAK_LOW || ESR_EC(esr) == ESR_EC_BREAK_CUR)
		arm64_debug_break(regs);
	else
		arm64_debug_watch(regs, ARCH_UNTAG(addr),
				  (esr & ESR_WNR) && !(esr & ESR_CM));
}

__noinstr void arm64_el0_sync(struct pt_regs *regs, u64 esr)
{
	u64 addr = fault_address();

	switch (ESR_EC(esr)) {
	case ESR_EC_DABT_LOW:
	case ESR_EC_IABT_LOW:
		user_abort(regs, esr, addr);
		break;
	case ESR_EC_UNKNOWN:
	case ESR_EC_SYS64:
		user_undefined(regs, esr);
		break;
	case ESR_EC_WFX:
		regs->pc += 4;
		break;
	case ESR_EC_FP_EXC64:
		user_fp_exception(regs, esr);
		break;
	case ESR_EC_PC_ALIGN:
		user_trap(regs, esr, SIGBUS, BUS_ADRALN, addr);
		break;
	case ESR_EC_SP_ALIGN:
		user_trap(regs, esr, SIGBUS, BUS_ADRALN, regs->sp);
		break;
	case ESR_EC_BRK64:
		user_break(regs, esr);
		break;
	case ESR_EC_STEP_LOW:
		/* Nobody asks for steps yet but cpu/debug.c. */
		if (arm64_debug_step(regs))
			unmask_all();
		else
			user_trap(regs, esr, SIGTRAP, TRAP_TRACE, regs->pc);
		break;
	case ESR_EC_BREAK_LOW:
	case ESR_EC_WATCH_LOW:
		/* One that is not ours was just removed: try again. */
		debug_hit(regs, esr, addr);
		unmask_all();
		break;
	default:
		user_trap(regs, esr, SIGILL, ILL_ILLOPC, regs->pc);
		break;
	}
}

/* May a fault of the kernel on user memory be served here? */
static bool can_serve(const struct pt_regs *regs)
{
	return current->mm && !current->faults_disabled && !in_interrupt() &&
	       !regs_irqs_disabled(regs);
}

static noinline void kernel_abort(struct pt_regs *regs, u64 esr, u64 addr)
{
	kprobe_faulted(regs);
	if (unlikely(regs->pstate & PSR_SS))
		arm64_debug_step_fault(regs);
	if (regs->pc >= (uintptr_t)uaccess_nofault_start &&
	    regs->pc < (uintptr_t)uaccess_nofault_end) {
		CHECK(arch_fixup_exception(regs));
		return;
	}
	unmask_as(regs);
	addr = ARCH_UNTAG(addr);
	if (is_page_fault(esr) && addr < ARCH_USER_END && can_serve(regs) &&
	    ESR_EC(esr) == ESR_EC_DABT_CUR && arm64_in_extable(regs->pc)) {
		mm_fault(regs, addr, abort_flags(esr, false));
		return;
	}
	if (arch_fixup_exception(regs))
		return;
	panic_regs(regs, "kernel fault at %016llx, syndrome %08llx", addr,
		   esr);
}

static __noinstr bool kernel_break(struct pt_regs *regs, u64 esr)
{
	if (unlikely(regs->pstate & PSR_SS))
		arm64_debug_step_fault(regs);
	return (esr & 0xffff) == ARM64_BRK_KPROBE && kprobe_hit(regs);
}

/*
 * A breakpoint of a probe may be hit in all that is called from here, so the
 * address of the fault is read first.
 */
__noinstr void arm64_el1_sync(struct pt_regs *regs, u64 esr)
{
	u64 addr = fault_address();

	switch (ESR_EC(esr)) {
	case ESR_EC_DABT_CUR:
	case ESR_EC_IABT_CUR:
		kernel_abort(regs, esr, addr);
		break;
	case ESR_EC_BREAK_CUR:
	case ESR_EC_WATCH_CUR:
		debug_hit(regs, esr, addr);
		break;
	case ESR_EC_STEP_CUR:
		arm64_debug_step(regs);
		break;
	case ESR_EC_BRK64:
		if (kernel_break(regs, esr))
			break;
		panic_regs(regs, "breakpoint %#x in the kernel",
			   (u32)esr & 0xffff);
	case ESR_EC_UNKNOWN:
		if (arch_fixup_exception(regs))
			break;
		panic_regs(regs, "undefined instruction in the kernel");
	default:
		panic_regs(regs, "unexpected exception, syndrome %08llx", esr);
	}
}

/* On the way out of an interrupt of the kernel, everything masked. */
void arm64_preempt(void)
{
	arm64_irq_begin();
	preempt_schedule_irq();
	arm64_irq_end();
}

/* On the way to user mode, interrupts masked at call and return. */
void arm64_user_work(struct pt_regs *regs)
{
	arm64_irq_begin();
	exit_to_user_work(regs);
	arm64_irq_end();
}

void arm64_serror(struct pt_regs *regs, u64 esr)
{
	panic_regs(regs, "asynchronous error, syndrome %08llx", esr);
}

void arm64_bad_exception(struct pt_regs *regs, u64 reason)
{
	panic_regs(regs, "bad exception vector %llu, syndrome %08llx", reason,
		   read_sysreg(esr_el1));
}
NOPROBE(arm64_bad_exception);

void arm64_stack_overflow(struct pt_regs *regs)
{
	panic_regs(regs, "kernel stack overflow, fault address %016llx",
		   read_sysreg(far_el1));
}
NOPROBE(arm64_stack_overflow);
