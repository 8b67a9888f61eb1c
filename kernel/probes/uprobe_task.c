// SPDX-License-Identifier: MIT
/*
 * What a task does about probes in its program: hits, the step in a slot,
 * and returns.
 *
 * A hit tells the consumers, then has the instruction's effect: simulated, or
 * in a slot, behind which a second breakpoint leads back.  Until then signals
 * wait, so that none sees the slot; a fault in there is moved to where the
 * instruction stands.
 *
 * Returns: the return address of a call is exchanged for the trampoline's,
 * and kept here, newest first, with the stack pointer at the entry.  Calls
 * that longjmp() has left are told by it: their frames lie below the present
 * one.  A child of fork() has copies.
 *
 * All state is the task's own, in its own context.
 */
#include <arch/regs.h>
#include <kernel/fs.h>
#include <kernel/lock.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/probe_hooks.h>
#include <kernel/sched.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <kernel/uprobe.h>
#include <lib/err.h>
#include <linux/sched.h>
#include <linux/signal.h>

#include "uprobe_internal.h"

#define MAX_DEPTH 64	/* calls under return probes */

struct pending_return {
	struct pending_return *next;
	struct uprobe *uprobe;	/* referenced */
	u64 func, ret;
	u64 stack;		/* stack pointer at the entry */
	bool chained;		/* the call returned to a trampoline already */
};

/* [o] */
struct uprobe_task {
	u64 stepped;		/* address of the instruction in a slot */
	u64 slot;		/* 0: in none */
	bool deferred;		/* signals wait for the end of the step */
	struct pending_return *returns;
	u32 depth;
};

static struct uprobe_task *state_get(void)
{
	if (!current->uprobe)
		current->uprobe = kzalloc(sizeof(struct uprobe_task),
					  GFP_KERNEL);
	return current->uprobe;
}

/* --- returns ----------------------------------------------------------- */

static struct pending_return *pop(struct uprobe_task *t)
{
	struct pending_return *r = t->returns, *next = r->next;

	uprobe_put(r->uprobe);
	kfree(r);
	t->returns = next;
	t->depth--;
	return next;
}

static void forget_returns(struct uprobe_task *t)
{
	while (t->returns)
		pop(t);
}

/*
 * A call is over when the stack is above its frame.  At an entry that is
 * itself a tail call, the frame it stands on is the one it continues.
 */
static bool is_alive(const struct pending_return *r, u64 sp, bool same)
{
	return same ? sp <= r->stack : sp < r->stack;
}

static void drop_dead(struct uprobe_task *t, u64 sp, bool same)
{
	while (t->returns && !is_alive(t->returns, sp, same))
		pop(t);
}

/* Let the call that regs are the entry of return to the trampoline. */
static void catch_return(struct uprobe_task *t, struct uprobe *u,
			 struct pt_regs *regs)
{
	u64 ret = arch_probe_return_address(regs), trampoline;
	struct pending_return *r;

	trampoline = uprobe_area_get();
	if (!trampoline || t->depth >= MAX_DEPTH)
		return;
	drop_dead(t, regs_sp(regs), ret == trampoline);
	/* The program made the address up. */
	if (ret == trampoline && !t->returns)
		return;
	r = kmalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return;
	uprobe_get(u);
	r->uprobe = u;
	r->func = regs_ip(regs);
	r->stack = regs_sp(regs);
	r->chained = ret == trampoline;
	r->ret = r->chained ? t->returns->ret : ret;
	r->next = t->returns;
	t->returns = r;
	t->depth++;
	arch_probe_set_return_address(regs, trampoline);
}

/* The first pending return of the next older call. */
static struct pending_return *next_call(struct pending_return *r)
{
	while (r->chained && r->next)
		r = r->next;
	return r->next;
}

/* The trampoline was reached.  False: no call leads here. */
static bool take_return(struct pt_regs *regs)
{
	struct uprobe_task *t = current->uprobe;
	bool valid = false;

	while (!valid) {
		struct pending_return *r, *next;

		if (!t || !t->returns)
			return false;
		r = t->returns;
		next = next_call(r);
		/* Else longjmp() has left this call. */
		valid = !next || is_alive(next, regs_sp(regs), false);
		regs_set_ip(regs, r->ret);
		while (r != next) {
			if (valid)
				uprobe_tell_return(r->uprobe, regs, r->func,
						   r->ret);
			r = pop(t);
		}
	}
	return true;
}

/* --- the instruction --------------------------------------------------- */

static int read_user(void *to, u64 addr, size_t size)
{
	return copy_from_user(to, user_ptr(addr), size);
}

static void end_step(struct uprobe_task *t)
{
	struct process *p = current->proc;

	uprobe_slot_put(current->mm, t->slot);
	t->slot = 0;
	if (!t->deferred)
		return;
	t->deferred = false;
	spin_lock_irq(&p->siglock);
	signal_recalc(current);
	spin_unlock_irq(&p->siglock);
}

static void execute(struct uprobe_task *t, struct uprobe *u,
		    struct pt_regs *regs)
{
	u64 pc = regs_ip(regs);

