/* SPDX-License-Identifier: MIT */
/*
 * syslog(2): the kernel log for dmesg and klogd.
 *
 * Locks: log_lock for the positions that the call keeps: where the shared
 * reader is, and what CLEAR hides.
 */
#include <kernel/kptr.h>
#include <kernel/page.h>
#include <kernel/printk.h>
#include <kernel/syscall.h>
#include <kernel/time.h>
#include <kernel/uaccess.h>
#include <kernel/wait.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/printf.h>
#include <lib/string.h>

#include "internal.h"

enum {
	SYSLOG_CLOSE,
	SYSLOG_OPEN,
	SYSLOG_READ,
	SYSLOG_READ_ALL,
	SYSLOG_READ_CLEAR,
	SYSLOG_CLEAR,
	SYSLOG_CONSOLE_OFF,
	SYSLOG_CONSOLE_ON,
	SYSLOG_CONSOLE_LEVEL,
	SYSLOG_SIZE_UNREAD,
	SYSLOG_SIZE_BUFFER,
};

#define LINE_BYTES   1024
#define PREFIX_BYTES 32
#define BUFFER_BYTES (1 << 17)

static struct mutex log_mutex = MUTEX_INIT(log_mutex, LOCK_RANK_SEQ);
static u64 read_seq;		/* [log_mutex] next record for READ */
static u64 clear_seq;		/* [log_mutex] first that READ_ALL shows */
static int saved_level = -1;	/* [log_mutex] before CONSOLE_OFF */

/* One record as text "<6>[   12.345678] words\n"; 0: none left. */
static size_t format_record(u64 *seq, char *out, char *line)
{
	struct log_record rec;
	size_t n, len = log_read(seq, &rec, line, LINE_BYTES);

	if (!len)
		return 0;
	n = (size_t)snprintf(out, PREFIX_BYTES, "<%u>[%5llu.%06llu] ",
			     rec.level, rec.ts_ns / 1000000000ull,
			     rec.ts_ns / 1000ull % 1000000ull);
	while (len && line[len - 1] == '\n')
		len--;
	memcpy(out + n, line, len);
	out[n + len] = '\n';
	return n + len + 1;
}

static u64 first_seq(u64 from)
{
	return max_t(u64, from, log_first_seq());
}

/* Bytes of text from seq on. */
static size_t text_size(u64 seq, char *text, char *line)
{
	size_t sum = 0, n;

	while ((n = format_record(&seq, text, line)))
		sum += n;
	return sum;
}

/* The newest records that fit; for READ (tail false) the oldest. */
static long copy_text(u64 *seq, char __user *buf, size_t size, bool tail,
		      char *text, char *line)
{
	size_t done = 0, n, total;
	u64 at = *seq;

	if (tail) {
		total = text_size(at, text, line);
		while (total > size) {
			n = format_record(&at, text, line);
			if (!n)
				break;
			total -= n;
		}
	}
	for (;;) {
		u64 next = at;

		n = format_record(&next, text, line);
		if (!n || done + n > size)
			break;
		if (copy_to_user(buf + done, text, n))
			return done ? (long)done : -EFAULT;
		done += n;
		at = next;
	}
	*seq = at;
	return (long)done;
}

static long do_read(int type, char __user *buf, size_t size)
{
	char *text = kmalloc(2 * LINE_BYTES + PREFIX_BYTES + 2, GFP_KERNEL);
	char *line;
	u64 seq;
	long ret;

	if (!text)
		return -ENOMEM;
	line = text + LINE_BYTES + PREFIX_BYTES + 2;
	mutex_lock(&log_mutex);
	if (type == SYSLOG_SIZE_UNREAD) {
		ret = (long)text_size(first_seq(read_seq), text, line);
	} else if (type == SYSLOG_READ) {
		read_seq = first_seq(read_seq);
		ret = copy_text(&read_seq, buf, size, false, text, line);
	} else {
		seq = first_seq(clear_seq);
		ret = copy_text(&seq, buf, size, true, text, line);
	}
	if (type == SYSLOG_READ_CLEAR && ret >= 0)
		clear_seq = log_next_seq();
	mutex_unlock(&log_mutex);
	kfree(text);
	return ret;
}

static long wait_and_read(char __user *buf, size_t size)
{
	int err;

	while (first_seq(read_seq) >= log_next_seq()) {
		err = time_sleep_until(time_mono_ns() + 100 * NSEC_PER_MSEC,
				       true);
		if (err)
			return -ERESTARTSYS;
	}
	return do_read(SYSLOG_READ, buf, size);
}

static long console_level(int type, int level)
{
	long ret = 0;

	mutex_lock(&log_mutex);
	if (type == SYSLOG_CONSOLE_OFF) {
		if (saved_level < 0)
			saved_level = console_loglevel;
		console_loglevel = LOG_EMERG + 1;
	} else if (type == SYSLOG_CONSOLE_ON) {
		if (saved_level >= 0)
			console_loglevel = saved_level;
		saved_level = -1;
	} else if (level < 1 || level > 8) {
		ret = -EINVAL;
	} else {
		console_loglevel = level;
		saved_level = -1;
	}
	mutex_unlock(&log_mutex);
	return ret;
}

static int permitted(int type)
{
	if (!load_relaxed(&sysctl_dmesg_restrict) &&
	    (type == SYSLOG_READ_ALL || type == SYSLOG_SIZE_BUFFER))
		return 0;
	return capable(CAP_SYSLOG) || capable(CAP_SYS_ADMIN) ? 0 : -EPERM;
}

SYSCALL3(syslog, int, type, char __user *, buf, int, len)
{
	int err = permitted(type);

	if (err)
		return err;
	switch (type) {
	case SYSLOG_CLOSE:
	case SYSLOG_OPEN:
		return 0;
	case SYSLOG_READ:
	case SYSLOG_READ_ALL:
	case SYSLOG_READ_CLEAR:
		if (!buf || len < 0)
			return -EINVAL;
		if (!len)
			return 0;
		if (!access_ok(buf, (size_t)len))
			return -EFAULT;
		return type == SYSLOG_READ ? wait_and_read(buf, (size_t)len) :
					     do_read(type, buf, (size_t)len);
	case SYSLOG_CLEAR:
		mutex_lock(&log_mutex);
		clear_seq = log_next_seq();
		mutex_unlock(&log_mutex);
		return 0;
	case SYSLOG_CONSOLE_OFF:
	case SYSLOG_CONSOLE_ON:
	case SYSLOG_CONSOLE_LEVEL:
		return console_level(type, len);
	case SYSLOG_SIZE_UNREAD:
		return do_read(type, NULL, 0);
	case SYSLOG_SIZE_BUFFER:
		return BUFFER_BYTES;
	}
	return -EINVAL;
}
