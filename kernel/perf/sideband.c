/* SPDX-License-Identifier: MIT */
/*
 * Records about what happened to the profiled tasks: COMM, MMAP, MMAP2, FORK,
 * EXIT, SWITCH, NAMESPACES; and to the kernel's own code: KSYMBOL.
 *
 * Entry points: the hook bodies.  Each record goes to the events of current's
 * context and of this CPU's context that ask for it, with those contexts
 * locked and everything masked.  What a record says is handed in by the
 * subsystem concerned: nothing is looked up in mm or the file system here.
 */
#include "internal.h"

#include <lib/minmax.h>
#include <lib/string.h>

#define NAME_MAX_BYTES 4096u

/* Does e want this, and if so, write it. */
typedef void sb_fn(struct perf_event *e, void *arg);

static void visit(struct perf_ctx *ctx, u32 cpu, sb_fn *fn, void *arg)
{
	struct perf_event *e;

	if (!ctx->nr_sideband)
		return;
	list_for_each_entry(e, &ctx->events, ctx_link)
		if (e->state >= PERF_INACTIVE && perf_cpu_matches(e, cpu))
			fn(e, arg);
}

/* exiting: current's context, which it has already given up, or NULL. */
static void visit_all(struct perf_ctx *exiting, sb_fn *fn, void *arg)
{
	struct perf_cpu *here;
	struct perf_ctx *ctx;
	unsigned long flags;

	preempt_disable();
	flags = arch_irq_save_all();
	here = this_cpu_ptr(perf_cpu);
	ctx = exiting ? exiting : here->task_ctx;
	spin_lock(&here->ctx.lock);
	if (ctx)
		spin_lock(&ctx->lock);
	visit(&here->ctx, (u32)here->ctx.cpu, fn, arg);
	if (ctx) {
		visit(ctx, (u32)here->ctx.cpu, fn, arg);
		spin_unlock(&ctx->lock);
	}
	spin_unlock(&here->ctx.lock);
	arch_irq_restore_all(flags);
	preempt_enable();
}

/* A string with its NUL, padded to whole words. */
static u32 padded(u32 len)
{
	return ALIGN_UP(len + 1, 8u);
}

static void put_string(struct perf_out *out, const char *s, u32 len)
{
	perf_out_copy(out, s, len);
	perf_out_zero(out, padded(len) - len);
}

/* --- COMM -------------------------------------------------------------- */

struct comm_arg {
	struct task *task;
	bool exec;
	char comm[TASK_COMM_LEN];
};

static void put_comm(struct perf_event *e, void *arg)
{
	struct comm_arg *c = arg;
	u32 len = (u32)strlen(c->comm);
	struct perf_record r;

	if (!e->attr.comm ||
	    perf_record_begin(&r, e, PERF_RECORD_COMM,
			      c->exec ? PERF_RECORD_MISC_COMM_EXEC : 0,
			      8 + padded(len)))
		return;
	perf_out_u32x2(&r.out, (u32)task_tgid(c->task), (u32)task_tid(c->task));
	put_string(&r.out, c->comm, len);
	perf_record_end(&r);
}

void perf_comm_body(struct task *task, bool exec)
{
	struct comm_arg c = { .task = task, .exec = exec };

	task_get_comm(task, c.comm);
	visit_all(NULL, put_comm, &c);
}

/* --- FORK, EXIT -------------------------------------------------------- */

struct task_arg {
	u32 type;
	u32 pid, tid, ppid, ptid;
};

static void put_task(struct perf_event *e, void *arg)
{
	const struct perf_event_attr *a = &e->attr;
	struct task_arg *t = arg;
	struct perf_record r;

	if (!(a->comm || a->mmap || a->mmap2 || a->mmap_data || a->task) ||
	    perf_record_begin(&r, e, t->type, 0, 24))
		return;
	perf_out_u32x2(&r.out, t->pid, t->ppid);
	perf_out_u32x2(&r.out, t->tid, t->ptid);
	perf_out_u64(&r.out, r.ids.time);
	perf_record_end(&r);
}

void perf_forked_body(struct task *child)
{
	struct task_arg t = {
		.type = PERF_RECORD_FORK,
		.pid = (u32)task_tgid(child),
		.tid = (u32)task_tid(child),
		.ppid = (u32)task_tgid(current_task()),
		.ptid = (u32)task_tid(current_task()),
	};

	visit_all(NULL, put_task, &t);
}

void perf_sb_exit(struct perf_ctx *ctx)
{
	struct task *task = current_task();
	struct process *parent = READ_ONCE(task->proc->parent);
	u32 ppid = parent ? (u32)parent->pid->nr : 0;
	struct task_arg t = {
		.type = PERF_RECORD_EXIT,
		.pid = (u32)task_tgid(task),
		.tid = (u32)task_tid(task),
		.ppid = ppid,
		.ptid = ppid,
	};

	if (perf_hook_on(PERF_HOOK_TASK))
		visit_all(ctx, put_task, &t);
}

/* --- MMAP, MMAP2 ------------------------------------------------------- */

#define PROT_EXEC_BIT 4u

struct map_arg {
	const struct perf_map_info *map;
	u32 name_len;
};

static void put_build_id(struct perf_out *out, const struct perf_map_info *map)
{
	perf_out_copy(out, &map->build_id_size, 1);
	perf_out_zero(out, 3);
	perf_out_copy(out, map->build_id, 20);
}

