/* SPDX-License-Identifier: MIT */
/*
 * The registry of PMUs: creation at boot, look-up by type, event_init with
 * Linux's order of attempts, and the nesting disable/enable bracket.
 *
 * Entry points: perf_pmu_create (from probe), perf_pmu_find,
 * perf_pmu_init_event, perf_pmu_disable/enable.  The list is built by one
 * initcall and immutable afterwards, so it has no lock.  Missing ops get
 * defaults here, so that no caller tests for NULL.
 */
#include "internal.h"

#include <arch/perf.h>
#include <kernel/cpu.h>
#include <kernel/init.h>
#include <kernel/ipi.h>
#include <kernel/page.h>
#include <lib/err.h>
#include <lib/string.h>

/* 6 and 7 are the kprobe and uprobe PMUs; the first free one follows. */
#define FIRST_DYNAMIC_TYPE 8

LIST_HEAD(perf_pmus);
LINKSET(const struct perf_pmu_desc, perf_pmus);

static u32 next_type = FIRST_DYNAMIC_TYPE;
static u32 next_index;

static int default_probe(const struct perf_pmu_desc *desc)
{
	return perf_pmu_create(desc, desc->name, ~0ull, NULL) ? 0 : -ENOMEM;
}

static void default_cpu(struct perf_pmu *pmu, u32 cpu)
{
}

static int default_event_init(struct perf_counter *c)
{
	return -ENOENT;
}

static void default_counter(struct perf_counter *c)
{
}

static int default_group_valid(struct perf_pmu *pmu, struct perf_counter **c,
			       u32 nr)
{
	return 0;
}

static void default_flags(struct perf_counter *c, u32 flags)
{
}

static int default_add(struct perf_counter *c, u32 flags)
{
	return 0;
}

static void default_bracket(struct perf_pmu *pmu)
{
}

static int default_filter(struct perf_counter *c, const char *filter)
{
	return -EINVAL;
}

static int default_modify(struct perf_counter *c,
			  const struct perf_event_attr *attr)
{
	return -EOPNOTSUPP;
}

static u32 default_user(const struct perf_counter *c)
{
	return 0;
}

static void default_sched(struct perf_pmu *pmu, bool in)
{
}

static void fill_ops(struct perf_pmu_ops *ops)
{
#define DEFAULT(op, fn)							\
	do {								\
		if (!ops->op)						\
			ops->op = (fn);					\
	} while (0)
	DEFAULT(probe, default_probe);
	DEFAULT(cpu_online, default_cpu);
	DEFAULT(cpu_offline, default_cpu);
	DEFAULT(event_init, default_event_init);
	DEFAULT(event_destroy, default_counter);
	DEFAULT(group_valid, default_group_valid);
	DEFAULT(add, default_add);
	DEFAULT(del, default_flags);
	DEFAULT(start, default_flags);
	DEFAULT(stop, default_flags);
	DEFAULT(read, default_counter);
	DEFAULT(pmu_enable, default_bracket);
	DEFAULT(pmu_disable, default_bracket);
	DEFAULT(modify, default_modify);
	DEFAULT(set_filter, default_filter);
	DEFAULT(user_index, default_user);
	DEFAULT(user_width, default_user);
	DEFAULT(sched_task, default_sched);
#undef DEFAULT
}

/* PMUs whose disable and enable mean something: few, so an array. */
static struct perf_pmu *bracketed[8];
static u32 nr_bracketed;

static void add_bracketed(struct perf_pmu *pmu)
{
	if (nr_bracketed < ARRAY_SIZE(bracketed))
		bracketed[nr_bracketed++] = pmu;
	else
		pmu->caps &= ~PERF_PMU_KEEP_DISABLED;
}

struct online_call {
	struct perf_pmu *pmu;
	u32 cpu;
};

static void call_online(void *arg)
{
	struct online_call *call = arg;
	unsigned long flags = arch_irq_save_all();

	call->pmu->ops.cpu_online(call->pmu, call->cpu);
	arch_irq_restore_all(flags);
}

struct perf_pmu *perf_pmu_create(const struct perf_pmu_desc *desc,
				 const char *name, u64 cpus, void *priv)
{
	struct perf_pmu *pmu = kzalloc(sizeof(*pmu), GFP_KERNEL);
	struct online_call call = { .pmu = pmu };

	if (!pmu)
		return NULL;
	pmu->disabled = kzalloc(sizeof(*pmu->disabled) * NR_CPUS, GFP_KERNEL);
	if (!pmu->disabled) {
		kfree(pmu);
		return NULL;
	}
	pmu->desc = desc;
	pmu->ops = *desc->ops;
	fill_ops(&pmu->ops);
	pmu->name = name;
	pmu->type = desc->type == PERF_PMU_NEXT_TYPE ? next_type++ :
						       (u32)desc->type;
	pmu->caps = desc->caps;
	pmu->index = next_index++;
	pmu->cpus = cpus;
	pmu->priv = priv;
	/* What always fits takes no turns. */
	if (!(pmu->caps & PERF_PMU_SOFTWARE))
		pmu->mux_ms = TICK_NS / NSEC_PER_MSEC;
	if (pmu->caps & PERF_PMU_KEEP_DISABLED)
		add_bracketed(pmu);

	for_each_online_cpu(call.cpu) {
		if (perf_pmu_has_cpu(pmu, call.cpu))
			ipi_call(call.cpu, call_online, &call);
	}
	list_add_tail(&pmu->link, &perf_pmus);
	return pmu;
}

