/* SPDX-License-Identifier: MIT */
/*
 * The trace buffer: a ring of sub-buffer pages for each CPU.
 *
 * Only a CPU itself touches its ring, with everything masked: it writes there
 * (trace_event_emit has masked everything), and readers come by cross-call,
 * which takes a whole page out in exchange for an empty one, or copies it.  So
 * neither side has a lock.  The layout of a page is what header_page and
 * header_event describe, and goes to clients as it is.
 */
#ifndef SONDE_TRACE_BUFFER_H
#define SONDE_TRACE_BUFFER_H

#include <arch/mmu.h>
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

/* [C] its CPU, everything masked; [a] read anywhere */
struct trace_ring {
	struct trace_page **pages;	/* [C] slots */
	u32 *counts;			/* [C] entries in each */
	u32 slots;			/* [I] while it exists */
	u64 head, tail;			/* [C] oldest page, page written */
	u64 last;			/* [C] time of the newest entry */
	u64 entries, overrun, dropped;	/* [a] in it, lost, refused */
	u64 read, bytes;		/* [a] taken out; in it */
	u64 lost;			/* [C] since a page was taken */
	bool writing;			/* [C] an entry is half written */
	u32 wanted;			/* [a] somebody waits for data */
	struct irq_work wake;
	struct trace_buffer *buffer;	/* [I] */
};

struct trace_buffer {
	struct trace_ring rings[CONFIG_NR_CPUS];
	u32 on;				/* [a] tracing_on */
	u32 overwrite;			/* [a] when full, drop the oldest */
	struct wait_queue readers;
};

void trace_buffer_init(struct trace_buffer *b);
/* Rings of pages pages for every CPU; what was in them is gone.  Nobody may
 * write meanwhile (trace_mutex, no event on).  0 or -ENOMEM.
 */
int trace_buffer_resize(struct trace_buffer *b, u32 pages);

/* An entry of this CPU.  Everything masked. */
void trace_buffer_write(struct trace_buffer *b, const void *record, u32 size);

/*
 * Task context.  take: the oldest page with data, in exchange for *page;
 * false: there is none.  copy: page number *at, or the oldest that is left,
 * into *page; *at is where the next one is.
 */
bool trace_buffer_take(struct trace_buffer *b, u32 cpu,
		       struct trace_page **page);
bool trace_buffer_copy(struct trace_buffer *b, u32 cpu, u64 *at,
		       struct trace_page *page);
void trace_buffer_clear(struct trace_buffer *b, u32 cpu);
bool trace_buffer_has_data(struct trace_buffer *b, u32 cpu);
/* Until cpu (-1: any) has data.  0 or -EINTR. */
int trace_buffer_wait(struct trace_buffer *b, s32 cpu);

/* Walking a page: the entry at *pos, which moves behind it; NULL: the end. */
struct trace_cursor {
	const struct trace_page *page;
	u32 pos;
	u64 time;			/* of the entry last found */
	u32 size;			/* its bytes */
};
const void *trace_cursor_next(struct trace_cursor *c);

struct trace_page *trace_page_alloc(void);
void trace_page_free(struct trace_page *p);

#endif /* SONDE_TRACE_BUFFER_H */
