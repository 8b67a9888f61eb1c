/* SPDX-License-Identifier: MIT */
/*
 * Terminals as files: registration, open, poll, hang-up, and what a port
 * driver calls when bytes arrive or leave.
 *
 * Entry points: tty_register, tty_receive and tty_write_wakeup (port
 * drivers), tty_file_ops (devices).  A struct tty of a hardware port lives for
 * ever; a pty embeds its own and frees it after its last close.
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/fs.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>
#include <lib/err.h>
#include <lib/printf.h>

static const struct termios initial_termios = {
	.c_iflag = ICRNL | IXON,
	.c_oflag = OPOST | ONLCR,
	.c_cflag = B9600 | CS8 | CREAD | HUPCL | CLOCAL,
	.c_lflag = ISIG | ICANON | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE |
		   IEXTEN,
	.c_cc = {
		[VINTR] = 3, [VQUIT] = 28, [VERASE] = 127, [VKILL] = 21,
		[VEOF] = 4, [VTIME] = 0, [VMIN] = 1, [VSTART] = 17,
		[VSTOP] = 19, [VSUSP] = 26, [VREPRINT] = 18, [VDISCARD] = 15,
		[VWERASE] = 23, [VLNEXT] = 22,
	},
};

void tty_init_struct(struct tty *tty, const char *name, u32 rdev,
		     const struct tty_port_ops *ops, void *port)
{
	scnprintf(tty->name, sizeof(tty->name), "%s", name);
	tty->rdev = rdev;
	tty->ops = ops;
	tty->port = port;
	tty->termios = initial_termios;
	spin_init(&tty->lock, LOCK_RANK_TTY_SPIN);
	mutex_init(&tty->write_lock, LOCK_RANK_TTY);
	wait_queue_init(&tty->read_wait);
	wait_queue_init(&tty->write_wait);
	fasync_list_init(&tty->fasync);
}

struct tty *tty_register(const char *name, u32 major, u32 minor,
			 const struct tty_port_ops *ops, void *port)
{
	struct tty *tty = kzalloc(sizeof(*tty), GFP_KERNEL);
	int ret;

	if (!tty)
		return ERR_PTR(-ENOMEM);
	tty_init_struct(tty, name, MKDEV(major, minor), ops, port);
	ret = chrdev_register(tty->name, major, minor, 0600, &tty_file_ops,
			      tty);
	if (ret) {
		kfree(tty);
		return ERR_PTR(ret);
	}
	tty_offer_console(tty);
	return tty;
}

struct tty *file_tty(struct file *file)
{
	return file->private;
}

static int tty_open(struct inode *inode, struct file *file)
{
	void *private = NULL;
	struct tty *tty;
	unsigned long flags;

	chrdev_find(inode->rdev, &private);
	tty = private;
	if (!tty)
		return -ENXIO;
	if (tty->exclusive && !capable(CAP_SYS_ADMIN))
		return -EBUSY;
	flags = spin_lock_irqsave(&tty->lock);
	tty->open_count++;
	tty->hung_up = false;
	spin_unlock_irqrestore(&tty->lock, flags);
	file->private = tty;
	tty_open_ctty(tty, file);
	return 0;
}

static void tty_release(struct file *file)
{
	struct tty *tty = file_tty(file);
	unsigned long flags = spin_lock_irqsave(&tty->lock);

	tty->open_count--;
	if (!tty->open_count)
		tty->exclusive = false;
	spin_unlock_irqrestore(&tty->lock, flags);
}

static u32 tty_poll(struct file *file, struct poll_table *pt)
{
	struct tty *tty = file_tty(file);
	u32 mask = 0;

	poll_wait(pt, &tty->read_wait);
	poll_wait(pt, &tty->write_wait);
	if (tty_input_ready(tty))
		mask |= POLLIN | POLLRDNORM;
	if (READ_ONCE(tty->hung_up) || READ_ONCE(tty->peer_gone))
		mask |= POLLHUP;
	if (tty_out_room(tty) >= 8)
		mask |= POLLOUT | POLLWRNORM;
	return mask;
}

static int tty_fasync(struct file *file, bool on)
{
	return fasync_update(file, &file_tty(file)->fasync, on);
}

const struct file_ops tty_file_ops = {
	.open = tty_open,
	.release = tty_release,
	.read = tty_read,
	.write = tty_write,
	.llseek = no_llseek,
	.poll = tty_poll,
	.ioctl = tty_ioctl,
	.fasync = tty_fasync,
};

void tty_hangup(struct tty *tty)
{
	unsigned long flags = spin_lock_irqsave(&tty->lock);

	tty->hung_up = true;
	tty_input_flush(tty);
	tty->out_tail = tty->out_head;
	wake_up_all(&tty->read_wait);
	wake_up_all(&tty->write_wait);
	spin_unlock_irqrestore(&tty->lock, flags);
	tty_signal_pgrp(tty, SIGHUP);
	tty_signal_pgrp(tty, SIGCONT);
}

void tty_receive(struct tty *tty, const char *data, size_t n)
{
	struct tty_signals sig = { 0 };
	unsigned long flags = spin_lock_irqsave(&tty->lock);

	tty_input(tty, (const u8 *)data, n, &sig);
	spin_unlock_irqrestore(&tty->lock, flags);
	if (sig.intr)
		tty_signal_pgrp(tty, SIGINT);
	if (sig.quit)
		tty_signal_pgrp(tty, SIGQUIT);
	if (sig.susp)
		tty_signal_pgrp(tty, SIGTSTP);
	if (tty_input_ready(tty))
		fasync_kill(&tty->fasync, POLLIN | POLLRDNORM, POLL_IN);
}

void tty_write_wakeup(struct tty *tty)
{
	unsigned long flags = spin_lock_irqsave(&tty->lock);

	tty_out_push(tty);
	if (tty_out_room(tty) >= TTY_BUF_SIZE / 2)
		wake_up_all(&tty->write_wait);
	spin_unlock_irqrestore(&tty->lock, flags);
}
