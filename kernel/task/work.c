/* SPDX-License-Identifier: MIT */
/*
 * Work that a task does for others on its way to user mode, and the flags
 * that send it there.
 *
 * The list is lock-free: anyone pushes, the task alone takes all of it.  An
 * exiting task closes its list for good, so that nothing is queued to be
 * forgotten.
 */
#include <arch/irq.h>
#include <kernel/task.h>

static struct task_work works_closed;

bool task_work_add(struct task *t, struct task_work *work)
{
	struct task_work *head = load_relaxed(&t->works);

	do {
		if (head == &works_closed)
			return false;
		work->next = head;
	} while (!try_cmpxchg_release(&t->works, &head, work));
	task_set_flag(t, TIF_NOTIFY_RESUME);
	return true;
}

/* Oldest first. */
static void run_works(struct task_work *list)
{
	struct task_work *ordered = NULL, *next;

	for (; list; list = next) {
		next = list->next;
		list->next = ordered;
		ordered = list;
	}
	for (; ordered; ordered = next) {
		next = ordered->next;
		ordered->fn(ordered);
	}
}

void task_work_run(void)
{
	struct task_work *list;

	while (load_relaxed(&current->works)) {
		list = xchg_acquire(&current->works, NULL);
		run_works(list);
	}
}

void task_work_exit(void)
{
	run_works(xchg_acquire(&current->works, &works_closed));
}

void task_set_flag(struct task *t, u32 tif)
{
	u32 old = fetch_or_acq_rel(&t->ti.flags, tif);

	if ((old & tif) != tif && t != current)
		task_kick(t);
}

void task_clear_flag(struct task *t, u32 tif)
{
	fetch_and_relaxed(&t->ti.flags, ~tif);
}

/* Make t pass the exit to user mode if it runs elsewhere in user mode. */
void task_kick(struct task *t)
{
	preempt_disable();
	if (sched_is_running(t) && READ_ONCE(t->ti.cpu) != cpu_id())
		arch_ipi_send_cpu(READ_ONCE(t->ti.cpu), ARCH_IPI_RESCHED);
	preempt_enable();
}
