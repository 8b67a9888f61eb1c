/* SPDX-License-Identifier: MIT */
/*
 * A dying task that is preempted after it has said so, and before its last
 * switch, is still running: nobody may drop its reference yet.
 *
 * Runs in the kernel only (`ktest` on the command line). The dying thread lets
 * one of higher priority run in exactly that window, then goes back to life.
 */
#include <kernel/sched.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/atomic.h>
#include <lib/err.h>
#include <lib/ktest.h>

static struct task *dying;  /* [I] once it runs */
static struct task *urgent; /* [I] before the dying one starts */
static u32 urgent_ran;	    /* [a] while the other was about to die */
static u32 came_back;	    /* [a] */

static void sleep_for_ever(void)
{
	for (;;)
		time_sleep_until(~0ULL, false);
}

static void urgent_main(void *arg)
{
	sched_set_policy(current_task(), SCHED_FIFO, 50, 0);
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule();
	store_release(&urgent_ran, 1u);
	sleep_for_ever();
}

static void dying_main(void *arg)
{
	preempt_disable();
	set_current_state(TASK_DEAD);
	wake_up_task(urgent, TASK_UNINTERRUPTIBLE);
	preempt_enable(); /* switches to the urgent one */
	set_current_state(TASK_RUNNING);
	store_release(&came_back, 1u);
	sleep_for_ever();
}

static bool wait_for(const u32 *flag)
{
	for (int i = 0; i < 1000 && !load_acquire(flag); i++)
		time_sleep_until(time_mono_ns() + 10 * NSEC_PER_MSEC, false);
	return load_acquire(flag);
}

KTEST(preempted_before_last_switch)
{
	u32 refs;

	urgent = kthread_create(urgent_main, NULL, "urgent", 0);
	KT_REQUIRE(!IS_ERR(urgent));
	while (READ_ONCE(urgent->state) != TASK_UNINTERRUPTIBLE ||
	       sched_is_running(urgent))
		time_sleep_until(time_mono_ns() + NSEC_PER_MSEC, false);
	dying = kthread_create(dying_main, NULL, "dying", 0);
	KT_REQUIRE(!IS_ERR(dying));
	KT_REQUIRE(wait_for(&urgent_ran));
	KT_REQUIRE(wait_for(&came_back));
	refs = ref_read(&dying->refs);
	/* As many as a thread has that never came near its end. */
	KT_EXPECT_EQ(refs, ref_read(&urgent->refs));
}
