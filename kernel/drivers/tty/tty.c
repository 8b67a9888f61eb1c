/* SPDX-License-Identifier: MIT */
/*
 * Terminals as files: registration, open, poll, hang-up, and what a port
 * driver calls when bytes arrive or leave.
 *
 * Entry points: tty_register, tty_receive and tty_write_wakeup (port
 * drivers), tty_file_ops (devices).  A struct tty of a hardware port lives for
 * ever; a pty embeds its own, which goes with the last file of either end.
 */
#include "internal.h"

#include <arch/barrier.h>
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
	tty->hangups = 1;
	ref_init(&tty->refs);
}

static void tty_free(struct reclaim_node *node)
{
	struct tty *tty = container_of(node, struct tty, reclaim);

	tty->ops->gone(tty->port);
}

/* The port of a hardware terminal keeps its reference for ever. */
void tty_put(struct tty *tty)
{
	if (ref_put(&tty->refs))
		reclaim_after(&tty->reclaim, tty_free);
}

void tty_attach_file(struct tty *tty, struct file *file, bool console)
{
	unsigned long flags = spin_lock_irqsave(&tty->lock);
	bool first = tty->open_count++ == 0;

	file->pos = console ? 0 : tty->hangups;
	spin_unlock_irqrestore(&tty->lock, flags);
	file->private = tty;
	file->ops = &tty_file_ops;
	if (first && tty->ops->opened)
		tty->ops->opened(tty->port, true);
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
	struct tty *tty = file_tty(file);

	if (!tty)
		return -ENXIO;
	if (tty->exclusive && !capable(CAP_SYS_ADMIN))
		return -EBUSY;
	ref_get(&tty->refs);
	tty_attach_file(tty, file, false);
	tty_open_ctty(tty, file);
	return 0;
}

static void tty_release(struct file *file)
{
	struct tty *tty = file_tty(file);
	unsigned long flags = spin_lock_irqsave(&tty->lock);
	bool last = --tty->open_count == 0;

	if (last)
		tty->exclusive = false;
	spin_unlock_irqrestore(&tty->lock, flags);
	if (last && tty->ops->opened)
		tty->ops->opened(tty->port, false);
	tty_put(tty);
}

static u32 tty_poll(struct file *file, struct poll_table *pt)
{
	struct tty *tty = file_tty(file);
	u32 mask = 0;

	poll_wait(pt, &tty->read_wait);
	poll_wait(pt, &tty->write_wait);
	arch_smp_mb();
	if (tty_is_gone(tty, file))
		return POLLIN | POLLOUT | POLLERR | POLLHUP | POLLRDNORM |
		       POLLWRNORM;
	if (tty_input_ready(tty))
		mask |= POLLIN | POLLRDNORM;
	if (tty_write_room(tty) >= 8)
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

	/* Zero is what files of the console hold. */
	WRITE_ONCE(tty->hangups, tty->hangups == ~0u ? 1 : tty->hangups + 1);
	tty_input_flush(tty);
	tty->out_tail = tty->out_head;
	tty->stopped = false;
	wake_up_all(&tty->read_wait);
	wake_up_all(&tty->write_wait);
	spin_unlock_irqrestore(&tty->lock, flags);
	tty_lose_session(tty);
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
