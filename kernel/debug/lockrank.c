// SPDX-License-Identifier: MIT
/*
 * The lock checker: every lock has a rank, and ranks only go up.
 *
 * Entry points: lockrank_* called by kernel/lock before a lock is waited for
 * and before it is let go. Spin locks are noted per CPU, since their holder
 * cannot move; sleeping locks per task. What an interrupted context holds
 * counts against the interrupt too: with L before R in the order, one CPU that
 * is interrupted holding R and wants L, and another that holds L and wants R,
 * wait for ever. Takes no lock, must not log but on its way to panic().
 */
#include <arch/irqflags.h>
#include <kernel/lock.h>
#include <kernel/lockrank.h>
#include <kernel/panic.h>
#include <kernel/percpu.h>
#include <kernel/printk.h>
#include <lib/atomic.h>

struct cpu_held {
	u32 count; /* own CPU, all interrupts masked, like all below */
	const struct spinlock *locks[LOCKRANK_DEPTH];
	const void *where[LOCKRANK_DEPTH]; /* who took it */
};

static DEFINE_PER_CPU(struct cpu_held, spin_held);

/* [a] How each rank's spin locks were ever taken. */
#define USED_IRQS_ON 1
#define USED_IN_IRQ  2
static u8 usage[LOCK_RANK_MAX];

static void __noreturn violation(const char *what, const void *lock,
				 const char *name, const void *held,
				 const char *held_name)
{
	panic("lock rank: %s: taking %s (%p) holding %s (%p)", what, name, lock,
	      held_name, held);
}

/*
 * May a lock of this rank be taken over one that is held? Two of one rank only
 * in the order of their addresses.
 */
static bool is_above(u16 rank, const void *lock, u16 held_rank,
		     const void *held)
{
	return rank > held_rank ||
	       (rank == held_rank && (uintptr_t)lock > (uintptr_t)held);
}

/*
 * Whoever is interrupted may hold any lock that is taken with interrupts on:
 * so those come before all that interrupts take.  Seen by how the ranks are
 * used, it needs no interrupt at the very moment.
 */
static void check_usage(const struct spinlock *lock, u8 bit)
{
	u32 from = bit == USED_IN_IRQ ? lock->rank : 0;
	u32 to = bit == USED_IN_IRQ ? LOCK_RANK_MAX : lock->rank + 1u;
	u8 other = bit ^ (USED_IRQS_ON | USED_IN_IRQ);

	for (u32 r = from; r < to; r++)
		if (load_relaxed(&usage[r]) & other)
			panic("lock rank: %s (%p) is taken %s and rank %u %s",
			      lock->name, lock,
			      bit == USED_IN_IRQ ? "in interrupts" :
						   "with interrupts on", r,
			      bit == USED_IN_IRQ ? "with interrupts on" :
						   "in interrupts");
}

static void note_usage(const struct spinlock *lock)
{
	u8 bit = 0;
	u8 seen;

	if (in_interrupt())
		bit = USED_IN_IRQ;
	else if (!arch_irqs_disabled())
		bit = USED_IRQS_ON;
	seen = load_relaxed(&usage[lock->rank]);
	if (!bit || (seen & bit))
		return;
	fetch_or_relaxed(&usage[lock->rank], bit);
	check_usage(lock, bit);
}

static void push(struct cpu_held *held, const struct spinlock *lock,
		 const void *where)
{
	if (held->count >= LOCKRANK_DEPTH)
		panic("lock rank: more than %d spin locks held",
		      LOCKRANK_DEPTH);
	held->where[held->count] = where;
	held->locks[held->count++] = lock;
}

void lockrank_acquire(struct spinlock *lock)
{
	unsigned long flags;
	struct cpu_held *held;

	if (lock->rank == LOCK_RANK_NONE || READ_ONCE(panic_in_progress))
		return;
	if (in_nmi())
		panic("lock rank: %s (%p) is taken in the overflow interrupt",
		      lock->name, lock);
	if (lock->rank >= LOCK_RANK_MAX)
		panic("lock rank: %p was never initialised", lock);
	note_usage(lock);
	flags = arch_irq_save_all();
	held = this_cpu_ptr(spin_held);
	for (u32 i = 0; i < held->count; i++) {
		const struct spinlock *h = held->locks[i];

		if (h == lock)
			violation("taken twice", lock, lock->name, h, h->name);
		if (!is_above(lock->rank, lock, h->rank, h))
			violation("out of order", lock, lock->name, h, h->name);
	}
	push(held, lock, LOCK_CALLER);
	arch_irq_restore_all(flags);
}

