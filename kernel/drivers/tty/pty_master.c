/* SPDX-License-Identifier: MIT */
/*
 * The file of a pty's master end: reads empty the slave's output ring, writes
 * are the slave's input, and most ioctls are about the slave.
 *
 * Packet mode puts one byte before what is read: 0 before data, or what
 * happened at the slave.  tty->lock guards the ring and the status.
 */
#include "internal.h"

#include <arch/barrier.h>
#include <kernel/fs.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/printf.h>
#include <lib/string.h>

/* ---- Reading ---------------------------------------------------------- */

static bool has_output(const struct pty *pty)
{
	const struct tty *tty = &pty->tty;

	return READ_ONCE(tty->out_head) != READ_ONCE(tty->out_tail) &&
	       !READ_ONCE(tty->stopped);
}

static bool can_read(const struct pty *pty)
{
	return has_output(pty) || READ_ONCE(pty->status) ||
	       READ_ONCE(pty->closed);
}

/* Up to n bytes of the slave's output; writers go on at half a ring. */
static size_t take_output(struct pty *pty, u8 *buf, size_t n)
{
	struct tty *tty = &pty->tty;
	unsigned long flags = spin_lock_irqsave(&tty->lock);
	size_t done = 0;

	while (done < n && !tty->stopped && tty->out_head != tty->out_tail) {
		u32 at = tty->out_tail % TTY_BUF_SIZE;
		size_t part = min_t(size_t, n - done,
				    min(tty->out_head - tty->out_tail,
					TTY_BUF_SIZE - at));

		memcpy(buf + done, tty->out + at, part);
		tty->out_tail += (u32)part;
		done += part;
	}
	if (done && tty_out_room(tty) >= TTY_BUF_SIZE / 2)
		wake_up_all(&tty->write_wait);
	spin_unlock_irqrestore(&tty->lock, flags);
	return done;
}

/* What packet mode has to tell, once; 0: nothing. */
static u8 take_status(struct pty *pty)
{
	unsigned long flags = spin_lock_irqsave(&pty->tty.lock);
	u8 status = pty->packet ? pty->status : 0;

	pty->status = 0;
	spin_unlock_irqrestore(&pty->tty.lock, flags);
	return status;
}

static ssize_t read_output(struct pty *pty, struct uio *to, bool packet)
{
	ssize_t total = 0;
	u8 chunk[512];

	while (to->left) {
		size_t room = to->left - (packet && !total);
		size_t n = take_output(pty, chunk, min(room, sizeof(chunk)));
		u8 zero = TIOCPKT_DATA;

		if (!n)
			break;
		if (packet && !total) {
			if (!uio_put(to, &zero, 1))
				return -EFAULT;
			total = 1;
		}
		if (uio_put(to, chunk, n) != n)
			return -EFAULT;
		total += (ssize_t)n;
	}
	return total;
}

