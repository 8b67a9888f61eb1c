/* SPDX-License-Identifier: MIT */
/*
 * The files that read a trace buffer: trace (a look), trace_pipe (text, taken
 * out), per_cpu/cpuN/trace_pipe_raw (pages, taken out).
 *
 * An open file's state is its own, guarded by a mutex of rank SEQ; the buffer
 * has no lock (buffer.h).  trace_mutex is held while entries are made text, so
 * that no event goes meanwhile.
 */
#include "tracefs.h"

#include <kernel/cpu.h>
#include <kernel/fs_pseudo.h>
#include <kernel/fs_splice.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <lib/printf.h>
#include <lib/string.h>
#include <linux/fcntl.h>
#include <linux/poll.h>

/* The next entries of each CPU, in the order of their times. */
struct walk {
	struct trace_instance *in;	/* [I] */
	bool take;			/* [I] out of the buffer, or copies */
	bool told;			/* [I] say where a CPU begins, if */
	bool any;			/* it is not the first that has any */
	s32 only;			/* [I] one CPU, or TRACE_ALL_CPUS */
	struct trace_graph_state *graph;/* between lines; made by print */
	struct {
		struct trace_page *page;
		struct trace_cursor at;
		const void *record;	/* not given out yet */
		u64 next;		/* page to copy */
		bool lost, started;	/* to be told; was told */
		u64 nr_lost;
	} cpus[CONFIG_NR_CPUS];
};

struct reader {
	struct mutex lock;
	struct trace_instance *in;	/* [I] held */
	s32 cpu;			/* [I] */
	struct walk *walk;		/* [lock] text only */
	struct seq text;		/* [lock] printed, and */
	size_t shown;			/* [lock] given out of it */
	struct trace_page *page;	/* [lock] raw only: taken out */
	size_t left;			/* [lock] of it not given out yet */
	bool began;			/* [lock] something was read */
	u32 wakes;			/* [a] ioctls that wake its waiters */
};

/* --- text ---------------------------------------------------------------- */

static void walk_end(struct walk *w)
{
	u32 cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		trace_page_free(w->cpus[cpu].page);
	kfree(w->graph);
	kfree(w);
}

static u64 overruns(const struct trace_instance *in, s32 only)
{
	u64 lost = 0;
	u32 cpu;

	for_each_possible_cpu(cpu)
		if (only == TRACE_ALL_CPUS || (u32)only == cpu)
			lost += READ_ONCE(in->buffer.rings[cpu].overrun);
	return lost;
}

static struct walk *walk_begin(struct trace_instance *in, s32 only, bool take)
{
	struct walk *w = kzalloc(sizeof(*w), GFP_KERNEL);

	if (w) {
		w->in = in;
		w->only = only;
		w->take = take;
		w->told = !take && overruns(in, only);
	}
	return w;
}

/* cpu's next entry, if it has one. */
static void walk_fill(struct walk *w, u32 cpu)
{
	struct trace_buffer *b = &w->in->buffer;

	while (!w->cpus[cpu].record) {
		struct trace_cursor *c = &w->cpus[cpu].at;
		struct trace_page **page = &w->cpus[cpu].page;
		bool lost;

		if (c->page) {
			w->cpus[cpu].record = trace_cursor_next(c);
			if (w->cpus[cpu].record)
				return;
			c->page = NULL;
		}
		if (!*page)
			*page = trace_page_alloc();
		if (!*page ||
		    !(w->take ? trace_buffer_take(b, cpu, false, page) :
				trace_buffer_copy(b, cpu, &w->cpus[cpu].next,
						  *page)))
			return;
		*c = (struct trace_cursor){ .page = *page };
		w->cpus[cpu].nr_lost = trace_page_lost(*page, &lost);
		w->cpus[cpu].lost = lost;
	}
}

static void tell(struct walk *w, struct seq *s, u32 cpu)
{
	if (w->cpus[cpu].lost && w->cpus[cpu].nr_lost)
		seq_printf(s, "CPU:%u [LOST %llu EVENTS]\n", cpu,
			   (unsigned long long)w->cpus[cpu].nr_lost);
	else if (w->cpus[cpu].lost)
		seq_printf(s, "CPU:%u [LOST EVENTS]\n", cpu);
	w->cpus[cpu].lost = false;
	if (w->told && w->any && !w->cpus[cpu].started &&
	    trace_option_on(w->in, TRACE_OPT_ANNOTATE))
		seq_printf(s, "##### CPU %u buffer started ####\n", cpu);
	w->cpus[cpu].started = w->any = true;
}

/* [trace_mutex] The entry of cpu as its tracer has it. */
static void print_entry(struct walk *w, struct seq *s, u32 cpu)
{
	const struct trace_tracer *tracer = trace_tracer_of(w->in);
	struct trace_cursor *at = &w->cpus[cpu].at, behind = *at;
	const void *record = w->cpus[cpu].record, *next;

	if (!tracer->print) {
		trace_print_entry(s, w->in, cpu, at->time, record, at->size);
		return;
	}
	if (!w->graph)
		w->graph = trace_graph_state_new();
	next = trace_cursor_next(&behind);
	if (tracer->print(s, w->in, w->graph, cpu, at->time, record, at->size,
			  next))
		*at = behind;
}

