/* SPDX-License-Identifier: MIT */
/*
 * A trace buffer: a ring of sub-buffer pages for each CPU.
 *
 * Only a CPU itself touches its ring, with everything masked: it writes there
 * (trace_event_emit has masked everything), and whoever reads, empties or
 * resizes comes by cross-call, which takes a whole page out in exchange for an
 * empty one, copies it, or exchanges the ring's arrays.  So neither side has a
 * lock.  The layout of a page is what header_page and header_event describe,
 * and goes to clients as it is.
 */
#ifndef SONDE_TRACE_BUFFER_H
#define SONDE_TRACE_BUFFER_H

#include <arch/mmu.h>
#include <kernel/cpu.h>
#include <kernel/irq.h>
#include <kernel/page.h>
#include <kernel/wait.h>
#include <lib/types.h>

#define TRACE_PAGE_DATA (PAGE_SIZE - 16)

struct trace_page {
	u64 stamp;			/* time of the first entry */
	u64 commit;			/* bytes of data, and TRACE_PAGE_* */
	u8 data[TRACE_PAGE_DATA];
};
#define TRACE_PAGE_LOST	  (1u << 31)	/* entries are missing before it */
#define TRACE_PAGE_STORED (1u << 30)	/* how many is behind the data */
#define TRACE_PAGE_SIZE	  0xfffffu	/* of commit: the bytes */

/* What entries are stamped with; the order of trace_clock. */
enum trace_clock {
	TRACE_CLOCK_LOCAL, TRACE_CLOCK_GLOBAL, TRACE_CLOCK_COUNTER,
	TRACE_CLOCK_UPTIME, TRACE_CLOCK_PERF, TRACE_CLOCK_MONO,
	TRACE_CLOCK_MONO_RAW, TRACE_CLOCK_BOOT, TRACE_CLOCK_TAI,
	TRACE_CLOCK_COUNT,
};

/* [C] its CPU, everything masked; [a] read anywhere; [T] trace_mutex */
struct trace_ring {
	struct trace_page **pages;	/* [C] slots */
	u32 *counts;			/* [C] entries in each */
	u32 slots;			/* [C] changed under [T] */
	u64 head, tail;			/* [C] oldest page, page written */
	u64 last;			/* [C] time of the newest entry */
	u64 entries, overrun, dropped;	/* [a] in it, lost, refused */
	u64 read, bytes;		/* [a] taken out; in it */
	u64 lost;			/* [C] since a page was taken */
	bool closed;			/* [C] one did not fit: none does */
	bool busy;			/* [C] an entry is half written */
	u32 wanted;			/* [a] somebody waits for data */
	u32 wanted_pages;		/* [a] or for so many full pages */
	struct irq_work wake;
	struct trace_buffer *buffer;	/* [I] */
};

struct trace_buffer {
	struct trace_ring rings[CONFIG_NR_CPUS];
	u32 on;				/* [a] tracing_on */
	u32 overwrite;			/* [a] when full, drop the oldest */
	u32 clock;			/* [a] enum trace_clock */
	u64 counter;			/* [a] TRACE_CLOCK_COUNTER */
	struct cpumask cpus;		/* [a] tracing_cpumask */
	struct wait_queue readers;
	u32 wakes;			/* [a] times all readers were woken */
};

void trace_buffer_init(struct trace_buffer *b);
void trace_buffer_free(struct trace_buffer *b);
/*
 * [trace_mutex] The ring of cpu gets so many pages (0: none at all) and keeps
 * the newest of its entries.  Others may write meanwhile.  0 or -ENOMEM.
 */
int trace_buffer_resize(struct trace_buffer *b, u32 cpu, u32 pages);

/* What time it is; is that nanoseconds? */
u64 trace_clock_now(struct trace_buffer *b);
bool trace_clock_in_ns(const struct trace_buffer *b);

/* An entry of this CPU; false: it was not taken.  Everything masked. */
bool trace_buffer_write(struct trace_buffer *b, const void *record, u32 size);

/*
 * Task context.  take: the oldest page with data, or only one that is full,
 * in exchange for *page; false: there is none.  copy: page number *at, or the
 * oldest that is left, into *page; *at is where the next one is.
 */
bool trace_buffer_take(struct trace_buffer *b, u32 cpu, bool full,
		       struct trace_page **page);
bool trace_buffer_copy(struct trace_buffer *b, u32 cpu, u64 *at,
		       struct trace_page *page);
void trace_buffer_clear(struct trace_buffer *b, u32 cpu);
bool trace_buffer_has_data(const struct trace_buffer *b, u32 cpu);
/* The time of the oldest page; 0: there is no ring. */
u64 trace_buffer_oldest(struct trace_buffer *b, u32 cpu);

#define TRACE_ALL_CPUS -1
/*
 * Is there data on cpu (TRACE_ALL_CPUS: any), or, if percent is not 0, is so
 * much of its ring full?  Whoever comes to wait is woken when that changes.
 */
bool trace_buffer_ready(struct trace_buffer *b, s32 cpu, u32 percent);
/* Until that is so, or trace_buffer_wake.  0 or -EINTR. */
int trace_buffer_wait(struct trace_buffer *b, s32 cpu, u32 percent);
void trace_buffer_wake(struct trace_buffer *b);

/* Walking a page: the entry at *pos, which moves behind it; NULL: the end. */
struct trace_cursor {
	const struct trace_page *page;
	u32 pos;
	u64 time;			/* of the entry last found */
	u32 size;			/* its bytes */
};
const void *trace_cursor_next(struct trace_cursor *c);
/* Entries lost before the page, as far as that is known; *some: any at all. */
u64 trace_page_lost(const struct trace_page *p, bool *some);

struct trace_page *trace_page_alloc(void);
void trace_page_free(struct trace_page *p);

#endif /* SONDE_TRACE_BUFFER_H */
