/* SPDX-License-Identifier: MIT */
/*
 * read(2): the current values in the layout that read_format asks for.
 *
 * Entry point: perf_read.  Task context; ctx mutex, and child_mutex when the
 * event is inherited.  The values are gathered in kernel memory and copied out
 * after the locks are gone.
 */
#include "door.h"

#include <kernel/file.h>
#include <kernel/page.h>
#include <kernel/uio.h>
#include <lib/err.h>

/* Groups up to this size need no allocation. */
#define SMALL_GROUP 8

/* Ids and lost records go between the counts. */
static void put_members(struct perf_event *leader, u64 *at, u64 format)
{
	bool id = format & PERF_FORMAT_ID, lost = format & PERF_FORMAT_LOST;
	struct perf_event *e = leader;

	do {
		at++;
		if (id)
			*at++ = e->id;
		if (lost)
			*at++ = load_relaxed(&e->lost);
		e = e == leader ? list_first_entry(&leader->siblings,
						   struct perf_event,
						   group_link) :
				  list_next_entry(e, group_link);
	} while (!list_entry_is_head(e, &leader->siblings, group_link));
}

/* The family: what is alive, and what has exited. */
static void sum_group(struct perf_event *leader, struct perf_group_reading *g)
{
	u64 enabled, running;
	struct perf_event *child;

	if (!leader->attr.inherit) {
		perf_event_read_group(leader, g);
		return;
	}
	mutex_lock(&leader->child_mutex);
	perf_event_read_group(leader, g);
	enabled = g->enabled + load_relaxed(&leader->child_enabled);
	running = g->running + load_relaxed(&leader->child_running);
	g->add = true;
	list_for_each_entry(child, &leader->children, child_link) {
		perf_event_read_group(child, g);
		enabled += g->enabled;
		running += g->running;
	}
	mutex_unlock(&leader->child_mutex);
	g->enabled = enabled;
	g->running = running;
}

/* out has room for the whole group.  Returns the words that it takes. */
static u32 format_group(u64 *out, struct perf_event *leader, u64 format)
{
	struct perf_group_reading g = {
		.nr = 1 + leader->nr_siblings,
		.stride = 1 + !!(format & PERF_FORMAT_ID) +
			  !!(format & PERF_FORMAT_LOST),
	};
	u32 head = 1 + !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		   !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);

	g.count = out + head;
	sum_group(leader, &g);
	*out++ = g.nr;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		*out++ = g.enabled;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		*out++ = g.running;
	if (g.stride > 1)
		put_members(leader, g.count, format);
	return head + g.nr * g.stride;
}

static ssize_t put(struct uio *to, const void *buf, u32 size)
{
	return uio_put(to, buf, size) == size ? (ssize_t)size : -EFAULT;
}

static ssize_t read_group(struct perf_event *e, struct uio *to)
{
	u64 small[3 + 3 * SMALL_GROUP], *out = small;
	struct perf_event *leader = e->leader;
	void *heap = NULL;
	ssize_t ret;
	u32 size;

	if (1 + leader->nr_siblings > SMALL_GROUP) {
		heap = kmalloc(e->read_size, GFP_KERNEL);
		if (!heap) {
			mutex_unlock(&e->ctx->mutex);
			return -ENOMEM;
		}
		out = heap;
	}
	size = format_group(out, leader, e->attr.read_format) *
	       (u32)sizeof(u64);
	mutex_unlock(&e->ctx->mutex);
	ret = put(to, out, size);
	kfree(heap);
	return ret;
}

static ssize_t read_one(struct perf_event *e, struct uio *to)
{
	u64 format = e->attr.read_format, out[5], enabled, running;
	u32 n = 0;

	out[n++] = perf_event_read_total(e, &enabled, &running);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		out[n++] = enabled;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		out[n++] = running;
	if (format & PERF_FORMAT_ID)
		out[n++] = e->id;
	if (format & PERF_FORMAT_LOST)
		out[n++] = load_relaxed(&e->lost);
	mutex_unlock(&e->ctx->mutex);
	return put(to, out, n * (u32)sizeof(u64));
}

static ssize_t read_segment(struct perf_event *e, struct uio *to, u64 room)
{

	mutex_lock(&e->ctx->mutex);
	/* A pinned event that did not fit reads as end of file. */
	if (e->state == PERF_ERROR) {
		mutex_unlock(&e->ctx->mutex);
		return 0;
	}
	if (room < e->read_size) {
		mutex_unlock(&e->ctx->mutex);
		return -ENOSPC;
	}
	if (e->attr.read_format & PERF_FORMAT_GROUP)
		return read_group(e, to);
	return read_one(e, to);
}

/* Each segment of a readv is a read of its own, until one is not filled. */
ssize_t perf_read(struct file *file, struct uio *to, u64 *pos)
{
	struct perf_event *e = file->private;
	ssize_t done = 0, got;
	u64 room;

	do {
		room = to->nr > 1 ? to->iov->len - to->skip : to->left;
		got = read_segment(e, to, room);
		if (got < 0)
			return done ? done : got;
		done += got;
	} while (got && (u64)got == room && to->left);
	return done;
}
