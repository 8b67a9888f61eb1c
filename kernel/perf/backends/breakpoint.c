/* SPDX-License-Identifier: MIT */
/*
 * Breakpoints as events: every access to, or execution of, an address counts.
 *
 * Slots are few, so an event that could ever be short of one is refused at
 * open: for every CPU, what its own events take plus what the task that has
 * most takes.  The books are under bp_mutex.  Programming a slot is the
 * event's CPU's, everything masked; hits arrive masked, too, from user mode
 * or the kernel, and take no lock.
 */
#include <arch/debug.h>
#include <arch/regs.h>
#include <kernel/cpu.h>
#include <kernel/cred.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/perf_pmu.h>
#include <kernel/static_key.h>
#include <lib/err.h>
#include <lib/string.h>
#include <linux/capability.h>
#include <linux/hw_breakpoint.h>

#define BUCKETS 64

struct breakpoint {
	struct arch_breakpoint hw;	/* changed only while not installed */
	struct perf_counter *counter;	/* [I] */
	struct list_head link;		/* [bp_mutex] books */
	u32 kind;			/* [bp_mutex] KIND_* */
};

enum { KIND_EXEC, KIND_DATA, KINDS };

static struct mutex bp_mutex = MUTEX_INIT(bp_mutex, LOCK_RANK_TRACE);
static u32 cpu_taken[KINDS][NR_CPUS];		/* [bp_mutex] CPU-wide ones */
static struct list_head of_task[BUCKETS];	/* [bp_mutex] by task */

/* --- the books --------------------------------------------------------- */

static u32 kind_of(u32 type)
{
	return type & HW_BREAKPOINT_RW ? KIND_DATA : KIND_EXEC;
}

static struct list_head *bucket(const struct task *task)
{
	return &of_task[(uintptr_t)task / 64 % BUCKETS];
}

static u32 taken_by(const struct task *task, u32 kind, u32 cpu)
{
	struct breakpoint *b;
	u32 n = 0;

	list_for_each_entry(b, bucket(task), link)
		if (b->counter->task == task && b->kind == kind &&
		    (b->counter->cpu < 0 || b->counter->cpu == (s32)cpu))
			n++;
	return n;
}

static u32 taken_by_greediest(u32 kind, u32 cpu)
{
	struct breakpoint *b;
	u32 i, n, most = 0;

	for (i = 0; i < BUCKETS; i++) {
		list_for_each_entry(b, &of_task[i], link) {
			n = taken_by(b->counter->task, kind, cpu);
			if (n > most)
				most = n;
		}
	}
	return most;
}

static bool has_room(const struct perf_counter *c, u32 kind)
{
	u32 cpu, n, slots = arch_debug_slots(kind == KIND_EXEC);

	for_each_possible_cpu(cpu) {
		if (c->cpu >= 0 && c->cpu != (s32)cpu)
			continue;
		n = cpu_taken[kind][cpu];
		n += c->task ? taken_by(c->task, kind, cpu) :
			       taken_by_greediest(kind, cpu);
		if (n >= slots)
			return false;
	}
	return true;
}

static void book(struct breakpoint *b, u32 kind)
{
	b->kind = kind;
	if (b->counter->task)
		list_add_tail(&b->link, bucket(b->counter->task));
	else
		cpu_taken[kind][b->counter->cpu]++;
}

static void unbook(struct breakpoint *b)
{
	if (b->counter->task)
		list_del_init(&b->link);
	else
		cpu_taken[b->kind][b->counter->cpu]--;
}

static int reserve(struct breakpoint *b, u32 type)
{
	u32 kind = kind_of(type);
	int err = -ENOSPC;

	if (type == HW_BREAKPOINT_EMPTY || type == HW_BREAKPOINT_INVALID)
		return -EINVAL;
	mutex_lock(&bp_mutex);
	if (has_room(b->counter, kind)) {
		book(b, kind);
		err = 0;
	}
	mutex_unlock(&bp_mutex);
	return err;
}

static void release(struct breakpoint *b)
{
	mutex_lock(&bp_mutex);
	unbook(b);
	mutex_unlock(&bp_mutex);
}

/* b takes a slot of the other kind, or keeps the one it has. */
static int change_kind(struct breakpoint *b, u32 type)
{
	u32 old = b->kind, kind = kind_of(type);
	int err = 0;

	if (type == HW_BREAKPOINT_EMPTY || type == HW_BREAKPOINT_INVALID)
		return -EINVAL;
	mutex_lock(&bp_mutex);
	unbook(b);
	if (!has_room(b->counter, kind)) {
		kind = old;
		err = -ENOSPC;
	}
	book(b, kind);
	mutex_unlock(&bp_mutex);
	return err;
}

/* --- events ------------------------------------------------------------ */

