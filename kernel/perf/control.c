/* SPDX-License-Identifier: MIT */
/*
 * ioctl(2) on a perf descriptor, and redirection of output.
 *
 * Entry points: perf_ioctl, perf_set_output (also open with FD_OUTPUT).  Task
 * context; the ctx mutex is held throughout, mmap_mutex inside it.
 */
#include "door.h"
#include "ring.h"

#include <kernel/file.h>
#include <kernel/page.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/string.h>

/* Most programs whose ids QUERY_BPF tells at once. */
#define QUERY_BPF_MAX 64

/* --- one event or its group -------------------------------------------- */

static void for_group(struct perf_event *e, void (*fn)(struct perf_event *))
{
	struct perf_event *leader = e->leader, *s;

	perf_event_for_each_child(leader, fn);
	perf_for_each_sibling(s, leader)
		perf_event_for_each_child(s, fn);
}

static void apply(struct perf_event *e, u64 flags,
		  void (*fn)(struct perf_event *))
{
	if (flags & PERF_IOC_FLAG_GROUP)
		for_group(e, fn);
	else
		perf_event_for_each_child(e, fn);
}

static long refresh(struct perf_event *e, u64 times)
{
	if (e->attr.inherit || !e->c.sampling)
		return -EINVAL;
	fetch_add_relaxed(&e->limit, (s32)times);
	perf_event_enable(e);
	return 0;
}

static long set_period(struct perf_event *e, u64 arg)
{
	u64 value;

	if (copy_from_user(&value, user_ptr(arg), sizeof(value)))
		return -EFAULT;
	if (!e->c.sampling || !value)
		return -EINVAL;
	if (e->attr.freq ? value > perf_max_rate : value >> 63)
		return -EINVAL;
	perf_event_period(e, value);
	return 0;
}

/* --- output ------------------------------------------------------------ */

static bool may_share(const struct perf_event *e, const struct perf_event *to)
{
	if (e == to || e->c.cpu != to->c.cpu)
		return false;
	/* A ring without a CPU of its own has one task as its writer. */
	if (to->c.cpu == -1 && e->c.task != to->c.task)
		return false;
	return perf_same_clock(e, to) &&
	       e->attr.write_backward == to->attr.write_backward;
}

/* Send e's records to to's ring; to NULL: to none.  0 or -EINVAL. */
int perf_set_output(struct perf_event *e, struct perf_event *to)
{
	struct perf_ring *ring = NULL;
	int err = -EINVAL;

	if (to && !may_share(e, to))
		return -EINVAL;
	if (to)
		mutex_lock_two(&e->mmap_mutex, &to->mmap_mutex);
	else
		mutex_lock(&e->mmap_mutex);
	/* Its own mapping would show a ring that nobody writes. */
	if (e->mmap_count)
		goto unlock;
	if (to) {
		ring = perf_ring_of(to);
		if (!ring)
			goto unlock;
		if (!load_relaxed(&ring->mmap_count)) {
			perf_ring_put(ring);
			goto unlock;
		}
	}
	perf_ring_attach(e, ring);
	err = 0;
unlock:
	if (to)
		mutex_unlock_two(&e->mmap_mutex, &to->mmap_mutex);
	else
		mutex_unlock(&e->mmap_mutex);
	return err;
}

static long ioc_set_output(struct perf_event *e, u64 arg)
{
	struct perf_event *to;
	struct fdref f;
	long err;

	if (arg == ~0ull)
		return perf_set_output(e, NULL);
	f = fdget((int)arg);
	to = perf_event_of_file(f.file);
	err = to ? perf_set_output(e, to) : -EBADF;
	if (f.file)
		fdput(f);
	return err;
}

static long pause_output(struct perf_event *e, u64 pause)
{
	struct perf_ring *ring = perf_ring_of(e);
	long err = -EINVAL;

	if (ring && ring->nr_pages) {
		store_release(&ring->core.paused, pause != 0);
		err = 0;
	}
	if (ring)
		perf_ring_put(ring);
	return err;
}

/* --- what concerns other kinds of events ------------------------------- */

