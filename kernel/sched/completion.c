/* SPDX-License-Identifier: MIT */
/*
 * Completions: a counter of events that waiters consume, one each.
 *
 * done is only touched under the queue's lock, also by the waiter, so that a
 * completion on a waiter's stack is not used after the waiter went on.
 */
#include <kernel/wait.h>
#include <kernel/task.h>
#include <lib/err.h>

#define DONE_FOR_ALL (~0u)

void completion_init(struct completion *c)
{
	wait_queue_init(&c->wq);
	c->done = 0;
}

static void complete_add(struct completion *c, bool all)
{
	unsigned long flags = spin_lock_irqsave(&c->wq.lock);
	struct wait_node *node;

	if (all)
		c->done = DONE_FOR_ALL;
	else if (c->done != DONE_FOR_ALL)
		c->done++;
	/* The waiters unlink themselves, under the lock that is held here. */
	list_for_each_entry(node, &c->wq.waiters, link) {
		wake_up_task(node->task, TASK_SLEEPING);
		if (!all)
			break;
	}
	spin_unlock_irqrestore(&c->wq.lock, flags);
}

void complete(struct completion *c)
{
	complete_add(c, false);
}

void complete_all(struct completion *c)
{
	complete_add(c, true);
}

static int completion_wait(struct completion *c, u32 state)
{
	struct wait_node node = { .task = current };
	unsigned long flags;
	int ret = 0;

	flags = spin_lock_irqsave(&c->wq.lock);
	list_add_tail(&node.link, &c->wq.waiters);
	while (!c->done) {
		if (signal_pending_state(state)) {
			ret = -ERESTARTSYS;
			break;
		}
		set_current_state(state);
		spin_unlock_irqrestore(&c->wq.lock, flags);
		schedule();
		flags = spin_lock_irqsave(&c->wq.lock);
	}
	WRITE_ONCE(current->state, TASK_RUNNING);
	list_del(&node.link);
	if (!ret && c->done != DONE_FOR_ALL)
		c->done--;
	spin_unlock_irqrestore(&c->wq.lock, flags);
	return ret;
}

void wait_for_completion(struct completion *c)
{
	completion_wait(c, TASK_UNINTERRUPTIBLE);
}

int wait_for_completion_killable(struct completion *c)
{
	return completion_wait(c, TASK_KILLABLE);
}
