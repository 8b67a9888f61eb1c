/* SPDX-License-Identifier: MIT */
/*
 * The trace buffer's files: trace (a look), trace_pipe (text, taken out),
 * per_cpu/cpuN/trace_pipe_raw (pages, taken out), trace_marker.
 *
 * An open file's state is its own, guarded by a mutex of its own rank-SEQ
 * lock; the buffer has no lock (buffer.h).  trace_mutex is held while entries
 * are made text, so that no event goes meanwhile.
 */
#include "tracefs.h"

#include <arch/irqflags.h>
#include <kernel/cpu.h>
#include <kernel/fs_pseudo.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/printf.h>
#include <lib/string.h>
#include <linux/fcntl.h>
#include <linux/poll.h>

#define ALL_CPUS    -1
#define MARKER_MAX  1024

/* The next entries of each CPU, in the order of their times. */
struct walk {
	bool take;			/* out of the buffer, or copies */
	s32 only;			/* one CPU, or ALL_CPUS */
	struct {
		struct trace_page *page;
		struct trace_cursor at;
		const void *record;	/* not given out yet */
		u64 next;		/* page to copy */
	} cpus[CONFIG_NR_CPUS];
};

static void walk_end(struct walk *w)
{
	u32 cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		trace_page_free(w->cpus[cpu].page);
	kfree(w);
}

static struct walk *walk_begin(s32 only, bool take)
{
	struct walk *w = kzalloc(sizeof(*w), GFP_KERNEL);

	if (w) {
		w->only = only;
		w->take = take;
	}
	return w;
}

/* cpu's next entry, if it has one. */
static void walk_fill(struct walk *w, u32 cpu)
{
	while (!w->cpus[cpu].record) {
		struct trace_cursor *c = &w->cpus[cpu].at;
		struct trace_page **page = &w->cpus[cpu].page;

		if (c->page) {
			w->cpus[cpu].record = trace_cursor_next(c);
			if (w->cpus[cpu].record)
				return;
			c->page = NULL;
		}
		if (!*page)
			*page = trace_page_alloc();
		if (!*page ||
		    !(w->take ? trace_buffer_take(&trace_buffer, cpu, page) :
				trace_buffer_copy(&trace_buffer, cpu,
						  &w->cpus[cpu].next, *page)))
			return;
		*c = (struct trace_cursor){ .page = *page };
	}
}

/* Print the oldest entry; false: there is none. */
static bool walk_print(struct walk *w, struct seq *s)
{
	s32 best = -1;
	u32 cpu;

	for_each_possible_cpu(cpu) {
		if (w->only != ALL_CPUS && (u32)w->only != cpu)
			continue;
		walk_fill(w, cpu);
		if (w->cpus[cpu].record &&
		    (best < 0 ||
		     w->cpus[cpu].at.time < w->cpus[best].at.time))
			best = (s32)cpu;
	}
	if (best < 0)
		return false;
	mutex_lock(&trace_mutex);
	trace_print_entry(s, (u32)best, w->cpus[best].at.time,
			  w->cpus[best].record, w->cpus[best].at.size);
	mutex_unlock(&trace_mutex);
	w->cpus[best].record = NULL;
	return true;
}

/* The CPU of a file below per_cpu, from its private word. */
static s32 cpu_of(const void *private)
{
	return private ? (s32)((const struct trace_ring *)private -
			       trace_buffer.rings) :
			 ALL_CPUS;
}

/* --- trace, trace_pipe, trace_pipe_raw ----------------------------------- */

struct pipe_reader {
	struct mutex lock;
	s32 cpu;			/* [I] */
	struct walk *walk;		/* [lock] text only */
	struct seq text;		/* [lock] printed, and */
	size_t shown;			/* [lock] given out of it */
	struct trace_page *page;	/* [lock] raw only: taken out */
	size_t left;			/* [lock] of it not given out yet */
	bool began;			/* [lock] something was read */
};

static int open_reader(struct inode *inode, struct file *file, bool text,
		       bool take)
{
	struct pipe_reader *r = kzalloc(sizeof(*r), GFP_KERNEL);

	if (!r)
		return -ENOMEM;
	mutex_init(&r->lock, LOCK_RANK_SEQ);
	r->cpu = cpu_of(pseudo_private(inode));
	if (text)
		r->walk = walk_begin(r->cpu, take);
	else
		r->page = trace_page_alloc();
	if (!r->walk && !r->page) {
		kfree(r);
		return -ENOMEM;
	}
	file->private = r;
	return 0;
}