/* Print the oldest entry; false: there is none. */
static bool walk_print(struct walk *w, struct seq *s)
{
	s32 best = -1;
	u32 cpu;

	for_each_possible_cpu(cpu) {
		if (w->only != TRACE_ALL_CPUS && (u32)w->only != cpu)
			continue;
		walk_fill(w, cpu);
		if (w->cpus[cpu].record &&
		    (best < 0 ||
		     w->cpus[cpu].at.time < w->cpus[best].at.time))
			best = (s32)cpu;
	}
	if (best < 0)
		return false;
	tell(w, s, (u32)best);
	mutex_lock(&trace_mutex);
	print_entry(w, s, (u32)best);
	mutex_unlock(&trace_mutex);
	w->cpus[best].record = NULL;
	return true;
}

/* --- opening ------------------------------------------------------------- */

/* The CPU of a file below per_cpu, from its private word. */
static s32 cpu_of(const struct trace_instance *in, const void *private)
{
	return private == in ? TRACE_ALL_CPUS :
			       (s32)((const struct trace_ring *)private -
				     in->buffer.rings);
}

enum what { TEXT_LOOK, TEXT_TAKE, PAGES };

static int open_reader(struct inode *inode, struct file *file, enum what what)
{
	void *private = pseudo_private(inode);
	struct reader *r = kzalloc(sizeof(*r), GFP_KERNEL);
	int err = r ? trace_instance_hold(private) : -ENOMEM;

	if (err) {
		kfree(r);
		return err;
	}
	mutex_init(&r->lock, LOCK_RANK_SEQ);
	mutex_lock(&trace_mutex);
	r->in = trace_instance_of(private);
	mutex_unlock(&trace_mutex);
	r->cpu = cpu_of(r->in, private);
	if (what == PAGES)
		r->page = trace_page_alloc();
	else
		r->walk = walk_begin(r->in, r->cpu, what == TEXT_TAKE);
	if (!r->walk && !r->page) {
		trace_instance_drop(private);
		kfree(r);
		return -ENOMEM;
	}
	file->private = r;
	if (what != TEXT_LOOK)
		file->mode &= ~(FMODE_PREAD | FMODE_PWRITE);
	return 0;
}

static int pipe_open(struct inode *inode, struct file *file)
{
	return open_reader(inode, file, TEXT_TAKE);
}

static int raw_open(struct inode *inode, struct file *file)
{
	return open_reader(inode, file, PAGES);
}

static void put_header(struct reader *r)
{
	u64 entries = 0, written = 0;
	u32 cpu;

	for_each_possible_cpu(cpu) {
		const struct trace_ring *ring = &r->in->buffer.rings[cpu];

		if (r->cpu != TRACE_ALL_CPUS && (u32)r->cpu != cpu)
			continue;
		entries += READ_ONCE(ring->entries);
		written += READ_ONCE(ring->entries) + READ_ONCE(ring->overrun);
	}
	trace_print_header(&r->text, r->in, entries, written);
}

/* A look that takes nothing out; it begins with the header. */
static int trace_open(struct inode *inode, struct file *file)
{
	int err = open_reader(inode, file, TEXT_LOOK);

	if (!err)
		put_header(file->private);
	return err;
}

static void trace_clear(void *private)
{
	struct trace_instance *in;
	u32 cpu;

	mutex_lock(&trace_mutex);
	in = trace_instance_of(private);
	for_each_possible_cpu(cpu)
		if (in && (cpu_of(in, private) == TRACE_ALL_CPUS ||
			   cpu_of(in, private) == (s32)cpu))
			trace_buffer_clear(&in->buffer, cpu);
	mutex_unlock(&trace_mutex);
}

static void reader_release(struct file *file)
{
	struct reader *r = file->private;

	if (r->walk)
		walk_end(r->walk);
	trace_page_free(r->page);
	trace_instance_drop(r->in);
	kfree(r->text.buf);
	kfree(r);
}

/* --- reading text -------------------------------------------------------- */

/*
 * Nothing is there: wait, unless the file or the state of tracing says no.
 * 1: look again; 0: the end; or a negative errno.
 */
static int wait_more(struct file *file, struct reader *r)
{
	int err;

	if (file->flags & O_NONBLOCK)
		return -EAGAIN;
	if (r->walk && !READ_ONCE(r->in->buffer.on) && r->began)
		return 0;
	mutex_unlock(&r->lock);
	err = trace_buffer_wait(&r->in->buffer, r->cpu, 0);
	mutex_lock(&r->lock);
	return err ? err : 1;
}

static ssize_t text_read(struct file *file, struct uio *to, u64 *pos)
{
	struct reader *r = file->private;
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
	ret = n || !to->left ? (ssize_t)n : -EFAULT;
unlock:
	mutex_unlock(&r->lock);
	return ret;
}