static ssize_t master_read(struct file *file, struct uio *to, u64 *pos)
{
	struct pty *pty = file->private;
	ssize_t ret;
	u8 status;

	if (!to->left)
		return 0;
	for (;;) {
		status = READ_ONCE(pty->status) ? take_status(pty) : 0;
		if (status)
			return uio_put(to, &status, 1) ? 1 : -EFAULT;
		ret = read_output(pty, to, READ_ONCE(pty->packet));
		if (ret)
			return ret;
		if (READ_ONCE(pty->closed) && !has_output(pty))
			return -EIO;
		if (file->flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(&pty->read_wait, can_read(pty));
		if (ret)
			return ret;
	}
}

/* ---- Writing ---------------------------------------------------------- */

/*
 * How much the slave's input takes.  A line without an end is let in as far
 * as it goes, for nobody could read and make room.
 */
static size_t input_room(const struct pty *pty)
{
	const struct tty *tty = &pty->tty;
	u32 used = READ_ONCE(tty->head) - READ_ONCE(tty->tail);

	if (L_TTY(tty, ICANON) &&
	    READ_ONCE(tty->canon) == READ_ONCE(tty->tail))
		return TTY_BUF_SIZE;
	return TTY_BUF_SIZE - 1 - min(used, TTY_BUF_SIZE - 1);
}

static ssize_t master_write(struct file *file, struct uio *from, u64 *pos)
{
	struct pty *pty = file->private;
	ssize_t total = 0;
	char chunk[256];
	int ret;

	while (from->left) {
		size_t n = min(from->left, min(input_room(pty),
					       sizeof(chunk)));

		if (!n) {
			ret = -EAGAIN;
			if (!(file->flags & O_NONBLOCK))
				ret = wait_event_interruptible(
					&pty->write_wait, input_room(pty));
			if (ret)
				return total ? total : ret;
			continue;
		}
		n = uio_get(from, chunk, n);
		if (!n)
			return total ? total : -EFAULT;
		tty_receive(&pty->tty, chunk, n);
		total += (ssize_t)n;
	}
	return total;
}

static u32 master_poll(struct file *file, struct poll_table *pt)
{
	struct pty *pty = file->private;
	u32 mask = 0;

	poll_wait(pt, &pty->read_wait);
	poll_wait(pt, &pty->write_wait);
	arch_smp_mb();
	if (has_output(pty))
		mask |= POLLIN | POLLRDNORM;
	if (READ_ONCE(pty->packet) && READ_ONCE(pty->status))
		mask |= POLLPRI | POLLIN | POLLRDNORM;
	if (READ_ONCE(pty->closed))
		mask |= POLLHUP;
	if (input_room(pty))
		mask |= POLLOUT | POLLWRNORM;
	return mask;
}

/* ---- ioctl ------------------------------------------------------------ */

static long set_packet(struct pty *pty, const s32 __user *arg)
{
	unsigned long flags;
	s32 on;

	if (get_user(on, arg))
		return -EFAULT;
	flags = spin_lock_irqsave(&pty->tty.lock);
	if (on && !pty->packet)
		pty->status = 0;
	WRITE_ONCE(pty->packet, on != 0);
	spin_unlock_irqrestore(&pty->tty.lock, flags);
	return 0;
}

static long set_locked(struct pty *pty, const s32 __user *arg)
{
	s32 on;

	if (get_user(on, arg))
		return -EFAULT;
	WRITE_ONCE(pty->locked, on != 0);
	return 0;
}

/* A descriptor of the slave, if its name is where names of slaves are. */
static long open_peer(struct pty *pty, u32 flags)
{
	char name[32];
	struct path path;
	struct file *f;
	int fd, ret;

	scnprintf(name, sizeof(name), "/dev/pts/%u", pty->index);
	ret = path_lookup(AT_FDCWD, name, LOOKUP_FOLLOW, &path);
	if (ret)
		return ret;
	ret = -ENOENT;
	if (path.dentry->inode != READ_ONCE(pty->inode))
		goto put_path;
	ret = fd = fd_reserve(0, flags & O_CLOEXEC);
	if (fd < 0)
		goto put_path;
	f = file_open_path(&path, flags & ~(u32)O_CLOEXEC);
	if (IS_ERR(f)) {
		ret = (int)PTR_ERR(f);
		fd_release(fd);
		goto put_path;
	}
	fd_install(fd, f);
put_path:
	path_put(&path);
	return ret;
}

static long signal_slave(struct pty *pty, u64 sig)
{
	if (sig > NSIG)
		return -EINVAL;
	if (sig)
		tty_signal_pgrp(&pty->tty, (int)sig);
	return 0;
}

/* The master's input is the slave's output, and the other way round. */
static long flush_turned(struct pty *pty, struct file *file, u64 which)
{
	if (which == TCIFLUSH || which == TCOFLUSH)
		which ^= TCIFLUSH ^ TCOFLUSH;
	return tty_common_ioctl(&pty->tty, file, true, TCFLSH, which);
}

static long master_ioctl(struct file *file, u32 cmd, u64 arg)
{
	struct pty *pty = file->private;
	s32 __user *ptr = user_ptr(arg);

	switch (cmd) {
	case TIOCGPTN:
		return put_user((s32)pty->index, ptr);
	case TIOCSPTLCK:
		return set_locked(pty, ptr);
	case TIOCGPTLCK:
		return put_user((s32)READ_ONCE(pty->locked), ptr);
	case TIOCPKT:
		return set_packet(pty, ptr);
	case TIOCGPKT:
		return put_user((s32)READ_ONCE(pty->packet), ptr);
	case TIOCGPTPEER:
		return open_peer(pty, (u32)arg);
	case TIOCSIG:
		return signal_slave(pty, arg);
	case TIOCINQ:
		return put_user((s32)(READ_ONCE(pty->tty.out_head) -
				      READ_ONCE(pty->tty.out_tail)), ptr);
	case TCFLSH:
		return flush_turned(pty, file, arg);
	case TCSBRK:
	case TCSBRKP:
		return 0;
	default:
		return tty_common_ioctl(&pty->tty, file, true, cmd, arg);
	}
}

static void master_release(struct file *file)
{
	pty_master_closed(file->private);
}

const struct file_ops pty_master_fops = {
	.release = master_release,
	.read = master_read,
	.write = master_write,
	.poll = master_poll,
	.ioctl = master_ioctl,
	.llseek = no_llseek,
};
