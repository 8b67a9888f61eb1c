/* SPDX-License-Identifier: MIT */
/*
 * sendfile, copy_file_range, splice, tee, vmsplice.
 *
 * Data is copied through a kernel buffer; only tee shares pages.  What is
 * taken out of a pipe is peeked first and dropped once the target has it, so
 * that nothing is lost when the target is short; two splices that drain one
 * pipe at the same time may see the same bytes.
 */
#include "pipe.h"

#include <kernel/file.h>
#include <kernel/fs_splice.h>
#include <kernel/syscall.h>

#define CHUNK	 (4 * PAGE_SIZE)
#define RW_MAX	 ((size_t)0x7ffff000)

static ssize_t write_all(struct file *out, void *buf, size_t n, u64 *pos)
{
	struct uio u;

	uio_kernel(&u, buf, n);
	return file_write(out, &u, pos);
}

/* Until count, the end, an error or a signal; bytes moved or an errno. */
static ssize_t copy_through(struct file *in, u64 *in_pos, struct file *out,
			    u64 *out_pos, size_t count)
{
	u8 *buf = kmalloc(CHUNK, GFP_KERNEL);
	ssize_t done = 0, ret = 0;

	if (!buf)
		return -ENOMEM;
	while (count) {
		size_t n = min_t(size_t, count, CHUNK);
		ssize_t put;
		struct uio u;

		uio_kernel(&u, buf, n);
		ret = file_read(in, &u, in_pos);
		if (ret <= 0)
			break;
		put = write_all(out, buf, (size_t)ret, out_pos);
		if (put < ret) {
			/* Give back what the target did not take. */
			if (in_pos)
				*in_pos -= (u64)(ret - max(put, (ssize_t)0));
			done += max(put, (ssize_t)0);
			ret = min(put, (ssize_t)0);
			break;
		}
		done += put;
		count -= (size_t)put;
		/* A source that may block gives what it has now. */
		if (put < (ssize_t)n && in->ops->poll)
			break;
		if (signal_pending(current)) {
			ret = -EINTR;
			break;
		}
	}
	kfree(buf);
	return done ? done : ret;
}

/* Both descriptors of a call; false: one is bad. */
struct two_files {
	struct fdref in, out;
};

static bool get_two(struct two_files *t, int in, int out)
{
	t->in = fdget(in);
	if (!t->in.file)
		return false;
	t->out = fdget(out);
	if (!t->out.file) {
		fdput(t->in);
		return false;
	}
	return (t->in.file->mode & FMODE_READ) &&
	       (t->out.file->mode & FMODE_WRITE) ?
		       true :
		       (fdput(t->in), fdput(t->out), false);
}

static void put_two(struct two_files *t)
{
	fdput(t->in);
	fdput(t->out);
}

static int get_offset(s64 __user *uoff, u64 *pos)
{
	s64 off;

	if (get_user(off, uoff))
		return -EFAULT;
	if (off < 0)
		return -EINVAL;
	*pos = (u64)off;
	return 0;
}

SYSCALL4(sendfile, int, out_fd, int, in_fd, s64 __user *, uoff, size_t, count)
{
	struct two_files t;
	struct file *in;
	u64 pos = 0;
	ssize_t ret;

	if (uoff) {
		ret = get_offset(uoff, &pos);
		if (ret)
			return ret;
	}
	if (!get_two(&t, in_fd, out_fd))
		return -EBADF;
	in = t.in.file;
	ret = -EINVAL;
	if (in->mode & FMODE_STREAM) {
		if (uoff)
			ret = -ESPIPE;
		goto put_files;
	}
	if (S_ISDIR(in->inode->mode) || !(in->mode & FMODE_LSEEK) ||
	    (t.out.file->flags & O_APPEND))
		goto put_files;
	ret = copy_through(in, uoff ? &pos : &in->pos, t.out.file,
			   t.out.file->mode & FMODE_STREAM ? NULL :
							     &t.out.file->pos,
			   min(count, RW_MAX));
	if (uoff && put_user((s64)pos, uoff))
		ret = -EFAULT;
put_files:
	put_two(&t);
	return ret;
}

