/* SPDX-License-Identifier: MIT */
/*
 * Wait queues.
 *
 * The queue's lock (taken with interrupts off) guards the list.  A node of
 * the plain kind is unlinked by the waker that woke its task, so that a
 * second wake does not find it again; link.next is cleared last and with
 * release order, and wait_finish touches nothing but that word when the node
 * is off the list, because the node usually lives on the sleeper's stack.
 *
 * Exclusive nodes stand at the end of the list and are woken in order.
 */
#include <kernel/sched.h>
#include <kernel/task.h>
#include <kernel/wait.h>
#include <lib/list.h>

void wait_queue_init(struct wait_queue *wq)
{
	spin_init(&wq->lock, LOCK_RANK_WAITQ);
	list_init(&wq->waiters);
}

static void wait_link_locked(struct wait_queue *wq, struct wait_node *node)
{
	if (node->flags & WAIT_EXCLUSIVE)
		list_add_tail(&node->link, &wq->waiters);
	else
		list_add(&node->link, &wq->waiters);
}

static void wait_unlink_locked(struct wait_node *node)
{
	struct list_head *next = node->link.next;
	struct list_head *prev = node->link.prev;

	next->prev = prev;
	WRITE_ONCE(prev->next, next);
	node->link.prev = NULL;
	store_release(&node->link.next, NULL);
}

void wait_add(struct wait_queue *wq, struct wait_node *node)
{
	unsigned long flags = spin_lock_irqsave(&wq->lock);

	wait_link_locked(wq, node);
	spin_unlock_irqrestore(&wq->lock, flags);
}

void wait_remove(struct wait_queue *wq, struct wait_node *node)
{
	unsigned long flags = spin_lock_irqsave(&wq->lock);

	if (node->link.next)
		wait_unlink_locked(node);
	spin_unlock_irqrestore(&wq->lock, flags);
}

void wait_prepare(struct wait_queue *wq, struct wait_node *node, u32 state)
{
	unsigned long flags = spin_lock_irqsave(&wq->lock);

	if (!node->link.next) {
		node->task = current;
		wait_link_locked(wq, node);
	}
	set_current_state(state);
	spin_unlock_irqrestore(&wq->lock, flags);
}

void wait_finish(struct wait_queue *wq, struct wait_node *node)
{
	WRITE_ONCE(current->state, TASK_RUNNING);
	if (load_acquire(&node->link.next))
		wait_remove(wq, node);
}

void wait_wake(struct wait_queue *wq, u32 state_mask, u32 nr, u64 key)
{
	struct wait_node *node, *next;
	unsigned long flags;

	flags = spin_lock_irqsave(&wq->lock);
	list_for_each_entry_safe(node, next, &wq->waiters, link) {
		u32 exclusive = node->flags & WAIT_EXCLUSIVE;
		bool woke;

		if (node->fn) {
			woke = node->fn(node, state_mask, key);
		} else {
			woke = wake_up_task(node->task, state_mask);
			if (woke)
				wait_unlink_locked(node);
		}
		if (woke && exclusive && nr && !--nr)
			break;
	}
	spin_unlock_irqrestore(&wq->lock, flags);
}
