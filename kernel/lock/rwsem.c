/* SPDX-License-Identifier: MIT */
/*
 * Reader-writer semaphores: many readers or one writer, served in order.
 *
 * count holds a writer bit, a waiters bit and the number of readers above
 * them.  Without waiters every operation is one compare-and-swap or
 * subtraction.  Once somebody waits the fast paths are closed, newcomers
 * queue behind, and whoever releases grants: the first waiter, or all
 * readers in front of the first writer.  A waiter sleeps until granted.
 *
 * wait_lock guards the list and every grant.  Task context only.
 */
#include <kernel/lock.h>
#include <kernel/lockrank.h>
#include <kernel/panic.h>
#include <kernel/sched_base.h>
#include <kernel/trace_hooks.h>
#include <lib/err.h>

struct rwsem_waiter {
	struct list_head link;	/* [wait_lock] */
	struct task *task;	/* [I] */
	bool write;		/* [I] */
	bool granted;		/* [a] set under wait_lock */
};

void rwsem_init_named(struct rwsem *lock, enum lock_rank rank,
		      const char *name)
{
	spin_init(&lock->wait_lock, LOCK_RANK_WAITQ);
	lock->count = 0;
	lock->writer = NULL;
	list_init(&lock->waiters);
	lock->rank = (u16)rank;
	lock->name = name;
}

/* [wait_lock] Could this kind of holder join what count describes? */
static bool rwsem_admits(u32 count, bool write)
{
	u32 held = count & ~RWSEM_WAITERS;

	return write ? held == 0 : !(held & RWSEM_WRITER);
}

/*
 * [wait_lock] Let in whoever may come in now.  RWSEM_WAITERS is set, so that
 * only releases change count meanwhile, and those only lower it.
 */
static void rwsem_grant(struct rwsem *lock)
{
	struct rwsem_waiter *w;
	struct task *task;

	while (!list_empty(&lock->waiters)) {
		w = list_first_entry(&lock->waiters, struct rwsem_waiter, link);
		if (!rwsem_admits(load_acquire(&lock->count), w->write))
			return;
		fetch_add_relaxed(&lock->count,
				  w->write ? RWSEM_WRITER : RWSEM_READER);
		list_del(&w->link);
		/* The waiter's stack may be gone once it sees the grant, but
		 * it takes wait_lock before it leaves. */
		task = w->task;
		if (w->write)
			lock->writer = task;
		store_release(&w->granted, true);
		wake_up_task(task, TASK_SLEEPING);
	}
	fetch_and_relaxed(&lock->count, ~RWSEM_WAITERS);
}

static int rwsem_lock_slow(struct rwsem *lock, bool write, u32 state)
{
	struct rwsem_waiter w = { .task = arch_current(), .write = write };
	unsigned long flags;
	int ret = 0;

	trace_contention_begin(lock, write ? TRACE_LOCK_WRITE :
					     TRACE_LOCK_READ);
	flags = spin_lock_irqsave(&lock->wait_lock);
	fetch_or_relaxed(&lock->count, RWSEM_WAITERS);
	list_add_tail(&w.link, &lock->waiters);
	rwsem_grant(lock);
	while (!w.granted) {
		if (signal_pending_state(state)) {
			list_del(&w.link);
			rwsem_grant(lock);
			ret = -EINTR;
			break;
		}
		set_current_state(state);
		spin_unlock_irqrestore(&lock->wait_lock, flags);
		schedule();
		flags = spin_lock_irqsave(&lock->wait_lock);
	}
	set_current_state(TASK_RUNNING);
	spin_unlock_irqrestore(&lock->wait_lock, flags);
	trace_contention_end(lock, ret);
	return ret;
}

static void rwsem_release_slow(struct rwsem *lock)
{
	unsigned long flags = spin_lock_irqsave(&lock->wait_lock);

	if (load_relaxed(&lock->count) & RWSEM_WAITERS)
		rwsem_grant(lock);
	spin_unlock_irqrestore(&lock->wait_lock, flags);
}

bool rwsem_read_trylock(struct rwsem *lock)
{
	u32 old = load_relaxed(&lock->count);

	do {
		if (old & (RWSEM_WRITER | RWSEM_WAITERS))
			return false;
	} while (!try_cmpxchg_acquire(&lock->count, &old, old + RWSEM_READER));
	lockrank_sleep_acquired(lock, lock->rank, lock->name, LOCK_CALLER);
	return true;
}

void rwsem_read_lock(struct rwsem *lock)
{
	u32 old = load_relaxed(&lock->count);

	might_sleep();
	lockrank_sleep_acquire(lock, lock->rank, lock->name, LOCK_CALLER);
	while (likely(!(old & (RWSEM_WRITER | RWSEM_WAITERS)))) {
		if (try_cmpxchg_acquire(&lock->count, &old,
					old + RWSEM_READER))
			return;
	}
	rwsem_lock_slow(lock, false, TASK_UNINTERRUPTIBLE);
}

void rwsem_read_unlock(struct rwsem *lock)
{
	u32 now;

	lockrank_sleep_release(lock, lock->rank);
	now = __atomic_sub_fetch(&lock->count, RWSEM_READER, __ATOMIC_RELEASE);
	/* The last reader leaves and only the waiters' bit remains. */
	if (unlikely(now == RWSEM_WAITERS))
		rwsem_release_slow(lock);
}

static bool rwsem_write_take_free(struct rwsem *lock)
{
	u32 old = 0;

	if (!try_cmpxchg_acquire(&lock->count, &old, RWSEM_WRITER))
		return false;
	lock->writer = arch_current();
	return true;
}

void rwsem_write_lock(struct rwsem *lock)
{
	might_sleep();
	lockrank_sleep_acquire(lock, lock->rank, lock->name, LOCK_CALLER);
	if (unlikely(!rwsem_write_take_free(lock)))
		rwsem_lock_slow(lock, true, TASK_UNINTERRUPTIBLE);
}

int rwsem_write_lock_killable(struct rwsem *lock)
{
	int ret = 0;

	might_sleep();
	lockrank_sleep_acquire(lock, lock->rank, lock->name, LOCK_CALLER);
	if (unlikely(!rwsem_write_take_free(lock)))
		ret = rwsem_lock_slow(lock, true, TASK_KILLABLE);
	if (unlikely(ret))
		lockrank_sleep_release(lock, lock->rank);
	return ret;
}

void rwsem_write_unlock(struct rwsem *lock)
{
	ASSERT(lock->writer == arch_current());
	lockrank_sleep_release(lock, lock->rank);
	lock->writer = NULL;
	if (unlikely(__atomic_sub_fetch(&lock->count, RWSEM_WRITER,
					__ATOMIC_RELEASE)))
		rwsem_release_slow(lock);
}

/* A writer goes on as a reader; readers that wait come in beside it. */
void rwsem_downgrade(struct rwsem *lock)
{
	ASSERT(lock->writer == arch_current());
	lock->writer = NULL;
	if (__atomic_add_fetch(&lock->count, RWSEM_READER - RWSEM_WRITER,
			       __ATOMIC_RELEASE) & RWSEM_WAITERS)
		rwsem_release_slow(lock);
}
