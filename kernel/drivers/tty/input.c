/* SPDX-License-Identifier: MIT */
/*
 * The line discipline's input side: from received bytes to lines.
 *
 * Owns head, canon and the line-end bitmap of struct tty.  In canonical mode
 * bytes between canon and head are the line being edited; a line end moves
 * canon up to head and wakes readers.  An end-of-file character is stored as
 * a marked 0 byte that the reader swallows.  Everything here runs under
 * tty->lock, in the input interrupt or in the writer of a pty; signals are
 * only noted, the caller sends them.
 */
#include "internal.h"

#include <lib/minmax.h>

#define POSIX_VDISABLE 0

static bool is_cc(const struct tty *tty, int index, u8 c)
{
	return c != POSIX_VDISABLE && CC_TTY(tty, index) == c;
}

void tty_input_flush(struct tty *tty)
{
	tty->head = tty->canon = tty->tail = 0;
	tty->lnext = tty->erasing = false;
	bitmap_zero(tty->delim, TTY_BUF_SIZE);
}

u32 tty_input_ready(const struct tty *tty)
{
	u32 end = L_TTY(tty, ICANON) ? tty->canon : tty->head;

	return end - tty->tail;
}

/* Leaving canonical mode releases the unfinished line, entering ends it. */
void tty_input_mode_changed(struct tty *tty)
{
	if (tty->canon != tty->head) {
		if (L_TTY(tty, ICANON) && tty->head != tty->tail)
			bitmap_set(tty->delim,
				   (tty->head - 1) % TTY_BUF_SIZE);
		tty->canon = tty->head;
	}
	tty->lnext = tty->erasing = false;
}

static bool store(struct tty *tty, u8 c, bool delimiter)
{
	u32 at = tty->head % TTY_BUF_SIZE;

	/* The last slot is kept for the end of a line. */
	if (tty->head - tty->tail >= TTY_BUF_SIZE - (delimiter ? 0 : 1))
		return false;
	tty->in[at] = c;
	if (delimiter)
		bitmap_set(tty->delim, at);
	else
		bitmap_clear(tty->delim, at);
	tty->head++;
	return true;
}

static void finish_line(struct tty *tty)
{
	tty->canon = tty->head;
	wake_up_poll(&tty->read_wait, POLLIN | POLLRDNORM);
}

static void echo_end_erasing(struct tty *tty)
{
	if (tty->erasing) {
		tty_out_raw(tty, '/');
		tty->column++;
		tty->erasing = false;
	}
}

static void reprint_line(struct tty *tty)
{
	u32 i;

	tty_echo(tty, CC_TTY(tty, VREPRINT));
	tty_out_post(tty, '\n');
	for (i = tty->canon; i != tty->head; i++)
		tty_echo(tty, tty->in[i % TTY_BUF_SIZE]);
}

static bool is_word_byte(u8 c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
}

/* Remove the last character (all bytes of a UTF-8 one); its lead byte. */
static u8 pop_char(struct tty *tty)
{
	u8 c;

	do {
		c = tty->in[--tty->head % TTY_BUF_SIZE];
	} while (I_TTY(tty, IUTF8) && (c & 0xc0) == 0x80 &&
		 tty->head != tty->canon);
	return c;
}

static void echo_popped(struct tty *tty, u8 key, u8 c)
{
	if (!L_TTY(tty, ECHO))
		return;
	if (L_TTY(tty, ECHOPRT)) {
		if (!tty->erasing) {
			tty_out_raw(tty, '\\');
			tty->column++;
			tty->erasing = true;
		}
		tty_echo(tty, c);
	} else if (!L_TTY(tty, ECHOE)) {
		tty_echo(tty, key);
	} else if (c == '\t') {
		reprint_line(tty);
	} else {
		tty_echo_erase(tty, c);
	}
}

static void kill_line(struct tty *tty, u8 key)
{
	bool visual = L_TTY(tty, ECHO) && L_TTY(tty, ECHOK) &&
		      L_TTY(tty, ECHOKE) && L_TTY(tty, ECHOE);

	while (tty->head != tty->canon) {
		u8 c = pop_char(tty);

		if (visual)
			tty_echo_erase(tty, c);
	}
	if (visual || !L_TTY(tty, ECHO))
		return;
	echo_end_erasing(tty);
	tty_echo(tty, key);
	if (L_TTY(tty, ECHOK))
		tty_out_post(tty, '\n');
}

static void erase_word(struct tty *tty, u8 key)
{
	bool seen = false;

	while (tty->head != tty->canon) {
		u8 c = tty->in[(tty->head - 1) % TTY_BUF_SIZE];

		if (is_word_byte(c))
			seen = true;
		else if (seen)
			break;
		echo_popped(tty, key, pop_char(tty));
	}
}

