/* SPDX-License-Identifier: MIT */
/*
 * /proc/PID/status, stat and statm: what ps, top and perf read of a process.
 *
 * Field order and widths as the reference prints them.  Numbers of one file
 * are a snapshot only as far as their locks allow: pids under tasklist_lock,
 * signals under siglock, memory under mmap_lock, one after the other.
 */
#include "internal.h"

#include <arch/regs.h>
#include <kernel/cpu.h>
#include <kernel/cred.h>
#include <kernel/mm.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <kernel/tty.h>
#include <lib/bitmap.h>
#include <lib/err.h>
#include <lib/string.h>
#include <linux/resource.h>

struct task_ids {
	s32 pid, tgid, ppid, pgrp, session, tracer;
	u32 threads;
};

static void get_ids(struct task *t, struct task_ids *ids)
{
	struct process *p = t->proc;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);

	ids->pid = task_tid(t);
	ids->tgid = task_tgid(t);
	ids->ppid = p->parent ? p->parent->pid->nr : 0;
	ids->pgrp = p->pgrp ? p->pgrp->nr : 0;
	ids->session = p->session ? p->session->nr : 0;
	ids->tracer = t->tracer ? task_tid(t->tracer) : 0;
	ids->threads = p->nr_threads;
	spin_unlock_irqrestore(&tasklist_lock, flags);
}

struct state_name {
	char letter;
	const char *name;
};

static const struct state_name *state_of(const struct task *t)
{
	static const struct state_name names[] = {
		{ 'R', "running" },	 { 'S', "sleeping" },
		{ 'D', "disk sleep" },	 { 'T', "stopped" },
		{ 't', "tracing stop" }, { 'X', "dead" },
		{ 'Z', "zombie" },	 { 'I', "idle" },
	};
	u32 exit = READ_ONCE(t->exit_state), state = READ_ONCE(t->state);

	if (exit)
		return &names[exit == TASK_ZOMBIE ? 6 : 5];
	if (state & TASK_INTERRUPTIBLE)
		return &names[1];
	if (state & (TASK_UNINTERRUPTIBLE | TASK_KILLABLE))
		return &names[t->flags & TASK_KTHREAD ? 7 : 2];
	if (state & TASK_STOPPED)
		return &names[3];
	if (state & TASK_TRACED)
		return &names[4];
	return &names[0];
}

char proc_state_letter(const struct task *t)
{
	return state_of(t)->letter;
}

static void show_name(struct seq *s, struct task *t)
{
	char comm[TASK_COMM_LEN];

	task_get_comm(t, comm);
	seq_puts(s, "Name:\t");
	seq_escape(s, comm, "\n\\");
	seq_putc(s, '\n');
}

static void show_creds(struct seq *s, struct task *t, u32 fd_size)
{
	const struct cred *c = task_cred_get(t);
	u32 i;

	seq_printf(s, "Uid:\t%u\t%u\t%u\t%u\nGid:\t%u\t%u\t%u\t%u\n", c->uid,
		   c->euid, c->suid, c->fsuid, c->gid, c->egid, c->sgid,
		   c->fsgid);
	seq_printf(s, "FDSize:\t%u\nGroups:\t", fd_size);
	for (i = 0; c->groups && i < c->groups->nr; i++)
		seq_printf(s, "%u ", c->groups->gid[i]);
	if (!c->groups || !c->groups->nr)
		seq_putc(s, ' ');
	seq_putc(s, '\n');
	cred_put(c);
}

#define KIB(pages) ((pages) * (PAGE_SIZE / 1024))

static void show_memory(struct seq *s, struct task *t)
{
	struct mm *mm = task_mm_get(t);
	struct mm_usage u;
	u64 text, lib;

	if (!mm)
		return;
	mm_usage(mm, &u);
	text = (PAGE_ALIGN(mm->code_end) - PAGE_DOWN(mm->code_start)) >>
	       PAGE_SHIFT;
	lib = u.exec > text ? u.exec - text : 0;
	seq_printf(s, "VmPeak:\t%8llu kB\nVmSize:\t%8llu kB\n",
		   KIB(u.peak_total), KIB(u.total));
	seq_printf(s, "VmLck:\t%8llu kB\nVmPin:\t%8llu kB\n", KIB(u.locked),
		   KIB(u.pinned));
	seq_printf(s, "VmHWM:\t%8llu kB\nVmRSS:\t%8llu kB\n", KIB(u.rss_peak),
		   KIB(u.rss));
	seq_printf(s, "RssAnon:\t%8llu kB\nRssFile:\t%8llu kB\n",
		   KIB(u.rss_anon), KIB(u.rss_file));
	seq_printf(s, "RssShmem:\t%8llu kB\nVmData:\t%8llu kB\n",
		   KIB(u.rss_shmem), KIB(u.data));
	seq_printf(s, "VmStk:\t%8llu kB\nVmExe:\t%8llu kB\n", KIB(u.stack),
		   KIB(text));
	seq_printf(s, "VmLib:\t%8llu kB\nVmPTE:\t%8llu kB\n", KIB(lib),
		   KIB(u.pgtable));
	seq_puts(s, "VmSwap:\t       0 kB\nHugetlbPages:\t       0 kB\n");
	seq_puts(s, "CoreDumping:\t0\nTHP_enabled:\t0\n");
	mm_put(mm);
}

