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

struct group_sum {
	struct perf_reading *sum;	/* leader first */
	struct perf_reading *one;	/* room for one group */
	u32 nr;
};

static void add_group(struct perf_event *leader, struct group_sum *g)
{
	u32 i, n = perf_event_read(leader, g->one, g->nr);

	for (i = 0; i < n; i++) {
		g->sum[i].count += g->one[i].count;
		g->sum[i].enabled += g->one[i].enabled;
		g->sum[i].running += g->one[i].running;
	}
}

static void sum_group(struct perf_event *leader, struct group_sum *g)
{
	struct perf_event *child;
	u32 i;

	g->nr = perf_event_read(leader, g->sum, g->nr);
	for (i = 0; i < g->nr; i++)
		g->sum[i].count += load_relaxed(&g->sum[i].event->child_count);
	if (!leader->attr.inherit)
		return;
	mutex_lock(&leader->child_mutex);
	g->sum[0].enabled += load_relaxed(&leader->child_enabled);
	g->sum[0].running += load_relaxed(&leader->child_running);
	list_for_each_entry(child, &leader->children, child_link)
		add_group(child, g);
	mutex_unlock(&leader->child_mutex);
}

static u32 format_group(u64 *out, const struct group_sum *g, u64 format)
{
	u32 i, n = 0;

	out[n++] = g->nr;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		out[n++] = g->sum[0].enabled;
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		out[n++] = g->sum[0].running;
	for (i = 0; i < g->nr; i++) {
		out[n++] = g->sum[i].count;
		if (format & PERF_FORMAT_ID)
			out[n++] = g->sum[i].event->id;
		if (format & PERF_FORMAT_LOST)
			out[n++] = load_relaxed(&g->sum[i].event->lost);
	}
	return n * (u32)sizeof(u64);
}

static ssize_t put(struct uio *to, const void *buf, u32 size)
{
	return uio_put(to, buf, size) == size ? (ssize_t)size : -EFAULT;
}

static ssize_t read_group(struct perf_event *e, struct uio *to)
{
	struct perf_reading small[2 * SMALL_GROUP], *room = small;
	u64 small_out[3 + 3 * SMALL_GROUP], *out = small_out;
	struct perf_event *leader = e->leader;
	u32 nr = 1 + leader->nr_siblings, size;
	struct group_sum g = { .nr = nr };
	void *heap = NULL;
	ssize_t ret;

	if (nr > SMALL_GROUP) {
		heap = kzalloc(nr * 2 * sizeof(*room) + e->read_size,
			       GFP_KERNEL);
		if (!heap) {
			mutex_unlock(&e->ctx->mutex);
			return -ENOMEM;
		}
		room = heap;
		out = (u64 *)(room + 2 * nr);
	}
	g.sum = room;
	g.one = room + nr;
	/* A group of one is read as an event by itself. */
	g.sum[0].event = leader;
	sum_group(leader, &g);
	size = format_group(out, &g, e->attr.read_format);
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
