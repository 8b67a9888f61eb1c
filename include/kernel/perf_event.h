/* SPDX-License-Identifier: MIT */
/*
 * What the rest of the kernel sees of perf events: the hooks.
 *
 * Every hook is an inline that costs one nop (perf_key) while nobody
 * profiles; the body lives in kernel/perf.  The kinds in perf_hooks[] count
 * the events that want the hook; a kind is raised before its first event can
 * be scheduled and dropped after its last one is gone.  task->perf belongs to
 * kernel/perf; a new task has NULL there.  With CONFIG_PERF off, the hooks are
 * empty.
 */
#ifndef SONDE_KERNEL_PERF_EVENT_H
#define SONDE_KERNEL_PERF_EVENT_H

#include <kernel/static_key.h>
#include <lib/compiler.h>
#include <lib/types.h>

struct pt_regs;
struct task;

/* One mapping, as mm describes it for MMAP and MMAP2 records. */
struct perf_map_info {
	u64 addr;
	u64 len;
	u64 offset;		/* bytes into the file */
	u32 major, minor;	/* device of the file, 0 when anonymous */
	u64 ino;
	u64 ino_generation;
	u32 prot;		/* PROT_* of mmap(2) */
	u32 flags;		/* MAP_SHARED or MAP_PRIVATE, MAP_LOCKED */
	u8 build_id[20];	/* [size != 0] */
	u8 build_id_size;
	const char *name;	/* path, "//anon", "[vdso]", "[heap]".. */
};

/* Code of the kernel that comes or goes while it runs. */
struct perf_ksym_info {
	u64 addr;
	u32 len;
	u16 type;		/* PERF_RECORD_KSYMBOL_TYPE_* */
	bool gone;
	const char *name;
};

/* {dev, ino} of a task's name spaces, in the order of the uapi indices. */
struct perf_ns_info {
	u64 dev, ino;
};

enum perf_hook {
	PERF_HOOK_SCHED,	/* some task or CPU has events */
	PERF_HOOK_MMAP,		/* some event wants mappings */
	PERF_HOOK_BUILD_ID,	/* with the build ids of their files */
	PERF_HOOK_COMM,
	PERF_HOOK_TASK,		/* fork and exit records */
	PERF_HOOK_NAMESPACES,
	PERF_HOOK_KSYMBOL,
	PERF_HOOK_COUNT,
};

#define PERF_SW_IDS 12		/* PERF_COUNT_SW_MAX */

#ifdef CONFIG_PERF

DECLARE_STATIC_KEY(perf_key);		/* any event at all, ever recently */
extern s32 perf_hooks[PERF_HOOK_COUNT];
extern s32 perf_sw_wanted[PERF_SW_IDS];

static __always_inline bool perf_hook_on(enum perf_hook kind)
{
	return static_branch(perf_key) && READ_ONCE(perf_hooks[kind]) > 0;
}

/* Bodies; call the inlines below instead. */
void perf_sched_out_body(struct task *prev, struct task *next, bool preempt);
void perf_sched_in_body(struct task *prev, struct task *next);
void perf_migrated_body(struct task *task);
void perf_sw_event_body(u32 id, u64 nr, struct pt_regs *regs, u64 addr);
void perf_exec_body(void);
void perf_comm_body(struct task *task, bool exec);
void perf_mmap_body(const struct perf_map_info *map);
void perf_forked_body(struct task *child);
void perf_namespaces_body(struct task *task);
void perf_ksymbol_body(const struct perf_ksym_info *sym);

/*
 * Around every switch of tasks, run-queue lock held, interrupts masked: out
 * on prev's stack before the registers change (preempt: prev stays runnable),
 * in on next's after.
 */
static inline void perf_task_sched_out(struct task *prev, struct task *next,
				       bool preempt)
{
	if (perf_hook_on(PERF_HOOK_SCHED))
		perf_sched_out_body(prev, next, preempt);
}

static inline void perf_task_sched_in(struct task *prev, struct task *next)
{
	if (perf_hook_on(PERF_HOOK_SCHED))
		perf_sched_in_body(prev, next);
}

/* task is about to run on another CPU; run-queue lock held. */
static inline void perf_task_migrated(struct task *task)
{
	if (perf_hook_on(PERF_HOOK_SCHED))
		perf_migrated_body(task);
}

/*
 * A software event happened nr times here (context switches and migrations
 * are counted by the switch hooks).  regs: the interrupted frame, or
 * NULL for the caller's own.  Any context but the overflow interrupt.
 */