static void show_signals(struct seq *s, struct task *t, u32 threads)
{
	struct process *p = t->proc;
	u64 ignored = 0, caught = 0, pending, shared, blocked;
	u32 queued = 0;
	unsigned long flags = spin_lock_irqsave(&p->siglock);
	int i;

	for (i = 0; p->sighand && i < NSIG; i++) {
		u64 handler = (u64)(unsigned long)p->sighand->action[i].handler;

		if (handler == SIG_IGN)
			ignored |= 1ull << i;
		else if (handler != SIG_DFL)
			caught |= 1ull << i;
	}
	pending = t->pending.set.bits;
	shared = p->pending.set.bits;
	blocked = t->blocked.bits;
	queued = t->pending.nr + p->pending.nr;
	spin_unlock_irqrestore(&p->siglock, flags);
	seq_printf(s, "Threads:\t%u\nSigQ:\t%u/%llu\n", threads, queued,
		   rlimit_cur(t, RLIMIT_SIGPENDING));
	seq_printf(s, "SigPnd:\t%016llx\nShdPnd:\t%016llx\n", pending, shared);
	seq_printf(s, "SigBlk:\t%016llx\nSigIgn:\t%016llx\nSigCgt:\t%016llx\n",
		   blocked, ignored, caught);
}

static void show_caps(struct seq *s, struct task *t)
{
	const struct cred *c = task_cred_get(t);

	seq_printf(s, "CapInh:\t%016llx\nCapPrm:\t%016llx\nCapEff:\t%016llx\n",
		   c->cap_inheritable, c->cap_permitted, c->cap_effective);
	seq_printf(s, "CapBnd:\t%016llx\nCapAmb:\t%016llx\n", c->cap_bounding,
		   c->cap_ambient);
	seq_printf(s, "NoNewPrivs:\t%u\nSeccomp:\t0\nSeccomp_filters:\t0\n",
		   t->no_new_privs);
	cred_put(c);
}

static void show_cpus(struct seq *s, struct task *t)
{
	char list[128];

	bitmap_print_list(list, sizeof(list), t->se.allowed.bits, NR_CPUS);
	seq_printf(s, "Cpus_allowed:\t%lx\nCpus_allowed_list:\t%s\n",
		   t->se.allowed.bits[0], list);
	seq_puts(s, "Mems_allowed:\t1\nMems_allowed_list:\t0\n");
	seq_printf(s, "voluntary_ctxt_switches:\t%llu\n", t->se.nvcsw);
	seq_printf(s, "nonvoluntary_ctxt_switches:\t%llu\n", t->se.nivcsw);
}

int proc_show_status(struct seq *s, void *node)
{
	struct task *t = proc_task(node);
	const struct state_name *state;
	struct task_ids ids;

	if (!t)
		return -ESRCH;
	state = state_of(t);
	get_ids(t, &ids);
	show_name(s, t);
	if (t->fs)
		seq_printf(s, "Umask:\t%04o\n", t->fs->umask);
	seq_printf(s, "State:\t%c (%s)\nTgid:\t%d\nNgid:\t0\nPid:\t%d\n",
		   state->letter, state->name, ids.tgid, ids.pid);
	seq_printf(s, "PPid:\t%d\nTracerPid:\t%d\n", ids.ppid, ids.tracer);
	show_creds(s, t, task_fd_table_size(t));
	seq_printf(s, "NStgid:\t%d\nNSpid:\t%d\nNSpgid:\t%d\nNSsid:\t%d\n",
		   ids.tgid, ids.pid, ids.pgrp, ids.session);
	show_memory(s, t);
	show_signals(s, t, ids.threads);
	show_caps(s, t);
	show_cpus(s, t);
	task_put(t);
	return 0;
}

/* Nice values and priorities as ps expects them: 20 for nice 0. */
static s32 shown_priority(const struct task *t)
{
	return t->se.rt_prio ? -1 - t->se.rt_prio : 20 + t->se.nice;
}

