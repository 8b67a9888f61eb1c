/* SPDX-License-Identifier: MIT */
/*
 * Rings of sub-buffer pages: writing, taking pages out, walking them.
 *
 * Entry points: see buffer.h.  The writer has everything masked on its own
 * CPU; whoever reads runs there by a cross-call.
 */
#include "buffer.h"

#include <arch/irqflags.h>
#include <kernel/cpu.h>
#include <kernel/ipi.h>
#include <kernel/lock.h>
#include <kernel/sched.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/atomic.h>
#include <lib/err.h>
#include <lib/string.h>

/* The word in front of an entry: five bits of kind, the rest is time. */
#define KIND_BITS   5
#define KIND_LARGE  0u		/* the length is the next word */
#define KIND_MAX    28u		/* up to here: words of data */
#define KIND_PAD    29u
#define KIND_EXTEND 30u		/* more of the time is in the next word */
#define KIND_STAMP  31u
#define TIME_BITS   27
#define TIME_MASK   ((1u << TIME_BITS) - 1)
#define WORD	    4u

static u32 head_word(u32 kind, u64 delta)
{
	return kind | (u32)delta << KIND_BITS;
}

struct trace_page *trace_page_alloc(void)
{
	struct page *page = page_alloc(0, GFP_KERNEL | GFP_ZERO);

	return page ? page_address(page) : NULL;
}

void trace_page_free(struct trace_page *p)
{
	if (p)
		page_put(virt_to_page(p));
}

static void ring_free(struct trace_ring *r)
{
	u32 i;

	for (i = 0; r->pages && i < r->slots; i++)
		trace_page_free(r->pages[i]);
	kfree(r->pages);
	kfree(r->counts);
	r->pages = NULL;
	r->counts = NULL;
	r->slots = 0;
}

static void ring_reset(struct trace_ring *r)
{
	r->head = r->tail = 0;
	r->last = 0;
	r->entries = r->overrun = r->dropped = r->read = r->bytes = 0;
	r->lost = 0;
	if (r->pages) {
		r->pages[0]->commit = 0;
		r->counts[0] = 0;
	}
}

static int ring_alloc(struct trace_ring *r, u32 slots)
{
	u32 i;

	ring_free(r);
	r->pages = kzalloc(sizeof(*r->pages) * slots, GFP_KERNEL);
	r->counts = kzalloc(sizeof(*r->counts) * slots, GFP_KERNEL);
	r->slots = slots;
	if (!r->pages || !r->counts)
		goto free_ring;
	for (i = 0; i < slots; i++) {
		r->pages[i] = trace_page_alloc();
		if (!r->pages[i])
			goto free_ring;
	}
	ring_reset(r);
	return 0;

free_ring:
	ring_free(r);
	return -ENOMEM;
}

/* Hard interrupt. */
static void wake_readers(struct irq_work *work)
{
	struct trace_ring *r = container_of(work, struct trace_ring, wake);

	wake_up_all(&r->buffer->readers);
}

void trace_buffer_init(struct trace_buffer *b)
{
	u32 cpu;

	b->on = 1;
	b->overwrite = 1;
	wait_queue_init(&b->readers);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		b->rings[cpu].buffer = b;
		irq_work_init(&b->rings[cpu].wake, wake_readers);
	}
}

int trace_buffer_resize(struct trace_buffer *b, u32 pages)
{
	u32 cpu;
	int err = 0;

	for_each_possible_cpu(cpu)
		if (!err)
			err = ring_alloc(&b->rings[cpu], pages);
	return err;
}

/* --- writing ------------------------------------------------------------- */

/* A fresh page to write on, or NULL: there is none.  [C] */
static struct trace_page *next_page(struct trace_buffer *b,
				    struct trace_ring *r)
{
	struct trace_page *p;
	u32 slot;

	if (r->tail + 1 - r->head == r->slots) {
		slot = (u32)(r->head % r->slots);
		if (!READ_ONCE(b->overwrite))
			return NULL;
		r->overrun += r->counts[slot];
		r->lost += r->counts[slot];
		r->entries -= r->counts[slot];
		r->bytes -= r->pages[slot]->commit & TRACE_PAGE_SIZE;
		r->head++;
	}
	slot = (u32)(++r->tail % r->slots);
	p = r->pages[slot];
	p->commit = 0;
	r->counts[slot] = 0;
	return p;
}

/* [C] Not from within: r->writing. */
static void write_entry(struct trace_buffer *b, struct trace_ring *r,
			const void *record, u32 size)
{
	u32 words = (size + WORD - 1) / WORD;
	u32 need = WORD + words * WORD + (words > KIND_MAX ? WORD : 0);
	u64 now = time_mono_ns(), delta;
	struct trace_page *p;
	u32 *out;

	if (need + 2 * WORD > TRACE_PAGE_DATA)
		return;
	p = r->pages[r->tail % r->slots];
	if (p->commit + need + 2 * WORD > TRACE_PAGE_DATA) {
		p = next_page(b, r);
		if (!p) {
			r->dropped++;
			return;
		}
	}
	if (!p->commit)
		p->stamp = r->last = now;
	delta = now - r->last;
	r->last = now;
	out = (u32 *)(p->data + p->commit);
	if (unlikely(delta >> TIME_BITS)) {
		*out++ = head_word(KIND_EXTEND, delta & TIME_MASK);
		*out++ = (u32)(delta >> TIME_BITS);
		delta = 0;
		need += 2 * WORD;
	}
	*out++ = head_word(words > KIND_MAX ? KIND_LARGE : words, delta);
	if (words > KIND_MAX)
		*out++ = (words + 1) * WORD;
	out[words - 1] = 0;
	memcpy(out, record, size);
	p->commit += need;
	r->counts[r->tail % r->slots]++;
	r->entries++;
	r->bytes += need;
	/* Who waits says so before it looks; both look at both. */
	arch_smp_mb();
	if (unlikely(READ_ONCE(r->wanted)) && xchg_acq_rel(&r->wanted, 0))
		irq_work_queue(&r->wake);
}

