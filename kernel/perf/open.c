/* SPDX-License-Identifier: MIT */
/*
 * perf_event_open(2) in steps: parse, permit, resolve, create, install.
 *
 * One struct open_request carries everything that must be undone; each step
 * either succeeds or leaves an errno, and finish() undoes what was done.  The
 * order of checks is Linux's: clients and fuzzers see the first that fails.
 */
#include "door.h"

#include <kernel/cpu.h>
#include <kernel/file.h>
#include <kernel/pid.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <linux/fcntl.h>

#define FLAGS_ALL (PERF_FLAG_FD_NO_GROUP | PERF_FLAG_FD_OUTPUT | \
		   PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC)

/* Largest record and read; a page table walk's worth of sanity. */
#define MAX_RECORD (16 * 1024)

#define CLOCK_REALTIME_ID	0
#define CLOCK_MONOTONIC_ID	1
#define CLOCK_MONOTONIC_RAW_ID	4
#define CLOCK_BOOTTIME_ID	7
#define CLOCK_TAI_ID		11

struct open_request {
	struct perf_event_attr attr;
	u64 flags;
	s32 pid, cpu, group_fd;

	int fd;				/* reserved, or negative */
	struct fdref group;		/* .file NULL: none */
	struct perf_event *leader;
	struct perf_event *output;
	struct task *task;		/* referenced */
	struct perf_event *event;
	struct perf_ctx *ctx;		/* pinned and referenced */
	struct file *file;
	bool exec_locked;
};

static int parse(struct open_request *rq, void __user *uattr)
{
	int err;

	if (rq->flags & ~FLAGS_ALL)
		return -EINVAL;
	err = perf_attr_copy(&rq->attr, uattr);
	if (err)
		return err;
	err = perf_access_attr(&rq->attr);
	if (err)
		return err;
	/* A cgroup is named by descriptor and counted per CPU. */
	if ((rq->flags & PERF_FLAG_PID_CGROUP) &&
	    (rq->pid == -1 || rq->cpu == -1))
		return -EINVAL;
	rq->fd = fd_reserve(
		0, rq->flags & PERF_FLAG_FD_CLOEXEC ? O_CLOEXEC : 0);
	return rq->fd < 0 ? rq->fd : 0;
}

static int resolve(struct open_request *rq)
{
	if (rq->group_fd != -1) {
		rq->group = fdget(rq->group_fd);
		rq->leader = perf_event_of_file(rq->group.file);
		if (!rq->leader)
			return -EBADF;
		if (rq->flags & PERF_FLAG_FD_OUTPUT)
			rq->output = rq->leader;
		if (rq->flags & PERF_FLAG_FD_NO_GROUP)
			rq->leader = NULL;
	}
	if (rq->pid != -1 && !(rq->flags & PERF_FLAG_PID_CGROUP)) {
		rq->task = rq->pid ? task_find_get(rq->pid) :
				     task_get(current_task());
		if (!rq->task)
			return -ESRCH;
	}
	if (rq->task && rq->leader &&
	    rq->leader->attr.inherit != rq->attr.inherit)
		return -EINVAL;
	return 0;
}

static int check_clock(const struct perf_event *e)
{
	if (!e->attr.use_clockid)
		return 0;
	switch (e->attr.clockid) {
	case CLOCK_MONOTONIC_ID:
	case CLOCK_MONOTONIC_RAW_ID:
		return 0;
	case CLOCK_REALTIME_ID:
	case CLOCK_BOOTTIME_ID:
	case CLOCK_TAI_ID:
		/* Setting the clock takes a lock: not in an NMI. */
		return e->c.pmu->caps & PERF_PMU_SAFE_CLOCKS ? 0 : -EINVAL;
	default:
		return -EINVAL;
	}
}

static int create(struct open_request *rq)
{
	struct perf_event *e;
	int err;

	if (rq->cpu < -1 || (rq->cpu >= 0 && (u32)rq->cpu >= nr_cpu_ids) ||
	    (rq->cpu == -1 && !rq->task))
		return -EINVAL;
	/* It fails below, before Linux would look at what chains need. */
	if (rq->flags & PERF_FLAG_PID_CGROUP)
		rq->attr.sample_type &= ~(u64)PERF_SAMPLE_CALLCHAIN;
	e = perf_event_create(&rq->attr, rq->task, rq->cpu, NULL);
	if (IS_ERR(e))
		return (int)PTR_ERR(e);
	rq->event = e;
	/* There is no cgroup file system whose directory fd could name. */
	if (rq->flags & PERF_FLAG_PID_CGROUP)
		return -EBADF;
	err = perf_group_validate(e, rq->leader ? rq->leader : e);
	if (err)
		return err;
	if (e->c.sampling && (e->c.pmu->caps & PERF_PMU_NO_INTERRUPT))
		return -EOPNOTSUPP;
	err = check_clock(e);
	if (err)
		return err;
	if (!rq->task) {
		err = perf_allow_cpu();
		if (err)
			return err;
	}
	rq->ctx = perf_ctx_get(rq->task, rq->cpu);
	if (IS_ERR(rq->ctx)) {
		err = (int)PTR_ERR(rq->ctx);
		rq->ctx = NULL;
		return err;
	}
	return 0;
}

/* The PMU of the hardware events of leader's group, or NULL. */
static struct perf_pmu *group_pmu(struct perf_event *leader)
{
	struct perf_event *s;

