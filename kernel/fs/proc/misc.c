/* SPDX-License-Identifier: MIT */
/*
 * The small files of /proc/PID: names, limits, scores, mounts, maps of ids.
 *
 * Each function takes the node's task by reference, prints or stores, and
 * lets it go.  Stores check that the writer may touch the target.
 */
#include "internal.h"

#include <arch/regs.h>
#include <kernel/cred.h>
#include <kernel/ksym.h>
#include <kernel/kptr.h>
#include <kernel/mm.h>
#include <kernel/reclaim.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/parse.h>
#include <lib/string.h>
#include <linux/resource.h>

int proc_show_comm(struct seq *s, void *node)
{
	struct task *t = proc_task(node);
	char comm[TASK_COMM_LEN];

	if (!t)
		return -ESRCH;
	task_get_comm(t, comm);
	task_put(t);
	seq_printf(s, "%s\n", comm);
	return 0;
}

ssize_t proc_store_comm(const char *text, size_t len, void *node)
{
	struct task *t = proc_task(node);
	char comm[TASK_COMM_LEN] = "";
	ssize_t ret = (ssize_t)len;

	if (!t)
		return -ESRCH;
	memcpy(comm, text, min(len, sizeof(comm) - 1));
	if (t->proc == current->proc)
		task_set_comm(t, comm, false);
	else
		ret = -EINVAL;
	task_put(t);
	return ret;
}

struct limit_name {
	const char *name;
	const char *unit;
};

static void show_limit_value(struct seq *s, u64 v)
{
	if (v == RLIM_INFINITY)
		seq_printf(s, "%-20s ", "unlimited");
	else
		seq_printf(s, "%-20llu ", v);
}

int proc_show_limits(struct seq *s, void *node)
{
	static const struct limit_name names[RLIM_NLIMITS] = {
		[RLIMIT_CPU] = { "Max cpu time", "seconds" },
		[RLIMIT_FSIZE] = { "Max file size", "bytes" },
		[RLIMIT_DATA] = { "Max data size", "bytes" },
		[RLIMIT_STACK] = { "Max stack size", "bytes" },
		[RLIMIT_CORE] = { "Max core file size", "bytes" },
		[RLIMIT_RSS] = { "Max resident set", "bytes" },
		[RLIMIT_NPROC] = { "Max processes", "processes" },
		[RLIMIT_NOFILE] = { "Max open files", "files" },
		[RLIMIT_MEMLOCK] = { "Max locked memory", "bytes" },
		[RLIMIT_AS] = { "Max address space", "bytes" },
		[RLIMIT_LOCKS] = { "Max file locks", "locks" },
		[RLIMIT_SIGPENDING] = { "Max pending signals", "signals" },
		[RLIMIT_MSGQUEUE] = { "Max msgqueue size", "bytes" },
		[RLIMIT_NICE] = { "Max nice priority", NULL },
		[RLIMIT_RTPRIO] = { "Max realtime priority", NULL },
		[RLIMIT_RTTIME] = { "Max realtime timeout", "us" },
	};
	struct task *t = proc_task(node);
	struct rlimit lim[RLIM_NLIMITS];
	unsigned long flags;
	int i;

	if (!t)
		return -ESRCH;
	flags = spin_lock_irqsave(&t->proc->siglock);
	memcpy(lim, t->proc->rlim, sizeof(lim));
	spin_unlock_irqrestore(&t->proc->siglock, flags);
	task_put(t);
	seq_printf(s, "%-25s %-20s %-20s %-10s\n", "Limit", "Soft Limit",
		   "Hard Limit", "Units");
	for (i = 0; i < RLIM_NLIMITS; i++) {
		seq_printf(s, "%-25s ", names[i].name);
		show_limit_value(s, lim[i].cur);
		show_limit_value(s, lim[i].max);
		seq_printf(s, names[i].unit ? "%-10s\n" : "\n", names[i].unit);
	}
	return 0;
}

/* Nothing here touches a disk, and calls are not counted per task. */
int proc_show_io(struct seq *s, void *node)
{
	seq_puts(s, "rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: 0\n"
		    "write_bytes: 0\ncancelled_write_bytes: 0\n");
	return 0;
}

int proc_show_oom_score_adj(struct seq *s, void *node)
{
	struct task *t = proc_task(node);

	if (!t)
		return -ESRCH;
	seq_printf(s, "%d\n", READ_ONCE(t->proc->oom_score_adj));
	task_put(t);
	return 0;
}

