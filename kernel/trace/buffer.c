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
#include <lib/minmax.h>
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

static int ring_alloc(struct trace_ring *r, u32 slots)
{
	u32 i;

	r->pages = kzalloc(sizeof(struct trace_page *) * slots, GFP_KERNEL);
	r->counts = kzalloc(sizeof(*r->counts) * slots, GFP_KERNEL);
	r->slots = slots;
	for (i = 0; r->pages && r->counts && i < slots; i++) {
		r->pages[i] = trace_page_alloc();
		if (!r->pages[i])
			break;
	}
	if (i == slots)
		return 0;
	ring_free(r);
	return -ENOMEM;
}

/* [C], or nobody knows it yet. */
static void ring_reset(struct trace_ring *r)
{
	r->head = r->tail = 0;
	r->last = 0;
	r->entries = r->overrun = r->dropped = r->read = r->bytes = 0;
	r->lost = 0;
	r->closed = false;
	if (r->pages) {
		r->pages[0]->stamp = 0;
		r->pages[0]->commit = 0;
		r->counts[0] = 0;
	}
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
	b->cpus = cpu_possible_mask;
	wait_queue_init(&b->readers);
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		b->rings[cpu].buffer = b;
		irq_work_init(&b->rings[cpu].wake, wake_readers);
	}
}

void trace_buffer_free(struct trace_buffer *b)
{
	u32 cpu;

	for_each_possible_cpu(cpu) {
		irq_work_sync(&b->rings[cpu].wake);
		ring_free(&b->rings[cpu]);
	}
}

struct ring_call {
	void (*fn)(void *call);
	struct trace_ring *ring;
	struct trace_page *page;
	struct trace_ring *fresh;
	u64 at;
	bool full, found;
};

static void run_here(void *arg)
{
	struct ring_call *call = arg;
	unsigned long flags = arch_irq_save_all();

	WRITE_ONCE(call->ring->busy, true);
	barrier();
	call->fn(call);
	barrier();
	WRITE_ONCE(call->ring->busy, false);
	arch_irq_restore_all(flags);
}

/* Run fn on the ring's CPU; on this one if that is off. */
static void ring_call(struct trace_buffer *b, u32 cpu, void (*fn)(void *),
		      struct ring_call *call)
{
	call->fn = fn;
	call->ring = &b->rings[cpu];
	call->found = false;
	if (ipi_call(cpu, run_here, call))
		run_here(call);
}

static void resize_here(void *arg)
{
	struct ring_call *call = arg;
	struct trace_ring *r = call->ring, *f = call->fresh;
	u64 n, from;
	u32 to, slot;

	if (!r->pages || !f->slots) {
		swap(r->pages, f->pages);
		swap(r->counts, f->counts);
		swap(r->slots, f->slots);
		ring_reset(r);
		return;
	}
	from = r->tail - r->head < f->slots ? r->head :
					      r->tail + 1 - f->slots;
	for (n = r->head; n <= r->tail; n++) {
		slot = (u32)(n % r->slots);
		to = (u32)(n % f->slots);
		if (n < from) {
			r->overrun += r->counts[slot];
			r->lost += r->counts[slot];
			r->entries -= r->counts[slot];
			r->bytes -= r->pages[slot]->commit & TRACE_PAGE_SIZE;
			continue;
		}
		swap(r->pages[slot], f->pages[to]);
		swap(r->counts[slot], f->counts[to]);
	}
	r->head = from;
	swap(r->pages, f->pages);
	swap(r->counts, f->counts);
	swap(r->slots, f->slots);
}

int trace_buffer_resize(struct trace_buffer *b, u32 cpu, u32 pages)
{
	struct trace_ring fresh = { .slots = 0 };
	struct ring_call call = { .fresh = &fresh };
	int err = pages ? ring_alloc(&fresh, pages) : 0;

	if (err)
		return err;
	ring_call(b, cpu, resize_here, &call);
	ring_free(&fresh);
	return 0;
}

/* --- writing ------------------------------------------------------------- */

u64 trace_clock_now(struct trace_buffer *b)
{
	switch (READ_ONCE(b->clock)) {
	case TRACE_CLOCK_COUNTER:
		return fetch_add_relaxed(&b->counter, 1) + 1;
	case TRACE_CLOCK_UPTIME:
		return time_mono_ns() / (NSEC_PER_SEC / USER_HZ);
	case TRACE_CLOCK_TAI:
		return time_real_ns();
	default:
		return time_mono_ns();
	}
}

bool trace_clock_in_ns(const struct trace_buffer *b)
{
	u32 clock = READ_ONCE(b->clock);

	return clock != TRACE_CLOCK_COUNTER && clock != TRACE_CLOCK_UPTIME;
}

static void wake_from_here(struct trace_ring *r, u32 *wanted)
{
	if (unlikely(READ_ONCE(*wanted)) && xchg_acq_rel(wanted, 0))
		irq_work_queue(&r->wake);
}

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
	arch_smp_mb();
	if (r->tail - r->head >= READ_ONCE(r->wanted_pages))
		wake_from_here(r, &r->wanted_pages);
	return p;
}

/* The page that has room for need bytes and a longer time; NULL: none.  [C] */
static struct trace_page *page_for(struct trace_buffer *b,
				   struct trace_ring *r, u32 need)
{
	struct trace_page *p = r->pages[r->tail % r->slots];

	if (likely(!r->closed &&
		   p->commit + need + 2 * WORD <= TRACE_PAGE_DATA))
		return p;
	p = next_page(b, r);
	r->closed = !p;
	if (!p)
		r->dropped++;
	return p;
}