static ssize_t trace_write(struct file *file, struct uio *from, u64 *pos)
{
	return (ssize_t)from->left;
}

/* --- reading pages ------------------------------------------------------- */

static ssize_t raw_read(struct file *file, struct uio *to, u64 *pos)
{
	struct reader *r = file->private;
	ssize_t ret = 0;
	size_t n;

	mutex_lock(&r->lock);
	while (!r->left) {
		if (trace_buffer_take(&r->in->buffer, (u32)r->cpu, false,
				      &r->page)) {
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
	ret = n || !to->left ? (ssize_t)n : -EFAULT;
unlock:
	mutex_unlock(&r->lock);
	return ret;
}

/* [lock] Full pages into the pipe while it has room; bytes, or -errno. */
static ssize_t give_pages(struct reader *r, struct file *pipe, size_t n)
{
	ssize_t done = 0;
	struct trace_page *fresh;

	for (; n >= PAGE_SIZE && pipe_has_room(pipe); n -= PAGE_SIZE) {
		fresh = trace_page_alloc();
		if (!fresh)
			return done ? done : -ENOMEM;
		if (!trace_buffer_take(&r->in->buffer, (u32)r->cpu, true,
				       &fresh)) {
			trace_page_free(fresh);
			break;
		}
		/* Somebody may have filled the pipe or left it. */
		if (!pipe_give_page(pipe, virt_to_page(fresh), PAGE_SIZE)) {
			trace_page_free(fresh);
			return done ? done : -EPIPE;
		}
		done += PAGE_SIZE;
	}
	return done;
}

/*
 * By whole pages, and only those that are full; waits until buffer_percent of
 * the ring is.
 */
static ssize_t raw_splice(struct file *file, u64 *pos, struct file *pipe,
			  size_t n, u32 flags)
{
	struct reader *r = file->private;
	struct trace_buffer *b = &r->in->buffer;
	ssize_t ret;
	u32 wakes;

	if (n < PAGE_SIZE)
		return -EINVAL;
	for (;;) {
		mutex_lock(&r->lock);
		ret = give_pages(r, pipe, n);
		mutex_unlock(&r->lock);
		if (ret)
			return ret;
		if ((file->flags & O_NONBLOCK) || (flags & SPLICE_F_NONBLOCK))
			return -EAGAIN;
		wakes = load_acquire(&r->wakes);
		ret = trace_buffer_wait(b, r->cpu,
					max(READ_ONCE(r->in->percent), 1u));
		if (ret || !READ_ONCE(b->on) ||
		    load_acquire(&r->wakes) != wakes)
			return ret;
	}
}

/* Command 0: whoever waits for this file's pages goes home. */
static long raw_ioctl(struct file *file, u32 cmd, u64 arg)
{
	struct reader *r = file->private;

	if (cmd)
		return -ENOTTY;
	fetch_add_relaxed(&r->wakes, 1);
	trace_buffer_wake(&r->in->buffer);
	return 0;
}

static u32 reader_poll(struct file *file, struct poll_table *pt)
{
	struct reader *r = file->private;
	u32 percent = r->cpu == TRACE_ALL_CPUS ? 0 : READ_ONCE(r->in->percent);

	poll_wait(pt, &r->in->buffer.readers);
	return trace_buffer_ready(&r->in->buffer, r->cpu, percent) ?
		       POLLIN | POLLRDNORM : 0;
}

/* --- the files ----------------------------------------------------------- */

static const struct file_ops trace_fops = {
	.open = trace_open,
	.release = reader_release,
	.read = text_read,
	.write = trace_write,
	.llseek = no_llseek,
};
static const struct file_ops pipe_fops = {
	.open = pipe_open,
	.release = reader_release,
	.read = text_read,
	.poll = reader_poll,
	.llseek = no_llseek,
};
static const struct file_ops raw_fops = {
	.open = raw_open,
	.release = reader_release,
	.read = raw_read,
	.splice_read = raw_splice,
	.poll = reader_poll,
	.ioctl = raw_ioctl,
	.llseek = no_llseek,
};

static const struct pseudo_file files[] = {
	{ .name = "trace", .mode = 0640, .fops = &trace_fops,
	  .truncate = trace_clear },
	{ .name = "trace_pipe", .mode = 0440, .fops = &pipe_fops },
	/* below per_cpu only */
	{ .name = "trace_pipe_raw", .mode = 0440, .fops = &raw_fops },
};

int trace_pipe_add(struct trace_instance *in)
{
	int err = pseudo_create_all(in->dir, files, ARRAY_SIZE(files) - 1, in);
	struct pseudo_dir *dir;
	char name[32];
	u32 cpu;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "per_cpu/cpu%u", cpu);
		dir = pseudo_mkpath(in->dir, name);
		if (!err)
			err = pseudo_create_all(dir, files, ARRAY_SIZE(files),
						&in->buffer.rings[cpu]);
	}
	return err;
}