	if (!perf_is_software(leader))
		return leader->c.pmu;
	perf_for_each_sibling(s, leader)
		if (!perf_is_software(s))
			return s->c.pmu;
	return NULL;
}

static int check_group(struct open_request *rq)
{
	struct perf_event *e = rq->event, *leader = rq->leader;
	struct perf_pmu *pmu;

	if (!leader)
		return 0;
	if (!perf_is_leader(leader) || !perf_same_clock(leader, e) ||
	    leader->c.cpu != e->c.cpu || leader->ctx != rq->ctx)
		return -EINVAL;
	mutex_lock(&leader->ctx->mutex);
	pmu = perf_is_software(e) ? NULL : group_pmu(leader);
	mutex_unlock(&leader->ctx->mutex);
	if (pmu && pmu != e->c.pmu)
		return -EINVAL;
	if (e->attr.exclusive || e->attr.pinned)
		return -EINVAL;
	return 0;
}

static int check_sizes(struct perf_event *e, struct perf_event *leader)
{
	u32 nr = leader == e ? 1 : 2 + leader->nr_siblings;
	u64 size = perf_read_format_size(e->attr.read_format, nr);
	struct perf_event *s;

	size += 8 + e->sample.fixed + e->trailer.fixed;
	if (size >= MAX_RECORD)
		return -E2BIG;
	if (leader == e)
		return 0;
	/* The newcomer makes everybody else's reads longer, too. */
	if (perf_read_format_size(leader->attr.read_format, nr) >= MAX_RECORD)
		return -E2BIG;
	perf_for_each_sibling(s, leader)
		if (perf_read_format_size(s->attr.read_format, nr) >=
		    MAX_RECORD)
			return -E2BIG;
	return 0;
}

/* Access to another process is held stable until the event is installed. */
static int permit_task(struct open_request *rq)
{
	struct task *task = rq->task;
	int err;

	if (!task || task->proc == current_task()->proc)
		return 0;
	err = mutex_lock_killable(&task->proc->exec_lock);
	if (err)
		return err;
	rq->exec_locked = true;
	return perf_access_task(&rq->attr, task);
}

static int install_locked(struct open_request *rq)
{
	struct perf_event *e = rq->event;
	int err;

	if (rq->leader && rq->leader->state <= PERF_EXIT)
		return rq->ctx->task_dead ? -ESRCH : -EINVAL;
	if (rq->ctx->task_dead)
		return -ESRCH;
	err = check_sizes(e, rq->leader ? rq->leader : e);
	if (err)
		return err;
	if (!rq->task && !cpu_is_online((u32)rq->cpu))
		return -ENODEV;
	/* Nothing here produces AUX data to take samples from. */
	if (rq->attr.aux_output || rq->attr.aux_sample_size)
		return -EINVAL;
	if (rq->leader)
		e->leader = rq->leader;
	ref_get(&rq->ctx->refs);
	return perf_event_install(e, rq->ctx);
}

static void own(struct perf_event *e)
{
	struct perf_task *p = perf_task_of(current_task());

	if (!p)
		return;		/* only prctl would miss it */
	mutex_lock(&perf_owner_mutex);
	e->owner = current_task();
	list_add_tail(&e->owner_link, &p->owned);
	mutex_unlock(&perf_owner_mutex);
}

static int install(struct open_request *rq)
{
	int err = check_group(rq);

	if (err)
		return err;
	if (rq->output) {
		err = perf_set_output(rq->event, rq->output);
		if (err)
			return err;
	}
	rq->file = anon_file("perf_event", &perf_file_ops, rq->event, O_RDWR);
	if (IS_ERR(rq->file)) {
		err = (int)PTR_ERR(rq->file);
		rq->file = NULL;
		return err;
	}
	err = permit_task(rq);
	if (err)
		return err;
	mutex_lock(&rq->ctx->mutex);
	err = install_locked(rq);
	mutex_unlock(&rq->ctx->mutex);
	return err;
}

/* Drop what the request holds; on error also what it has made. */
static int finish(struct open_request *rq, int err)
{
	if (rq->exec_locked)
		mutex_unlock(&rq->task->proc->exec_lock);
	if (rq->ctx) {
		perf_ctx_unpin(rq->ctx);
		perf_ctx_put(rq->ctx);
	}
	if (!err) {
		own(rq->event);
		fd_install(rq->fd, rq->file);
		err = rq->fd;
		goto put_targets;
	}
	if (rq->file) {
		/* The file must not release an event it never had. */
		rq->file->private = NULL;
		file_put(rq->file);
	}
	if (rq->event) {
		rq->event->leader = rq->event;
		perf_event_put(rq->event);
	}
	if (rq->fd >= 0)
		fd_release(rq->fd);
put_targets:
	if (rq->task)
		task_put(rq->task);
	if (rq->group.file)
		fdput(rq->group);
	return err;
}

SYSCALL5(perf_event_open, struct perf_event_attr __user *, uattr, s32, pid,
	 s32, cpu, s32, group_fd, unsigned long, flags)
{
	struct open_request rq = {
		.flags = flags,
		.pid = pid,
		.cpu = cpu,
		.group_fd = group_fd,
		.fd = -1,
	};
	int err = parse(&rq, uattr);

	if (!err)
		err = resolve(&rq);
	if (!err)
		err = create(&rq);
	if (!err)
		err = install(&rq);
	return finish(&rq, err);
}