static long set_filter(struct perf_event *e, u64 arg)
{
	char *text;
	long err;

	text = strdup_from_user(user_ptr(arg), PAGE_SIZE, -EINVAL);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = e->c.pmu->ops.set_filter(&e->c, text);
	kfree(text);
	return err;
}

/* There are no programs yet: any descriptor is the wrong one. */
static long set_bpf(u64 arg)
{
	struct fdref f = fdget((int)arg);

	if (!f.file)
		return -EBADF;
	fdput(f);
	return -EINVAL;
}

/* A tracepoint says how many it runs, and clears the room for their ids. */
static long query_bpf(const struct perf_event *e, u64 arg)
{
	struct perf_event_query_bpf query;
	u32 ids[QUERY_BPF_MAX] = { 0 };
	int err;

	if (!perf_capable())
		return -EPERM;
	if (e->attr.type != PERF_TYPE_TRACEPOINT)
		return -EINVAL;
	err = copy_from_user(&query, user_ptr(arg), sizeof(query));
	if (err)
		return err;
	if (query.ids_len > QUERY_BPF_MAX)
		return -E2BIG;
	query.prog_cnt = 0;
	err = copy_to_user(user_ptr(arg), &query, sizeof(query));
	if (!err)
		err = copy_to_user(user_ptr(arg + sizeof(query)), ids,
				   query.ids_len * sizeof(ids[0]));
	return err;
}

/* Off while it changes; afterwards as its new attributes say. */
static int modify_one(struct perf_event *e, const struct perf_event_attr *attr)
{
	int err;

	e->attr.sig_data = attr->sig_data;
	perf_event_disable(e);
	err = e->c.pmu->ops.modify(&e->c, attr);
	if (!e->attr.disabled)
		perf_event_enable(e);
	return err;
}

static long modify_attributes(struct perf_event *e, u64 arg)
{
	struct perf_event_attr attr;
	struct perf_event *child;
	int err = perf_attr_copy(&attr, user_ptr(arg));

	if (err)
		return err;
	if (attr.type != e->attr.type)
		return -EINVAL;
	if (attr.type != PERF_TYPE_BREAKPOINT)
		return -EOPNOTSUPP;
	mutex_lock(&e->child_mutex);
	err = modify_one(e, &attr);
	if (err)
		goto unlock;
	list_for_each_entry(child, &e->children, child_link) {
		err = modify_one(child, &attr);
		if (err)
			break;
	}
unlock:
	mutex_unlock(&e->child_mutex);
	return err;
}

static long ioctl_locked(struct perf_event *e, u32 cmd, u64 arg)
{
	switch (cmd) {
	case PERF_EVENT_IOC_ENABLE:
		apply(e, arg, perf_event_enable);
		return 0;
	case PERF_EVENT_IOC_DISABLE:
		apply(e, arg, perf_event_disable);
		return 0;
	case PERF_EVENT_IOC_RESET:
		apply(e, arg, perf_event_reset);
		return 0;
	case PERF_EVENT_IOC_REFRESH:
		return refresh(e, arg);
	case PERF_EVENT_IOC_PERIOD:
		return set_period(e, arg);
	case PERF_EVENT_IOC_ID:
		return copy_to_user(user_ptr(arg), &e->id, sizeof(e->id));
	case PERF_EVENT_IOC_SET_OUTPUT:
		return ioc_set_output(e, arg);
	case PERF_EVENT_IOC_SET_FILTER:
		return set_filter(e, arg);
	case PERF_EVENT_IOC_SET_BPF:
		return set_bpf(arg);
	case PERF_EVENT_IOC_PAUSE_OUTPUT:
		return pause_output(e, arg);
	case PERF_EVENT_IOC_QUERY_BPF:
		return query_bpf(e, arg);
	case PERF_EVENT_IOC_MODIFY_ATTRIBUTES:
		return modify_attributes(e, arg);
	default:
		return -ENOTTY;
	}
}

long perf_ioctl(struct file *file, u32 cmd, u64 arg)
{
	struct perf_event *e = file->private;
	long err;

	mutex_lock(&e->ctx->mutex);
	err = ioctl_locked(e, cmd, arg);
	mutex_unlock(&e->ctx->mutex);
	return err;
}
