/* SPDX-License-Identifier: MIT */
/*
 * Freeing what lock-free readers may still see.
 *
 * Nodes are collected on `fresh`.  A grace period takes all of them, marks
 * every online CPU that is not asleep in idle as wanted, and ends when each
 * has passed a quiescent state: a switch, the idle loop, or an interrupt that
 * hit preemptible code.  Then one kernel thread calls the functions.  Grace
 * periods start from the tick, from idle, when many nodes have gathered, or at
 * once when somebody waits.
 *
 * reclaim_lock (taken with interrupts off) guards the lists; it is near the
 * top of the ranks, so reclaim_after is callable under almost any lock.  The
 * thread is woken with no lock held.
 *
 * A CPU asleep in idle has no reader: it says so in reclaim_asleep before it
 * sleeps, with interrupts masked until it has taken that back.  The starter
 * sets the wanted flag, then looks at asleep; the sleeper clears asleep, then
 * reads pointers; full barriers on both sides make one see the other.  Going
 * to sleep it sets asleep, then looks at wanted, and stays up if it is: nothing
 * else would wake it, and the grace period would last as long as its sleep.
 */
#include <arch/irq.h>
#include <kernel/cpu.h>
#include <kernel/panic.h>
#include <kernel/reclaim.h>
#include <kernel/sched.h>
#include <kernel/task.h>
#include <kernel/wait.h>
#include <lib/err.h>
#include <lib/noprobe.h>

#define RECLAIM_MANY 256	/* nodes that start a grace period at once */

struct reclaim_list {
	struct reclaim_node *head;
	struct reclaim_node **tail;
	u32 nr;
};

DEFINE_PER_CPU(u8, reclaim_wanted);
static DEFINE_PER_CPU(u8, reclaim_asleep);	/* [a] own CPU writes */

static struct spinlock reclaim_lock = SPINLOCK_INIT(LOCK_RANK_RECLAIM);
static struct reclaim_list fresh = { .tail = &fresh.head };   /* [lock] */
static struct reclaim_list waiting = { .tail = &waiting.head }; /* [lock] */
static struct reclaim_list ready = { .tail = &ready.head };   /* [lock] */
static struct cpumask gp_pending;	/* [lock] CPUs still to pass */
static bool gp_active;			/* [lock] */
static bool gp_expedite;		/* [lock] somebody waits */
static u32 reclaim_todo;		/* [lock] read anywhere: fresh nodes */

static struct wait_queue reclaim_wq = WAIT_QUEUE_INIT(reclaim_wq);
static struct task *reclaim_thread;	/* [I] once started */

static void list_append(struct reclaim_list *l, struct reclaim_node *node)
{
	node->next = NULL;
	*l->tail = node;
	l->tail = &node->next;
	l->nr++;
}

static void list_move_all(struct reclaim_list *from, struct reclaim_list *to)
{
	if (!from->head)
		return;
	*to->tail = from->head;
	to->tail = from->tail;
	to->nr += from->nr;
	from->head = NULL;
	from->tail = &from->head;
	from->nr = 0;
}

/* [lock] Everybody has passed: hand over to the thread. */
static void gp_end_locked(void)
{
	gp_active = false;
	list_move_all(&waiting, &ready);
}

/* [lock] Somebody waits: CPUs that are still to pass shall do it soon. */
static void gp_hurry_locked(void)
{
	u32 cpu;

	for_each_online_cpu(cpu)
		if (cpu != cpu_id() && bitmap_test(gp_pending.bits, cpu))
			arch_ipi_send_cpu(cpu, ARCH_IPI_RESCHED);
}

/* [lock] */
static void gp_start_locked(void)
{
	u32 cpu;

	gp_active = true;
	list_move_all(&fresh, &waiting);
	WRITE_ONCE(reclaim_todo, 0);
	for_each_online_cpu(cpu) {
		bitmap_set(gp_pending.bits, cpu);
		WRITE_ONCE(per_cpu(reclaim_wanted, cpu), 1);
	}
	arch_smp_mb();
	for_each_online_cpu(cpu) {
		if (READ_ONCE(per_cpu(reclaim_asleep, cpu))) {
			bitmap_clear(gp_pending.bits, cpu);
			WRITE_ONCE(per_cpu(reclaim_wanted, cpu), 0);
		}
	}
	if (gp_expedite)
		gp_hurry_locked();
	gp_expedite = false;
}