void lockrank_acquired(struct spinlock *lock)
{
	unsigned long flags;

	if (lock->rank == LOCK_RANK_NONE || READ_ONCE(panic_in_progress))
		return;
	flags = arch_irq_save_all();
	push(this_cpu_ptr(spin_held), lock, LOCK_CALLER);
	arch_irq_restore_all(flags);
}

void lockrank_release(struct spinlock *lock)
{
	unsigned long flags;
	struct cpu_held *held;
	u32 i;

	if (lock->rank == LOCK_RANK_NONE || READ_ONCE(panic_in_progress))
		return;
	flags = arch_irq_save_all();
	held = this_cpu_ptr(spin_held);
	for (i = held->count; i-- > 0;)
		if (held->locks[i] == lock)
			break;
	if (i >= held->count)
		panic("lock rank: %s (%p) is let go but not held here",
		      lock->name, lock);
	held->count--;
	for (; i < held->count; i++) {
		held->locks[i] = held->locks[i + 1];
		held->where[i] = held->where[i + 1];
	}
	arch_irq_restore_all(flags);
}

u32 lockrank_spin_depth(void)
{
	return READ_ONCE(this_cpu_ptr(spin_held)->count);
}

void lockrank_sleep_acquired(const void *lock, u16 rank, const char *name,
			     const void *where)
{
	struct lockrank_held *held = &current_info()->held;

	if (held->count >= LOCKRANK_DEPTH)
		panic("lock rank: more than %d sleeping locks held",
		      LOCKRANK_DEPTH);
	held->locks[held->count].lock = lock;
	held->locks[held->count].name = name;
	held->locks[held->count].where = where;
	held->locks[held->count].rank = rank;
	held->count++;
}

void lockrank_sleep_acquire(const void *lock, u16 rank, const char *name,
			    const void *where)
{
	const struct lockrank_held *held = &current_info()->held;

	if (READ_ONCE(panic_in_progress))
		return;
	if (READ_ONCE(current_info()->preempt_count) && lockrank_spin_depth())
		panic("lock rank: sleeping lock %s (%p) under a spin lock",
		      name, lock);
	for (u32 i = 0; i < held->count; i++) {
		if (held->locks[i].lock == lock)
			violation("taken twice", lock, name, lock, name);
		if (!is_above(rank, lock, held->locks[i].rank,
			      held->locks[i].lock))
			violation("out of order", lock, name,
				  held->locks[i].lock, held->locks[i].name);
	}
	lockrank_sleep_acquired(lock, rank, name, where);
}

void lockrank_sleep_release(const void *lock, u16 rank)
{
	struct lockrank_held *held = &current_info()->held;
	u32 i;

	if (READ_ONCE(panic_in_progress))
		return;
	for (i = held->count; i-- > 0;)
		if (held->locks[i].lock == lock)
			break;
	if (i >= held->count)
		panic("lock rank: %p (rank %u) is let go by one who does not "
		      "hold it",
		      lock, rank);
	held->count--;
	for (; i < held->count; i++)
		held->locks[i] = held->locks[i + 1];
}

/* Every lock is a promise to let it go, and no user keeps one. */
void lockrank_user_exit(struct pt_regs *regs)
{
	const struct thread_info *ti = current_info();

	if (likely(!ti->held.count && !READ_ONCE(ti->preempt_count)))
		return;
	panic_regs(regs,
		   "lock rank: return to user mode with %u sleeping locks held, "
		   "preempt count %#x",
		   ti->held.count, READ_ONCE(ti->preempt_count));
}

void lockrank_show(void)
{
	const struct cpu_held *held = this_cpu_ptr(spin_held);
	const struct thread_info *ti = current_info();

	for (u32 i = 0; i < held->count && i < LOCKRANK_DEPTH; i++)
		printk(LOG_EMERG, "  holds spin lock %s (%p), taken at %pS",
		       held->locks[i]->name, held->locks[i],
		       held->where[i]);
	if (!ti)
		return;
	for (u32 i = 0; i < ti->held.count && i < LOCKRANK_DEPTH; i++)
		printk(LOG_EMERG, "  holds lock %s (%p), taken at %pS",
		       ti->held.locks[i].name, ti->held.locks[i].lock,
		       ti->held.locks[i].where);
}