/* Fixed types first, by number; then by name. */
static bool comes_before(const struct perf_pmu_desc *a,
			 const struct perf_pmu_desc *b)
{
	if (a->type != b->type)
		return (u32)a->type < (u32)b->type;
	return strcmp(a->name, b->name) < 0;
}

int perf_pmus_boot(void)
{
	const struct perf_pmu_desc *const *pos, *last = NULL, *next;

	for (;;) {
		next = NULL;
		linkset_for_each(pos, perf_pmus)
			if ((!last || comes_before(last, *pos)) &&
			    (!next || comes_before(*pos, next)))
				next = *pos;
		if (!next)
			return 0;
		last = next;
		if (next->ops->probe)
			next->ops->probe(next);
		else
			default_probe(next);
	}
}
INITCALL(INIT_DEVICE, perf_pmus_boot);

struct perf_pmu *perf_pmu_find(u32 type)
{
	struct perf_pmu *pmu;

	list_for_each_entry(pmu, &perf_pmus, link)
		if (pmu->type == type)
			return pmu;
	return NULL;
}

struct perf_event_attr *perf_pmu_attr(struct perf_counter *c)
{
	return &perf_event_of(c)->attr;
}

struct perf_counter *perf_pmu_parent(struct perf_counter *c)
{
	struct perf_event *parent = perf_event_of(c)->parent;

	return parent ? &parent->c : NULL;
}

static bool has_exclude(const struct perf_event_attr *a)
{
	return a->exclude_user || a->exclude_kernel || a->exclude_hv ||
	       a->exclude_idle || a->exclude_host || a->exclude_guest;
}

/* The masks count even where sample_type does not ask for registers. */
static bool has_extended_regs(const struct perf_event_attr *a)
{
	return (a->sample_regs_user | a->sample_regs_intr) &
	       ARCH_PERF_REGS_EXTENDED;
}

static int try_pmu(struct perf_event *e, struct perf_pmu *pmu)
{
	int err, refused = 0;

	e->c.pmu = pmu;
	err = pmu->ops.event_init(&e->c);
	if (!(pmu->caps & PERF_PMU_EXTENDED_REGS) &&
	    has_extended_regs(&e->attr))
		refused = -EOPNOTSUPP;
	if ((pmu->caps & PERF_PMU_NO_EXCLUDE) && has_exclude(&e->attr))
		refused = -EINVAL;
	if (!err && refused) {
		pmu->ops.event_destroy(&e->c);
		err = refused;
	}
	if (err)
		e->c.pmu = NULL;
	return err;
}

/* A copy is counted by what counts its parent, whose attr it has. */
int perf_pmu_init_copy(struct perf_event *e)
{
	return try_pmu(e, e->parent->c.pmu);
}

/*
 * A generic event may name a PMU in the upper half of its config.  A type
 * that exists decides alone; otherwise every PMU is asked in turn.
 */
int perf_pmu_init_event(struct perf_event *e)
{
	struct perf_event_attr *attr = &e->attr;
	u32 type = attr->type;
	bool generic = type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE;
	bool extended = false;
	struct perf_pmu *pmu;
	int err;

	if (generic) {
		type = (u32)(attr->config >> PERF_PMU_TYPE_SHIFT);
		extended = type != 0;
		if (extended)
			attr->config &= PERF_HW_EVENT_MASK;
		else
			type = PERF_TYPE_RAW;
	}
	for (;;) {
		/* Software events have several PMUs: each is asked. */
		pmu = type == PERF_TYPE_SOFTWARE ? NULL : perf_pmu_find(type);
		if (!pmu)
			break;
		if (attr->type != type && type != PERF_TYPE_RAW &&
		    !(pmu->caps & PERF_PMU_EXTENDED_TYPE))
			return -ENOENT;
		err = try_pmu(e, pmu);
		if (err != -ENOENT || attr->type == type || extended)
			return err;
		type = attr->type;
	}
	list_for_each_entry(pmu, &perf_pmus, link) {
		if (generic && !(pmu->caps & PERF_PMU_HARDWARE))
			continue;
		err = try_pmu(e, pmu);
		if (err != -ENOENT)
			return err;
	}
	return -ENOENT;
}

void perf_pmu_disable(struct perf_pmu *pmu)
{
	if (!(pmu->caps & PERF_PMU_KEEP_DISABLED))
		return;
	if (!pmu->disabled[cpu_id()]++)
		pmu->ops.pmu_disable(pmu);
}

void perf_pmu_enable(struct perf_pmu *pmu)
{
	if (!(pmu->caps & PERF_PMU_KEEP_DISABLED))
		return;
	if (!--pmu->disabled[cpu_id()])
		pmu->ops.pmu_enable(pmu);
}

void perf_pmus_disable(void)
{
	u32 i, cpu = cpu_id();

	for (i = 0; i < nr_bracketed; i++)
		if (perf_pmu_has_cpu(bracketed[i], cpu))
			perf_pmu_disable(bracketed[i]);
}

void perf_pmus_enable(void)
{
	u32 i, cpu = cpu_id();

	for (i = 0; i < nr_bracketed; i++)
		if (perf_pmu_has_cpu(bracketed[i], cpu))
			perf_pmu_enable(bracketed[i]);
}
