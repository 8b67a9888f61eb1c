/* SPDX-License-Identifier: MIT */
/*
 * Terminal ioctls: settings, queues, window size; job control is passed on.
 *
 * A change of settings from a background process group raises SIGTTOU, as a
 * read raises SIGTTIN.  The forms TCSET* with termio, termios and termios2 all
 * end in set_termios().
 */
#include "internal.h"

#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/string.h>

/* Speeds are those of the serial line that nobody has: 38400 as on Linux. */
#define TTY_SPEED 38400u

static void set_termios(struct tty *tty, const struct termios *new)
{
	unsigned long flags = spin_lock_irqsave(&tty->lock);
	u32 changed = tty->termios.c_lflag ^ new->c_lflag;

	tty->termios = *new;
	if (changed & ICANON)
		tty_input_mode_changed(tty);
	if (!(new->c_iflag & IXON))
		tty_out_stop(tty, false);
	tty_event(tty, TTY_EVENT_SETTINGS);
	wake_up_all(&tty->read_wait);
	spin_unlock_irqrestore(&tty->lock, flags);
	if (tty->ops->set_termios)
		tty->ops->set_termios(tty->port, new->c_cflag);
}

static void flush_input(struct tty *tty)
{
	unsigned long flags = spin_lock_irqsave(&tty->lock);

	tty_input_flush(tty);
	tty_event(tty, TTY_EVENT_FLUSH_IN);
	spin_unlock_irqrestore(&tty->lock, flags);
	if (tty->ops->read_room)
		tty->ops->read_room(tty->port);
}

static void flush_output(struct tty *tty)
{
	unsigned long flags = spin_lock_irqsave(&tty->lock);

	tty_out_flush(tty);
	spin_unlock_irqrestore(&tty->lock, flags);
}

enum set_when { SET_NOW, SET_DRAIN, SET_FLUSH };

static int before_set(struct tty *tty, struct file *file, enum set_when when)
{
	int ret = tty_check_change(tty, SIGTTOU);

	if (ret || when == SET_NOW)
		return ret;
	ret = tty_drain(tty, file);
	if (!ret && when == SET_FLUSH)
		flush_input(tty);
	return ret;
}

static long set_from_user(struct tty *tty, struct file *file,
			  const void __user *arg, enum set_when when)
{
	struct termios new;
	long ret;

	if (copy_from_user(&new, arg, sizeof(new)))
		return -EFAULT;
	ret = before_set(tty, file, when);
	if (!ret)
		set_termios(tty, &new);
	return ret;
}

static long set_from_termio(struct tty *tty, struct file *file,
			    const void __user *arg, enum set_when when)
{
	struct termios new = tty->termios;
	struct termio old;
	long ret;

	if (copy_from_user(&old, arg, sizeof(old)))
		return -EFAULT;
	new.c_iflag = (new.c_iflag & 0xffff0000) | old.c_iflag;
	new.c_oflag = (new.c_oflag & 0xffff0000) | old.c_oflag;
	new.c_cflag = (new.c_cflag & 0xffff0000) | old.c_cflag;
	new.c_lflag = (new.c_lflag & 0xffff0000) | old.c_lflag;
	memcpy(new.c_cc, old.c_cc, NCC);
	ret = before_set(tty, file, when);
	if (!ret)
		set_termios(tty, &new);
	return ret;
}

static long get_termios2(struct tty *tty, void __user *arg)
{
	struct termios2 out = { .c_ispeed = TTY_SPEED, .c_ospeed = TTY_SPEED };

	memcpy(&out, &tty->termios, sizeof(tty->termios));
	return copy_to_user(arg, &out, sizeof(out));
}

static long get_termio(struct tty *tty, void __user *arg)
{
	struct termio out;

	memset(&out, 0, sizeof(out));
	out.c_iflag = (u16)tty->termios.c_iflag;
	out.c_oflag = (u16)tty->termios.c_oflag;
	out.c_cflag = (u16)tty->termios.c_cflag;
	out.c_lflag = (u16)tty->termios.c_lflag;
	memcpy(out.c_cc, tty->termios.c_cc, NCC);
	return copy_to_user(arg, &out, sizeof(out));
}

static long set_winsize(struct tty *tty, const void __user *arg)
{
	struct winsize new;
	unsigned long flags;
	bool same;

	if (copy_from_user(&new, arg, sizeof(new)))
		return -EFAULT;
	flags = spin_lock_irqsave(&tty->lock);
	same = !memcmp(&new, &tty->winsize, sizeof(new));
	tty->winsize = new;
	spin_unlock_irqrestore(&tty->lock, flags);
	if (!same)
		tty_signal_pgrp(tty, SIGWINCH);
	return 0;
}

static long flow_control(struct tty *tty, u64 arg)
{
	unsigned long flags;
	long ret = tty_check_change(tty, SIGTTOU);

	if (ret)
		return ret;
	if (arg > TCION)
		return -EINVAL;
	if (arg > TCOON)
		return 0; /* No remote end to send ^S or ^Q to. */
	flags = spin_lock_irqsave(&tty->lock);
	tty_out_stop(tty, arg == TCOOFF);
	spin_unlock_irqrestore(&tty->lock, flags);
	return 0;
}

