/* SPDX-License-Identifier: MIT */
/*
 * The descriptor: release, poll, signals, and the table of its operations.
 *
 * The file owns one reference on its event; the event lives on in mappings
 * (which hold the file) and in inherited copies.
 */
#include "door.h"
#include "ring.h"

#include <kernel/file.h>
#include <lib/err.h>

struct perf_event *perf_event_of_file(const struct file *file)
{
	return file && file->ops == &perf_file_ops ? file->private : NULL;
}

static void perf_release(struct file *file)
{
	if (file->private)
		perf_event_release(file->private);
}

/* The target is gone and no copy lives: nothing will ever come. */
static bool has_ended(struct perf_event *e)
{
	bool ended;

	if (READ_ONCE(e->state) != PERF_EXIT)
		return false;
	mutex_lock(&e->child_mutex);
	ended = list_empty(&e->children);
	mutex_unlock(&e->child_mutex);
	return ended;
}

/* Each wakeup is reported once, whether or not the data is read. */
static u32 perf_poll(struct file *file, struct poll_table *pt)
{
	struct perf_event *e = file->private;
	u32 events = POLLHUP;

	poll_wait(pt, &e->waitq);
	if (has_ended(e))
		return events;
	mutex_lock(&e->mmap_mutex);
	if (e->ring)
		events = xchg_acq_rel(&e->ring->core.poll, 0);
	mutex_unlock(&e->mmap_mutex);
	return events;
}

static int perf_fasync(struct file *file, bool on)
{
	struct perf_event *e = file->private;

	return fasync_update(file, &e->fasync, on);
}

const struct file_ops perf_file_ops = {
	.release = perf_release,
	.read = perf_read,
	.poll = perf_poll,
	.ioctl = perf_ioctl,
	.mmap = perf_mmap_file,
	.fasync = perf_fasync,
	.llseek = no_llseek,
};
