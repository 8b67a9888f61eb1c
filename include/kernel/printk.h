/* SPDX-License-Identifier: MIT */
/*
 * The kernel log: a fixed ring of records, consoles, /dev/kmsg and syslog(2).
 * printk takes no sleeping lock, allocates nothing and works in any context;
 * in the overflow interrupt the record is stored and printed later.
 */
#ifndef SONDE_KERNEL_PRINTK_H
#define SONDE_KERNEL_PRINTK_H

#include <lib/compiler.h>
#include <lib/types.h>

enum log_level {
	LOG_EMERG,
	LOG_ALERT,
	LOG_CRIT,
	LOG_ERR,
	LOG_WARNING,
	LOG_NOTICE,
	LOG_INFO,
	LOG_DEBUG,
};

void printk(enum log_level level, const char *fmt, ...) __printf(2, 3);
#define pr_err(...)  printk(LOG_ERR, __VA_ARGS__)
#define pr_warn(...) printk(LOG_WARNING, __VA_ARGS__)
#define pr_info(...) printk(LOG_INFO, __VA_ARGS__)

void vprintk(enum log_level level, const char *fmt, va_list args)
	__printf(2, 0);

/* Messages below this level reach the console (loglevel=, quiet = 4). */
extern int console_loglevel;

/* Once per call site. */
#define printk_once(level, ...)                               \
	do {                                                  \
		static bool printed_;                         \
		if (!__atomic_exchange_n(&printed_, true,     \
					 __ATOMIC_RELAXED))   \
			printk(level, __VA_ARGS__);           \
	} while (0)

/*
 * Reading: records have increasing sequence numbers.  log_read copies the
 * text of the first record >= *seq (moving *seq past it) and returns its
 * length, 0 when there is none yet; overwritten records are skipped.
 */
struct log_record {
	u64 seq;
	u64 ts_ns;
	u8 level;
};
size_t log_read(u64 *seq, struct log_record *rec, char *buf, size_t size);
u64 log_first_seq(void);
u64 log_next_seq(void);
/* Called (irq_work context) when records were added. */
void log_set_notify(void (*fn)(void));
/*
 * Where the text of messages goes; arch_early_console_write until this is
 * called.  write() turns each "\n" into "\r\n"; it is called in any context,
 * never twice at once.  NULL: no console.
 */
void log_set_console(void (*write)(const char *text, size_t size));
/* panic: write at once, whoever may hold the console. */
void log_break_console(void);
/* A line from user space (/dev/kmsg write). */
void log_user(enum log_level level, const char *text, size_t size);

#endif /* SONDE_KERNEL_PRINTK_H */
