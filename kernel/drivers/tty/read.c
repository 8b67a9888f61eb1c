/* SPDX-License-Identifier: MIT */
/*
 * read(2) on a terminal: one line in canonical mode, VMIN and VTIME without.
 *
 * Bytes leave the ring under tty->lock into a small kernel buffer and are
 * copied to the user with the lock dropped.  Two readers share the ring byte
 * by byte as on Linux; neither loses what the other did not take.
 */
#include "internal.h"

#include <kernel/time.h>
#include <lib/err.h>
#include <lib/minmax.h>

/*
 * Take up to n readable bytes, stopping after a line end in canonical mode.
 * *line_end tells that one was reached; an end-of-file mark yields no byte.
 */
static size_t take(struct tty *tty, u8 *buf, size_t n, bool *line_end)
{
	size_t got = 0;
	bool canon;
	unsigned long flags = spin_lock_irqsave(&tty->lock);

	canon = L_TTY(tty, ICANON);
	*line_end = false;
	while (!*line_end && tty_input_ready(tty)) {
		u32 at = tty->tail % TTY_BUF_SIZE;
		bool mark = bitmap_test(tty->delim, at);
		bool eof = mark && tty->in[at] == 0;

		if (got == n && !(canon && eof))
			break;
		tty->tail++;
		bitmap_clear(tty->delim, at);
		if (mark && canon)
			*line_end = true;
		if (!eof || !canon)
			buf[got++] = tty->in[at];
	}
	spin_unlock_irqrestore(&tty->lock, flags);
	return got;
}

static bool can_read(struct tty *tty, struct file *file)
{
	return tty_input_ready(tty) || tty_is_gone(tty, file);
}

/* 1: bytes are there; 0: end of file; else a negative errno. */
static int wait_input(struct tty *tty, struct file *file, u64 deadline)
{
	int ret;

	if (tty_is_gone(tty, file))
		return 0;
	if (tty_input_ready(tty))
		return 1;
	if (file->flags & O_NONBLOCK)
		return -EAGAIN;
	ret = wait_event_until(&tty->read_wait, can_read(tty, file), deadline);
	if (ret == -ETIMEDOUT)
		return 0;
	if (ret)
		return ret;
	return !tty_is_gone(tty, file);
}

static ssize_t read_canonical(struct tty *tty, struct file *file,
			      struct uio *to)
{
	ssize_t total = 0;
	u8 chunk[256];
	bool line_end;
	int ret;

again:
	ret = wait_input(tty, file, ~0ull);
	if (ret <= 0)
		return ret;
	do {
		size_t n = take(tty, chunk, min(to->left, sizeof(chunk)),
				&line_end);

		if (uio_put(to, chunk, n) != n)
			return total ? total : -EFAULT;
		total += (ssize_t)n;
		/* Another reader may have been faster. */
		if (!n && !line_end && !total)
			goto again;
		if (!n)
			break;
	} while (!line_end && to->left);
	return total;
}

#define DECISECOND (NSEC_PER_SEC / 10)

/*
 * VMIN > 0, VTIME > 0: the timer runs between bytes and starts with the
 * first.  VMIN == 0: one wait of VTIME at most.
 */
static ssize_t read_raw(struct tty *tty, struct file *file, struct uio *to)
{
	size_t vmin = CC_TTY(tty, VMIN);
	u64 vtime = CC_TTY(tty, VTIME) * DECISECOND;
	ssize_t total = 0;
	u8 chunk[256];

	vmin = min(vmin, to->left);
	for (;;) {
		u64 deadline = ~0ull;
		bool line_end;
		size_t n;
		int ret;

		if (vtime && (!vmin || total))
			deadline = time_mono_ns() + vtime;
		else if (!vmin)
			deadline = 0;
		ret = wait_input(tty, file, deadline);
		if (ret == -EAGAIN && !vmin && !vtime)
			ret = 0;
		if (ret <= 0)
			return total ? total : ret;
		n = take(tty, chunk, min(to->left, sizeof(chunk)), &line_end);
		if (uio_put(to, chunk, n) != n)
			return total ? total : -EFAULT;
		total += (ssize_t)n;
		if (!to->left || ((size_t)total >= vmin &&
				  !tty_input_ready(tty)))
			return total;
	}
}

ssize_t tty_read(struct file *file, struct uio *to, u64 *pos)
{
	struct tty *tty = file_tty(file);
	ssize_t ret;

	if (tty_is_gone(tty, file))
		return 0;
	ret = tty_is_console_file(file) ? 0 : tty_check_change(tty, SIGTTIN);

	if (ret)
		return ret;
	if (!to->left)
		return 0;
	ret = L_TTY(tty, ICANON) ? read_canonical(tty, file, to) :
				   read_raw(tty, file, to);
	if (ret >= 0 && tty->ops->read_room)
		tty->ops->read_room(tty->port);
	return ret;
}
