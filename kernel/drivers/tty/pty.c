/* SPDX-License-Identifier: MIT */
/*
 * Pseudo terminals: pairs of a slave, which is a terminal with a line
 * discipline, and the master that stands for its line.
 *
 * There is no buffer between the two.  What the slave wrote stays in its
 * output ring until the master reads it there; what the master writes is the
 * slave's input at once.  This file has the pair: its making by an open of
 * ptmx, its slave's opens, and what packet mode records; pty_master.c has the
 * master's file, devpts.c the names.  pty_mutex guards the list of pairs.
 */
#include "internal.h"

#include <kernel/cred.h>
#include <kernel/fs.h>
#include <kernel/init.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>
#include <lib/err.h>
#include <lib/printf.h>

#define PTMX_MAJOR 5
#define PTMX_MINOR 2
#define PTS_MAJOR  136

s32 pty_max = 4096;			/* [a] kernel.pty.max */
s32 pty_count;				/* [a] kernel.pty.nr */
static struct mutex pty_mutex = MUTEX_INIT(pty_mutex, LOCK_RANK_SYSFS);
static struct list_head ptys = LIST_HEAD_INIT(ptys); /* by index */

/* ---- The slave's port ------------------------------------------------- */

/* [tty lock] Nothing is taken: the master reads the ring itself. */
static size_t pts_write(void *port, const char *data, size_t n)
{
	struct pty *pty = port;

	wake_up_poll(&pty->read_wait, POLLIN | POLLRDNORM);
	return 0;
}

static void pts_read_room(void *port)
{
	struct pty *pty = port;

	wake_up_poll(&pty->write_wait, POLLOUT | POLLWRNORM);
}

static bool usual_flow(const struct tty *tty)
{
	return I_TTY(tty, IXON) && CC_TTY(tty, VSTOP) == 19 &&
	       CC_TTY(tty, VSTART) == 17;
}

/* [tty lock] What the settings mean for packet mode. */
static u8 settings_status(struct pty *pty, u8 status)
{
	bool flow = usual_flow(&pty->tty);

	if (flow != pty->flow) {
		status &= (u8)~(TIOCPKT_DOSTOP | TIOCPKT_NOSTOP);
		status |= flow ? TIOCPKT_DOSTOP : TIOCPKT_NOSTOP;
		pty->flow = flow;
	}
	if (L_TTY(&pty->tty, EXTPROC))
		status |= TIOCPKT_IOCTL;
	return status;
}

/* [tty lock] */
static void pts_event(void *port, u32 events)
{
	struct pty *pty = port;
	u8 old = pty->status, status = old;

	if (events & TTY_EVENT_FLUSH_IN)
		wake_up_poll(&pty->write_wait, POLLOUT | POLLWRNORM);
	if (!pty->packet) {
		pty->flow = usual_flow(&pty->tty);
		return;
	}
	if (events & TTY_EVENT_FLUSH_IN)
		status |= TIOCPKT_FLUSHREAD;
	if (events & TTY_EVENT_FLUSH_OUT)
		status |= TIOCPKT_FLUSHWRITE;
	if (events & TTY_EVENT_STOP)
		status = (u8)((status & ~TIOCPKT_START) | TIOCPKT_STOP);
	if (events & TTY_EVENT_START)
		status = (u8)((status & ~TIOCPKT_STOP) | TIOCPKT_START);
	if (events & TTY_EVENT_SETTINGS)
		status = settings_status(pty, status);
	pty->status = status;
	if (status != old)
		wake_up_poll(&pty->read_wait, POLLPRI | POLLIN | POLLRDNORM);
}

static void pts_opened(void *port, bool open)
{
	struct pty *pty = port;
	unsigned long flags = spin_lock_irqsave(&pty->tty.lock);

	/* Another open or close may have come in between. */
	pty->closed = !open && !pty->tty.open_count;
	wake_up_all(&pty->read_wait);
	spin_unlock_irqrestore(&pty->tty.lock, flags);
}

static void pts_gone(void *port)
{
	kfree(port);
}

static const struct tty_port_ops pts_port_ops = {
	.write = pts_write,
	.read_room = pts_read_room,
	.event = pts_event,
	.opened = pts_opened,
	.gone = pts_gone,
	.is_pty = true,
};

/* ---- Pairs ------------------------------------------------------------ */

/* [pty_mutex] Enter at the lowest number that is free. */
static void link_lowest(struct pty *pty)
{
	struct list_head *at = &ptys;
	struct pty *p;
	u32 index = 0;

	list_for_each_entry(p, &ptys, link) {
		if (p->index != index) {
			at = &p->link;
			break;
		}
		index++;
	}
	pty->index = index;
	list_add_tail(&pty->link, at);
	pty_count++;
}

