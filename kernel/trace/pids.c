/* SPDX-License-Identifier: MIT */
/*
 * set_event_pid, set_event_notrace_pid: whose events an instance wants; and
 * set_ftrace_pid, set_ftrace_notrace_pid: whose functions are traced.
 *
 * A set is a bitmap in chunks of a page.  It is read, and with event-fork also
 * changed, where events happen, so it is replaced as a whole and freed after a
 * grace period; only chunks that can be needed are there from the start: those
 * of numbers up to pid_max.  Everything else is under trace_mutex.
 */
#include "tracefs.h"

#include <kernel/fs_pseudo.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/pid.h>
#include <kernel/reclaim.h>
#include <kernel/task.h>
#include <lib/atomic.h>
#include <lib/bitmap.h>
#include <lib/ctype.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/string.h>

#define CHUNK_BITS (PAGE_SIZE * 8)
#define CHUNKS	   (PID_MAX_LIMIT / CHUNK_BITS + 1)

struct trace_pids {
	unsigned long *chunks[CHUNKS];	/* [a] bits in them */
};

static void pids_free(struct trace_pids *p)
{
	u32 i;

	for (i = 0; p && i < CHUNKS; i++)
		kfree(p->chunks[i]);
	kfree(p);
}

static bool has(const struct trace_pids *p, s32 pid)
{
	const unsigned long *chunk;

	if (!p || (u32)pid >= CHUNKS * CHUNK_BITS)
		return false;
	chunk = p->chunks[(u32)pid / CHUNK_BITS];
	return chunk && bitmap_test(chunk, (u32)pid % CHUNK_BITS);
}

static int chunk_make(struct trace_pids *p, u32 i)
{
	if (!p->chunks[i])
		p->chunks[i] = kzalloc(PAGE_SIZE, GFP_KERNEL);
	return p->chunks[i] ? 0 : -ENOMEM;
}

/* A copy of old (NULL: nothing) with room for whoever may be born. */
static struct trace_pids *pids_copy(const struct trace_pids *old)
{
	struct trace_pids *p = kzalloc(sizeof(*p), GFP_KERNEL);
	u32 i, need = (u32)READ_ONCE(pid_max) / CHUNK_BITS;

	for (i = 0; p && i < CHUNKS; i++) {
		if (i > need && !(old && old->chunks[i]))
			continue;
		if (chunk_make(p, i)) {
			pids_free(p);
			return NULL;
		}
		if (old && old->chunks[i])
			memcpy(p->chunks[i], old->chunks[i], PAGE_SIZE);
	}
	return p;
}

static bool is_empty(const struct trace_pids *p)
{
	u32 i;

	for (i = 0; i < CHUNKS; i++)
		if (p->chunks[i] && bitmap_find_first(p->chunks[i],
						      CHUNK_BITS) < CHUNK_BITS)
			return false;
	return true;
}

/* --- where events happen ------------------------------------------------- */

static bool is_wanted(const struct trace_pid_sets *sets, s32 pid)
{
	const struct trace_pids *yes = load_acquire(&sets->pids);
	const struct trace_pids *no = load_acquire(&sets->no_pids);

	return (!yes || has(yes, pid)) && !has(no, pid);
}

bool trace_pids_want_current(const struct trace_pid_sets *sets)
{
	return is_wanted(sets, task_tid(current));
}

/* A switch concerns both tasks, a wakeup the one that is woken, too. */
bool trace_pids_want(const struct trace_file *f, const void *record)
{
	const struct trace_pid_sets *sets = &f->instance->event_pids;
	s32 other;

	if (is_wanted(sets, task_tid(current)))
		return true;
	if (!f->is_switch && !f->is_wakeup)
		return false;
	memcpy(&other, (const char *)record + f->pid_at, sizeof(other));
	return is_wanted(sets, other);
}

/* Following: the children of those who are in a set come in, too. */
static void follow(struct trace_pids *p, s32 parent, s32 child)
{
	unsigned long *chunk;

	if (!has(p, parent) || (u32)child >= CHUNKS * CHUNK_BITS)
		return;
	chunk = p->chunks[(u32)child / CHUNK_BITS];
	if (chunk)
		bitmap_set_atomic(chunk, (u32)child % CHUNK_BITS);
}

static void forget(struct trace_pids *p, s32 pid)
{
	if (has(p, pid))
		bitmap_clear_atomic(p->chunks[(u32)pid / CHUNK_BITS],
				    (u32)pid % CHUNK_BITS);
}

/* Where sched_process_fork and _free have the numbers. */
#define FORK_PARENT 24
#define FORK_CHILD  44
#define FREE_PID    24

static void forked(struct trace_sink *sink, struct trace_event *ev,
		   const void *record, u32 size, struct pt_regs *regs)
{
	struct trace_pid_sets *sets =
		container_of(sink, struct trace_pid_sets, fork_sink);
	s32 parent, child;

	memcpy(&parent, (const char *)record + FORK_PARENT, sizeof(parent));
	memcpy(&child, (const char *)record + FORK_CHILD, sizeof(child));
	follow(load_acquire(&sets->pids), parent, child);
	follow(load_acquire(&sets->no_pids), parent, child);
}

static void freed(struct trace_sink *sink, struct trace_event *ev,
		  const void *record, u32 size, struct pt_regs *regs)
{
	struct trace_pid_sets *sets =
		container_of(sink, struct trace_pid_sets, free_sink);
	s32 pid;

	memcpy(&pid, (const char *)record + FREE_PID, sizeof(pid));
	forget(load_acquire(&sets->pids), pid);
	forget(load_acquire(&sets->no_pids), pid);
}