	if (u->kind == ARCH_PROBE_SIMULATE) {
		if (arch_probe_simulate(u->insn, pc, regs, read_user))
			signal_force(SIGSEGV, SEGV_MAPERR, pc);
		return;
	}
	while (!(t->slot = uprobe_slot_get(u->insn))) {
		if (!uprobe_area_get()) {
			signal_force(SIGSEGV, SEGV_MAPERR, pc);
			return;
		}
		/* All slots are in use: their threads run on. */
		sched_yield_cpu();
		if (fatal_signal_pending(current))
			return;
	}
	t->stepped = pc;
	regs_set_ip(regs, t->slot);
}

bool uprobe_stepped(struct pt_regs *regs)
{
	struct uprobe_task *t = current->uprobe;

	if (!t || !t->slot ||
	    regs_ip(regs) != t->slot + ARCH_PROBE_INSN_SIZE)
		return false;
	regs_set_ip(regs, t->stepped + ARCH_PROBE_INSN_SIZE);
	end_step(t);
	return true;
}

void uprobe_abort_step(struct pt_regs *regs)
{
	struct uprobe_task *t = current->uprobe;

	if (!t || !t->slot)
		return;
	if (regs_ip(regs) == t->slot)
		regs_set_ip(regs, t->stepped);
	else if (regs_ip(regs) == t->slot + ARCH_PROBE_INSN_SIZE)
		regs_set_ip(regs, t->stepped + ARCH_PROBE_INSN_SIZE);
	end_step(t);
}

bool uprobe_defer_signals(struct pt_regs *regs)
{
	struct uprobe_task *t = current->uprobe;

	if (likely(!t || !t->slot))
		return false;
	if (fatal_signal_pending(current)) {
		uprobe_abort_step(regs);
		return false;
	}
	t->deferred = true;
	task_clear_flag(current, TIF_SIGPENDING);
	return true;
}

/* --- hits -------------------------------------------------------------- */

static struct uprobe *find_here(u64 pc)
{
	struct mm *mm = current->mm;
	struct uprobe *u = NULL;
	struct vma *vma;

	rwsem_read_lock(&mm->mmap_lock);
	vma = vma_lookup(mm, pc);
	if (vma && vma->cache && vma->cache->inode)
		u = uprobe_find(vma->cache->inode,
				pc - vma->start + (vma->pgoff << PAGE_SHIFT));
	rwsem_read_unlock(&mm->mmap_lock);
	return u;
}

/* Is the breakpoint there at all, now that it has been hit? */
static bool is_there(u64 pc)
{
	u32 insn;

	return !get_user(insn, (const u32 __user *)user_ptr(pc)) &&
	       insn == ARCH_UPROBE_BREAK;
}

bool uprobe_break(struct pt_regs *regs)
{
	u64 pc = regs_ip(regs);
	struct uprobe_task *t;
	struct uprobe *u;

	if (pc == uprobe_area_of(current->mm)) {
		if (!take_return(regs))
			signal_force(SIGILL, ILL_ILLOPC, pc);
		return true;
	}
	u = find_here(pc);
	if (!u)		/* taken away just now: try again */
		return !is_there(pc);
	t = state_get();
	if (t) {
		uprobe_tell_hit(u, regs, pc);
		/* It came with fork(), from a space that has it. */
		if (unlikely(!uprobe_wanted(u, current->mm)))
			uprobe_leave(u, pc);
		if (uprobe_wants_returns(u))
			catch_return(t, u, regs);
		execute(t, u, regs);
	}
	uprobe_put(u);
	return true;
}

/* --- tasks that come and go -------------------------------------------- */

static int copy_returns(struct uprobe_task *to, const struct uprobe_task *from)
{
	struct pending_return *r, *copy, **end = &to->returns;

	for (r = from->returns; r; r = r->next) {
		copy = kmemdup(r, sizeof(*r), GFP_KERNEL);
		if (!copy)
			return -ENOMEM;	/* what is there goes with the task */
		uprobe_get(copy->uprobe);
		copy->next = NULL;
		*end = copy;
		end = &copy->next;
		to->depth++;
	}
	return 0;
}

int uprobe_forked(struct task *child, u64 flags)
{
	struct uprobe_task *t = current->uprobe;
	int err;

	if (likely(!t || !t->returns))
		return 0;
	if ((flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM)
		return 0;	/* a thread has a stack of its own */
	child->uprobe = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!child->uprobe)
		return -ENOMEM;
	err = copy_returns(child->uprobe, t);
	if (!err && child->mm != current->mm)
		err = uprobe_area_copy(child->mm, current->mm);
	return err;
}

void uprobe_exec(void)
{
	struct uprobe_task *t = current->uprobe;

	if (!t)
		return;
	forget_returns(t);
	t->slot = 0;
	t->deferred = false;
}

void uprobe_task_free(struct task *task)
{
	struct uprobe_task *t = task->uprobe;

	if (!t)
		return;
	forget_returns(t);
	kfree(t);
	task->uprobe = NULL;
}
