// SPDX-License-Identifier: MIT
/*
 * The kernel log: a ring of fixed slots, and its way to the console.
 *
 * Entry points: <kernel/printk.h>. Storing takes no lock at all: a sequence
 * number is drawn, the slot it names is claimed by compare-and-swap on the
 * slot's state, filled, and published. So any context may log, the overflow
 * interrupt included. Printing is done by whoever finds the console free, one
 * record at a time with interrupts masked; the rest leave their record to that
 * one. Nothing here allocates, sleeps, or waits for another CPU.
 *
 * Slot state: 2 * seq + 1 while record seq is written, 2 * seq + 2 when it is
 * complete. A reader copies, then checks that the state did not change.
 */
#include <arch/boot.h>
#include <arch/irqflags.h>
#include <kernel/init.h>
#include <kernel/irq.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/printk.h>
#include <kernel/time.h>
#include <lib/atomic.h>
#include <lib/minmax.h>
#include <lib/parse.h>
#include <lib/printf.h>
#include <lib/string.h>

#define LOG_SLOTS 512
#define LOG_TEXT  (512 - 24)

struct log_slot {
	u64 state;	     /* [a] see above */
	u64 ts_ns;	     /* [state] */
	u16 len;	     /* [state] */
	u8 level;	     /* [state] */
	char text[LOG_TEXT]; /* [state] no final newline, not terminated */
};

int console_loglevel = LOG_DEBUG;

static struct log_slot slots[LOG_SLOTS];
static u64 next_seq;	   /* [a] the next number to draw */
static u64 console_seq;	   /* [console_busy] the next to print */
static u32 console_busy;   /* [a] someone prints */
static u32 console_broken; /* [a] panic: the flag no longer counts */
static void (*console_write)(const char *text, size_t size); /* [a] */
static void (*notify_fn)(void);				     /* [a] */
static struct irq_work log_work;

static void console_flush(void);

static struct log_slot *slot_of(u64 seq)
{
	return &slots[seq % LOG_SLOTS];
}

/* Draws a number and claims its slot; NULL when the slot is still in use. */
static struct log_slot *claim(u64 *seq)
{
	struct log_slot *slot;
	u64 state;

	*seq = fetch_add_relaxed(&next_seq, 1ULL);
	slot = slot_of(*seq);
	state = load_relaxed(&slot->state);
	/* Odd: an interrupted writer, a whole ring behind. Drop this one. */
	if ((state & 1) || state > 2 * *seq ||
	    !try_cmpxchg_acquire(&slot->state, &state, 2 * *seq + 1))
		return NULL;
	/* Readers must not see new text under the old state. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
	return slot;
}

static void publish(struct log_slot *slot, u64 seq, enum log_level level,
		    int len)
{
	while (len && slot->text[len - 1] == '\n')
		len--;
	/* A record has text, or a reader could not tell it from none. */
	if (!len)
		slot->text[len++] = ' ';
	slot->len = (u16)len;
	slot->level = (u8)level;
	slot->ts_ns = time_mono_ns();
	store_release(&slot->state, 2 * seq + 2);
}

static bool may_print_here(void)
{
	return !arch_current() || !in_nmi() || READ_ONCE(panic_in_progress);
}

/* After storing: wake readers, and print or leave that to the interrupt. */
static void kick(void)
{
	bool print = may_print_here();

	if (print)
		console_flush();
	if (log_work.fn && (!print || load_relaxed(&notify_fn)))
		irq_work_queue(&log_work);
}

static void log_work_fn(struct irq_work *work)
{
	void (*fn)(void) = load_acquire(&notify_fn);

	console_flush();
	if (fn)
		fn();
}

void vprintk(enum log_level level, const char *fmt, va_list args)
{
	u64 seq;
	struct log_slot *slot = claim(&seq);

	if (slot)
		publish(slot, seq, level,
			vscnprintf(slot->text, LOG_TEXT, fmt, args));
	kick();
}

void printk(enum log_level level, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vprintk(level, fmt, args);
	va_end(args);
}

void log_user(enum log_level level, const char *text, size_t size)
{
	u64 seq;
	struct log_slot *slot = claim(&seq);

	if (slot) {
		size = min_t(size_t, size, LOG_TEXT);
		memcpy(slot->text, text, size);
		publish(slot, seq, level, (int)size);
	}
	kick();
}

enum fetch {
	FETCH_OK,
	FETCH_NOT_YET,
	FETCH_LOST,
};