/* [C] Not from within: r->busy. */
static bool write_entry(struct trace_buffer *b, struct trace_ring *r,
			const void *record, u32 size)
{
	u32 words = (size + WORD - 1) / WORD;
	u32 need = WORD + words * WORD + (words > KIND_MAX ? WORD : 0);
	struct trace_page *p;
	u64 now, delta;
	u32 *out;

	if (need + 2 * WORD > TRACE_PAGE_DATA)
		return false;
	p = page_for(b, r, need);
	if (!p)
		return false;
	now = trace_clock_now(b);
	if (!p->commit)
		p->stamp = r->last = now;
	/* A clock that was set back stands still until it has caught up. */
	delta = now > r->last ? now - r->last : 0;
	r->last += delta;
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
	wake_from_here(r, &r->wanted);
	return true;
}

bool trace_buffer_write(struct trace_buffer *b, const void *record, u32 size)
{
	u32 cpu = cpu_id();
	struct trace_ring *r = &b->rings[cpu];
	bool taken;

	if (!r->pages || !READ_ONCE(b->on) || !cpumask_test(&b->cpus, cpu))
		return false;
	/* Everything is masked, but a probe may be in what works on it. */
	if (unlikely(r->busy)) {
		r->dropped++;
		return false;
	}
	WRITE_ONCE(r->busy, true);
	barrier();
	taken = write_entry(b, r, record, size);
	barrier();
	WRITE_ONCE(r->busy, false);
	return taken;
}

/* --- reading ------------------------------------------------------------- */

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
	struct trace_page *p;
	u32 slot;

	if (!r->pages)
		return;
	slot = (u32)(r->head % r->slots);
	p = r->pages[slot];
	if (!ring_has_data(r) || (call->full && r->head == r->tail))
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
	else
		r->closed = false;
	note_lost(r, p);
	call->page = p;
	call->found = true;
}

bool trace_buffer_take(struct trace_buffer *b, u32 cpu, bool full,
		       struct trace_page **page)
{
	struct ring_call call = { .page = *page, .full = full };
	u32 end;

	ring_call(b, cpu, take_here, &call);
	*page = call.page;
	if (!call.found)
		return false;
	/* Behind the data may be entries from an earlier turn. */
	end = (u32)call.page->commit & TRACE_PAGE_SIZE;
	if (call.page->commit & TRACE_PAGE_STORED)
		end += sizeof(u64);
	memset(call.page->data + end, 0, TRACE_PAGE_DATA - end);
	return true;
}

static void copy_here(void *arg)
{
	struct ring_call *call = arg;
	struct trace_ring *r = call->ring;

	if (call->at < r->head)
		call->at = r->head;
	if (!r->pages || call->at > r->tail ||
	    !r->pages[call->at % r->slots]->commit)
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

static void oldest_here(void *arg)
{
	struct ring_call *call = arg;
	struct trace_ring *r = call->ring;

	call->at = r->pages ? r->pages[r->head % r->slots]->stamp : 0;
}

u64 trace_buffer_oldest(struct trace_buffer *b, u32 cpu)
{
	struct ring_call call = { .at = 0 };

	ring_call(b, cpu, oldest_here, &call);
	return call.at;
}

/* --- waiting ------------------------------------------------------------- */

bool trace_buffer_has_data(const struct trace_buffer *b, u32 cpu)
{
	return READ_ONCE(b->rings[cpu].entries) != 0;
}

/* So many full pages are percent of a ring. */
static u32 pages_wanted(const struct trace_ring *r, u32 percent)
{
	u32 pages = (READ_ONCE(r->slots) * percent + 99) / 100;

	return pages ? pages : 1;
}

static bool ring_ready(struct trace_ring *r, u32 percent)
{
	if (!percent) {
		store_release(&r->wanted, 1);
		arch_smp_mb();
		return READ_ONCE(r->entries) != 0;
	}
	store_release(&r->wanted_pages, pages_wanted(r, percent));
	arch_smp_mb();
	return READ_ONCE(r->tail) - READ_ONCE(r->head) >=
	       pages_wanted(r, percent);
}

bool trace_buffer_ready(struct trace_buffer *b, s32 only, u32 percent)
{
	bool ready = false;
	u32 cpu;

	if (only != TRACE_ALL_CPUS)
		return ring_ready(&b->rings[only], percent);
	for_each_possible_cpu(cpu)
		ready |= ring_ready(&b->rings[cpu], 0);
	return ready;
}

int trace_buffer_wait(struct trace_buffer *b, s32 cpu, u32 percent)
{
	u32 wakes = load_acquire(&b->wakes);
	int err = wait_event_interruptible(
		&b->readers, trace_buffer_ready(b, cpu, percent) ||
			     load_acquire(&b->wakes) != wakes);

	return err ? -EINTR : 0;
}

void trace_buffer_wake(struct trace_buffer *b)
{
	fetch_add_relaxed(&b->wakes, 1);
	wake_up_all(&b->readers);
}

/* --- walking a page ------------------------------------------------------ */

u64 trace_page_lost(const struct trace_page *p, bool *some)
{
	u64 lost = 0;

	*some = p->commit & TRACE_PAGE_LOST;
	if (p->commit & TRACE_PAGE_STORED)
		memcpy(&lost, p->data + (p->commit & TRACE_PAGE_SIZE),
		       sizeof(lost));
	return lost;
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
