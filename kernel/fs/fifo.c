/* SPDX-License-Identifier: MIT */
/*
 * pipe2, named FIFOs and the size of pipes.
 *
 * A FIFO's struct pipe hangs at its inode while anybody has it open;
 * inode->lock guards that pointer.  An open for one side waits for the other,
 * dropping the lock, by watching the count of opens so that a partner that
 * has come and gone is not missed.
 */
#include "pipe.h"

#include <kernel/file.h>
#include <kernel/syscall.h>

/* Two files over one pipe, unless something fails. */
static int make_ends(u32 flags, struct file **rd, struct file **wr)
{
	struct pipe *p = pipe_new();
	struct file *r, *w;

	if (!p)
		return -ENOMEM;
	p->nameless = true;
	p->readers = p->writers = 1;
	p->read_opens = p->write_opens = 1;
	p->files = 2;
	r = inode_file("pipe", S_IFIFO | 0600, &pipe_ops, p,
		       O_RDONLY | (flags & O_NONBLOCK));
	if (IS_ERR(r)) {
		pipe_free(p);
		return (int)PTR_ERR(r);
	}
	/* An open through /proc/PID/fd finds the same pipe. */
	r->inode->fifo = p;
	w = file_alloc(O_WRONLY | (flags & (O_NONBLOCK | O_DIRECT)));
	if (IS_ERR(w)) {
		p->files = 1;
		file_put(r);
		return (int)PTR_ERR(w);
	}
	w->path = r->path;
	path_get(&w->path);
	w->inode = r->inode;
	w->ops = &pipe_ops;
	w->private = p;
	w->mode |= FMODE_STREAM | FMODE_OPENED;
	*rd = r;
	*wr = w;
	return 0;
}

SYSCALL2(pipe2, s32 __user *, fds, u32, flags)
{
	struct file *rd = NULL, *wr = NULL;
	s32 out[2];
	int ret;

	if (flags & ~(u32)(O_CLOEXEC | O_NONBLOCK | O_DIRECT))
		return -EINVAL;
	ret = make_ends(flags, &rd, &wr);
	if (ret)
		return ret;
	ret = out[0] = fd_reserve(0, flags);
	if (ret < 0)
		goto put_files;
	ret = out[1] = fd_reserve(0, flags);
	if (ret < 0)
		goto release_first;
	ret = copy_to_user(fds, out, sizeof(out));
	if (ret)
		goto release_second;
	fd_install(out[0], rd);
	fd_install(out[1], wr);
	return 0;

release_second:
	fd_release(out[1]);
release_first:
	fd_release(out[0]);
put_files:
	file_put(rd);
	file_put(wr);
	return ret;
}

/* [inode->lock] The pipe of a FIFO with this file counted in. */
static struct pipe *fifo_enter(struct inode *inode, struct file *f)
{
	struct pipe *p = inode->fifo;

	if (!p) {
		p = pipe_new();
		if (!p)
			return NULL;
		inode->fifo = p;
	}
	mutex_lock(&p->lock);
	p->files++;
	if (f->mode & FMODE_READ) {
		WRITE_ONCE(p->readers, p->readers + 1);
		WRITE_ONCE(p->read_opens, p->read_opens + 1);
	}
	if (f->mode & FMODE_WRITE) {
		WRITE_ONCE(p->writers, p->writers + 1);
		WRITE_ONCE(p->write_opens, p->write_opens + 1);
	}
	mutex_unlock(&p->lock);
	return p;
}

/*
 * [no lock] Wait for the side that this file does not open.  seen is how
 * often that side had been opened when this one was counted in: a partner
 * may have come and gone since.
 */
static int fifo_wait_partner(struct pipe *p, struct file *f, u32 seen)
{
	if (f->mode & FMODE_READ)
		return wait_event_interruptible(&p->rd_wait,
				READ_ONCE(p->writers) ||
				READ_ONCE(p->write_opens) != seen);
	return wait_event_interruptible(&p->wr_wait,
			READ_ONCE(p->readers) ||
			READ_ONCE(p->read_opens) != seen);
}

int fifo_open(struct inode *inode, struct file *f)
{
	u32 rw = f->mode & (FMODE_READ | FMODE_WRITE);
	bool nonblock = f->flags & O_NONBLOCK;
	struct pipe *p;
	u32 seen = 0, partners = 0;
	bool waits;
	int ret = 0;

	f->mode |= FMODE_STREAM;
	f->mode &= ~(FMODE_LSEEK | FMODE_PREAD | FMODE_PWRITE | FMODE_ATOMIC);
	mutex_lock(&inode->lock);
	p = inode->fifo;
	/* Of a nameless pipe the other side may be gone for good. */
	waits = !(p && p->nameless);
	if (rw == FMODE_WRITE && nonblock && waits && (!p || !p->readers)) {
		mutex_unlock(&inode->lock);
		return -ENXIO;
	}
	p = fifo_enter(inode, f);
	if (p) {
		seen = rw & FMODE_READ ? p->write_opens : p->read_opens;
		partners = rw & FMODE_READ ? p->writers : p->readers;
	}
	mutex_unlock(&inode->lock);
	if (!p)
		return -ENOMEM;
	f->ops = &pipe_ops;
	f->private = p;
	wake_up_all(&p->rd_wait);
	wake_up_all(&p->wr_wait);
	if (rw == (FMODE_READ | FMODE_WRITE) || nonblock || !waits)
		return 0;
	if (!partners)
		ret = fifo_wait_partner(p, f, seen);
	if (ret)
		pipe_ops.release(f);
	return ret;
}

/* Only a pipe without files could still hang here: there is none. */
void fifo_inode_gone(struct inode *inode)
{
	pipe_free(inode->fifo);
}

/* [lock] */
static long set_slots(struct pipe *p, u64 bytes)
{
	u64 slots = roundup_pow2(DIV_ROUND_UP(bytes, PAGE_SIZE));
	struct pipe_buf *bufs;
	u32 used = pipe_used(p);

	if (bytes > S32_MAX)
		return -EINVAL;
	if (slots == 0)
		slots = 1;
	if (slots > PIPE_SLOTS_MAX && !capable(CAP_SYS_RESOURCE))
		return -EPERM;
	if (used > slots)
		return -EBUSY;
	bufs = kzalloc(slots * sizeof(*bufs), GFP_KERNEL);
	if (!bufs)
		return -ENOMEM;
	for (u32 i = 0; i < used; i++)
		bufs[i] = *pipe_buf_at(p, p->tail + i);
	kfree(p->bufs);
	p->bufs = bufs;
	WRITE_ONCE(p->tail, 0);
	WRITE_ONCE(p->head, used);
	WRITE_ONCE(p->slots, (u32)slots);
	return (long)(slots << PAGE_SHIFT);
}

long pipe_fcntl(struct file *f, u32 cmd, u64 arg)
{
	struct pipe *p = f->private;
	long ret;

	if (!file_is_pipe(f))
		return -EBADF;
	mutex_lock(&p->lock);
	ret = cmd == F_GETPIPE_SZ ? (long)p->slots << PAGE_SHIFT :
				    set_slots(p, (u32)arg);
	mutex_unlock(&p->lock);
	if (cmd == F_SETPIPE_SZ)
		pipe_wake_writers(p);
	return ret;
}
