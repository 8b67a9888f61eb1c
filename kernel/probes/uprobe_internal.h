/* SPDX-License-Identifier: MIT */
/*
 * What the files of the uprobe engine share: places (uprobe.c), slots
 * (uprobe_area.c), what a task is doing (uprobe_task.c).
 */
#ifndef SONDE_PROBES_UPROBE_INTERNAL_H
#define SONDE_PROBES_UPROBE_INTERNAL_H

#include <arch/probes.h>
#include <kernel/lock.h>
#include <kernel/reclaim.h>
#include <lib/hlist.h>
#include <lib/list.h>
#include <lib/ref.h>
#include <lib/types.h>

struct inode;
struct mm;
struct pt_regs;
struct task;

/* One probed place of a file.  [I] once in the table; [lock]; [T] table. */
struct uprobe {
	struct ref refs;
	struct hlist_node node;		/* [T], walked lock-free */
	struct list_head all;		/* [T] */
	struct inode *inode;		/* [I] referenced */
	u64 offset, ref_ctr;		/* [I] */
	u32 insn;			/* [I] */
	enum arch_probe_kind kind;	/* [I] of insn */
	struct mutex lock;		/* LOCK_RANK_UPROBE */
	struct list_head consumers;	/* [lock], walked lock-free */
	struct list_head owed;		/* [lock] spaces without the counter */
	struct reclaim_node reclaim;
};

/* The probe at offset of inode, referenced, or NULL.  Any task context. */
struct uprobe *uprobe_find(struct inode *inode, u64 offset);
void uprobe_get(struct uprobe *u);
void uprobe_put(struct uprobe *u);
/* Is it to be in that space? */
bool uprobe_wanted(struct uprobe *u, const struct mm *mm);
/* It was hit at addr of current's space, where nobody wants it. */
void uprobe_leave(struct uprobe *u, u64 addr);
/* Does somebody want the returns? */
bool uprobe_wants_returns(struct uprobe *u);
void uprobe_tell_hit(struct uprobe *u, struct pt_regs *regs, u64 addr);
void uprobe_tell_return(struct uprobe *u, struct pt_regs *regs, u64 func,
			u64 ret);

/*
 * The page of slots of current's space, made when there is none: its address,
 * where the return trampoline is, or 0.  Task context.
 */
u64 uprobe_area_get(void);
/* The same if it is there already. */
u64 uprobe_area_of(const struct mm *mm);
/* The same page layout at the same address of a fresh space.  0 or -errno. */
int uprobe_area_copy(struct mm *to, const struct mm *from);
/* A slot of current's space with insn, held; 0: none is free. */
u64 uprobe_slot_get(u32 insn);
void uprobe_slot_put(struct mm *mm, u64 slot);

#endif /* SONDE_PROBES_UPROBE_INTERNAL_H */
