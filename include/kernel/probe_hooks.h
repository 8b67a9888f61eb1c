/* SPDX-License-Identifier: MIT */
/*
 * What the rest of the kernel sees of probes: the hooks.  Without probes they
 * are empty, and with them they cost a nop, a load or an uncontended lock.
 */
#ifndef SONDE_KERNEL_PROBE_HOOKS_H
#define SONDE_KERNEL_PROBE_HOOKS_H

#include <kernel/static_key.h>
#include <lib/types.h>

struct mm;
struct pt_regs;
struct task;

#ifdef CONFIG_KPROBES
/* task is new.  Without memory its calls are missed where that matters. */
void call_frames_alloc(struct task *task);
/* task is dead: it will not return from the functions it is in. */
void kretprobe_task_free(struct task *task);
/*
 * addr, or if that is the return trampoline, where the call of a function with
 * a return probe really returns to.  fp: the caller's frame pointer.  Any
 * context, of another task while it sleeps, under reclaim_read_lock.
 */
u64 kretprobe_real_return(const struct task *task, u64 addr, u64 fp);
#else
static inline void call_frames_alloc(struct task *task) { }
static inline void kretprobe_task_free(struct task *task) { }
static inline u64 kretprobe_real_return(const struct task *task, u64 addr,
					u64 fp)
{
	return addr;
}
#endif

#ifdef CONFIG_UPROBES

DECLARE_STATIC_KEY(uprobe_key);	/* on while a probe is in some file */
void uprobe_mapped_body(struct mm *mm, u64 addr, u64 len);

/* A file was mapped there.  Task context, mmap_lock not held. */
static inline void uprobe_mapped(struct mm *mm, u64 addr, u64 len)
{
	if (static_branch(uprobe_key))
		uprobe_mapped_body(mm, addr, len);
}

/* Around the copy of an address space: no breakpoint comes or goes. */
void uprobe_fork_begin(void);
void uprobe_fork_end(void);
/* child, not yet visible, has its space.  0 or a negative errno. */
int uprobe_forked(struct task *child, u64 clone_flags);
/* current has a new program. */
void uprobe_exec(void);
void uprobe_mm_free(struct mm *mm);
void uprobe_task_free(struct task *task);

/* A signal or fault in the copy of an instruction is one of the original. */
void uprobe_abort_step(struct pt_regs *regs);
/*
 * True: current is in the copy of an instruction; what is pending waits until
 * that is done.  Exit to user mode, interrupts on.
 */
bool uprobe_defer_signals(struct pt_regs *regs);

#else

static inline void uprobe_mapped(struct mm *mm, u64 addr, u64 len) { }
static inline void uprobe_fork_begin(void) { }
static inline void uprobe_fork_end(void) { }
static inline int uprobe_forked(struct task *child, u64 flags) { return 0; }
static inline void uprobe_exec(void) { }
static inline void uprobe_mm_free(struct mm *mm) { }
static inline void uprobe_task_free(struct task *task) { }
static inline void uprobe_abort_step(struct pt_regs *regs) { }
static inline bool uprobe_defer_signals(struct pt_regs *regs)
{
	return false;
}

#endif

static inline void probes_task_free(struct task *task)
{
	kretprobe_task_free(task);
	uprobe_task_free(task);
}

#endif /* SONDE_KERNEL_PROBE_HOOKS_H */