static void reclaim_wake(void)
{
	struct task *thread = READ_ONCE(reclaim_thread);

	if (thread)
		wake_up_task(thread, TASK_SLEEPING);
}

void reclaim_quiescent_slow(void)
{
	unsigned long flags = spin_lock_irqsave(&reclaim_lock);
	bool wake = false;

	WRITE_ONCE(this_cpu(reclaim_wanted), 0);
	if (gp_active) {
		bitmap_clear(gp_pending.bits, cpu_id());
		if (bitmap_empty(gp_pending.bits, NR_CPUS)) {
			gp_end_locked();
			if (fresh.nr && gp_expedite)
				gp_start_locked();
			wake = true;
		}
	}
	spin_unlock_irqrestore(&reclaim_lock, flags);
	if (wake)
		reclaim_wake();
}

void reclaim_kick(void)
{
	unsigned long flags;

	if (likely(!READ_ONCE(reclaim_todo)))
		return;
	flags = spin_lock_irqsave(&reclaim_lock);
	if (!gp_active && fresh.nr)
		gp_start_locked();
	spin_unlock_irqrestore(&reclaim_lock, flags);
}

/* Interrupts masked from here until reclaim_idle_exit. */
bool reclaim_idle_enter(void)
{
	WRITE_ONCE(this_cpu(reclaim_asleep), 1);
	arch_smp_mb();
	return !READ_ONCE(this_cpu(reclaim_wanted));
}
NOPROBE(reclaim_idle_enter);

void reclaim_idle_exit(void)
{
	WRITE_ONCE(this_cpu(reclaim_asleep), 0);
	arch_smp_mb();
}
NOPROBE(reclaim_idle_exit);

static void reclaim_add(struct reclaim_node *node,
			void (*fn)(struct reclaim_node *node), bool now)
{
	unsigned long flags;

	node->fn = fn;
	flags = spin_lock_irqsave(&reclaim_lock);
	list_append(&fresh, node);
	WRITE_ONCE(reclaim_todo, 1);
	gp_expedite |= now;
	if (!gp_active && (now || fresh.nr >= RECLAIM_MANY))
		gp_start_locked();
	else if (gp_active && now)
		gp_hurry_locked(); /* the one before ours */
	spin_unlock_irqrestore(&reclaim_lock, flags);
}

void reclaim_after(struct reclaim_node *node,
		   void (*fn)(struct reclaim_node *node))
{
	reclaim_add(node, fn, false);
}

struct reclaim_waiter {
	struct reclaim_node node;
	struct completion done;
};

static void reclaim_sync_done(struct reclaim_node *node)
{
	complete(&container_of(node, struct reclaim_waiter, node)->done);
}

void reclaim_sync(void)
{
	struct reclaim_waiter w;

	might_sleep();
	if (!READ_ONCE(reclaim_thread))
		return;		/* one CPU, one task: nobody reads */
	/* It would wait for itself: what it calls must not come here. */
	ASSERT(current != reclaim_thread);
	completion_init(&w.done);
	reclaim_add(&w.node, reclaim_sync_done, true);
	wait_for_completion(&w.done);
}

static struct reclaim_node *reclaim_take_ready(void)
{
	unsigned long flags = spin_lock_irqsave(&reclaim_lock);
	struct reclaim_node *head = ready.head;

	ready.head = NULL;
	ready.tail = &ready.head;
	ready.nr = 0;
	spin_unlock_irqrestore(&reclaim_lock, flags);
	return head;
}

static void reclaim_main(void *arg)
{
	struct reclaim_node *node, *next;

	for (;;) {
		wait_event_state(&reclaim_wq, READ_ONCE(ready.head),
				 TASK_INTERRUPTIBLE, ~0ull);
		for (node = reclaim_take_ready(); node; node = next) {
			next = node->next;
			node->fn(node);
		}
	}
}

void reclaim_init(void)
{
	struct task *t = kthread_create(reclaim_main, NULL, "reclaim", -1);

	if (IS_ERR(t))
		panic("reclaim: no thread");
	WRITE_ONCE(reclaim_thread, t);
}