SYSCALL6(copy_file_range, int, in_fd, s64 __user *, uoff_in, int, out_fd,
	 s64 __user *, uoff_out, size_t, len, u32, flags)
{
	struct two_files t;
	u64 pos_in, pos_out;
	ssize_t ret = 0;

	if (!get_two(&t, in_fd, out_fd))
		return -EBADF;
	pos_in = t.in.file->pos;
	pos_out = t.out.file->pos;
	if (uoff_in)
		ret = get_offset(uoff_in, &pos_in);
	if (ret == 0 && uoff_out)
		ret = get_offset(uoff_out, &pos_out);
	if (ret)
		goto put_files;
	len = min(len, RW_MAX);
	if (flags)
		ret = -EINVAL;
	else if (S_ISDIR(t.in.file->inode->mode) ||
		 S_ISDIR(t.out.file->inode->mode))
		ret = -EISDIR;
	else if (!S_ISREG(t.in.file->inode->mode) ||
		 !S_ISREG(t.out.file->inode->mode))
		ret = -EINVAL;
	else if (t.out.file->flags & O_APPEND)
		ret = -EBADF;
	else if (t.in.file->inode == t.out.file->inode &&
		 pos_in < pos_out + len && pos_out < pos_in + len)
		ret = -EINVAL;
	else
		ret = copy_through(t.in.file, &pos_in, t.out.file, &pos_out,
				   len);
	if (ret > 0) {
		if (!uoff_in)
			t.in.file->pos = pos_in;
		else if (put_user((s64)pos_in, uoff_in))
			ret = -EFAULT;
		if (!uoff_out)
			t.out.file->pos = pos_out;
		else if (put_user((s64)pos_out, uoff_out))
			ret = -EFAULT;
	}
put_files:
	put_two(&t);
	return ret;
}

/* ---- splice ------------------------------------------------------------ */

/* [lock] Data, or the end (0), or an errno; 1: there is some. */
static int await_data(struct pipe *p, bool nonblock)
{
	while (pipe_is_empty(p)) {
		int ret;

		if (!p->writers)
			return 0;
		if (nonblock)
			return -EAGAIN;
		ret = pipe_wait_readable(p);
		if (ret)
			return ret;
	}
	return 1;
}

/* [lock] Room for one more buffer, or an errno. */
static int await_room(struct pipe *p, bool nonblock)
{
	while (pipe_is_full(p)) {
		int ret;

		if (!p->readers)
			break;
		if (nonblock)
			return -EAGAIN;
		ret = pipe_wait_writable(p);
		if (ret)
			return ret;
	}
	if (p->readers)
		return 0;
	signal_send_task(current, SIGPIPE, NULL);
	return -EPIPE;
}

/* [lock] The first buffer lost n bytes from the same place, if it is that. */
static void drop_front(struct pipe *p, const struct pipe_buf *seen, u32 n)
{
	struct pipe_buf *b = pipe_buf_at(p, p->tail);

	if (pipe_is_empty(p) || b->page != seen->page || b->off != seen->off)
		return;
	b->off += n;
	b->len -= n;
	if (!b->len) {
		pipe_release_page(p, b->page);
		WRITE_ONCE(p->tail, p->tail + 1);
	}
}

ssize_t pipe_splice_out(struct file *pf, struct file *out, u64 *pos, size_t n,
			u32 flags)
{
	struct pipe *p = pf->private;
	bool nonblock = (flags & SPLICE_F_NONBLOCK) ||
			(pf->flags & O_NONBLOCK);
	ssize_t done = 0, ret = 0;

	while (n) {
		struct pipe_buf b;

		mutex_lock(&p->lock);
		ret = await_data(p, nonblock || done);
		if (ret <= 0) {
			mutex_unlock(&p->lock);
			break;
		}
		b = *pipe_buf_at(p, p->tail);
		page_get(b.page);
		mutex_unlock(&p->lock);
		ret = write_all(out, (char *)page_address(b.page) + b.off,
				min_t(size_t, b.len, n), pos);
		mutex_lock(&p->lock);
		/* Ours goes first, so that an emptied page can be reused. */
		page_put(b.page);
		if (ret > 0)
			drop_front(p, &b, (u32)ret);
		mutex_unlock(&p->lock);
		if (ret <= 0)
			break;
		pipe_wake_writers(p);
		done += ret;
		n -= (size_t)ret;
	}
	return done ? done : ret;
}

