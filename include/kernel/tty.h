/* SPDX-License-Identifier: MIT */
/*
 * Terminals: the line discipline over a character port.  A port driver gives
 * ops and calls tty_receive() from its interrupt.
 */
#ifndef SONDE_KERNEL_TTY_H
#define SONDE_KERNEL_TTY_H

#include <lib/types.h>

struct process;
struct tty;

struct tty_port_ops {
	/* Write up to n bytes; returns how many were taken.  May be called
	 * with the tty's spin lock held; must not sleep. */
	size_t (*write)(void *port, const char *data, size_t n);
	/* The rest may be NULL. */
	void (*set_termios)(void *port, u32 cflag);
	/* A reader made room for input (a pty's writer waits for it). */
	void (*read_room)(void *port);
	/* [tty lock] TTY_EVENT_*: what packet mode tells a pty's master. */
	void (*event)(void *port, u32 events);
	/* The first open came, or the last one went.  Task context. */
	void (*opened)(void *port, bool open);
	/* No reference is left, and no reader: free it. */
	void (*gone)(void *port);
	/* A pty: nothing to drain, and its session's end leaves it open. */
	bool is_pty;
};

#define TTY_EVENT_FLUSH_IN  1u	/* the input queue was emptied */
#define TTY_EVENT_FLUSH_OUT 2u
#define TTY_EVENT_STOP	    4u	/* output was stopped, or goes on */
#define TTY_EVENT_START	    8u
#define TTY_EVENT_SETTINGS  64u	/* other termios */

/* Make /dev/NAME with the given device number. */
struct tty *tty_register(const char *name, u32 major, u32 minor,
			 const struct tty_port_ops *ops, void *port);
/* [hard interrupt] input bytes; flags: 0, or TTY_BREAK. */
void tty_receive(struct tty *tty, const char *data, size_t n);
/* [hard interrupt] there is room to write again */
void tty_write_wakeup(struct tty *tty);

/* Session leader exit: SIGHUP to the foreground group, detach. */
void tty_session_exit(struct process *leader);
/* As if the line was lost (vhangup).  Task context. */
void tty_hangup(struct tty *tty);
void tty_hangup_current(void);	/* that of current, if any */
/* Device number and foreground group for /proc/PID/stat; 0 and -1 without. */
void tty_of_process(struct process *p, u32 *dev, s32 *pgrp);

#endif /* SONDE_KERNEL_TTY_H */