int trace_pids_follow(struct trace_instance *in, struct trace_pid_sets *sets,
		      bool on)
{
	static const char *const names[] = { "sched_process_fork",
					     "sched_process_free" };
	struct trace_sink *const sinks[] = { &sets->fork_sink,
					     &sets->free_sink };
	struct trace_file *f;
	u32 i;
	int err = 0;

	sets->fork_sink.fn = forked;
	sets->free_sink.fn = freed;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		f = trace_file_find(in, "sched", names[i]);
		CHECK(f);
		if (on && !err && !(sets->following & 1u << i)) {
			err = trace_sink_link(f->ev, sinks[i]);
			sets->following |= err ? 0 : 1u << i;
		} else if (!on && (sets->following & 1u << i)) {
			trace_sink_unlink(f->ev, sinks[i]);
			sets->following &= ~(1u << i);
		}
	}
	return err ? trace_pids_follow(in, sets, false), err : 0;
}

/* --- the files ----------------------------------------------------------- */

/* Which of the two sets a file is about: it is private to where that is. */
static struct trace_pids **set_of(void *private)
{
	return private;
}

/* [trace_mutex] */
static bool is_of_functions(void *private)
{
	const struct trace_instance *in = trace_instance_of(private);

	return private == &in->function_pids.pids ||
	       private == &in->function_pids.no_pids;
}

static int show(struct seq *s, void *private)
{
	const struct trace_pids *p;
	u32 i;

	mutex_lock(&trace_mutex);
	p = *set_of(private);
	if (!p && is_of_functions(private))
		seq_puts(s, "no pid\n");
	for (i = 0; p && i < CHUNKS; i++) {
		size_t bit = 0;

		if (!p->chunks[i])
			continue;
		while ((bit = bitmap_find_next(p->chunks[i], CHUNK_BITS,
					       bit)) < CHUNK_BITS)
			seq_printf(s, "%llu\n", (unsigned long long)
						(i * CHUNK_BITS + bit++));
	}
	mutex_unlock(&trace_mutex);
	return 0;
}

/* [trace_mutex] */
static void replace(struct trace_pids **set, struct trace_pids *fresh)
{
	struct trace_pids *old = *set;

	store_release(set, fresh);
	if (old) {
		reclaim_sync();
		pids_free(old);
	}
}

/* One word into p. */
static int add_word(struct trace_pids *p, const char *word)
{
	u64 v;
	u32 pid;

	if (parse_u64(word, 0, &v))
		return -EINVAL;
	pid = (u32)v;
	if (pid > PID_MAX_LIMIT)
		return -EINVAL;
	if (chunk_make(p, (u32)(pid / CHUNK_BITS)))
		return -ENOMEM;
	bitmap_set(p->chunks[pid / CHUNK_BITS], pid % CHUNK_BITS);
	return 0;
}

static int add_words(struct trace_pids *p, const char *text, size_t len)
{
	size_t at = 0, n;
	char *word;
	int err = 0;

	while (!err) {
		while (at < len && isspace(text[at]))
			at++;
		for (n = 0; at + n < len && !isspace(text[at + n]); n++)
			;
		if (!n)
			break;
		/* A NUL inside ends no number. */
		word = memchr(text + at, '\0', n) ?
			       NULL : trace_text_copy(text + at, n);
		err = word ? add_word(p, word) : -EINVAL;
		kfree(word);
		at += n;
	}
	return err;
}

static ssize_t add(struct trace_pids **set, const char *text, size_t len)
{
	struct trace_pids *p;
	int err;

	mutex_lock(&trace_mutex);
	p = pids_copy(*set);
	err = p ? add_words(p, text, len) : -ENOMEM;
	if (!err && !is_empty(p))
		replace(set, p);
	else
		pids_free(p);
	mutex_unlock(&trace_mutex);
	return err ? err : (ssize_t)len;
}

static ssize_t pids_write(struct file *file, struct uio *from, u64 *pos)
{
	size_t n = from->left < PAGE_SIZE ? from->left : PAGE_SIZE;
	char *text = kmalloc(n + 1, GFP_KERNEL);
	ssize_t ret;

	if (!text)
		return -ENOMEM;
	ret = uio_get(from, text, n) == n ?
		      add(set_of(seq_file_private(file)), text, n) : -EFAULT;
	kfree(text);
	return ret;
}

static void clear(void *private)
{
	mutex_lock(&trace_mutex);
	if (trace_instance_of(private))
		replace(set_of(private), NULL);
	mutex_unlock(&trace_mutex);
}

static int pids_open(struct inode *inode, struct file *file)
{
	return trace_instance_open(file, pseudo_private(inode), show);
}

static const struct file_ops pids_fops = {
	.open = pids_open,
	.release = trace_instance_release,
	.read = seq_read,
	.write = pids_write,
	.llseek = seq_llseek,
};

static int add_two(struct trace_instance *in, struct trace_pid_sets *sets,
		   const char *yes, const char *no)
{
	struct pseudo_file file = {
		.mode = 0640, .fops = &pids_fops, .truncate = clear,
	};
	int err;

	file.name = yes;
	err = pseudo_create_all(in->dir, &file, 1, &sets->pids);
	file.name = no;
	return err ? err : pseudo_create_all(in->dir, &file, 1, &sets->no_pids);
}

int trace_pids_add(struct trace_instance *in)
{
	int err = add_two(in, &in->event_pids, "set_event_pid",
			  "set_event_notrace_pid");

	if (!err && in == trace_top)
		err = add_two(in, &in->function_pids, "set_ftrace_pid",
			      "set_ftrace_notrace_pid");
	return err;
}

/* [trace_mutex] The events are off. */
void trace_pids_remove(struct trace_instance *in)
{
	replace(&in->event_pids.pids, NULL);
	replace(&in->event_pids.no_pids, NULL);
}
