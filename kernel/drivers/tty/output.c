/* SPDX-License-Identifier: MIT */
/*
 * What goes to the terminal: output post-processing (OPOST), echo, and the
 * ring that holds what the port did not take.
 *
 * Entry points: tty_write (system calls), tty_echo and tty_echo_erase (the
 * input interrupt), tty_out_push (the port has room).  Everything but
 * tty_write and tty_drain runs under tty->lock and must not sleep; echo that
 * finds no room is dropped, a writer waits.
 */
#include "internal.h"

#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>

u32 tty_out_room(const struct tty *tty)
{
	return TTY_BUF_SIZE - (tty->out_head - tty->out_tail);
}

/* Hand the ring to the port, in at most two contiguous pieces. */
void tty_out_push(struct tty *tty)
{
	while (!tty->stopped && tty->out_head != tty->out_tail) {
		u32 at = tty->out_tail % TTY_BUF_SIZE;
		u32 n = min(tty->out_head - tty->out_tail, TTY_BUF_SIZE - at);
		size_t done;

		done = tty->ops->write(tty->port, (char *)tty->out + at, n);
		tty->out_tail += (u32)done;
		if (done < n)
			break;
	}
}

/* A line takes writes into its buffer while stopped; a pty does not. */
u32 tty_write_room(const struct tty *tty)
{
	return tty->ops->is_pty && READ_ONCE(tty->stopped) ? 0 :
							     tty_out_room(tty);
}

/* ^S and ^Q, TCOOFF and TCOON. */
void tty_out_stop(struct tty *tty, bool stop)
{
	if (tty->stopped == stop)
		return;
	tty->stopped = stop;
	tty_event(tty, stop ? TTY_EVENT_STOP : TTY_EVENT_START);
	tty_out_push(tty);
	if (!stop)
		wake_up_all(&tty->write_wait);
}

void tty_out_flush(struct tty *tty)
{
	tty->out_tail = tty->out_head;
	wake_up_all(&tty->write_wait);
	tty_event(tty, TTY_EVENT_FLUSH_OUT);
}

void tty_out_raw(struct tty *tty, u8 c)
{
	if (tty_out_room(tty))
		tty->out[tty->out_head++ % TTY_BUF_SIZE] = c;
}

static bool out_newline(struct tty *tty)
{
	if (O_TTY(tty, ONLCR)) {
		if (tty_out_room(tty) < 2)
			return false;
		tty_out_raw(tty, '\r');
		tty->column = 0;
	} else if (O_TTY(tty, ONLRET)) {
		tty->column = 0;
	}
	tty_out_raw(tty, '\n');
	return true;
}

static bool out_tab(struct tty *tty)
{
	u32 spaces = 8 - (tty->column & 7);

	if ((tty->termios.c_oflag & TABDLY) != XTABS) {
		tty->column += spaces;
		tty_out_raw(tty, '\t');
		return true;
	}
	if (tty_out_room(tty) < spaces)
		return false;
	tty->column += spaces;
	while (spaces--)
		tty_out_raw(tty, ' ');
	return true;
}

/* A byte past the first of a UTF-8 sequence moves no cursor. */
static bool is_continuation(const struct tty *tty, u8 c)
{
	return I_TTY(tty, IUTF8) && (c & 0xc0) == 0x80;
}

bool tty_out_post(struct tty *tty, u8 c)
{
	if (!tty_out_room(tty))
		return false;
	if (!O_TTY(tty, OPOST)) {
		tty_out_raw(tty, c);
		return true;
	}
	switch (c) {
	case '\n':
		return out_newline(tty);
	case '\t':
		return out_tab(tty);
	case '\r':
		if (O_TTY(tty, ONOCR) && tty->column == 0)
			return true;
		if (O_TTY(tty, OCRNL))
			return out_newline(tty);
		tty->column = 0;
		break;
	case '\b':
		if (tty->column)
			tty->column--;
		break;
	default:
		if (O_TTY(tty, OLCUC) && c >= 'a' && c <= 'z')
			c = (u8)(c - 'a' + 'A');
		if (c >= ' ' && c != 0x7f && !is_continuation(tty, c))
			tty->column++;
	}
	tty_out_raw(tty, c);
	return true;
}