bool pipe_has_room(struct file *pf)
{
	const struct pipe *p = pf->private;

	return !pipe_is_full(p) && READ_ONCE(p->readers);
}

bool pipe_give_page(struct file *pf, struct page *page, u32 len)
{
	struct pipe *p = pf->private;
	bool room;

	mutex_lock(&p->lock);
	room = !pipe_is_full(p) && p->readers;
	if (room) {
		*pipe_buf_at(p, p->head) = (struct pipe_buf){
			.page = page, .len = len,
		};
		WRITE_ONCE(p->head, p->head + 1);
	}
	mutex_unlock(&p->lock);
	if (room)
		pipe_wake_readers(p);
	return room;
}

ssize_t pipe_splice_in(struct file *pf, struct file *in, u64 *pos, size_t n,
		       u32 flags)
{
	struct pipe *p = pf->private;
	size_t room;
	int ret;

	mutex_lock(&p->lock);
	ret = await_room(p, (flags & SPLICE_F_NONBLOCK) ||
				    (pf->flags & O_NONBLOCK));
	room = (size_t)(p->slots - pipe_used(p)) << PAGE_SHIFT;
	mutex_unlock(&p->lock);
	if (ret)
		return ret;
	if (in->ops->splice_read)
		return in->ops->splice_read(in, pos, pf, n, flags);
	return copy_through(in, pos, pf, NULL, min(n, room));
}

static ssize_t splice_pick(struct file *in, u64 *pos_in, struct file *out,
			   u64 *pos_out, size_t n, u32 flags)
{
	bool in_pipe = file_is_pipe(in), out_pipe = file_is_pipe(out);

	if (in_pipe && out_pipe && in->private == out->private)
		return -EINVAL;
	if (in_pipe)
		return pipe_splice_out(in, out, pos_out, n, flags);
	if (out_pipe)
		return pipe_splice_in(out, in, pos_in, n, flags);
	return -EINVAL;
}

static u64 *own_pos(struct file *f)
{
	return f->mode & FMODE_STREAM ? NULL : &f->pos;
}

SYSCALL6(splice, int, in_fd, s64 __user *, uoff_in, int, out_fd,
	 s64 __user *, uoff_out, size_t, len, u32, flags)
{
	struct two_files t;
	u64 pos_in, pos_out;
	ssize_t ret = 0;

	if (!len)
		return 0;
	if (flags & ~0xfu)
		return -EINVAL;
	if (!get_two(&t, in_fd, out_fd))
		return -EBADF;
	if ((uoff_in && (t.in.file->mode & FMODE_STREAM)) ||
	    (uoff_out && (t.out.file->mode & FMODE_STREAM)))
		ret = -ESPIPE;
	if (ret == 0 && ((uoff_in && !(t.in.file->mode & FMODE_PREAD)) ||
			 (uoff_out && !(t.out.file->mode & FMODE_PWRITE))))
		ret = -EINVAL;
	if (ret == 0 && uoff_in)
		ret = get_offset(uoff_in, &pos_in);
	if (ret == 0 && uoff_out)
		ret = get_offset(uoff_out, &pos_out);
	if (ret == 0 && !file_is_pipe(t.out.file) &&
	    (t.out.file->flags & O_APPEND))
		ret = -EINVAL;
	if (ret == 0)
		ret = splice_pick(t.in.file,
				  uoff_in ? &pos_in : own_pos(t.in.file),
				  t.out.file,
				  uoff_out ? &pos_out : own_pos(t.out.file),
				  min(len, RW_MAX), flags);
	if (ret > 0 && uoff_in && put_user((s64)pos_in, uoff_in))
		ret = -EFAULT;
	if (ret > 0 && uoff_out && put_user((s64)pos_out, uoff_out))
		ret = -EFAULT;
	put_two(&t);
	return ret;
}

