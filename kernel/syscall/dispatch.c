/* SPDX-License-Identifier: MIT */
/*
 * From entry assembly to a system call, and from the kernel back to user
 * mode.
 *
 * The table is made from the architecture's list of numbers.  A listed name
 * that nobody defines stays a weak zero: it answers ENOSYS, and is named in
 * the log the first time somebody asks for it.
 *
 * Entry points: syscall_dispatch (interrupts on), exit_to_user_work
 * (interrupts masked at call and return), syscall_name.
 */
#include <arch/irqflags.h>
#include <arch/regs.h>
#include <arch/syscall.h>
#include <kernel/posix.h>
#include <kernel/printk.h>
#include <kernel/probe_hooks.h>
#include <kernel/ptrace.h>
#include <kernel/sched.h>
#include <kernel/signal.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <kernel/trace_hooks.h>
#include <lib/bitmap.h>
#include <lib/compiler.h>

#define SYSCALL_NR(number, name) long sys_##name(struct pt_regs *regs) __weak;
#include <arch/impl/syscall_nr.h>
#undef SYSCALL_NR

static syscall_fn *const syscall_table[ARCH_NR_SYSCALLS] = {
#define SYSCALL_NR(number, name) [number] = sys_##name,
#include <arch/impl/syscall_nr.h>
#undef SYSCALL_NR
};

static const char *const syscall_names[ARCH_NR_SYSCALLS] = {
#define SYSCALL_NR(number, name) [number] = #name,
#include <arch/impl/syscall_nr.h>
#undef SYSCALL_NR
};

const char *syscall_name(long nr)
{
	return (unsigned long)nr < ARCH_NR_SYSCALLS ? syscall_names[nr] : NULL;
}

static noinline __cold long no_syscall(long nr)
{
	static unsigned long asked[(ARCH_NR_SYSCALLS + 63) / 64];
	const char *name = syscall_name(nr);

	if (name && !bitmap_test_and_set_atomic(asked, (size_t)nr))
		pr_info("%s[%d]: system call %ld (%s) is not there",
			current->comm, task_tid(current), nr, name);
	return -ENOSYS;
}

static __always_inline long call(long nr, struct pt_regs *regs)
{
	syscall_fn *fn = NULL;

	if (likely((unsigned long)nr < ARCH_NR_SYSCALLS))
		fn = syscall_table[nr];
	return likely(fn) ? fn(regs) : no_syscall(nr);
}

static noinline void tell_exit(struct pt_regs *regs)
{
	trace_syscall_exit(regs, regs_syscall_nr(regs),
			   (long)regs_return_value(regs));
}

/* Somebody traces this thread. */
static noinline void dispatch_traced(struct pt_regs *regs)
{
	bool run;

	regs_set_return(regs, -ENOSYS);
	run = !ptrace_syscall_entry(regs);
	if (run)
		trace_syscall_enter(regs, regs_syscall_nr(regs));
	if (run && regs_syscall_nr(regs) >= 0)
		regs_set_return(regs, call(regs_syscall_nr(regs), regs));
	tell_exit(regs);
	ptrace_syscall_exit(regs);
}

static __always_inline void dispatch(struct pt_regs *regs, bool hooked)
{
	struct task *self = current;
	long nr = regs_syscall_nr(regs);

	self->syscall_nr = (s32)nr;
	if (unlikely(self->ti.flags & TIF_SYSCALL_TRACE)) {
		dispatch_traced(regs);
	} else {
		if (hooked)
			trace_syscall_enter(regs, nr);
		regs_set_return(regs, call(nr, regs));
		if (trace_hook_on(syscall_exit))
			tell_exit(regs);
	}
	self->syscall_nr = -1;
}

/* Apart, so that no register is saved for a hook that is off. */
static noinline void dispatch_hooked(struct pt_regs *regs)
{
	dispatch(regs, true);
}

void syscall_dispatch(struct pt_regs *regs)
{
	if (trace_hook_on(syscall_enter))
		dispatch_hooked(regs);
	else
		dispatch(regs, false);
}

void exit_to_user_work(struct pt_regs *regs)
{
	u32 flags;

	while ((flags = READ_ONCE(current->ti.flags)) & TIF_WORK_MASK) {
		arch_irq_enable();
		if (flags & TIF_NEED_RESCHED)
			schedule();
		if (flags & TIF_NOTIFY_RESUME) {
			task_clear_flag(current, TIF_NOTIFY_RESUME);
			task_work_run();
			if (current->rseq)
				rseq_resume(regs);
		}
		if ((flags & (TIF_SIGPENDING | TIF_RESTORE_MASK)) &&
		    !uprobe_defer_signals(regs))
			signal_deliver(regs);
		arch_irq_disable();
		/* The others are the architecture's, done in its return. */
		if (!(flags & (TIF_NEED_RESCHED | TIF_NOTIFY_RESUME |
			       TIF_SIGPENDING | TIF_RESTORE_MASK)))
			break;
	}
}