static bool is_control(u8 c)
{
	return (c < ' ' && c != '\t' && c != '\n') || c == 0x7f;
}

/* Show one input byte; ECHOCTL turns controls into ^X. */
void tty_echo(struct tty *tty, u8 c)
{
	if (!L_TTY(tty, ECHO) && !(c == '\n' && L_TTY(tty, ECHONL) &&
				   L_TTY(tty, ICANON)))
		return;
	if (L_TTY(tty, ECHOCTL) && is_control(c)) {
		tty_out_raw(tty, '^');
		tty_out_raw(tty, c ^ 0x40);
		tty->column += 2;
		return;
	}
	tty_out_post(tty, c);
}

/* Take one echoed byte off the screen again (ECHOE). */
void tty_echo_erase(struct tty *tty, u8 c)
{
	u32 width = 1;

	if (c == '\t')
		width = 0; /* The caller reprints; a tab's width is gone. */
	else if (is_control(c))
		width = L_TTY(tty, ECHOCTL) ? 2 : 0;
	while (width--) {
		tty_out_raw(tty, '\b');
		tty_out_raw(tty, ' ');
		tty_out_raw(tty, '\b');
		if (tty->column)
			tty->column--;
	}
}

/* Move a prefix of data into the ring; returns how many bytes went. */
static size_t out_block(struct tty *tty, const u8 *data, size_t n)
{
	size_t done = 0;
	unsigned long flags = spin_lock_irqsave(&tty->lock);

	while (done < n && tty_write_room(tty)) {
		if (!tty_out_post(tty, data[done])) {
			tty_out_push(tty);
			if (!tty_out_post(tty, data[done]))
				break;
		}
		done++;
	}
	tty_out_push(tty);
	spin_unlock_irqrestore(&tty->lock, flags);
	return done;
}

/* Room for the longest single expansion, or nobody will ever read it. */
static bool can_write(struct tty *tty, struct file *file)
{
	return tty_write_room(tty) >= 8 || tty_is_gone(tty, file);
}

static int write_chunk(struct tty *tty, struct file *file, const u8 *chunk,
		       size_t n, size_t *done)
{
	*done = 0;
	while (*done < n) {
		int ret;

		if (tty_is_gone(tty, file))
			return -EIO;
		*done += out_block(tty, chunk + *done, n - *done);
		if (*done == n)
			break;
		if (file->flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(&tty->write_wait,
					       can_write(tty, file));
		if (ret)
			return ret;
	}
	return 0;
}

ssize_t tty_write(struct file *file, struct uio *from, u64 *pos)
{
	struct tty *tty = file_tty(file);
	ssize_t total = 0;
	u8 chunk[256];
	int ret;

	if (tty_is_gone(tty, file))
		return -EIO;
	if (L_TTY(tty, TOSTOP) && !tty_is_console_file(file)) {
		ret = tty_check_change(tty, SIGTTOU);
		if (ret)
			return ret;
	}
	ret = mutex_lock_killable(&tty->write_lock);
	if (ret)
		return -ERESTARTSYS;
	while (from->left && !ret) {
		size_t n = uio_get(from, chunk, min(from->left, sizeof(chunk)));
		size_t done;

		if (!n) {
			ret = -EFAULT;
			break;
		}
		ret = write_chunk(tty, file, chunk, n, &done);
		total += (ssize_t)done;
	}
	mutex_unlock(&tty->write_lock);
	return total ? total : ret;
}

static bool is_drained(struct tty *tty, struct file *file)
{
	return READ_ONCE(tty->out_head) == READ_ONCE(tty->out_tail) ||
	       tty_is_gone(tty, file);
}

/* A pty's bytes have arrived where they go once they are written. */
int tty_drain(struct tty *tty, struct file *file)
{
	if (tty->ops->is_pty)
		return 0;
	return wait_event_interruptible(&tty->write_wait,
					is_drained(tty, file));
}