static long flush_queues(struct tty *tty, u64 arg)
{
	long ret = tty_check_change(tty, SIGTTOU);

	if (ret)
		return ret;
	if (arg > TCIOFLUSH)
		return -EINVAL;
	if (arg != TCOFLUSH)
		flush_input(tty);
	if (arg != TCIFLUSH)
		flush_output(tty);
	return 0;
}

/* One byte as if it had been typed; needs the terminal to be one's own. */
static long simulate_input(struct tty *tty, const u8 __user *arg)
{
	char c;

	if (tty_current() != tty && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (get_user(c, (const char __user *)arg))
		return -EFAULT;
	tty_receive(tty, &c, 1);
	return 0;
}

static long settings_ioctl(struct tty *tty, struct file *file, u32 cmd,
			   void __user *arg)
{
	switch (cmd) {
	case TCGETS:
		return copy_to_user(arg, &tty->termios, sizeof(tty->termios));
	case TCGETS2:
		return get_termios2(tty, arg);
	case TCGETA:
		return get_termio(tty, arg);
	case TCSETS:
	case TCSETS2:
		return set_from_user(tty, file, arg, SET_NOW);
	case TCSETSW:
	case TCSETSW2:
		return set_from_user(tty, file, arg, SET_DRAIN);
	case TCSETSF:
	case TCSETSF2:
		return set_from_user(tty, file, arg, SET_FLUSH);
	case TCSETA:
		return set_from_termio(tty, file, arg, SET_NOW);
	case TCSETAW:
		return set_from_termio(tty, file, arg, SET_DRAIN);
	case TCSETAF:
		return set_from_termio(tty, file, arg, SET_FLUSH);
	case TIOCGWINSZ:
		return copy_to_user(arg, &tty->winsize, sizeof(tty->winsize));
	case TIOCSWINSZ:
		return set_winsize(tty, arg);
	default:
		return -ENOTTY;
	}
}

static long job_ioctl(struct tty *tty, struct file *file, bool master,
		      u32 cmd, u64 arg)
{
	s32 nr;
	long ret;

	switch (cmd) {
	case TIOCSCTTY:
		return tty_set_ctty(tty, file, arg == 1);
	case TIOCNOTTY:
		return tty_current() == tty ? tty_drop_ctty() : -ENOTTY;
	case TIOCGPGRP:
		ret = tty_get_pgrp(tty, master);
		break;
	case TIOCGSID:
		ret = tty_get_sid(tty, master);
		break;
	case TIOCSPGRP:
		if (get_user(nr, (s32 __user *)user_ptr(arg)))
			return -EFAULT;
		return tty_set_pgrp(tty, nr);
	default:
		return settings_ioctl(tty, file, cmd, user_ptr(arg));
	}
	if (ret < 0)
		return ret;
	return put_user((s32)ret, (s32 __user *)user_ptr(arg));
}

long tty_ioctl(struct file *file, u32 cmd, u64 arg)
{
	struct tty *tty = file_tty(file);

	if (tty_is_gone(tty, file))
		return cmd == TIOCSPGRP ? -ENOTTY : -EIO;
	return tty_common_ioctl(tty, file, false, cmd, arg);
}

long tty_common_ioctl(struct tty *tty, struct file *file, bool master,
		      u32 cmd, u64 arg)
{
	long ret;

	switch (cmd) {
	case TIOCINQ:
		return put_user((s32)tty_input_ready(tty),
				(s32 __user *)user_ptr(arg));
	case TIOCOUTQ:
		ret = tty->ops->is_pty ? 0 : tty->out_head - tty->out_tail;
		return put_user((s32)ret, (s32 __user *)user_ptr(arg));
	case TCFLSH:
		return flush_queues(tty, arg);
	case TCXONC:
		return flow_control(tty, arg);
	case TCSBRK:
	case TCSBRKP:
		ret = tty_check_change(tty, SIGTTOU);
		return ret ? ret : tty_drain(tty, file);
	case TIOCSTI:
		return simulate_input(tty, user_ptr(arg));
	case TIOCEXCL:
		tty->exclusive = true;
		return 0;
	case TIOCNXCL:
		tty->exclusive = false;
		return 0;
	case TIOCGEXCL:
		return put_user((s32)tty->exclusive,
				(s32 __user *)user_ptr(arg));
	case TIOCGETD:
		return put_user(N_TTY, (s32 __user *)user_ptr(arg));
	case TIOCGDEV:
		return put_user(tty_devnum(tty), (u32 __user *)user_ptr(arg));
	case TIOCVHANGUP:
		if (!capable(CAP_SYS_ADMIN))
			return -EPERM;
		tty_hangup(tty);
		return 0;
	default:
		return job_ioctl(tty, file, master, cmd, arg);
	}
}
