/* SPDX-License-Identifier: MIT */
/*
 * What the rest of the kernel sees of tracing: the hooks.
 *
 * TRACE_HOOK(name, (parameters), (arguments)) makes trace_NAME(), which costs
 * one nop while nobody has switched the event on.  The body is made by
 * TRACE_EVENT of the same name (kernel/trace/event.h), which also states the
 * record's layout.  A hook may be called in any context but the overflow
 * interrupt, with any lock held.  With CONFIG_TRACE off, hooks are empty.
 */
#ifndef SONDE_KERNEL_TRACE_HOOKS_H
#define SONDE_KERNEL_TRACE_HOOKS_H

#include <kernel/static_key.h>
#include <lib/compiler.h>
#include <lib/types.h>

struct page;
struct page_cache;
struct pt_regs;
struct siginfo;
struct task;
struct timer;

#ifdef CONFIG_TRACE
#define TRACE_HOOK(name, params, args)                    \
	DECLARE_STATIC_KEY(trace_key_##name);             \
	void trace_##name##_body params;                  \
	static __always_inline void trace_##name params   \
	{                                                 \
		if (static_branch(trace_key_##name))      \
			trace_##name##_body args;         \
	}
#define trace_hook_on(name) static_branch(trace_key_##name)
#else
#define TRACE_HOOK(name, params, args) \
	static inline void trace_##name params { }
#define trace_hook_on(name) false
#endif

/*
 * System calls: one key for raw_syscalls and syscalls together, so that
 * the entry pays for one question.
 */
TRACE_HOOK(syscall_enter, (struct pt_regs *regs, long nr), (regs, nr))
TRACE_HOOK(syscall_exit, (struct pt_regs *regs, long nr, long ret),
	   (regs, nr, ret))

/* Scheduler.  switch, wakeup and runtime: run-queue lock held. */
TRACE_HOOK(sched_switch,
	   (bool preempt, struct task *prev, struct task *next, u32 state),
	   (preempt, prev, next, state))
TRACE_HOOK(sched_waking, (struct task *t), (t))
TRACE_HOOK(sched_wakeup, (struct task *t), (t))
TRACE_HOOK(sched_wakeup_new, (struct task *t), (t))
TRACE_HOOK(sched_migrate_task, (struct task *t, u32 dest), (t, dest))
/* Why a task that runs, or becomes runnable, did not before. */
TRACE_HOOK(sched_stat_wait, (struct task *t, u64 ns), (t, ns))
TRACE_HOOK(sched_stat_sleep, (struct task *t, u64 ns), (t, ns))
TRACE_HOOK(sched_stat_blocked, (struct task *t, u64 ns), (t, ns))
TRACE_HOOK(sched_pi_setprio, (struct task *t, u8 boost), (t, boost))
TRACE_HOOK(sched_stat_runtime, (struct task *t, u64 ns, u64 vruntime),
	   (t, ns, vruntime))
TRACE_HOOK(sched_process_fork, (struct task *parent, struct task *child),
	   (parent, child))
TRACE_HOOK(sched_process_exec,
	   (struct task *t, s32 old_pid, const char *filename),
	   (t, old_pid, filename))
TRACE_HOOK(sched_process_exit, (struct task *t), (t))
TRACE_HOOK(sched_process_free, (struct task *t), (t))
TRACE_HOOK(sched_process_wait, (s32 pid), (pid))

/* Tasks. */
TRACE_HOOK(task_newtask, (struct task *t, u64 clone_flags), (t, clone_flags))
TRACE_HOOK(task_rename, (struct task *t, const char *comm), (t, comm))

/* Signals; info NULL: sent by kill and friends of the kernel itself. */
TRACE_HOOK(signal_generate,
	   (int sig, const struct siginfo *info, struct task *t, int group,
	    int result),
	   (sig, info, t, group, result))
TRACE_HOOK(signal_deliver,
	   (int sig, const struct siginfo *info, u64 handler, u64 flags),
	   (sig, info, handler, flags))

/* Interrupts (never the overflow interrupt), idle CPUs. */
TRACE_HOOK(irq_handler_entry, (u32 irq, const char *name), (irq, name))
TRACE_HOOK(irq_handler_exit, (u32 irq, bool handled), (irq, handled))
#define TRACE_IDLE_SLEEP 1u
#define TRACE_IDLE_EXIT	 U32_MAX
TRACE_HOOK(cpu_idle, (u32 state, u32 cpu), (state, cpu))

#define TRACE_TICK_SUCCESS 1
TRACE_HOOK(tick_stop, (int success, int dependency), (success, dependency))

/* Cross-CPU interrupts; reason stays. */
TRACE_HOOK(ipi_raise, (const unsigned long *cpus, const char *reason),
	   (cpus, reason))
TRACE_HOOK(ipi_entry, (const char *reason), (reason))
TRACE_HOOK(ipi_exit, (const char *reason), (reason))

/* Timers.  start and cancel: the timer's base locked. */
TRACE_HOOK(hrtimer_init, (const struct timer *t), (t))
TRACE_HOOK(hrtimer_start, (const struct timer *t, bool was_armed),
	   (t, was_armed))
TRACE_HOOK(hrtimer_cancel, (const struct timer *t), (t))
TRACE_HOOK(hrtimer_expire_entry, (const struct timer *t, u64 now), (t, now))
TRACE_HOOK(hrtimer_expire_exit, (const struct timer *t), (t))
TRACE_HOOK(itimer_state, (int which, u64 expires, u64 value, u64 interval),
	   (which, expires, value, interval))
TRACE_HOOK(itimer_expire, (int which, s32 pid, u64 now), (which, pid, now))

/* Allocations; site: where the public call returns to. */
TRACE_HOOK(kmalloc,
	   (const void *site, const void *p, size_t asked, size_t got,
	    u32 gfp),
	   (site, p, asked, got, gfp))
TRACE_HOOK(kfree, (const void *site, const void *p), (site, p))
TRACE_HOOK(kmem_cache_alloc,
	   (const void *site, const void *p, size_t size, u32 gfp),
	   (site, p, size, gfp))
TRACE_HOOK(kmem_cache_free,
	   (const void *site, const void *p, const char *cache),
	   (site, p, cache))
TRACE_HOOK(mm_page_alloc, (const struct page *page, u32 order, u32 gfp),
	   (page, order, gfp))
TRACE_HOOK(mm_page_free, (const struct page *page, u32 order), (page, order))
TRACE_HOOK(mm_filemap_add_to_page_cache, (const struct page *page), (page))
TRACE_HOOK(mm_filemap_delete_from_page_cache, (const struct page *page),
	   (page))

/* Locks that are not free: around the wait. */
#define TRACE_LOCK_SPIN	 1u
#define TRACE_LOCK_READ	 2u
#define TRACE_LOCK_WRITE 4u
#define TRACE_LOCK_MUTEX 32u
TRACE_HOOK(contention_begin, (const void *lock, u32 flags), (lock, flags))
TRACE_HOOK(contention_end, (const void *lock, int ret), (lock, ret))

#endif /* SONDE_KERNEL_TRACE_HOOKS_H */
