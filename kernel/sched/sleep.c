/* SPDX-License-Identifier: MIT */
/*
 * Sleeping until a time.
 *
 * The timer lives on the sleeper's stack and is cancelled, with its function
 * finished, before the sleeper goes on.  Task context.
 */
#include <kernel/panic.h>
#include <lib/err.h>

#include "internal.h"

struct sleep_timer {
	struct timer timer;
	struct task *task;	/* [I] the sleeper */
	bool fired;		/* [a] */
};

static void sleep_fire(struct timer *t)
{
	struct sleep_timer *st = container_of(t, struct sleep_timer, timer);

	WRITE_ONCE(st->fired, true);
	wake_up_task(st->task, TASK_SLEEPING);
}

bool schedule_until(u64 mono_ns)
{
	struct sleep_timer st;

	if (mono_ns == ~0ull) {
		schedule();
		return true;
	}
	if (time_mono_ns() >= mono_ns) {
		WRITE_ONCE(current->state, TASK_RUNNING);
		return false;
	}
	timer_init(&st.timer, sleep_fire);
	st.task = current;
	st.fired = false;
	timer_start(&st.timer, mono_ns);
	schedule();
	timer_cancel_sync(&st.timer);
	return !READ_ONCE(st.fired);
}

int time_sleep_until(u64 mono_ns, bool interruptible)
{
	u32 state = interruptible ? TASK_INTERRUPTIBLE : TASK_UNINTERRUPTIBLE;

	while (time_mono_ns() < mono_ns) {
		set_current_state(state);
		if (signal_pending_state(state)) {
			WRITE_ONCE(current->state, TASK_RUNNING);
			return -EINTR;
		}
		schedule_until(mono_ns);
	}
	return 0;
}
