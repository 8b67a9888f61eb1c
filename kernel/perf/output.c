/* SPDX-License-Identifier: MIT */
/*
 * Records on their way into a ring: samples, the common frame of all other
 * records, LOST in front of whatever fits after a loss.
 *
 * Entry points: perf_output_sample, perf_record_begin/end and the few records
 * that belong to no subject of their own.  Any context on the event's CPU with
 * preemption off, the overflow interrupt included: no lock, no allocation, no
 * wake-up.
 */
#include "internal.h"
#include "ring.h"

#include <arch/perf.h>
#include <arch/regs.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <linux/poll.h>

#define DATA_SRC_NA							\
	(PERF_MEM_OP_NA << PERF_MEM_OP_SHIFT |				\
	 PERF_MEM_LVL_NA << PERF_MEM_LVL_SHIFT |			\
	 PERF_MEM_SNOOP_NA << PERF_MEM_SNOOP_SHIFT |			\
	 PERF_MEM_LOCK_NA << PERF_MEM_LOCK_SHIFT |			\
	 PERF_MEM_TLB_NA << PERF_MEM_TLB_SHIFT)

/* There is one cgroup, the root; its id is that of its directory. */
#define ROOT_CGROUP_ID 1

void (*perf_addr_hook)(u64 addr, u64 *phys, u64 *page_size);

static u64 header(u32 type, u16 misc, u32 size)
{
	return type | (u64)misc << 32 | (u64)size << 48;
}

/* --- identity ---------------------------------------------------------- */

/* now: by time_mono_ns(), which all clocks here derive from. */
static void fill_ids(struct perf_event *e, struct perf_values *v, u64 now)
{
	struct task *task = current_task();

	v->id = e->parent ? e->parent->id : e->id;
	v->stream_id = e->id;
	v->cpu = cpu_id();
	v->pid_tid = (u32)task_tgid(task) | (u64)(u32)task_tid(task) << 32;
	v->time = e->wall_clock ? now + time_boot_offset_ns() : now;
}

/* --- frame ------------------------------------------------------------- */

static void put_lost(struct perf_out *out, struct perf_event *e,
		     const struct perf_values *ids)
{
	u32 size = 24 + e->trailer.fixed;

	perf_out_u64(out, header(PERF_RECORD_LOST, 0, size));
	perf_out_u64(out, e->id);
	perf_out_u64(out, xchg_relaxed(&out->ring->lost, 0));
	perf_layout_emit(&e->trailer, out, ids);
}

/*
 * Reserve size bytes in to's ring, in front of them a LOST record if any
 * record was lost before; ids are those of the record to come.
 */
static int begin(struct perf_out *out, struct perf_event *to, u32 size,
		 const struct perf_values *ids)
{
	struct perf_ring *ring = reclaim_deref(to->ring);
	struct perf_ring_core *core;
	u32 extra = 0;
	int err;

	if (!ring)
		return -ENOENT;
	core = &ring->core;
	if (unlikely(load_relaxed(&core->lost)))
		extra = 24 + to->trailer.fixed;
	err = perf_ring_begin(core, out, size + extra,
			      to->attr.write_backward);
	if (unlikely(err)) {
		if (core->size)
			fetch_add_relaxed(&to->lost, 1);
		return err;
	}
	if (unlikely(extra))
		put_lost(out, to, ids);
	return 0;
}

static void end(struct perf_out *out, struct perf_event *to)
{
	struct perf_ring_core *core = out->ring;

	if (likely(!perf_ring_end(out)))
		return;
	store_relaxed(&core->poll, POLLIN);
	store_release(&to->want_wakeup, 1);
	perf_event_queue_work(to);
}

