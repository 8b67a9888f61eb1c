/* SPDX-License-Identifier: MIT */
/*
 * struct tty, seen by kernel/drivers/tty alone.
 *
 * Guards: [L] tty->lock (spin, interrupts masked; taken by the input
 * interrupt), [W] tty->write_lock (mutex: one writer at a time, so that lines
 * of two writers do not mix), [J] tasklist_lock (who owns the terminal),
 * [I] immutable after tty_register.
 */
#ifndef SONDE_TTY_INTERNAL_H
#define SONDE_TTY_INTERNAL_H

#include <kernel/file.h>
#include <kernel/lock.h>
#include <kernel/tty.h>
#include <kernel/wait.h>
#include <lib/bitmap.h>
#include <lib/types.h>
#include <linux/termios.h>

#define TTY_BUF_SIZE 4096u /* a power of two; also the longest line */

struct pid;

struct tty {
	char name[16];			/* [I] "ttyAMA0", "pts/0" */
	u32 rdev;			/* [I] device number */
	const struct tty_port_ops *ops; /* [I] */
	void *port;			/* [I] the driver's */
	struct spinlock lock;
	struct mutex write_lock;

	struct termios termios;		/* [L] */
	struct winsize winsize;		/* [L] */

	/* Input: bytes tail..head; canonical mode reads tail..canon. */
	u32 head, canon, tail;		/* [L] free running */
	u8 in[TTY_BUF_SIZE];		/* [L] */
	unsigned long delim[BITMAP_LONGS(TTY_BUF_SIZE)]; /* [L] line ends */
	bool lnext;			/* [L] next byte is literal */
	bool erasing;			/* [L] inside an ECHOPRT run */
	bool hung_up;			/* [L] reads end, writes fail */
	bool peer_gone;			/* [L] pty: the other end is closed */
	bool exclusive;			/* [L] TIOCEXCL */

	/* Output: bytes that the port did not take yet. */
	u32 out_head, out_tail;		/* [L] free running */
	u8 out[TTY_BUF_SIZE];		/* [L] */
	u32 column;			/* [L] of the cursor, for tabs, erase */
	bool stopped;			/* [L] ^S or TCOOFF */

	struct wait_queue read_wait;
	struct wait_queue write_wait;

	struct pid *pgrp;		/* [J] foreground group, referenced */
	struct pid *session;		/* [J] referenced; NULL: nobody's */
	u32 open_count;			/* [L] */
	struct fasync_list fasync;
};

/* Signals that input produced; sent once the lock is dropped. */
struct tty_signals {
	bool intr, quit, susp;
};

static inline bool tty_flag(u32 flags, u32 bit)
{
	return flags & bit;
}
#define I_TTY(t, f) tty_flag((t)->termios.c_iflag, f)
#define O_TTY(t, f) tty_flag((t)->termios.c_oflag, f)
#define L_TTY(t, f) tty_flag((t)->termios.c_lflag, f)
#define CC_TTY(t, i) ((t)->termios.c_cc[i])

/* tty.c */
extern const struct file_ops tty_file_ops;
void tty_init_struct(struct tty *tty, const char *name, u32 rdev,
		     const struct tty_port_ops *ops, void *port);
struct tty *file_tty(struct file *file);

/* console.c */
void tty_offer_console(struct tty *tty);

/* output.c: all with tty->lock held unless said otherwise */
u32 tty_out_room(const struct tty *tty);
void tty_out_raw(struct tty *tty, u8 c);
bool tty_out_post(struct tty *tty, u8 c);	/* false: no room */
void tty_out_push(struct tty *tty);
void tty_echo(struct tty *tty, u8 c);
void tty_echo_erase(struct tty *tty, u8 c);
ssize_t tty_write(struct file *file, struct uio *from, u64 *pos);
int tty_drain(struct tty *tty);			/* lock not held; sleeps */

/* input.c: tty->lock held */
void tty_input(struct tty *tty, const u8 *data, size_t n,
	       struct tty_signals *sig);
void tty_input_flush(struct tty *tty);
u32 tty_input_ready(const struct tty *tty);	/* bytes a read would give */
void tty_input_mode_changed(struct tty *tty);

/* read.c */
ssize_t tty_read(struct file *file, struct uio *to, u64 *pos);

/* ioctl.c */
long tty_ioctl(struct file *file, u32 cmd, u64 arg);

/* job.c: no lock held */
int tty_check_change(struct tty *tty, int sig);	/* background access */
void tty_open_ctty(struct tty *tty, struct file *file);
void tty_signal_pgrp(struct tty *tty, int sig);
long tty_set_ctty(struct tty *tty, bool steal);
long tty_drop_ctty(void);
long tty_get_pgrp(struct tty *tty);
long tty_set_pgrp(struct tty *tty, s32 nr);
long tty_get_sid(struct tty *tty);
struct tty *tty_current(void);	/* controlling terminal of current or NULL */

#endif /* SONDE_TTY_INTERNAL_H */