/* True when c was an editing character. */
static bool canon_edit(struct tty *tty, u8 c)
{
	if (is_cc(tty, VERASE, c)) {
		if (tty->head != tty->canon)
			echo_popped(tty, c, pop_char(tty));
	} else if (is_cc(tty, VKILL, c)) {
		kill_line(tty, c);
	} else if (is_cc(tty, VWERASE, c) && L_TTY(tty, IEXTEN)) {
		erase_word(tty, c);
	} else if (is_cc(tty, VLNEXT, c) && L_TTY(tty, IEXTEN)) {
		tty->lnext = true;
		if (L_TTY(tty, ECHO) && L_TTY(tty, ECHOCTL)) {
			tty_out_raw(tty, '^');
			tty_out_raw(tty, '\b');
		}
	} else if (is_cc(tty, VREPRINT, c) && L_TTY(tty, IEXTEN) &&
		   L_TTY(tty, ECHO)) {
		reprint_line(tty);
	} else {
		return false;
	}
	return true;
}

/* True when c ended a line. */
static bool canon_end(struct tty *tty, u8 c)
{
	if (c == '\n') {
		if (store(tty, c, true))
			tty_echo(tty, c);
		else
			tty_out_raw(tty, '\a');
	} else if (is_cc(tty, VEOF, c)) {
		store(tty, 0, true);
	} else if (is_cc(tty, VEOL, c) ||
		   (is_cc(tty, VEOL2, c) && L_TTY(tty, IEXTEN))) {
		tty_echo(tty, c);
		store(tty, c, true);
	} else {
		return false;
	}
	finish_line(tty);
	return true;
}

static void flush_on_signal(struct tty *tty)
{
	if (L_TTY(tty, NOFLSH))
		return;
	tty_input_flush(tty);
	tty_event(tty, TTY_EVENT_FLUSH_IN);
	tty_out_flush(tty);
}

/* True when c raised a signal. */
static bool input_signal(struct tty *tty, u8 c, struct tty_signals *sig)
{
	if (!L_TTY(tty, ISIG))
		return false;
	if (is_cc(tty, VINTR, c))
		sig->intr = true;
	else if (is_cc(tty, VQUIT, c))
		sig->quit = true;
	else if (is_cc(tty, VSUSP, c))
		sig->susp = true;
	else
		return false;
	flush_on_signal(tty);
	if (I_TTY(tty, IXON))
		tty_out_stop(tty, false);
	tty_echo(tty, c);
	return true;
}

/* Flow control; true when c was eaten by it. */
static bool input_flow(struct tty *tty, u8 c)
{
	if (!I_TTY(tty, IXON))
		return false;
	if (is_cc(tty, VSTART, c)) {
		tty_out_stop(tty, false);
		return true;
	}
	if (is_cc(tty, VSTOP, c)) {
		tty_out_stop(tty, true);
		return true;
	}
	if (I_TTY(tty, IXANY))
		tty_out_stop(tty, false);
	return false;
}

static void input_plain(struct tty *tty, u8 c)
{
	if (!store(tty, c, false)) {
		if (I_TTY(tty, IMAXBEL))
			tty_out_raw(tty, '\a');
		return;
	}
	echo_end_erasing(tty);
	tty_echo(tty, c);
	if (!L_TTY(tty, ICANON)) {
		tty->canon = tty->head;
		wake_up_poll(&tty->read_wait, POLLIN | POLLRDNORM);
	}
}

static void input_byte(struct tty *tty, u8 c, struct tty_signals *sig)
{
	if (tty->lnext) {
		tty->lnext = false;
		input_plain(tty, c);
		return;
	}
	if (I_TTY(tty, ISTRIP))
		c &= 0x7f;
	if (I_TTY(tty, IUCLC) && L_TTY(tty, IEXTEN) && c >= 'A' && c <= 'Z')
		c = (u8)(c - 'A' + 'a');
	if (input_flow(tty, c) || input_signal(tty, c, sig))
		return;
	if (c == '\r') {
		if (I_TTY(tty, IGNCR))
			return;
		if (I_TTY(tty, ICRNL))
			c = '\n';
	} else if (c == '\n' && I_TTY(tty, INLCR)) {
		c = '\r';
	}
	if (L_TTY(tty, ICANON) && (canon_edit(tty, c) || canon_end(tty, c)))
		return;
	input_plain(tty, c);
}

void tty_input(struct tty *tty, const u8 *data, size_t n,
	       struct tty_signals *sig)
{
	size_t i;

	for (i = 0; i < n; i++)
		input_byte(tty, data[i], sig);
	tty_out_push(tty);
}
