/* SPDX-License-Identifier: MIT */
/*
 * Wait queues and the sleeping pattern.
 *
 * wait_event*() tests the condition with the task already queued and its
 * state set, so a wake between test and sleep is not lost.  Waking: any
 * context but the overflow interrupt.
 */
#ifndef SONDE_KERNEL_WAIT_H
#define SONDE_KERNEL_WAIT_H

#include <kernel/lock.h>
#include <kernel/sched.h>
#include <lib/list.h>

struct wait_queue {
	struct spinlock lock;
	struct list_head waiters;	/* [lock] */
};

#define WAIT_EXCLUSIVE 1u

struct wait_node {
	struct list_head link;		/* [queue lock] next NULL: not queued */
	struct task *task;		/* [I] while queued */
	u32 flags;			/* [I] */
	/*
	 * NULL: wake task.  Else called under the queue lock with the key of
	 * the wake; returns true if it counts as a wake-up (epoll, poll).
	 */
	bool (*fn)(struct wait_node *node, u32 mode, u64 key);
};

#define WAIT_QUEUE_INIT(var)                                        \
	{ .lock = SPINLOCK_INIT(LOCK_RANK_WAITQ),                    \
	  .waiters = LIST_HEAD_INIT((var).waiters) }

void wait_queue_init(struct wait_queue *wq);
void wait_add(struct wait_queue *wq, struct wait_node *node);
void wait_remove(struct wait_queue *wq, struct wait_node *node);
/* Queue current and set its state; finish undoes both. */
void wait_prepare(struct wait_queue *wq, struct wait_node *node, u32 state);
void wait_finish(struct wait_queue *wq, struct wait_node *node);

/* Wake waiters: nr exclusive ones (0: all) and every other one. */
void wait_wake(struct wait_queue *wq, u32 state_mask, u32 nr, u64 key);
#define wake_up(wq)	wait_wake((wq), TASK_SLEEPING, 1, 0)
#define wake_up_all(wq) wait_wake((wq), TASK_SLEEPING, 0, 0)
#define wake_up_poll(wq, events) wait_wake((wq), TASK_SLEEPING, 1, (events))

/* 0, -ERESTARTSYS on a signal, -ETIMEDOUT past deadline (mono ns). */
#define wait_event_state(wq, cond, state, deadline)                  \
	({                                                           \
		int ret_ = 0;                                        \
		struct wait_node node_ = { 0 };                      \
		while (!(cond)) {                                    \
			wait_prepare((wq), &node_, (state));         \
			if (cond)                                    \
				break;                               \
			if (signal_pending_state(state)) {           \
				ret_ = -ERESTARTSYS;                 \
				break;                               \
			}                                            \
			if (!schedule_until(deadline) && !(cond)) {  \
				ret_ = -ETIMEDOUT;                   \
				break;                               \
			}                                            \
		}                                                    \
		wait_finish((wq), &node_);                           \
		ret_;                                                \
	})
#define wait_event(wq, cond) \
	((void)wait_event_state(wq, cond, TASK_UNINTERRUPTIBLE, ~0ull))
#define wait_event_interruptible(wq, cond) \
	wait_event_state(wq, cond, TASK_INTERRUPTIBLE, ~0ull)
#define wait_event_killable(wq, cond) \
	wait_event_state(wq, cond, TASK_KILLABLE, ~0ull)
#define wait_event_until(wq, cond, deadline) \
	wait_event_state(wq, cond, TASK_INTERRUPTIBLE, deadline)

/* One-shot event. */
struct completion {
	struct wait_queue wq;
	u32 done;			/* [wq.lock] */
};
void completion_init(struct completion *c);
void complete(struct completion *c);
void complete_all(struct completion *c);
void wait_for_completion(struct completion *c);
int wait_for_completion_killable(struct completion *c);

#endif /* SONDE_KERNEL_WAIT_H */