static void put_map(struct perf_event *e, void *arg)
{
	const struct perf_event_attr *a = &e->attr;
	struct map_arg *m = arg;
	const struct perf_map_info *map = m->map;
	bool exec = map->prot & PROT_EXEC_BIT;
	bool by_id = a->build_id && map->build_id_size;
	u16 misc = PERF_RECORD_MISC_USER;
	struct perf_record r;

	if (exec ? !(a->mmap || a->mmap2) : !a->mmap_data)
		return;
	if (!exec)
		misc |= PERF_RECORD_MISC_MMAP_DATA;
	if (a->mmap2 && by_id)
		misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	if (perf_record_begin(&r, e,
			      a->mmap2 ? PERF_RECORD_MMAP2 : PERF_RECORD_MMAP,
			      misc, 32 + (a->mmap2 ? 32 : 0) +
					    padded(m->name_len)))
		return;
	perf_out_u64(&r.out, r.ids.pid_tid);
	perf_out_u64(&r.out, map->addr);
	perf_out_u64(&r.out, map->len);
	perf_out_u64(&r.out, map->offset);
	if (a->mmap2) {
		if (by_id) {
			put_build_id(&r.out, map);
		} else {
			perf_out_u32x2(&r.out, map->major, map->minor);
			perf_out_u64(&r.out, map->ino);
			perf_out_u64(&r.out, map->ino_generation);
		}
		perf_out_u32x2(&r.out, map->prot, map->flags);
	}
	put_string(&r.out, map->name, m->name_len);
	perf_record_end(&r);
}

void perf_mmap_body(const struct perf_map_info *map)
{
	struct map_arg m = { .map = map };

	m.name_len = min((u32)strlen(map->name), NAME_MAX_BYTES - 1);
	visit_all(NULL, put_map, &m);
}

/* --- SWITCH ------------------------------------------------------------ */

struct switch_arg {
	struct task *other;
	u16 misc;
};

static void put_switch(struct perf_event *e, void *arg)
{
	struct switch_arg *s = arg;
	struct perf_record r;

	if (!e->attr.context_switch)
		return;
	/* Who comes next is only for those who may see the whole CPU. */
	if (e->ctx->task) {
		if (!perf_record_begin(&r, e, PERF_RECORD_SWITCH, s->misc, 0))
			perf_record_end(&r);
		return;
	}
	if (perf_record_begin(&r, e, PERF_RECORD_SWITCH_CPU_WIDE, s->misc, 8))
		return;
	perf_out_u32x2(&r.out, (u32)task_tgid(s->other),
		       (u32)task_tid(s->other));
	perf_record_end(&r);
}

/* other: who comes next (out) or was before (in). */
void perf_sb_switch(struct task *other, bool out, bool preempt)
{
	struct switch_arg s = { .other = other };

	if (out)
		s.misc = PERF_RECORD_MISC_SWITCH_OUT;
	if (out && preempt)
		s.misc |= PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	visit_all(NULL, put_switch, &s);
}

/* --- NAMESPACES -------------------------------------------------------- */

/*
 * There is one name space of each kind.  Device and inode numbers are those
 * that Linux gives to the initial ones.
 */
#define NS_DEV 4
static const u64 ns_ino[NR_NAMESPACES] = {
	[NET_NS_INDEX] = 0xf0000000, [UTS_NS_INDEX] = 0xeffffffe,
	[IPC_NS_INDEX] = 0xefffffff, [PID_NS_INDEX] = 0xeffffffc,
	[USER_NS_INDEX] = 0xeffffffd, [MNT_NS_INDEX] = 0xf0000001,
	[CGROUP_NS_INDEX] = 0xeffffffb,
};

static void put_namespaces(struct perf_event *e, void *arg)
{
	struct task *task = arg;
	struct perf_record r;
	u32 i;

	if (!e->attr.namespaces ||
	    perf_record_begin(&r, e, PERF_RECORD_NAMESPACES, 0,
			      16 + NR_NAMESPACES * 16))
		return;
	perf_out_u32x2(&r.out, (u32)task_tgid(task), (u32)task_tid(task));
	perf_out_u64(&r.out, NR_NAMESPACES);
	for (i = 0; i < NR_NAMESPACES; i++) {
		perf_out_u64(&r.out, NS_DEV);
		perf_out_u64(&r.out, ns_ino[i]);
	}
	perf_record_end(&r);
}

void perf_namespaces_body(struct task *task)
{
	visit_all(NULL, put_namespaces, task);
}

/* --- KSYMBOL ----------------------------------------------------------- */

struct ksym_arg {
	const struct perf_ksym_info *sym;
	u32 name_len;
};

static void put_ksymbol(struct perf_event *e, void *arg)
{
	struct ksym_arg *k = arg;
	const struct perf_ksym_info *sym = k->sym;
	u32 flags = sym->gone ? PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER : 0;
	struct perf_record r;

	if (!e->attr.ksymbol ||
	    perf_record_begin(&r, e, PERF_RECORD_KSYMBOL, 0,
			      16 + padded(k->name_len)))
		return;
	perf_out_u64(&r.out, sym->addr);
	perf_out_u32x2(&r.out, sym->len, flags << 16 | sym->type);
	put_string(&r.out, sym->name, k->name_len);
	perf_record_end(&r);
}

void perf_ksymbol_body(const struct perf_ksym_info *sym)
{
	struct ksym_arg k = { .sym = sym };

	k.name_len = min((u32)strlen(sym->name), NAME_MAX_BYTES - 1);
	visit_all(NULL, put_ksymbol, &k);
}
