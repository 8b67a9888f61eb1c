/* SPDX-License-Identifier: MIT */
/*
 * The fake kernel of fake.h: just enough of each subsystem that the engine
 * calls, single-threaded and deterministic.
 */
#include "fake.h"

#include <arch/perf.h>
#include <arch/regs.h>
#include <arch/thread.h>
#include <arch/time.h>
#include <kernel/cpu.h>
#include <kernel/ipi.h>
#include <kernel/page.h>
#include <kernel/static_key.h>
#include <kernel/uaccess.h>
#include <kernel/printk.h>
#include <lib/err.h>
#include <lib/ktest.h>
#include <lib/minmax.h>

#include "../host.h"

unsigned long host_irqs_off;
struct task *host_current;
unsigned long per_cpu_offset[CONFIG_NR_CPUS];
struct cpumask cpu_possible_mask = { { 1 } }, cpu_online_mask = { { 1 } };
u32 nr_cpu_ids = 1;
struct time_conv time_conv = { 1, 0, 0 };
struct pt_regs fake_regs = { .ip = 0x400000, .sp = 0x7000, .user = true };

static u64 now_ns = 1000000;
u64 fake_clock_step;

/* --- waiting, others -------------------------------------------------- */

void preempt_schedule(void)
{
}

void wait_queue_init(struct wait_queue *wq)
{
}

void wait_wake(struct wait_queue *wq, u32 mask, u32 nr, u64 key)
{
}

void fasync_kill(struct fasync_list *list, long band, int code)
{
}

bool task_work_add(struct task *t, struct task_work *work)
{
	work->fn(work);
	return true;
}

void signal_force_info(const struct siginfo *info)
{
}

void static_key_inc(struct static_key *key)
{
}

void static_key_dec(struct static_key *key)
{
}

static struct reclaim_node *reclaim_list;

void reclaim_after(struct reclaim_node *node,
		   void (*fn)(struct reclaim_node *node))
{
	node->fn = fn;
	node->next = reclaim_list;
	reclaim_list = node;
}

void reclaim_sync(void)
{
}

int ipi_call(u32 cpu, void (*fn)(void *arg), void *arg)
{
	fn(arg);
	return 0;
}

/* --- time -------------------------------------------------------------- */

u64 time_mono_ns(void)
{
	now_ns += fake_clock_step;
	return now_ns;
}

u64 time_boot_offset_ns(void)
{
	return 1000000000000ull;
}

u64 arch_clock_freq(void)
{
	return 62500000;
}

static struct timer *timers[64];

void timer_init(struct timer *t, void (*fn)(struct timer *t))
{
	t->fn = fn;
	t->queued = 0;
}

void timer_start(struct timer *t, u64 expires)
{
	u32 i;

	t->expires = expires;
	if (t->queued)
		return;
	for (i = 0; timers[i]; i++)
		;
	timers[i] = t;
	t->queued = 1;
}

bool timer_cancel(struct timer *t)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(timers); i++)
		if (timers[i] == t)
			timers[i] = NULL;
	t->queued = 0;
	return true;
}

bool timer_cancel_sync(struct timer *t)
{
	return timer_cancel(t);
}

u64 timer_forward(struct timer *t, u64 now, u64 period)
{
	u64 n = 0;

	while (t->expires <= now) {
		t->expires += period;
		n++;
	}
	return n;
}

static struct irq_work *works;

bool irq_work_queue(struct irq_work *work)
{
	if (work->pending)
		return false;
	work->pending = 1;
	work->next = works;
	works = work;
	return true;
}

void irq_work_sync(struct irq_work *work)
{
	fake_flush();
}

void fake_flush(void)
{
	struct reclaim_node *node;
	struct irq_work *work;

	while ((work = works) != NULL) {
		works = work->next;
		work->pending = 0;
		work->fn(work);
	}
	while ((node = reclaim_list) != NULL) {
		reclaim_list = node->next;
		node->fn(node);
	}
}