/* ---- tee and vmsplice --------------------------------------------------- */

/* [lock] Look at buffer i of what is there; referenced. */
static bool peek(struct pipe *p, u32 i, size_t n, struct pipe_buf *out)
{
	if (i >= pipe_used(p))
		return false;
	*out = *pipe_buf_at(p, p->tail + i);
	out->len = (u32)min_t(size_t, out->len, n);
	out->merge = false;
	/* The owner may not append to a page that two pipes show. */
	pipe_buf_at(p, p->tail + i)->merge = false;
	page_get(out->page);
	return true;
}

ssize_t pipe_tee(struct file *in, struct file *out, size_t n, u32 flags)
{
	struct pipe *from = in->private, *to = out->private;
	bool nonblock = flags & SPLICE_F_NONBLOCK;
	ssize_t done = 0, ret;

	if (from == to)
		return -EINVAL;
	mutex_lock(&from->lock);
	ret = await_data(from, nonblock);
	mutex_unlock(&from->lock);
	if (ret <= 0)
		return ret;
	mutex_lock(&to->lock);
	ret = await_room(to, nonblock);
	mutex_unlock(&to->lock);
	if (ret)
		return ret;
	for (u32 i = 0; n; i++) {
		struct pipe_buf b;
		bool got, room;

		mutex_lock(&from->lock);
		got = peek(from, i, n, &b);
		mutex_unlock(&from->lock);
		if (!got)
			break;
		mutex_lock(&to->lock);
		room = !pipe_is_full(to) && to->readers;
		if (room) {
			*pipe_buf_at(to, to->head) = b;
			WRITE_ONCE(to->head, to->head + 1);
		}
		mutex_unlock(&to->lock);
		if (!room) {
			page_put(b.page);
			break;
		}
		done += b.len;
		n -= b.len;
	}
	if (done)
		pipe_wake_readers(to);
	return done;
}

SYSCALL4(tee, int, in_fd, int, out_fd, size_t, len, u32, flags)
{
	struct two_files t;
	ssize_t ret = -EINVAL;

	if (flags & ~0xfu)
		return -EINVAL;
	if (!len)
		return 0;
	if (!get_two(&t, in_fd, out_fd))
		return -EBADF;
	if (file_is_pipe(t.in.file) && file_is_pipe(t.out.file))
		ret = pipe_tee(t.in.file, t.out.file, min(len, RW_MAX), flags);
	put_two(&t);
	return ret;
}

/* By the page: what can be read goes in, up to the first page that cannot. */
static ssize_t write_pages(struct file *pipe, const struct uio *u)
{
	ssize_t done = 0;

	for (u32 i = 0; i < u->nr; i++) {
		u64 at = user_addr(u->iov[i].base);
		u64 end = at + u->iov[i].len;

		while (at < end) {
			size_t n = min(end, PAGE_DOWN(at) + PAGE_SIZE) - at;
			struct uio one;
			ssize_t ret;

			uio_user(&one, user_ptr(at), n);
			ret = file_write(pipe, &one, NULL);
			if (ret > 0)
				done += ret;
			if (ret != (ssize_t)n)
				return done ? done : ret;
			at += n;
		}
	}
	return done;
}

SYSCALL4(vmsplice, int, fd, const struct iovec __user *, iov, u64, nr, u32,
	 flags)
{
	struct iovec fast[8], *heap;
	struct fdref r;
	struct uio u;
	ssize_t ret;

	if (flags & ~0xfu)
		return -EINVAL;
	r = fdget(fd);
	if (!r.file)
		return -EBADF;
	ret = uio_import(&u, iov, nr, fast, ARRAY_SIZE(fast), &heap);
	if (ret == 0 && !file_is_pipe(r.file))
		ret = -EBADF;
	else if (ret == 0 && u.left)
		ret = r.file->mode & FMODE_WRITE ?
			      write_pages(r.file, &u) :
			      file_read(r.file, &u, NULL);
	kfree(heap);
	fdput(r);
	return ret;
}
