/* SPDX-License-Identifier: MIT */
/*
 * Locks and their one order.
 *
 * Ranks strictly increase: a context that holds rank r may take only ranks
 * above r.  docs/locking.md says what each guards; CONFIG_DEBUG_LOCK_RANK
 * checks at run time (order, sleeping under a spin lock, a lock taken with
 * interrupts on that an interrupt also takes).  Two of one rank only by
 * spin_lock_two() / mutex_lock_two(), lower address first.
 *
 * Spin locks are test-and-test-and-set: an emulated CPU that is not running
 * must not block a queue behind it.  They disable preemption.  _irqsave
 * variants also mask ordinary interrupts.  Nothing at or above
 * LOCK_RANK_WAITQ wakes a task.
 */
#ifndef SONDE_KERNEL_LOCK_H
#define SONDE_KERNEL_LOCK_H

#include <lib/list.h>
#include <lib/types.h>

enum lock_rank {
	LOCK_RANK_NONE,		/* unchecked: only inside the lock code */

	/* Sleeping locks, outermost first. */
	LOCK_RANK_FILE_POS,	/* read, write and readdir of one open file */
	LOCK_RANK_SEQ,		/* text of one open pseudo file */
	LOCK_RANK_PROBE_EVENTS,	/* definitions of probes */
	LOCK_RANK_HOTPLUG,
	LOCK_RANK_EXEC,		/* proc->exec_lock: exec against ptrace */
	LOCK_RANK_PERF_OWNER,
	LOCK_RANK_PERF_PMUS,
	LOCK_RANK_PERF_CTX_MUTEX,
	LOCK_RANK_PERF_CHILD,
	LOCK_RANK_TTY,		/* line discipline */
	LOCK_RANK_BIND,		/* names and peers of local sockets */
	LOCK_RANK_RENAME,	/* whole-tree rename */
	LOCK_RANK_INODE,	/* directory and file data, parent first */
	LOCK_RANK_INODE_CHILD,	/* the child of an INODE-locked directory */
	LOCK_RANK_PIPE,
	LOCK_RANK_SOCKET,
	LOCK_RANK_EPOLL_FILES,	/* epoll items of all files */
	LOCK_RANK_EPOLL,
	LOCK_RANK_LOCKS,	/* record locks of files */
	LOCK_RANK_INOTIFY,	/* watches and their inodes */
	LOCK_RANK_MOUNT,
	LOCK_RANK_TRACE_EVENTS,	/* registry of trace events */
	LOCK_RANK_UPROBE_FORK,	/* forks of spaces against new breakpoints */
	LOCK_RANK_UPROBE,	/* one place in a file: its consumers */
	LOCK_RANK_MMAP,		/* mm->mmap_lock; user copies only below it */
	LOCK_RANK_IMAP,		/* list of mappings of an inode */
	LOCK_RANK_PAGECACHE,	/* page cache of one inode */
	LOCK_RANK_PERF_RING,	/* ring attach */
	LOCK_RANK_TRACE,
	LOCK_RANK_UPROBE_TABLE,	/* all places in files */
	LOCK_RANK_KPROBE,	/* probes in kernel text */
	LOCK_RANK_TEXT,
	LOCK_RANK_VMAP,		/* kernel virtual area, mutex */
	LOCK_RANK_SYSFS,

	/* Spin locks. */
	LOCK_RANK_FIRST_SPIN,
	LOCK_RANK_FILES = LOCK_RANK_FIRST_SPIN, /* descriptor table */
	LOCK_RANK_FS_CTX,	/* cwd, root, umask */
	LOCK_RANK_DCACHE,
	LOCK_RANK_FLIGHT,	/* descriptors inside queued messages */
	LOCK_RANK_INODE_SPIN,	/* small inode fields, socket queues */
	LOCK_RANK_UTS,		/* host and domain name */
	LOCK_RANK_FUTEX,	/* bucket */
	LOCK_RANK_FUTEX_PI,	/* who waits for whom */
	LOCK_RANK_PTE,		/* page tables of one mm */
	LOCK_RANK_UPROBE_AREA,	/* slots of one user space */
	/* From here on interrupts take them: whoever holds one has them off. */
	LOCK_RANK_TASKLIST,	/* process tree, pids */
	LOCK_RANK_FASYNC,
	LOCK_RANK_SIGNAL,	/* sighand: actions, pending queues, jobctl */
	LOCK_RANK_CRED,
	LOCK_RANK_CLOCK_WATCH,	/* who is told when the clock is set */
	LOCK_RANK_TIMERS,	/* posix timers, itimers of a process */
	LOCK_RANK_PERF_EVENT,	/* event child list and output pointers */
	LOCK_RANK_TTY_SPIN,	/* tty buffers */
	LOCK_RANK_WAITQ,
	LOCK_RANK_EPOLL_READY,	/* inside the queue of a watched file */
	LOCK_RANK_EPOLL_WAIT,	/* an epoll's own queues: the same */
	LOCK_RANK_TASK_PI,	/* task->wake_lock */
	LOCK_RANK_RQ,		/* run queue of one CPU */
	LOCK_RANK_PERF_CPU_CTX,
	LOCK_RANK_PERF_TASK_CTX,
	LOCK_RANK_PERF_BACKEND,
	LOCK_RANK_PERF_RING_LIST,
	LOCK_RANK_TIMER_BASE,	/* per-CPU timer queue */
	LOCK_RANK_IRQ_DESC,
	LOCK_RANK_IPI,
	LOCK_RANK_SLAB,
	LOCK_RANK_PAGE_ALLOC,
	LOCK_RANK_IRQCHIP,
	LOCK_RANK_ASID,		/* address-space identifiers */
	LOCK_RANK_KMAP,		/* making kernel page tables */
	LOCK_RANK_RECLAIM,
	LOCK_RANK_CONSOLE,
	LOCK_RANK_MAX,
};