int perf_record_begin(struct perf_record *r, struct perf_event *e, u32 type,
		      u16 misc, u32 payload)
{
	u32 size = 8 + payload + e->trailer.fixed;
	int err;

	r->event = e;
	r->to = e->parent ? e->parent : e;
	if (!READ_ONCE(r->to->ring))
		return -ENOENT;
	fill_ids(e, &r->ids, time_mono_ns());
	err = begin(&r->out, r->to, size, &r->ids);
	if (err)
		return err;
	perf_out_u64(&r->out, header(type, misc, size));
	return 0;
}

void perf_record_end(struct perf_record *r)
{
	perf_layout_emit(&r->event->trailer, &r->out, &r->ids);
	end(&r->out, r->to);
}

/* --- PERF_SAMPLE_READ, PERF_RECORD_READ -------------------------------- */

static u64 total_count(const struct perf_event *e)
{
	return perf_counter_count(&e->c) + load_relaxed(&e->child_count);
}

static void put_value(struct perf_out *out, const struct perf_event *e,
		      u64 format)
{
	const struct perf_event *top = e->parent ? e->parent : e;

	perf_out_u64(out, total_count(e));
	if (format & PERF_FORMAT_ID)
		perf_out_u64(out, top->id);
	if (format & PERF_FORMAT_LOST)
		perf_out_u64(out, load_relaxed(&e->lost));
}

static void freshen(struct perf_event *s, struct perf_event *e)
{
	if (s != e && s->state == PERF_ACTIVE)
		s->c.pmu->ops.read(&s->c);
}

/* Exactly perf_read_format_size() bytes, in the layout of read(2). */
static void emit_read(struct perf_out *out, void *cookie)
{
	struct perf_event *e = cookie, *leader = e->leader, *s;
	u64 format = e->attr.read_format, enabled, running;
	bool group = format & PERF_FORMAT_GROUP;

	perf_event_times(e, perf_ctx_time_now(e->ctx), &enabled, &running);
	if (group)
		perf_out_u64(out, 1 + leader->nr_siblings);
	else
		put_value(out, e, 0);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		perf_out_u64(out, enabled +
					  load_relaxed(&e->child_enabled));
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		perf_out_u64(out, running +
					  load_relaxed(&e->child_running));
	if (!group) {
		if (format & PERF_FORMAT_ID)
			perf_out_u64(out, e->parent ? e->parent->id : e->id);
		if (format & PERF_FORMAT_LOST)
			perf_out_u64(out, load_relaxed(&e->lost));
		return;
	}
	freshen(leader, e);
	put_value(out, leader, format);
	perf_for_each_sibling(s, leader) {
		freshen(s, e);
		put_value(out, s, format);
	}
}

/* --- samples ----------------------------------------------------------- */

static void fill_user_regs(struct perf_event *e, struct perf_values *v,
			   struct pt_regs *regs)
{
	struct task *task = current_task();

	v->user_mask = e->attr.sample_regs_user;
	v->user_regs = NULL;
	if (regs_user_mode(regs))
		v->user_regs = regs;
	else if (!(task->flags & TASK_KTHREAD))
		v->user_regs = task_pt_regs(task);
	if (v->user_regs)
		v->user_abi = arch_perf_reg_abi(task);
}

/*
 * The dump is reserved before it is copied, so its size is cut to what can be
 * there at all and to what a record's 16-bit size can hold.
 */
static void fill_stack(struct perf_event *e, struct perf_values *v, u32 used)
{
	u64 limit, sp;
	u32 size = e->attr.sample_stack_user;

	v->stack_size = 0;
	if (!v->user_regs || unlikely(in_nmi() && sched_in_switch()))
		return;
	sp = regs_sp(v->user_regs);
	limit = arch_perf_user_stack_limit(current_task());
	if (!size || sp >= limit)
		return;
	size = (u32)min_t(u64, size, limit - sp);
	used += 16;
	if (used + size > U16_MAX)
		size = U16_MAX - used - 8;
	v->stack_sp = sp;
	v->stack_size = ALIGN_UP(size, 8u);
}

