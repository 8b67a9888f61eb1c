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
#include <kernel/reclaim.h>
#include <lib/bitmap.h>
#include <lib/ref.h>
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

	/* Input: bytes tail..head; of a line mode tail..canon can be read. */
	u32 head, canon, tail;		/* [L] free running */
	u8 in[TTY_BUF_SIZE];		/* [L] */
	unsigned long delim[BITMAP_LONGS(TTY_BUF_SIZE)]; /* [L] line ends */
	bool lnext;			/* [L] next byte is literal */
	bool erasing;			/* [L] inside an ECHOPRT run */
	/*
	 * [L] Counts from 1.  A file remembers the value of its open in pos,
	 * which a terminal does not use otherwise: once they differ, its reads
	 * end and its writes fail.  Files of /dev/console hold 0 and go on.
	 */
	u32 hangups;
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
	struct ref refs;		/* open files, and a port that exists */
	struct reclaim_node reclaim;
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

static inline bool tty_is_gone(const struct tty *tty, const struct file *f)
{
	return f->pos && f->pos != READ_ONCE(tty->hangups);
}
static inline bool tty_is_console_file(const struct file *f)
{
	return !f->pos;
}
static inline void tty_event(struct tty *tty, u32 events)
{
	if (tty->ops->event)
		tty->ops->event(tty->port, events);
}

/* tty.c */
void tty_put(struct tty *tty);
/* Make file one of tty's; takes the caller's reference. */
void tty_attach_file(struct tty *tty, struct file *file, bool console);
extern const struct file_ops tty_file_ops;
void tty_init_struct(struct tty *tty, const char *name, u32 rdev,
		     const struct tty_port_ops *ops, void *port);
struct tty *file_tty(struct file *file);

/* console.c */
void tty_offer_console(struct tty *tty);

/* output.c: all with tty->lock held unless said otherwise */
u32 tty_out_room(const struct tty *tty);
u32 tty_write_room(const struct tty *tty);
void tty_out_raw(struct tty *tty, u8 c);
bool tty_out_post(struct tty *tty, u8 c);	/* false: no room */
void tty_out_push(struct tty *tty);
void tty_out_stop(struct tty *tty, bool stop);
void tty_out_flush(struct tty *tty);
void tty_echo(struct tty *tty, u8 c);
void tty_echo_erase(struct tty *tty, u8 c);
ssize_t tty_write(struct file *file, struct uio *from, u64 *pos);
int tty_drain(struct tty *tty, struct file *file); /* no lock; sleeps */

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
/* file may be the master end's: then nothing asks whose terminal it is. */
long tty_common_ioctl(struct tty *tty, struct file *file, bool master,
		      u32 cmd, u64 arg);

/* job.c: no lock held */
int tty_check_change(struct tty *tty, int sig);	/* background access */
void tty_open_ctty(struct tty *tty, struct file *file);
void tty_signal_pgrp(struct tty *tty, int sig);
u32 tty_devnum(const struct tty *tty);
long tty_set_ctty(struct tty *tty, struct file *file, bool steal);
long tty_drop_ctty(void);
long tty_get_pgrp(struct tty *tty, bool master);
long tty_set_pgrp(struct tty *tty, s32 nr);
long tty_get_sid(struct tty *tty, bool master);
/* The controlling terminal of current or NULL: only to compare. */
struct tty *tty_current(void);
struct tty *tty_current_get(void);	/* referenced */
/* Nobody's terminal any more; the session's leader is told. */
void tty_lose_session(struct tty *tty);

/* pty.c: a terminal whose port is another program; devpts.c has its name. */
struct pty {
	struct tty tty;			/* the slave end */
	u32 index;			/* [I] */
	bool locked;			/* [a] TIOCSPTLCK: no opens */
	bool closed;			/* [L] opened once, and no more */
	bool master_gone;		/* [L] */
	bool packet;			/* [L] TIOCPKT */
	bool flow;			/* [L] ^S and ^Q are as usual */
	u8 status;			/* [L] events not told yet */
	struct wait_queue read_wait;	/* master: slave wrote */
	struct wait_queue write_wait;	/* master: slave has read */
	struct inode *inode;		/* [pty mutex] until master_gone */
	struct list_head link;		/* [pty mutex] */
};
extern const struct file_ops ptmx_fops, pts_fops;	/* pty.c */
extern const struct file_ops pty_master_fops;	/* pty_master.c */
void pty_master_closed(struct pty *pty);
extern s32 pty_max, pty_count;
struct inode *pty_inode_get(u32 index);		/* or NULL */
s64 pty_next_index(u32 from);			/* -1: none */
struct inode *devpts_make_inode(struct pty *pty); /* ERR_PTR */

#endif /* SONDE_TTY_INTERNAL_H */