struct spinlock {
	u32 locked;			/* [a] 0 free, 1 held */
#ifdef CONFIG_DEBUG_LOCK_RANK
	u16 rank;
	s16 owner_cpu;
	const char *name;
#endif
};

struct wait_node;

struct mutex {
	unsigned long owner;		/* [a] task, 0 free; bit 0: waiters,
					 * bit 1: hand over to the first */
	struct spinlock wait_lock;
	struct list_head waiters;	/* [wait_lock] FIFO */
	u16 rank;
	const char *name;
};

/* Many readers or one writer, first come first served. */
#define RWSEM_WRITER  1u
#define RWSEM_WAITERS 2u	/* fast paths are closed */
#define RWSEM_READER  4u	/* one reader; the count is in the upper bits */

struct rwsem {
	struct spinlock wait_lock;
	u32 count;			/* [a] RWSEM_* bits and readers */
	struct task *writer;		/* [a] for asserts */
	struct list_head waiters;	/* [wait_lock] FIFO */
	u16 rank;
	const char *name;
};

#ifdef CONFIG_DEBUG_LOCK_RANK
#define SPINLOCK_INIT(rank_) \
	{ .locked = 0, .rank = (rank_), .owner_cpu = -1, .name = #rank_ }
#else
#define SPINLOCK_INIT(rank_) { .locked = 0 }
#endif
#define MUTEX_INIT(var, rank_)                                          \
	{ .owner = 0, .wait_lock = SPINLOCK_INIT(LOCK_RANK_WAITQ),    \
	  .waiters = LIST_HEAD_INIT((var).waiters), .rank = (rank_),     \
	  .name = #rank_ }
#define RWSEM_INIT(var, rank_)                                          \
	{ .wait_lock = SPINLOCK_INIT(LOCK_RANK_WAITQ), .count = 0,       \
	  .writer = NULL, .waiters = LIST_HEAD_INIT((var).waiters),      \
	  .rank = (rank_), .name = #rank_ }

/* A lock is called by its rank in reports, unless nobody checks ranks. */
#ifdef CONFIG_DEBUG_LOCK_RANK
#define LOCK_NAME(rank) #rank
#else
#define LOCK_NAME(rank) ""
#endif
#define spin_init(lock, rank)  spin_init_named(lock, rank, LOCK_NAME(rank))
#define mutex_init(lock, rank) mutex_init_named(lock, rank, LOCK_NAME(rank))
#define rwsem_init(lock, rank) rwsem_init_named(lock, rank, LOCK_NAME(rank))
void spin_init_named(struct spinlock *lock, enum lock_rank rank,
		     const char *name);
void mutex_init_named(struct mutex *lock, enum lock_rank rank,
		      const char *name);
void rwsem_init_named(struct rwsem *lock, enum lock_rank rank,
		      const char *name);

/* The inline fast paths and preempt_disable/enable. */
#include <kernel/lock_inline.h>

void spin_lock_two(struct spinlock *a, struct spinlock *b);
void spin_unlock_two(struct spinlock *a, struct spinlock *b);

/* Task context, may sleep.  _killable: -EINTR when a fatal signal waits. */
void mutex_lock(struct mutex *lock);
int mutex_lock_killable(struct mutex *lock);
bool mutex_trylock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);
bool mutex_is_locked_by_me(const struct mutex *lock);
void mutex_lock_two(struct mutex *a, struct mutex *b);
void mutex_unlock_two(struct mutex *a, struct mutex *b);

void rwsem_read_lock(struct rwsem *lock);
bool rwsem_read_trylock(struct rwsem *lock);
void rwsem_read_unlock(struct rwsem *lock);
void rwsem_write_lock(struct rwsem *lock);
int rwsem_write_lock_killable(struct rwsem *lock);
void rwsem_write_unlock(struct rwsem *lock);
void rwsem_downgrade(struct rwsem *lock);

#endif /* SONDE_KERNEL_LOCK_H */