static void fill_addr(struct perf_event *e, struct perf_values *v)
{
	v->phys_addr = 0;
	v->data_page_size = 0;
	v->code_page_size = 0;
	if (!perf_addr_hook)
		return;
	perf_addr_hook(v->addr, &v->phys_addr, &v->data_page_size);
	if (e->attr.sample_type & PERF_SAMPLE_CODE_PAGE_SIZE) {
		u64 unused;

		perf_addr_hook(v->ip, &unused, &v->code_page_size);
	}
}

#define SAMPLE_MEMORY (PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE | \
		       PERF_SAMPLE_CODE_PAGE_SIZE)

static void fill_sample(struct perf_event *e, struct perf_values *v,
			struct perf_sample *s, struct pt_regs *regs)
{
	u64 type = e->attr.sample_type;

	fill_ids(e, v, s->time);
	v->ip = s->ip ? s->ip : regs_ip(regs);
	v->addr = s->addr;
	v->period = s->period;
	v->weight = 0;
	v->data_src = DATA_SRC_NA;
	v->txn = 0;
	v->cgroup = ROOT_CGROUP_ID;
	v->none = 0;
	v->raw = s->raw;
	v->raw_size = s->raw_size;
	if (type & PERF_SAMPLE_CALLCHAIN)
		perf_callchain_fill(e, v, regs);
	if (type & PERF_SAMPLE_READ) {
		v->read_size = e->read_size;
		v->read_emit = emit_read;
		v->read_cookie = e;
	}
	if (type & (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER))
		fill_user_regs(e, v, regs);
	if (type & PERF_SAMPLE_REGS_INTR) {
		v->intr_regs = regs;
		v->intr_mask = e->attr.sample_regs_intr;
	}
	if (unlikely(type & SAMPLE_MEMORY))
		fill_addr(e, v);
}

void perf_output_sample(struct perf_event *e, struct perf_sample *s,
			struct pt_regs *regs)
{
	struct perf_event *to = e->parent ? e->parent : e;
	u16 misc = regs_user_mode(regs) ? PERF_RECORD_MISC_USER :
					  PERF_RECORD_MISC_KERNEL;
	struct perf_values v;
	struct perf_out out;
	u32 size;

	if (!READ_ONCE(to->ring))
		return;
	fill_sample(e, &v, s, regs);
	v.stack_size = 0;
	size = 8 + perf_layout_size(&e->sample, &v);
	if (e->attr.sample_type & PERF_SAMPLE_STACK_USER) {
		fill_stack(e, &v, size - 8);
		size = 8 + perf_layout_size(&e->sample, &v);
	}
	if (unlikely(size > U16_MAX))
		return;
	if (begin(&out, to, size, &v))
		return;
	perf_out_u64(&out, header(PERF_RECORD_SAMPLE, misc, size));
	perf_layout_emit(&e->sample, &out, &v);
	if (!to->attr.watermark)
		perf_ring_count_sample(out.ring, to->attr.wakeup_events);
	end(&out, to);
}

void perf_output_throttle(struct perf_event *e, bool on)
{
	struct perf_record r;

	if (perf_record_begin(&r, e, on ? PERF_RECORD_THROTTLE :
					  PERF_RECORD_UNTHROTTLE, 0, 24))
		return;
	perf_out_u64(&r.out, r.ids.time);
	perf_out_u64(&r.out, r.ids.id);
	perf_out_u64(&r.out, r.ids.stream_id);
	perf_record_end(&r);
}

/* The counts of one task's copy, at its exit.  Everything masked. */
void perf_output_read(struct perf_event *e, struct task *task)
{
	struct perf_record r;

	if (perf_record_begin(&r, e, PERF_RECORD_READ, 0, 8 + e->read_size))
		return;
	perf_out_u32x2(&r.out, (u32)task_tgid(task), (u32)task_tid(task));
	emit_read(&r.out, e);
	perf_record_end(&r);
}
