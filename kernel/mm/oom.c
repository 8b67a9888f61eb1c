// SPDX-License-Identifier: MIT
/*
 * When memory is gone: choose the process that holds most, kill it, say so.
 *
 * Entry points: oom_kill (task context), oom_reclaim (from the allocator:
 * kill if nobody is dying yet, and give the victim time), oom_is_victim.  The
 * choice walks the process list under tasklist_lock; a victim is remembered
 * until its memory is gone, so that a second one is not chosen too early.
 * The allocator calls this with sleeping locks held: nothing here takes any.
 */
#include <kernel/cred.h>
#include <kernel/mm.h>
#include <kernel/panic.h>
#include <kernel/pid.h>
#include <kernel/printk.h>
#include <kernel/sched.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/err.h>
#include <linux/signal.h>

#include "internal.h"

#define OOM_ADJ_NEVER	   (-1000)
#define VICTIM_PATIENCE_NS (2 * NSEC_PER_SEC)

s32 sysctl_oom_dump_tasks = 1;
s32 sysctl_panic_on_oom;
s32 sysctl_oom_kill_allocating_task;

static struct process *victim; /* [a] referenced; being killed */
static u64 victim_since_ns;    /* [a] */
static u32 choosing;	       /* [a] one chooser at a time */

struct candidate {
	struct process *proc;
	s64 points;
	struct mm_usage usage;
};

/* What a process holds; its mm cannot go while wake_lock is held. */
static bool measure(struct process *p, struct mm_usage *usage)
{
	unsigned long flags;
	struct task *t;
	bool found = false;

	list_for_each_entry(t, &p->threads, thread_link) {
		flags = spin_lock_irqsave(&t->wake_lock);
		if (t->mm && !found) {
			mm_usage(t->mm, usage);
			found = true;
		}
		spin_unlock_irqrestore(&t->wake_lock, flags);
		if (found)
			break;
	}
	return found;
}

/* The worst process, referenced, or none. */
static bool choose(struct candidate *worst)
{
	s64 total = (s64)page_total();
	struct process *p;
	unsigned long flags;

	worst->proc = NULL;
	flags = spin_lock_irqsave(&tasklist_lock);
	list_for_each_entry(p, &all_processes, all_link) {
		s32 adj = READ_ONCE(p->oom_score_adj);
		struct mm_usage usage;
		s64 points;

		if (p->sig_flags & PROC_UNKILLABLE || adj == OOM_ADJ_NEVER ||
		    !measure(p, &usage))
			continue;
		points = (s64)(usage.rss + usage.pgtable) + adj * total / 1000;
		if (worst->proc && points <= worst->points)
			continue;
		worst->proc = p;
		worst->points = points;
		worst->usage = usage;
	}
	if (worst->proc)
		process_get(worst->proc);
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return worst->proc != NULL;
}

static void report(const struct candidate *c)
{
	const struct mm_usage *u = &c->usage;
	char comm[TASK_COMM_LEN];
	struct task *leader = c->proc->leader;
	u32 uid = 0;

	task_get_comm(current, comm);
	pr_warn("%s invoked oom-killer: gfp_mask=0x0, order=0, "
		"oom_score_adj=%d\n",
		comm, current->proc->oom_score_adj);
	task_get_comm(leader, comm);
	reclaim_read_lock();
	uid = reclaim_deref(leader->cred)->uid;
	reclaim_read_unlock();
	pr_err("Out of memory: Killed process %d (%s) total-vm:%llukB, "
	       "anon-rss:%llukB, file-rss:%llukB, shmem-rss:%llukB, UID:%u "
	       "pgtables:%llukB oom_score_adj:%d\n",
	       c->proc->pid->nr, comm, u->total * 4, u->rss_anon * 4,
	       u->rss_file * 4, u->rss_shmem * 4, uid, u->pgtable * 4,
	       c->proc->oom_score_adj);
}

/* Is the last victim still on its way out? */
static bool victim_is_dying(void)
{
	struct process *p = load_acquire(&victim);
	struct mm_usage usage;
	unsigned long flags;
	bool alive;

	if (!p)
		return false;
	flags = spin_lock_irqsave(&tasklist_lock);
	alive = measure(p, &usage);
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return alive &&
	       time_mono_ns() - READ_ONCE(victim_since_ns) < VICTIM_PATIENCE_NS;
}

void oom_kill(void)
{
	struct candidate worst;
	struct process *old;

	if (xchg_acquire(&choosing, 1u))
		return;
	if (victim_is_dying())
		goto out;
	if (READ_ONCE(sysctl_panic_on_oom))
		panic("Out of memory: panic_on_oom is enabled");
	if (!choose(&worst))
		panic("System is deadlocked on memory");
	report(&worst);
	WRITE_ONCE(victim_since_ns, time_mono_ns());
	signal_kill_process(worst.proc, SIGKILL);
	old = xchg_acq_rel(&victim, worst.proc);
	if (old)
		process_put(old);
out:
	store_release(&choosing, 0u);
}

/* A process that dies for memory may use the last of it. */
bool oom_is_victim(void)
{
	return current->flags & TASK_EXITING || fatal_signal_pending(current);
}

/*
 * From the allocator, may sleep.  False: there is no way to wait here, the
 * allocation fails.
 */
bool oom_reclaim(void)
{
	struct task *t = current;

	if (t->flags & TASK_IDLE || t->ti.preempt_count)
		return false;
	oom_kill();
	if (oom_is_victim())
		return true;
	set_current_state(TASK_UNINTERRUPTIBLE);
	schedule_until(time_mono_ns() + 20 * NSEC_PER_MSEC);
	set_current_state(TASK_RUNNING);
	return true;
}
