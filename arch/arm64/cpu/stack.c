/* SPDX-License-Identifier: MIT */
/*
 * Walking kernel stacks, and printing a register frame.
 *
 * Frame records are {caller's record, return address}; exception entry puts
 * one at the end of the register frame, so a chain crosses it.  A record is
 * read only if it lies inside a stack that the walk may be on: the task's,
 * then this CPU's interrupt stack.  Positions grow strictly within one stack,
 * and each stack is entered once, so a damaged chain ends.  Any context.
 */
#include <arch/impl/cpu.h>
#include <arch/regs.h>
#include <arch/thread.h>
#include <arch/uaccess.h>
#include <kernel/ksym.h>
#include <kernel/printk.h>
#include <kernel/probe_hooks.h>
#include <kernel/task.h>

#include "percpu.h"

struct walk {
	u64 low, high;		/* stack in use */
	u64 task_low;		/* the task's stack, 0 once it is in use */
	u64 irq_low;		/* interrupt stack, 0: not ours to read */
	u64 fp;
	const struct task *task;
};

static bool enter_stack(struct walk *w, u64 *low)
{
	if (!*low || w->fp - *low >= ARCH_STACK_SIZE)
		return false;
	w->low = w->fp;
	w->high = *low + ARCH_STACK_SIZE;
	*low = 0;
	return true;
}

/* Is the record at w->fp one that may be read? */
static bool valid(struct walk *w)
{
	if (w->fp & 7)
		return false;
	if (w->fp < w->low || w->fp > w->high - 16)
		if (!enter_stack(w, &w->irq_low) &&
		    !enter_stack(w, &w->task_low))
			return false;
	return w->fp <= w->high - 16;
}

static bool is_kernel_text(u64 pc)
{
	return pc >= (uintptr_t)_text && pc < (uintptr_t)_srodata;
}

static void follow(struct walk *w, bool (*store)(void *, u64), void *cookie)
{
	while (w->fp && valid(w)) {
		u64 record[2];

		if (arch_copy_kernel_nofault(record, (void *)(uintptr_t)w->fp,
					     sizeof(record)))
			return;
		w->low = w->fp + 16;
		w->fp = record[0];
		record[1] = kretprobe_real_return(w->task, record[1], w->fp);
		if (!is_kernel_text(record[1]) || !store(cookie, record[1]))
			return;
	}
}

static bool on_interrupt_stack(const struct pt_regs *regs)
{
	u64 top = this_cpu(irq_stack_top);

	return top && regs->sp - (top - ARCH_STACK_SIZE) < ARCH_STACK_SIZE;
}

void arch_stack_walk(const struct pt_regs *regs, const struct task *task,
		     bool (*store)(void *cookie, u64 pc), void *cookie)
{
	struct walk w = { 0 };
	u64 top = this_cpu(irq_stack_top);

	if (!task)
		task = current;
	w.task = task;
	w.task_low = (uintptr_t)task->stack;
	if (task != current) {
		w.fp = task->arch.context.fp;
		if (store(cookie, task->arch.context.pc))
			follow(&w, store, cookie);
		return;
	}
	if (top)
		w.irq_low = top - ARCH_STACK_SIZE;
	if (!regs) {
		w.fp = (uintptr_t)__builtin_frame_address(0);
		follow(&w, store, cookie);
		return;
	}
	if (regs_user_mode(regs))
		return;
	/* What was interrupted on the task's stack has no other above it. */
	if (!on_interrupt_stack(regs))
		w.irq_low = 0;
	w.fp = regs->regs[29];
	if (store(cookie, regs->pc))
		follow(&w, store, cookie);
}

void arch_show_regs(const struct pt_regs *regs)
{
	char name[KSYM_NAME_MAX + 32];
	int i;

	if (!regs_user_mode(regs)) {
		ksym_format(name, sizeof(name), regs->pc);
		printk(LOG_EMERG, "pc : %s\n", name);
		ksym_format(name, sizeof(name), regs->regs[30]);
		printk(LOG_EMERG, "lr : %s\n", name);
	}
	printk(LOG_EMERG, "pc : %016llx lr : %016llx pstate : %08llx\n",
	       regs->pc, regs->regs[30], regs->pstate);
	printk(LOG_EMERG, "sp : %016llx esr : %08llx\n", regs->sp, regs->esr);
	for (i = 28; i >= 0; i -= 2)
		printk(LOG_EMERG, "x%-2d: %016llx x%-2d: %016llx\n", i + 1,
		       regs->regs[i + 1], i, regs->regs[i]);
}