void trace_buffer_write(struct trace_buffer *b, const void *record, u32 size)
{
	struct trace_ring *r = &b->rings[cpu_id()];

	if (!r->pages || !READ_ONCE(b->on))
		return;
	/* Everything is masked, but a probe may be in what writes. */
	if (unlikely(r->writing)) {
		r->dropped++;
		return;
	}
	WRITE_ONCE(r->writing, true);
	barrier();
	write_entry(b, r, record, size);
	barrier();
	WRITE_ONCE(r->writing, false);
}

/* --- reading ------------------------------------------------------------- */

struct ring_call {
	struct trace_ring *ring;
	struct trace_page *page;
	u64 at;
	bool found;
};

/* Run fn on the ring's CPU; on this one if that is off. */
static void ring_call(struct trace_buffer *b, u32 cpu, void (*fn)(void *),
		      struct ring_call *call)
{
	unsigned long flags;

	call->ring = &b->rings[cpu];
	call->found = false;
	if (!call->ring->pages || !ipi_call(cpu, fn, call))
		return;
	flags = arch_irq_save_all();
	fn(call);
	arch_irq_restore_all(flags);
}

static bool ring_has_data(const struct trace_ring *r)
{
	return r->head != r->tail || r->pages[r->head % r->slots]->commit;
}

/* What was lost goes behind the data, if it fits. */
static void note_lost(struct trace_ring *r, struct trace_page *p)
{
	u64 at = p->commit;

	if (!r->lost)
		return;
	p->commit |= TRACE_PAGE_LOST;
	if (at + sizeof(r->lost) <= TRACE_PAGE_DATA) {
		memcpy(p->data + at, &r->lost, sizeof(r->lost));
		p->commit |= TRACE_PAGE_STORED;
	}
	r->lost = 0;
}

static void take_here(void *arg)
{
	struct ring_call *call = arg;
	struct trace_ring *r = call->ring;
	u32 slot = (u32)(r->head % r->slots);
	struct trace_page *p = r->pages[slot];

	if (!ring_has_data(r))
		return;
	r->entries -= r->counts[slot];
	r->read += r->counts[slot];
	r->bytes -= p->commit;
	r->counts[slot] = 0;
	call->page->commit = 0;
	r->pages[slot] = call->page;
	/* The page that was being written is replaced where it is. */
	if (r->head != r->tail)
		r->head++;
	note_lost(r, p);
	call->page = p;
	call->found = true;
}

bool trace_buffer_take(struct trace_buffer *b, u32 cpu,
		       struct trace_page **page)
{
	struct ring_call call = { .page = *page };

	ring_call(b, cpu, take_here, &call);
	*page = call.page;
	return call.found;
}

static void copy_here(void *arg)
{
	struct ring_call *call = arg;
	struct trace_ring *r = call->ring;

	if (call->at < r->head)
		call->at = r->head;
	if (call->at > r->tail || !r->pages[call->at % r->slots]->commit)
		return;
	memcpy(call->page, r->pages[call->at % r->slots], PAGE_SIZE);
	call->at++;
	call->found = true;
}

bool trace_buffer_copy(struct trace_buffer *b, u32 cpu, u64 *at,
		       struct trace_page *page)
{
	struct ring_call call = { .page = page, .at = *at };

	ring_call(b, cpu, copy_here, &call);
	*at = call.at;
	return call.found;
}

static void clear_here(void *arg)
{
	ring_reset(((struct ring_call *)arg)->ring);
}

void trace_buffer_clear(struct trace_buffer *b, u32 cpu)
{
	struct ring_call call;

	ring_call(b, cpu, clear_here, &call);
}

bool trace_buffer_has_data(struct trace_buffer *b, u32 cpu)
{
	return READ_ONCE(b->rings[cpu].entries) != 0;
}

static bool any_data(struct trace_buffer *b, s32 only)
{
	u32 cpu;

	for_each_possible_cpu(cpu)
		if ((only < 0 || (u32)only == cpu) &&
		    trace_buffer_has_data(b, cpu))
			return true;
	return false;
}

static bool ready(struct trace_buffer *b, s32 only)
{
	u32 cpu;

	for_each_possible_cpu(cpu)
		if (only < 0 || (u32)only == cpu)
			store_release(&b->rings[cpu].wanted, 1);
	arch_smp_mb();
	return any_data(b, only);
}

int trace_buffer_wait(struct trace_buffer *b, s32 cpu)
{
	wait_event_interruptible(&b->readers, ready(b, cpu));
	return any_data(b, cpu) ? 0 : -EINTR;
}

const void *trace_cursor_next(struct trace_cursor *c)
{
	u32 end = (u32)c->page->commit & TRACE_PAGE_SIZE;

	if (!c->pos)
		c->time = c->page->stamp;
	while (c->pos + WORD <= end) {
		const u32 *w = (const u32 *)(c->page->data + c->pos);
		u32 kind = w[0] & ((1u << KIND_BITS) - 1);

		c->time += w[0] >> KIND_BITS;
		if (kind == KIND_EXTEND) {
			c->time += (u64)w[1] << TIME_BITS;
			c->pos += 2 * WORD;
			continue;
		}
		if (kind > KIND_MAX)
			return NULL;
		c->size = kind ? kind * WORD : w[1] - WORD;
		c->pos += WORD + (kind ? kind * WORD : w[1]);
		return kind ? w + 1 : w + 2;
	}
	return NULL;
}