struct pt_regs *irq_regs(void)
{
	return &fake_regs;
}

/* --- tasks ------------------------------------------------------------- */

static struct pid pids[64];
static struct process procs[64];
static struct task tasks[64];
static u32 nr_tasks;

struct task *fake_task(void)
{
	u32 n = nr_tasks++;
	struct task *t = &tasks[n];

	pids[n].nr = (s32)n + 100;
	procs[n].pid = &pids[n];
	t->pid = &pids[n];
	t->proc = &procs[n];
	procs[n].leader = t;
	memcpy(t->comm, "fake", 5);
	return t;
}

struct task *task_get(struct task *t)
{
	return t;
}

void task_put(struct task *t)
{
}

void task_get_comm(struct task *t, char out[TASK_COMM_LEN])
{
	memcpy(out, t->comm, TASK_COMM_LEN);
}

bool sched_in_switch(void)
{
	return false;
}

bool sched_is_running(const struct task *t)
{
	return t == host_current;
}

s32 sysctl_perf_event_paranoid = 3;

bool capable(int cap)
{
	return true;
}

void printk(enum log_level level, const char *fmt, ...)
{
}

struct pt_regs *task_pt_regs(const struct task *task)
{
	return &fake_regs;
}

void fake_switch(struct task *task)
{
	struct task *prev = host_current;

	if (prev == task)
		return;
	perf_task_sched_out(prev, task, false);
	host_current = task;
	perf_task_sched_in(prev, task);
	fake_flush();
}

struct task *fake_fork(u64 flags)
{
	struct task *child = fake_task();

	if (perf_task_fork(child, flags))
		return NULL;
	perf_task_forked(child);
	return child;
}

void fake_exit(struct task *task)
{
	struct task *back = host_current;

	fake_switch(task);
	task->flags |= TASK_EXITING;
	perf_task_exit();
	fake_switch(back);
	perf_task_free(task);
	fake_flush();
}

/* --- architecture ------------------------------------------------------ */

u64 arch_perf_reg_value(const struct pt_regs *regs, u32 nr)
{
	return 0x1000 + nr;
}

u32 arch_perf_reg_abi(const struct task *task)
{
	return PERF_SAMPLE_REGS_ABI_64;
}

void arch_perf_fetch_regs(struct pt_regs *regs)
{
	*regs = (struct pt_regs){ .ip = 0xffff0000 };
}

u64 arch_perf_user_stack_limit(const struct task *task)
{
	return 0x8000;
}

u64 arch_perf_clock_mask(void)
{
	return ~0ull >> 7;
}

void arch_stack_walk(const struct pt_regs *regs, const struct task *task,
		     bool (*store)(void *cookie, u64 pc), void *cookie)
{
	(void)(store(cookie, 0xffff0001) && store(cookie, 0xffff0002));
}

u32 arch_perf_user_chain(const struct pt_regs *regs, u64 *pc, u32 max)
{
	u32 nr;

	for (nr = 0; nr < max && nr < 16; nr++)
		pc[nr] = 0x400000 + nr;
	return nr;
}

size_t arch_copy_user_nofault(void *to, const void __user *from, size_t n)
{
	memset(to, 0x5a, n);
	return 0;
}

/* --- the fake PMU ------------------------------------------------------ */

u32 fake_adds, fake_dels, fake_overflows;
static struct perf_counter *slots[FAKE_COUNTERS];

static int pmu_init(struct perf_counter *c)
{
	return c->attr->type == FAKE_TYPE ? 0 : -ENOENT;
}

static int pmu_valid(struct perf_pmu *pmu, struct perf_counter **c, u32 nr)
{
	return nr > FAKE_COUNTERS + 1 ? -EINVAL : 0;
}

static void pmu_start(struct perf_counter *c, u32 flags)
{
	c->state = 0;
	if (c->sampling)
		perf_pmu_set_period(c, ~0ull >> 1, NULL);
}