static void stat_times(struct seq *s, struct task *t, bool thread,
		       u32 threads)
{
	struct process *p = t->proc;
	struct task_usage u;

	if (thread)
		task_usage(t, &u);
	else
		process_usage(p, &u);
	seq_printf(s, " %llu %llu %llu %llu", u.min_flt, p->cmin_flt,
		   u.maj_flt, p->cmaj_flt);
	seq_printf(s, " %llu %llu %llu %llu", u.utime_ns / 10000000,
		   u.stime_ns / 10000000, p->cutime_ns / 10000000,
		   p->cstime_ns / 10000000);
	seq_printf(s, " %d %d %u 0 %llu", shown_priority(t), t->se.nice,
		   threads, t->start_ns / 10000000);
}

static void stat_memory(struct seq *s, struct task *t, bool may)
{
	struct mm *mm = task_mm_get(t);
	u64 limit = rlimit_cur(t, RLIMIT_RSS);
	struct mm_usage u;

	if (!mm) {
		seq_printf(s, " 0 0 %llu 0 0 0 0 0", limit);
		return;
	}
	mm_usage(mm, &u);
	seq_printf(s, " %llu %llu %llu", u.total * PAGE_SIZE, u.rss, limit);
	/* Where things lie is for those who may read them. */
	seq_printf(s, " %llu %llu %llu 0 0", may ? mm->code_start : 1,
		   may ? mm->code_end : 1, may ? mm->stack_start : 0);
	mm_put(mm);
}

static void stat_signals(struct seq *s, struct task *t)
{
	struct process *p = t->proc;
	u32 ignored = 0, caught = 0, i;
	unsigned long flags = spin_lock_irqsave(&p->siglock);

	for (i = 0; p->sighand && i < 31; i++) {
		u64 handler = (u64)(unsigned long)p->sighand->action[i].handler;

		if (handler == SIG_IGN)
			ignored |= 1u << i;
		else if (handler != SIG_DFL)
			caught |= 1u << i;
	}
	seq_printf(s, " %u %u %u %u",
		   (u32)t->pending.set.bits & 0x7fffffff,
		   (u32)t->blocked.bits & 0x7fffffff, ignored, caught);
	spin_unlock_irqrestore(&p->siglock, flags);
}

static void stat_layout(struct seq *s, struct task *t, bool may)
{
	struct mm *mm = may ? task_mm_get(t) : NULL;

	if (mm)
		seq_printf(s, " %llu %llu %llu %llu %llu %llu %llu",
			   mm->data_start, mm->data_end, mm->brk_start,
			   mm->arg_start, mm->arg_end, mm->env_start,
			   mm->env_end);
	else
		seq_puts(s, " 0 0 0 0 0 0 0");
	seq_printf(s, " %d\n", may ? t->exit_code : 0);
	if (mm)
		mm_put(mm);
}

int proc_show_stat(struct seq *s, void *arg)
{
	const struct proc_node *node = arg;
	struct task *t = proc_task(node);
	char comm[TASK_COMM_LEN];
	struct task_ids ids;
	s32 tty_pgrp;
	u32 tty_dev;
	bool may;

	if (!t)
		return -ESRCH;
	may = !ptrace_may_access(t, false, false);
	get_ids(t, &ids);
	tty_of_process(t->proc, &tty_dev, &tty_pgrp);
	task_get_comm(t, comm);
	seq_printf(s, "%d (", ids.pid);
	seq_escape(s, comm, "\n\\");
	seq_printf(s, ") %c %d %d %d %u %d %u", proc_state_letter(t),
		   ids.ppid, ids.pgrp, ids.session, tty_dev, tty_pgrp,
		   t->flags & TASK_KTHREAD ? 0x200000u : 0x400000u);
	stat_times(s, t, node->thread, ids.threads);
	stat_memory(s, t, may);
	stat_signals(s, t);
	seq_printf(s, " %u 0 0 %d %u %u %u 0 0 0",
		   proc_state_letter(t) == 'S', t->proc->exit_signal,
		   t->ti.cpu, t->se.rt_prio, t->se.policy);
	stat_layout(s, t, may);
	task_put(t);
	return 0;
}

int proc_show_statm(struct seq *s, void *node)
{
	struct task *t = proc_task(node);
	struct mm_usage u = { 0 };
	struct mm *mm;
	u64 text = 0;

	if (!t)
		return -ESRCH;
	mm = task_mm_get(t);
	task_put(t);
	if (mm) {
		mm_usage(mm, &u);
		text = (PAGE_ALIGN(mm->code_end) - PAGE_DOWN(mm->code_start)) >>
		       PAGE_SHIFT;
		mm_put(mm);
	}
	seq_printf(s, "%llu %llu %llu %llu 0 %llu 0\n", u.total, u.rss,
		   u.rss_file + u.rss_shmem, text, u.data + u.stack);
	return 0;
}