ssize_t proc_store_oom_score_adj(const char *text, size_t len, void *node)
{
	struct task *t;
	ssize_t ret = (ssize_t)len;
	char word[16];
	int v;

	if (len >= sizeof(word))
		return -EINVAL;
	memcpy(word, text, len + 1);
	if (len && word[len - 1] == '\n')
		word[len - 1] = 0;
	if (parse_int(word, 0, &v) || v < -1000 || v > 1000)
		return -EINVAL;
	t = proc_task(node);
	if (!t)
		return -ESRCH;
	if (v < READ_ONCE(t->proc->oom_score_adj) && !capable(CAP_SYS_RESOURCE))
		ret = -EACCES;
	else
		WRITE_ONCE(t->proc->oom_score_adj, v);
	task_put(t);
	return ret;
}

/* The older scale, -17..15, of the same number. */
int proc_show_oom_adj(struct seq *s, void *node)
{
	struct task *t = proc_task(node);
	int v;

	if (!t)
		return -ESRCH;
	v = READ_ONCE(t->proc->oom_score_adj);
	seq_printf(s, "%d\n", v == 1000 ? 15 : v * 17 / 1000);
	task_put(t);
	return 0;
}

/* The share of memory in thousandths, shifted into 0..1333 as on Linux. */
int proc_show_oom_score(struct seq *s, void *node)
{
	struct task *t = proc_task(node);
	struct page_stats m;
	s64 points = 0;
	struct mm *mm;

	if (!t)
		return -ESRCH;
	page_stats(&m);
	mm = task_mm_get(t);
	if (mm) {
		struct mm_usage u;

		mm_usage(mm, &u);
		mm_put(mm);
		points = (s64)((u.rss + u.pgtable) * 1000 / max(m.total, 1ull));
	}
	points = 1000 + points + READ_ONCE(t->proc->oom_score_adj);
	task_put(t);
	seq_printf(s, "%lld\n", max(points * 2 / 3, 0ll));
	return 0;
}

static int show_mount_list(struct seq *s, void *node, bool info)
{
	struct task *t = proc_task(node);
	struct fs_ctx *fs = t ? task_fs_get(t) : NULL;
	struct path root;
	unsigned long flags;

	if (t)
		task_put(t);
	if (!fs)
		return -EINVAL;
	flags = spin_lock_irqsave(&fs->lock);
	root = fs->root;
	path_get(&root);
	spin_unlock_irqrestore(&fs->lock, flags);
	fs_ctx_put(fs);
	mounts_show(s, &root, info);
	path_put(&root);
	return 0;
}

int proc_show_mounts(struct seq *s, void *node)
{
	return show_mount_list(s, node, false);
}

int proc_show_mountinfo(struct seq *s, void *node)
{
	return show_mount_list(s, node, true);
}

int proc_show_personality(struct seq *s, void *node)
{
	struct task *t = proc_task(node);

	if (!t)
		return -ESRCH;
	seq_printf(s, "%08x\n", t->personality);
	task_put(t);
	return 0;
}

int proc_show_schedstat(struct seq *s, void *node)
{
	struct task *t = proc_task(node);

	if (!t)
		return -ESRCH;
	seq_printf(s, "%llu 0 %llu\n", sched_runtime_ns(t),
		   t->se.nvcsw + t->se.nivcsw);
	task_put(t);
	return 0;
}

static void show_sched_ns(struct seq *s, const char *name, u64 ns)
{
	seq_printf(s, "%-45s:%14llu.%06llu\n", name, ns / NSEC_PER_MSEC,
		   ns % NSEC_PER_MSEC);
}

static void show_sched_nr(struct seq *s, const char *name, s64 nr)
{
	seq_printf(s, "%-45s:%21lld\n", name, nr);
}

/* What the fair queue keeps of a thread; times in milliseconds. */
int proc_show_sched(struct seq *s, void *node)
{
	struct task *t = proc_task(node);
	const struct sched_entity *se;
	char comm[TASK_COMM_LEN];

	if (!t)
		return -ESRCH;
	se = &t->se;
	task_get_comm(t, comm);
	seq_printf(s, "%s (%d, #threads: %u)\n", comm, task_tid(t),
		   t->proc->nr_threads);
	seq_puts(s, "---------------------------------------------------------"
		    "----------\n");
	show_sched_ns(s, "se.exec_start", se->exec_start);
	show_sched_ns(s, "se.vruntime", se->vruntime);
	show_sched_ns(s, "se.sum_exec_runtime", sched_runtime_ns(t));
	show_sched_nr(s, "se.nr_migrations", (s64)se->nr_migrations);
	show_sched_nr(s, "nr_switches", (s64)(se->nvcsw + se->nivcsw));
	show_sched_nr(s, "nr_voluntary_switches", (s64)se->nvcsw);
	show_sched_nr(s, "nr_involuntary_switches", (s64)se->nivcsw);
	show_sched_nr(s, "se.load.weight", (s64)se->weight * 1024);
	show_sched_nr(s, "policy", se->policy);
	show_sched_nr(s, "prio",
		      se->rt_prio ? 99 - se->rt_prio : 120 + se->nice);
	task_put(t);
	return 0;
}