static void pmu_stop(struct perf_counter *c, u32 flags)
{
	c->state = PERF_CNT_STOPPED;
}

static int pmu_add(struct perf_counter *c, u32 flags)
{
	u32 i;

	for (i = 0; i < FAKE_COUNTERS && slots[i]; i++)
		;
	if (i == FAKE_COUNTERS)
		return -EAGAIN;
	fake_adds++;
	slots[i] = c;
	c->idx = (s32)i;
	if (flags & PERF_EF_START)
		pmu_start(c, flags);
	return 0;
}

static void pmu_del(struct perf_counter *c, u32 flags)
{
	fake_dels++;
	slots[c->idx] = NULL;
	pmu_stop(c, flags);
}

/* c has counted n more. */
static void pmu_count(struct perf_counter *c, u64 n)
{
	struct perf_sample s;
	bool ended;

	perf_counter_add(c, n);
	c->left -= (s64)n;
	if (!c->sampling || c->left > 0)
		return;
	perf_sample_init(&s, 0, c->last_period);
	perf_pmu_set_period(c, ~0ull >> 1, &ended);
	fake_overflows++;
	if (ended && perf_pmu_overflow(c, &s, &fake_regs))
		pmu_stop(c, 0);
}

static const struct perf_pmu_ops fake_ops = {
	.event_init = pmu_init,
	.group_valid = pmu_valid,
	.add = pmu_add,
	.del = pmu_del,
	.start = pmu_start,
	.stop = pmu_stop,
};

static const struct perf_pmu_desc fake_desc = {
	.name = "fake", .type = FAKE_TYPE, .ops = &fake_ops,
};
PERF_PMU_REGISTER(fake_desc);

static u64 rate(const struct perf_counter *c)
{
	return c->attr->config2 ? c->attr->config2 : 10;
}

static void run_step(u64 ns)
{
	u32 i;

	now_ns += ns;
	for (i = 0; i < FAKE_COUNTERS; i++)
		if (slots[i] && !(slots[i]->state & PERF_CNT_STOPPED))
			pmu_count(slots[i],
				  rate(slots[i]) * ns / 1000);
	for (i = 0; i < ARRAY_SIZE(timers); i++) {
		struct timer *t = timers[i];

		if (!t || t->expires > now_ns)
			continue;
		timers[i] = NULL;
		t->queued = 0;
		t->fn(t);
	}
	fake_flush();
}

void fake_run(u64 ns)
{
	u64 end = now_ns + ns;

	while (now_ns < end)
		run_step(min_t(u64, end - now_ns, 1000));
}

/* --- opening ----------------------------------------------------------- */

void fake_boot(void)
{
	static bool booted;

	if (booted)
		return;
	booted = true;
	host_current = fake_task();
	perf_events_init();
	perf_hooks_init();
	perf_limits_init();
	perf_cpus_init();
	perf_userpage_boot();
	perf_pmus_boot();
	perf_cpu_online(0);
}

struct perf_event *fake_open(const struct perf_event_attr *attr,
			     struct task *task, struct perf_event *leader)
{
	struct perf_event *e =
		perf_event_create(attr, task, task ? -1 : 0, NULL);
	struct perf_ctx *ctx;
	int err;

	if (IS_ERR(e))
		return e;
	err = perf_group_validate(e, leader ? leader : e);
	ctx = perf_ctx_get(task, 0);
	if (leader)
		e->leader = leader;
	ref_get(&ctx->refs);
	if (!err)
		err = perf_event_install(e, ctx);
	perf_ctx_unpin(ctx);
	perf_ctx_put(ctx);
	if (!err)
		return e;
	e->leader = e;
	perf_event_put(e);
	return ERR_PTR(err);
}

struct perf_ring *fake_map(struct perf_event *e, u32 pages, bool overwrite)
{
	struct perf_ring *ring = perf_ring_alloc(pages, 0, overwrite);

	perf_ring_attach(e, ring);
	perf_userpage_init(e);
	e->mmap_count = 1;
	return ring;
}