static __always_inline void perf_sw_event(u32 id, u64 nr, struct pt_regs *regs,
					  u64 addr)
{
	if (static_branch(perf_key) && READ_ONCE(perf_sw_wanted[id]) > 0)
		perf_sw_event_body(id, nr, regs, addr);
}

/*
 * fork: give child copies of current's inheritable events.  Task context,
 * child not yet visible; clone_flags of clone(2).  0 or a negative errno.  On
 * a later failure of fork, or once a task is dead and unreachable, call
 * perf_task_free.
 */
int perf_task_fork(struct task *child, u64 clone_flags);
void perf_task_free(struct task *task);

/*
 * current is exiting: its address space may be gone, its pid is still its
 * own.  Task context, may sleep.  After it no event follows the task.
 */
void perf_task_exit(void);
/*
 * current's new program has more rights than those who count it (its space is
 * not dumpable): every event on current goes, as at exit; new ones may come.
 * Task context, after the credentials were committed.  Observed on the
 * reference.
 */
void perf_exec_secure(void);

/* execve has replaced current's image (past the point of no return). */
static inline void perf_exec(void)
{
	if (perf_hook_on(PERF_HOOK_SCHED))
		perf_exec_body();
}

/* task has a new name; exec: because of execve. */
static inline void perf_comm(struct task *task, bool exec)
{
	if (perf_hook_on(PERF_HOOK_COMM))
		perf_comm_body(task, exec);
}

/*
 * A mapping was added to current's address space.  Ask first, so that the
 * path is only built for somebody: if (perf_mmap_wanted()) perf_mmap(&info).
 */
static inline bool perf_mmap_wanted(void)
{
	return perf_hook_on(PERF_HOOK_MMAP);
}

static inline bool perf_mmap_wants_build_id(void)
{
	return perf_hook_on(PERF_HOOK_BUILD_ID);
}

static inline void perf_mmap(const struct perf_map_info *map)
{
	perf_mmap_body(map);
}

static inline void perf_namespaces(struct task *task)
{
	if (perf_hook_on(PERF_HOOK_NAMESPACES))
		perf_namespaces_body(task);
}

/* Task context, no spin lock held. */
static inline void perf_ksymbol(const struct perf_ksym_info *sym)
{
	if (perf_hook_on(PERF_HOOK_KSYMBOL))
		perf_ksymbol_body(sym);
}

/* fork succeeded and child is visible to others: FORK, then NAMESPACES. */
static inline void perf_task_forked(struct task *child)
{
	if (perf_hook_on(PERF_HOOK_TASK))
		perf_forked_body(child);
	perf_namespaces(child);
}

/* prctl(PR_TASK_PERF_EVENTS_{DISABLE,ENABLE}): events current has opened. */
int perf_prctl(bool enable);

/* On that CPU, interrupts masked: it starts, or is about to stop. */
void perf_cpu_online(u32 cpu);
void perf_cpu_offline(u32 cpu);

/* Boot CPU, once, after the allocators and before init runs. */
void perf_init(void);

#else /* !CONFIG_PERF */

static inline void perf_task_sched_out(struct task *p, struct task *n,
				       bool preempt) { }
static inline void perf_task_sched_in(struct task *p, struct task *n) { }
static inline void perf_task_migrated(struct task *t) { }
static inline void perf_sw_event(u32 id, u64 nr, struct pt_regs *r, u64 a) { }
static inline int perf_task_fork(struct task *c, u64 f) { return 0; }
static inline void perf_task_free(struct task *t) { }
static inline void perf_task_forked(struct task *c) { }
static inline void perf_task_exit(void) { }
static inline void perf_exec_secure(void) { }
static inline void perf_exec(void) { }
static inline void perf_comm(struct task *t, bool exec) { }
static inline bool perf_mmap_wanted(void) { return false; }
static inline bool perf_mmap_wants_build_id(void) { return false; }
static inline void perf_mmap(const struct perf_map_info *m) { }
static inline void perf_namespaces(struct task *t) { }
static inline void perf_ksymbol(const struct perf_ksym_info *s) { }
static inline int perf_prctl(bool enable) { return -22; }
static inline void perf_cpu_online(u32 cpu) { }
static inline void perf_cpu_offline(u32 cpu) { }
static inline void perf_init(void) { }

#endif /* CONFIG_PERF */

#endif /* SONDE_KERNEL_PERF_EVENT_H */