static int parse(const struct perf_counter *c,
		 const struct perf_event_attr *attr, struct arch_breakpoint *hw)
{
	int err = arch_debug_parse(hw, attr->bp_addr, attr->bp_len,
				   attr->bp_type, c->task != NULL);

	if (err)
		return err;
	if (hw->guarded) {
		if (attr->exclude_kernel)
			return -EINVAL;
		/* It may sit where every trap passes. */
		if (!capable(CAP_SYS_ADMIN))
			return -EPERM;
	}
	return 0;
}

static int bp_event_init(struct perf_counter *c)
{
	struct breakpoint *b;
	int err;

	if (c->attr->type != PERF_TYPE_BREAKPOINT)
		return -ENOENT;
	if (c->attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		return -EOPNOTSUPP;
	b = kzalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	b->counter = c;
	list_init(&b->link);
	err = reserve(b, c->attr->bp_type);
	if (err)
		goto free;
	err = parse(c, c->attr, &b->hw);
	if (err)
		goto release;
	c->priv = b;
	static_key_inc(&arch_debug_key);
	return 0;
release:
	release(b);
free:
	kfree(b);
	return err;
}

static void bp_event_destroy(struct perf_counter *c)
{
	struct breakpoint *b = c->priv;

	static_key_dec(&arch_debug_key);
	release(b);
	kfree(b);
}

/* Only where it is, what it watches and whether it is off may differ. */
static bool may_become(const struct perf_event_attr *old,
		       const struct perf_event_attr *new)
{
	struct perf_event_attr a = *old;

	a.bp_addr = new->bp_addr;
	a.bp_len = new->bp_len;
	a.bp_type = new->bp_type;
	a.disabled = new->disabled;
	return !memcmp(&a, new, sizeof(a));
}

static int bp_modify(struct perf_counter *c, const struct perf_event_attr *new)
{
	struct perf_event_attr *attr = perf_pmu_attr(c);
	struct breakpoint *b = c->priv;
	struct arch_breakpoint hw;
	int err = parse(c, new, &hw);

	if (err)
		return err;
	if (!may_become(attr, new))
		return -EINVAL;
	if (attr->bp_type != new->bp_type) {
		err = change_kind(b, new->bp_type);
		if (err)
			return err;
	}
	attr->bp_addr = new->bp_addr;
	attr->bp_len = new->bp_len;
	attr->bp_type = new->bp_type;
	attr->disabled = new->disabled;
	b->hw = hw;
	return 0;
}

static int bp_add(struct perf_counter *c, u32 flags)
{
	struct breakpoint *b = c->priv;

	if (c->sampling)
		perf_pmu_sw_start(c);
	c->state = flags & PERF_EF_START ? 0 : PERF_CNT_STOPPED;
	return arch_debug_install(&b->hw) ? -EAGAIN : 0;
}

static void bp_del(struct perf_counter *c, u32 flags)
{
	struct breakpoint *b = c->priv;

	arch_debug_remove(&b->hw);
}

static void bp_start(struct perf_counter *c, u32 flags)
{
	c->state = 0;
}

static void bp_stop(struct perf_counter *c, u32 flags)
{
	c->state = PERF_CNT_STOPPED;
}

static void bp_hit(struct arch_breakpoint *hw, struct pt_regs *regs)
{
	struct perf_counter *c =
		container_of(hw, struct breakpoint, hw)->counter;
	struct perf_sample sample;

	if ((c->state & PERF_CNT_STOPPED) || !perf_pmu_regs_wanted(c, regs))
		return;
	perf_sample_init(&sample, c->attr->bp_addr, 0);
	perf_pmu_sw_count(c, 1, &sample, regs);
}

static void bp_cpu_online(struct perf_pmu *pmu, u32 cpu)
{
	arch_debug_init_cpu();
}

static int bp_probe(const struct perf_pmu_desc *desc)
{
	u32 i;

	for (i = 0; i < BUCKETS; i++)
		list_init(&of_task[i]);
	arch_debug_hit = bp_hit;
	return perf_pmu_create(desc, desc->name, ~0ull, NULL) ? 0 : -ENOMEM;
}

static const struct perf_pmu_ops bp_ops = {
	.probe = bp_probe,
	.cpu_online = bp_cpu_online,
	.event_init = bp_event_init,
	.event_destroy = bp_event_destroy,
	.modify = bp_modify,
	.add = bp_add,
	.del = bp_del,
	.start = bp_start,
	.stop = bp_stop,
};

static const struct perf_pmu_desc bp_desc = {
	.name = "breakpoint",
	.type = PERF_TYPE_BREAKPOINT,
	.caps = PERF_PMU_SOFTWARE,
	.ops = &bp_ops,
};
PERF_PMU_REGISTER(bp_desc);