static int pipe_open(struct inode *inode, struct file *file)
{
	return open_reader(inode, file, true, true);
}

static int raw_open(struct inode *inode, struct file *file)
{
	return open_reader(inode, file, false, true);
}

static void put_header(struct pipe_reader *r)
{
	u64 entries = 0, written = 0;
	u32 cpu;

	for_each_possible_cpu(cpu) {
		const struct trace_ring *ring = &trace_buffer.rings[cpu];

		if (r->cpu != ALL_CPUS && (u32)r->cpu != cpu)
			continue;
		entries += READ_ONCE(ring->entries);
		written += READ_ONCE(ring->entries) + READ_ONCE(ring->overrun);
	}
	trace_print_header(&r->text, entries, written);
}

/* A look that takes nothing out; it begins with the header. */
static int trace_open(struct inode *inode, struct file *file)
{
	int err = open_reader(inode, file, true, false);

	if (!err)
		put_header(file->private);
	return err;
}

static void trace_clear(void *private)
{
	s32 only = cpu_of(private);
	u32 cpu;

	for_each_possible_cpu(cpu)
		if (only == ALL_CPUS || (u32)only == cpu)
			trace_buffer_clear(&trace_buffer, cpu);
}

static void reader_release(struct file *file)
{
	struct pipe_reader *r = file->private;

	if (r->walk)
		walk_end(r->walk);
	trace_page_free(r->page);
	kfree(r->text.buf);
	kfree(r);
}

/* Nothing is there: wait, unless the file or the state of tracing says no.
 * 1: look again; 0: the end; or a negative errno.
 */
static int wait_more(struct file *file, struct pipe_reader *r)
{
	int err;

	if (file->flags & O_NONBLOCK)
		return -EAGAIN;
	if (!READ_ONCE(trace_buffer.on) && r->began)
		return 0;
	mutex_unlock(&r->lock);
	err = trace_buffer_wait(&trace_buffer, r->cpu);
	mutex_lock(&r->lock);
	return err ? err : 1;
}

static ssize_t pipe_read(struct file *file, struct uio *to, u64 *pos)
{
	struct pipe_reader *r = file->private;
	ssize_t ret = 0;
	size_t n;

	mutex_lock(&r->lock);
	while (r->shown == r->text.len) {
		r->shown = r->text.len = 0;
		while (r->text.len < to->left && walk_print(r->walk, &r->text))
			;
		if (r->text.err)
			ret = r->text.err;
		else if (!r->text.len)
			ret = r->walk->take ? wait_more(file, r) : 0;
		else
			break;
		if (ret <= 0)
			goto unlock;
	}
	n = min(r->text.len - r->shown, to->left);
	n = uio_put(to, r->text.buf + r->shown, n);
	r->shown += n;
	r->began = true;
	ret = n ? (ssize_t)n : -EFAULT;
unlock:
	mutex_unlock(&r->lock);
	return ret;
}

static ssize_t raw_read(struct file *file, struct uio *to, u64 *pos)
{
	struct pipe_reader *r = file->private;
	ssize_t ret = 0;
	size_t n;

	mutex_lock(&r->lock);
	while (!r->left) {
		if (trace_buffer_take(&trace_buffer, (u32)r->cpu, &r->page)) {
			r->left = PAGE_SIZE;
			break;
		}
		ret = wait_more(file, r);
		if (ret <= 0)
			goto unlock;
	}
	n = min(r->left, to->left);
	n = uio_put(to, (const char *)r->page + (PAGE_SIZE - r->left), n);
	r->left -= n;
	r->began = true;
	ret = n ? (ssize_t)n : -EFAULT;
unlock:
	mutex_unlock(&r->lock);
	return ret;
}

static u32 reader_poll(struct file *file, struct poll_table *pt)
{
	struct pipe_reader *r = file->private;
	u32 cpu, events = 0;

	poll_wait(pt, &trace_buffer.readers);
	for_each_possible_cpu(cpu) {
		if (r->cpu != ALL_CPUS && (u32)r->cpu != cpu)
			continue;
		WRITE_ONCE(trace_buffer.rings[cpu].wanted, 1);
		if (trace_buffer_has_data(&trace_buffer, cpu))
			events = POLLIN | POLLRDNORM;
	}
	return events;
}

