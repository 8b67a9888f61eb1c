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
	/* ioctls of the port; -ENOTTY passes on to the terminal's own. */
	long (*ioctl)(void *port, u32 cmd, u64 arg);
	/* The master end of a pty: job-control queries need no ownership. */
	bool is_master;
};

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
/* Number for /proc/PID/stat, foreground group; 0 and -1 without one. */
u32 tty_devnum(const struct tty *tty);
s32 tty_pgrp(struct tty *tty);

#endif /* SONDE_KERNEL_TTY_H */