/* Copies record seq if it is there. */
static enum fetch fetch(u64 seq, struct log_record *rec, char *buf, size_t size,
			size_t *len)
{
	const struct log_slot *slot = slot_of(seq);
	u64 done = 2 * seq + 2;
	u64 state = load_acquire(&slot->state);
	u64 next = load_relaxed(&next_seq);

	if (seq >= next)
		return FETCH_NOT_YET;
	if (state != done) {
		/* Half a ring later it is not coming: it was dropped. */
		if (state > done || next - seq > LOG_SLOTS / 2)
			return FETCH_LOST;
		return FETCH_NOT_YET;
	}
	*len = min_t(size_t, slot->len, min_t(size_t, size, LOG_TEXT));
	memcpy(buf, slot->text, *len);
	rec->seq = seq;
	rec->ts_ns = slot->ts_ns;
	rec->level = slot->level;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return load_relaxed(&slot->state) == done ? FETCH_OK : FETCH_LOST;
}

u64 log_next_seq(void)
{
	return load_relaxed(&next_seq);
}

u64 log_first_seq(void)
{
	u64 next = log_next_seq();

	return next > LOG_SLOTS ? next - LOG_SLOTS : 0;
}

size_t log_read(u64 *seq, struct log_record *rec, char *buf, size_t size)
{
	size_t len = 0;

	*seq = max(*seq, log_first_seq());
	for (;; ++*seq) {
		switch (fetch(*seq, rec, buf, size, &len)) {
		case FETCH_OK:
			++*seq;
			return len;
		case FETCH_NOT_YET:
			return 0;
		case FETCH_LOST:
			break;
		}
	}
}

/* One record as console text, "[    1.234567] text\n", in pieces. */
static void console_print(const struct log_record *rec, const char *text,
			  size_t len)
{
	void (*write)(const char *, size_t) = load_acquire(&console_write);
	char stamp[32];
	int n;

	if (rec->level >= READ_ONCE(console_loglevel))
		return;
	if (!write)
		write = arch_early_console_write;
	n = scnprintf(stamp, sizeof(stamp), "[%5llu.%06llu] ",
		      rec->ts_ns / NSEC_PER_SEC,
		      rec->ts_ns % NSEC_PER_SEC / 1000);
	write(stamp, n);
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t part = end ? (size_t)(end - text) : len;

		write(text, part);
		write("\n", 1);
		part += end != NULL;
		text += part;
		len -= part;
	}
}

/* Prints the next record if the console is free; true: try again. */
static bool console_step(void)
{
	static char text[LOG_TEXT]; /* [console_busy] */
	struct log_record rec;
	unsigned long flags = arch_irq_save();
	bool more = false;
	size_t len;

	if (!xchg_acquire(&console_busy, 1u) || load_relaxed(&console_broken)) {
		len = log_read(&console_seq, &rec, text, sizeof(text));
		if (len)
			console_print(&rec, text, len);
		more = len != 0;
		store_release(&console_busy, 0u);
	}
	arch_irq_restore(flags);
	return more;
}

/*
 * Who fails to get the console leaves its record to the holder, so the holder
 * looks again after letting go: the two fences order "let go, look" against
 * "publish, try".
 */
static void console_flush(void)
{
	u64 seen;

	do {
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		while (console_step())
			;
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		seen = load_relaxed(&console_seq);
	} while (!load_relaxed(&console_busy) &&
		 load_acquire(&slot_of(seen)->state) == 2 * seen + 2);
}

void log_set_console(void (*write)(const char *text, size_t size))
{
	store_release(&console_write, write);
}

void log_set_notify(void (*fn)(void))
{
	store_release(&notify_fn, fn);
}

void log_break_console(void)
{
	store_relaxed(&console_broken, 1u);
	store_release(&console_busy, 0u);
	console_flush();
}

/* Once interrupts can be sent: deferred printing and reader wakeups. */
static int log_start(void)
{
	irq_work_init(&log_work, log_work_fn);
	return 0;
}
INITCALL(INIT_CORE, log_start);

static void set_quiet(const char *value)
{
	console_loglevel = LOG_WARNING;
}
BOOT_PARAM(quiet, "quiet", set_quiet);

static void set_loglevel(const char *value)
{
	int level;

	if (parse_int(value, 10, &level) == 0)
		console_loglevel = clamp(level, 1, LOG_DEBUG + 1);
}
BOOT_PARAM(loglevel, "loglevel=", set_loglevel);

static void set_debug(const char *value)
{
	console_loglevel = LOG_DEBUG + 1;
}
BOOT_PARAM(debug_log, "debug", set_debug);
