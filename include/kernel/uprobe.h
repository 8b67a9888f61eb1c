/* SPDX-License-Identifier: MIT */
/*
 * Probes in programs: call a handler when any process executes an instruction
 * of a file, or returns from the function that starts there.
 *
 * A probe is bound to the file: it is in every private, executable mapping of
 * the spaces that it is wanted in, those to come included, in copies of the
 * pages, so that the file stays as it is.
 */
#ifndef SONDE_KERNEL_UPROBE_H
#define SONDE_KERNEL_UPROBE_H

#include <lib/list.h>
#include <lib/types.h>

struct inode;
struct mm;
struct pt_regs;
struct uprobe;

/*
 * Handlers run in the context of the task, with preemption off; regs is its
 * user frame, of the instruction or as at the return, the program counter
 * being ret.  They may not sleep.
 */
struct uprobe_consumer {
	/* Either may be NULL.  [I] while registered */
	void (*hit)(struct uprobe_consumer *c, struct pt_regs *regs, u64 addr);
	void (*returned)(struct uprobe_consumer *c, struct pt_regs *regs,
			 u64 func, u64 ret);
	/*
	 * Is it to be in that space?  Any context; NULL: in all.  Who changes
	 * the answer calls uprobe_apply.
	 */
	bool (*wants)(struct uprobe_consumer *c, const struct mm *mm);
	u64 hits;			/* [a] */
	struct list_head link;		/* [uprobe.lock], walked lock-free */
	struct uprobe *uprobe;		/* [I] while registered */
};

/*
 * At byte offset of inode, which stays referenced; ref_ctr: offset of a 16-bit
 * counter in the file that is raised where the probe is, 0: none.  0; -EINVAL:
 * no instruction can be there, or none that can be probed, or another counter
 * belongs to the place; -ENOMEM.  Task context.
 */
int uprobe_register(struct inode *inode, u64 offset, u64 ref_ctr,
		    struct uprobe_consumer *c);
/*
 * c->wants says yes more often (on) or less: breakpoints come or go.  0,
 * -ENOMEM, -EINVAL as above.  Task context.
 */
int uprobe_apply(struct uprobe_consumer *c, bool on);
/* Afterwards no handler runs, nor will.  Waits. */
void uprobe_unregister(struct uprobe_consumer *c);

#ifdef CONFIG_UPROBES
/*
 * From the breakpoint exception of user code; task context, interrupts on.
 * False: not ours, a debugger's.
 */
bool uprobe_break(struct pt_regs *regs);
bool uprobe_stepped(struct pt_regs *regs);
#else
static inline bool uprobe_break(struct pt_regs *regs)
{
	return false;
}
static inline bool uprobe_stepped(struct pt_regs *regs)
{
	return false;
}
#endif

#endif /* SONDE_KERNEL_UPROBE_H */