#define STACK_DEPTH 64

struct stack_walk {
	u64 pc[STACK_DEPTH];
	u32 nr;
};

static bool stack_entry(void *cookie, u64 pc)
{
	struct stack_walk *w = cookie;

	w->pc[w->nr++] = pc;
	return w->nr < STACK_DEPTH;
}

/* It may run meanwhile: what is read is there, if not true. */
static void walk_stack(struct task *t, struct stack_walk *w)
{
	w->nr = 0;
	if (t == current || sched_is_running(t))
		return;
	reclaim_read_lock();
	arch_stack_walk(NULL, t, stack_entry, w);
	reclaim_read_unlock();
}

int proc_show_stack(struct seq *s, void *node)
{
	char name[KSYM_NAME_MAX + 40];
	struct stack_walk w;
	struct task *t;
	u32 i;

	if (!capable(CAP_SYS_ADMIN))
		return -EACCES;
	t = proc_task(node);
	if (!t)
		return -ESRCH;
	walk_stack(t, &w);
	task_put(t);
	for (i = 0; i < w.nr; i++) {
		ksym_format(name, sizeof(name), w.pc[i]);
		seq_printf(s, "[<0>] %s\n", name);
	}
	return 0;
}

int proc_show_wchan(struct seq *s, void *node)
{
	struct stack_walk w = { .nr = 0 };
	char name[KSYM_NAME_MAX];
	u64 off, size;
	struct task *t;

	if (proc_may_read(node))
		goto none;
	t = proc_task(node);
	if (!t)
		return -ESRCH;
	if (READ_ONCE(t->state) != TASK_RUNNING)
		walk_stack(t, &w);
	task_put(t);
	if (w.nr && ksym_lookup(w.pc[0], name, &off, &size)) {
		seq_puts(s, name);
		return 0;
	}
none:
	seq_putc(s, '0');
	return 0;
}

int proc_show_syscall(struct seq *s, void *node)
{
	struct task *t = proc_task(node);
	struct pt_regs *regs;
	int i;

	if (!t)
		return -ESRCH;
	if (t != current && sched_is_running(t)) {
		seq_puts(s, "running\n");
	} else if (t->flags & TASK_KTHREAD) {
		seq_puts(s, "0\n");
	} else {
		regs = task_pt_regs(t);
		seq_printf(s, "%ld", regs_syscall_nr(regs));
		for (i = 0; i < 6 && regs_syscall_nr(regs) >= 0; i++)
			seq_printf(s, " 0x%llx", regs_syscall_arg(regs, i));
		seq_printf(s, " 0x%llx 0x%llx\n", regs_sp(regs), regs_ip(regs));
	}
	task_put(t);
	return 0;
}

int proc_show_timerslack(struct seq *s, void *node)
{
	struct task *t = proc_task(node);

	if (!t)
		return -ESRCH;
	seq_printf(s, "%llu\n", t->timer_slack_ns);
	task_put(t);
	return 0;
}

ssize_t proc_store_timerslack(const char *text, size_t len, void *node)
{
	struct task *t = proc_task(node);
	const char *p = text;
	ssize_t ret = (ssize_t)len;
	u64 v;

	if (!t)
		return -ESRCH;
	if (t != current && !capable(CAP_SYS_NICE))
		ret = -EPERM;
	else if (parse_prefix_u64(&p, 0, &v))
		ret = -EINVAL;
	else
		t->timer_slack_ns = v ? v : 50000;
	task_put(t);
	return ret;
}

int proc_show_coredump_filter(struct seq *s, void *node)
{
	seq_puts(s, "00000033\n");
	return 0;
}

int proc_show_id_map(struct seq *s, void *node)
{
	seq_printf(s, "%10u %10u %10u\n", 0u, 0u, ~0u);
	return 0;
}

int proc_show_setgroups(struct seq *s, void *node)
{
	seq_puts(s, "allow\n");
	return 0;
}

int proc_show_loginuid(struct seq *s, void *node)
{
	seq_printf(s, "%u", ~0u);
	return 0;
}
