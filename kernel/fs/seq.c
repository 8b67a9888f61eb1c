/* SPDX-License-Identifier: MIT */
/*
 * Text of pseudo files: made as a whole by show() at the first read (and at
 * each later read that starts at 0), then served by position.
 *
 * The buffer belongs to the open file and is guarded by its lock, which is
 * outermost because show() may take almost any other.  A failed allocation
 * is remembered in seq->err and turns the read into -ENOMEM.
 */
#include "internal.h"

#include <kernel/fs_pseudo.h>
#include <lib/printf.h>

#define SEQ_START 1024
#define SEQ_MAX	  (64u << 20)

struct seq_file {
	struct mutex lock;		/* LOCK_RANK_SEQ */
	struct seq seq;			/* [lock] */
	int (*show)(struct seq *s, void *private); /* [I] */
	bool shown;			/* [lock] */
};

/* Room for n more bytes. */
static bool room(struct seq *s, size_t n)
{
	size_t size = s->size ? s->size : SEQ_START;
	char *buf;

	if (likely(s->len + n <= s->size))
		return true;
	if (s->err)
		return false;
	while (size < s->len + n)
		size *= 2;
	buf = size <= SEQ_MAX ? krealloc(s->buf, size, GFP_KERNEL) : NULL;
	if (!buf) {
		s->err = -ENOMEM;
		return false;
	}
	s->buf = buf;
	s->size = size;
	return true;
}

void seq_printf(struct seq *s, const char *fmt, ...)
{
	va_list args;
	int n;

	if (!room(s, 128))
		return;
	va_start(args, fmt);
	n = vsnprintf(s->buf + s->len, s->size - s->len, fmt, args);
	va_end(args);
	if (n >= (int)(s->size - s->len)) {
		if (!room(s, (size_t)n + 1))
			return;
		va_start(args, fmt);
		n = vscnprintf(s->buf + s->len, s->size - s->len, fmt, args);
		va_end(args);
	}
	s->len += (size_t)n;
}

void seq_write(struct seq *s, const void *data, size_t len)
{
	if (!room(s, len))
		return;
	memcpy(s->buf + s->len, data, len);
	s->len += len;
}

void seq_puts(struct seq *s, const char *text)
{
	seq_write(s, text, strlen(text));
}

void seq_putc(struct seq *s, char c)
{
	seq_write(s, &c, 1);
}

void seq_escape(struct seq *s, const char *text, const char *esc)
{
	for (; *text; text++) {
		u8 c = (u8)*text;

		if (strchr(esc, c))
			seq_printf(s, "\\%03o", c);
		else
			seq_putc(s, (char)c);
	}
}

int seq_open_show(struct file *file, int (*show)(struct seq *s, void *private),
		  void *private)
{
	struct seq_file *sf = kzalloc(sizeof(*sf), GFP_KERNEL);

	if (!sf)
		return -ENOMEM;
	mutex_init(&sf->lock, LOCK_RANK_SEQ);
	sf->show = show;
	sf->seq.private = private;
	sf->seq.file = file;
	file->private = sf;
	return 0;
}

void *seq_file_private(struct file *file)
{
	struct seq_file *sf = file->private;

	return sf->seq.private;
}

void seq_release(struct file *file)
{
	struct seq_file *sf = file->private;

	if (!sf)
		return;
	kfree(sf->seq.buf);
	kfree(sf);
}

static int make_text(struct seq_file *sf)
{
	int ret;

	sf->seq.len = 0;
	sf->seq.err = 0;
	ret = sf->show(&sf->seq, sf->seq.private);
	if (ret == 0)
		ret = sf->seq.err;
	sf->shown = ret == 0;
	return ret;
}

ssize_t seq_read(struct file *file, struct uio *to, u64 *pos)
{
	struct seq_file *sf = file->private;
	ssize_t ret = 0;

	if (!to->left)
		return 0;
	mutex_lock(&sf->lock);
	if (*pos == 0 || !sf->shown)
		ret = make_text(sf);
	if (ret == 0 && *pos < sf->seq.len) {
		size_t n = min_t(size_t, sf->seq.len - *pos, to->left);

		ret = (ssize_t)uio_put(to, sf->seq.buf + *pos, n);
		if (ret == 0)
			ret = -EFAULT;
		else
			*pos += (u64)ret;
	}
	mutex_unlock(&sf->lock);
	return ret;
}

s64 seq_llseek(struct file *file, s64 off, int whence)
{
	if (whence != SEEK_SET && whence != SEEK_CUR)
		return -EINVAL;
	return generic_llseek(file, off, whence);
}