static ssize_t trace_write(struct file *file, struct uio *from, u64 *pos)
{
	return (ssize_t)from->left;
}

static const struct file_ops trace_fops = {
	.open = trace_open,
	.release = reader_release,
	.read = pipe_read,
	.write = trace_write,
	.llseek = no_llseek,
};
static const struct file_ops pipe_fops = {
	.open = pipe_open,
	.release = reader_release,
	.read = pipe_read,
	.poll = reader_poll,
	.llseek = no_llseek,
};
static const struct file_ops raw_fops = {
	.open = raw_open,
	.release = reader_release,
	.read = raw_read,
	.poll = reader_poll,
	.llseek = no_llseek,
};

/* --- trace_marker -------------------------------------------------------- */

/* head bytes come before what was written; the buffer is expanded. */
static ssize_t write_mark(struct uio *from, u32 id, u32 head, bool text)
{
	u32 n = min_t(u32, (u32)from->left, MARKER_MAX), size;
	char *rec = kzalloc(head + MARKER_MAX + 2, GFP_KERNEL);
	unsigned long flags;
	int err;

	if (!rec)
		return -ENOMEM;
	mutex_lock(&trace_mutex);
	err = trace_buffer_expand();
	mutex_unlock(&trace_mutex);
	if (!err && uio_get(from, rec + head, n) != n)
		err = -EFAULT;
	if (err)
		goto free_rec;
	size = head + n;
	if (text && (!n || rec[size - 1] != '\n'))
		rec[size++] = '\n';
	size += text;
	trace_fill_common(id, (struct trace_common *)rec);
	preempt_disable();
	flags = arch_irq_save_all();
	trace_note_comm();
	trace_buffer_write(&trace_buffer, rec, size);
	arch_irq_restore_all(flags);
	preempt_enable();
free_rec:
	kfree(rec);
	return err ? err : (ssize_t)n;
}

static ssize_t marker_write(struct file *file, struct uio *from, u64 *pos)
{
	return write_mark(from, TRACE_ID_PRINT, 16, true);
}

/* What is written begins with the number. */
static ssize_t marker_raw_write(struct file *file, struct uio *from, u64 *pos)
{
	if (from->left < sizeof(u32))
		return -EINVAL;
	return write_mark(from, TRACE_ID_RAW_DATA, 8, false);
}

static const struct file_ops marker_fops = {
	.write = marker_write,
	.llseek = no_llseek,
};
static const struct file_ops marker_raw_fops = {
	.write = marker_raw_write,
	.llseek = no_llseek,
};

void trace_pipe_boot(void)
{
	static const struct pseudo_file top[] = {
		{ .name = "trace", .mode = 0640, .fops = &trace_fops,
		  .truncate = trace_clear },
		{ .name = "trace_pipe", .mode = 0440, .fops = &pipe_fops },
		{ .name = "trace_marker", .mode = 0220, .fops = &marker_fops },
		{ .name = "trace_marker_raw", .mode = 0220,
		  .fops = &marker_raw_fops },
	};
	char name[32];
	u32 i, cpu;

	for (i = 0; i < ARRAY_SIZE(top); i++)
		CHECK(!pseudo_create(tracefs_root, &top[i]));
	for_each_possible_cpu(cpu) {
		struct trace_ring *r = &trace_buffer.rings[cpu];
		const struct pseudo_file files[] = {
			{ .name = "trace", .mode = 0640, .fops = &trace_fops,
			  .truncate = trace_clear, .private = r },
			{ .name = "trace_pipe", .mode = 0440,
			  .fops = &pipe_fops, .private = r },
			{ .name = "trace_pipe_raw", .mode = 0440,
			  .fops = &raw_fops, .private = r },
		};
		struct pseudo_dir *dir;

		snprintf(name, sizeof(name), "per_cpu/cpu%u", cpu);
		dir = pseudo_mkpath(tracefs_root, name);
		CHECK(!IS_ERR(dir));
		for (i = 0; i < ARRAY_SIZE(files); i++)
			CHECK(!pseudo_create(dir, &files[i]));
	}
}