static void unlink_pty(struct pty *pty)
{
	struct inode *inode;

	mutex_lock(&pty_mutex);
	list_del(&pty->link);
	pty_count--;
	inode = pty->inode;
	pty->inode = NULL;
	mutex_unlock(&pty_mutex);
	if (inode)
		inode_put(inode);
}

static void init_pty(struct pty *pty)
{
	char name[16];

	scnprintf(name, sizeof(name), "pts/%u", pty->index);
	tty_init_struct(&pty->tty, name, MKDEV(PTS_MAJOR, pty->index),
			&pts_port_ops, pty);
	pty->tty.termios.c_cflag = B38400 | CS8 | CREAD;
	pty->locked = true;
	pty->flow = true;
	wait_queue_init(&pty->read_wait);
	wait_queue_init(&pty->write_wait);
}

/* A pair with a name, and one reference for its master; or ERR_PTR. */
static struct pty *pty_new(void)
{
	struct pty *pty = kzalloc(sizeof(*pty), GFP_KERNEL);
	struct inode *inode;

	if (!pty)
		return ERR_PTR(-ENOMEM);
	mutex_lock(&pty_mutex);
	if (pty_count >= READ_ONCE(pty_max)) {
		mutex_unlock(&pty_mutex);
		kfree(pty);
		return ERR_PTR(-ENOSPC);
	}
	link_lowest(pty);
	init_pty(pty);
	mutex_unlock(&pty_mutex);
	inode = devpts_make_inode(pty);
	if (IS_ERR(inode)) {
		unlink_pty(pty);
		kfree(pty);
		return ERR_CAST(inode);
	}
	mutex_lock(&pty_mutex);
	pty->inode = inode;
	mutex_unlock(&pty_mutex);
	return pty;
}

/* The master's file is gone, and with it the line of the slave. */
void pty_master_closed(struct pty *pty)
{
	unsigned long flags = spin_lock_irqsave(&pty->tty.lock);

	pty->master_gone = true;
	spin_unlock_irqrestore(&pty->tty.lock, flags);
	unlink_pty(pty);
	tty_hangup(&pty->tty);
	tty_put(&pty->tty);
}

struct inode *pty_inode_get(u32 index)
{
	struct inode *inode = NULL;
	struct pty *p;

	mutex_lock(&pty_mutex);
	list_for_each_entry(p, &ptys, link)
		if (p->index == index && p->inode)
			inode = inode_get(p->inode);
	mutex_unlock(&pty_mutex);
	return inode;
}

s64 pty_next_index(u32 from)
{
	s64 index = -1;
	struct pty *p;

	mutex_lock(&pty_mutex);
	list_for_each_entry(p, &ptys, link) {
		if (p->index >= from && p->inode) {
			index = p->index;
			break;
		}
	}
	mutex_unlock(&pty_mutex);
	return index;
}

/* ---- Opens ------------------------------------------------------------ */

static int ptmx_open(struct inode *inode, struct file *file)
{
	struct pty *pty = pty_new();

	if (IS_ERR(pty))
		return (int)PTR_ERR(pty);
	file->private = pty;
	file->ops = &pty_master_fops;
	return 0;
}

static int pts_open(struct inode *inode, struct file *file)
{
	struct pty *pty = inode->private;

	if (READ_ONCE(pty->master_gone) || READ_ONCE(pty->locked))
		return -EIO;
	if (pty->tty.exclusive && !capable(CAP_SYS_ADMIN))
		return -EBUSY;
	ref_get(&pty->tty.refs);
	tty_attach_file(&pty->tty, file, false);
	/* A master that went meanwhile has hung up what it saw. */
	if (READ_ONCE(pty->master_gone))
		tty_hangup(&pty->tty);
	else
		tty_open_ctty(&pty->tty, file);
	return 0;
}

const struct file_ops ptmx_fops = { .open = ptmx_open };
const struct file_ops pts_fops = { .open = pts_open };

static ssize_t show_count(struct sysctl *ctl, bool write, char *buf,
			  size_t size)
{
	return scnprintf(buf, size, "%d", READ_ONCE(pty_count));
}

static int pty_init(void)
{
	static struct sysctl max_ctl = {
		.path = "kernel/pty/max", .mode = 0644, .value = &pty_max,
		.min = 0, .max = 1 << 20,
	};
	static struct sysctl count_ctl = {
		.path = "kernel/pty/nr", .mode = 0444, .handler = show_count,
	};

	sysctl_register(&max_ctl);
	sysctl_register(&count_ctl);
	return chrdev_register("ptmx", PTMX_MAJOR, PTMX_MINOR, 0666,
			       &ptmx_fops, NULL);
}
INITCALL(INIT_DEVICE, pty_init);
