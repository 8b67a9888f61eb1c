/* SPDX-License-Identifier: MIT */
/*
 * Who may do what: perf_event_paranoid, capabilities, other tasks, and the
 * budget of locked memory.
 *
 * Entry points: perf_access_attr, perf_access_task (target's exec lock held
 * for another process), perf_mlock_charge/uncharge.  The budget of a user is
 * one record per uid, under mlock_users.
 */
#include "door.h"

#include <kernel/cpu.h>
#include <kernel/cred.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <lib/bitmap.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <linux/resource.h>

/* What attr alone needs, in Linux's order. */
int perf_access_attr(const struct perf_event_attr *attr)
{
	int err;

	/* Debian's level 3: nothing without CAP_SYS_ADMIN. */
	if (perf_paranoid > 2 && !capable(CAP_SYS_ADMIN))
		return -EACCES;
	if (!attr->exclude_kernel) {
		err = perf_allow_kernel();
		if (err)
			return err;
	}
	if (attr->namespaces && !perf_capable())
		return -EACCES;
	if (attr->freq) {
		if (attr->sample_freq > perf_max_rate)
			return -EINVAL;
	} else if (attr->sample_period & (1ull << 63)) {
		return -EINVAL;
	}
	if (attr->sample_type & PERF_SAMPLE_PHYS_ADDR)
		return perf_allow_kernel();
	return 0;
}

int perf_access_task(const struct perf_event_attr *attr, struct task *task)
{
	bool may = perf_capable();

	/* A synchronous signal changes the target: as much as sending one. */
	if (attr->sigtrap)
		may = may && capable(CAP_KILL);
	if (may || !ptrace_may_access(task, attr->sigtrap, true))
		return 0;
	return -EACCES;
}

struct mlock_user {
	struct list_head link;
	u32 uid;
	u32 pages;
};

static struct mutex mlock_mutex = MUTEX_INIT(mlock_mutex, LOCK_RANK_TRACE);
static LIST_HEAD(mlock_users);		/* [mlock_mutex] */

static struct mlock_user *find_user(u32 uid)
{
	struct mlock_user *u;

	list_for_each_entry(u, &mlock_users, link)
		if (u->uid == uid)
			return u;
	u = kzalloc(sizeof(*u), GFP_KERNEL);
	if (u) {
		u->uid = uid;
		list_add(&u->link, &mlock_users);
	}
	return u;
}

static u32 nr_online(void)
{
	u32 cpu, n = 0;

	for_each_online_cpu(cpu)
		n++;
	return n;
}

/* The user's share first; the rest counts against RLIMIT_MEMLOCK. */
int perf_mlock_charge(u32 pages, u32 *user, u32 *from_rlimit)
{
	u64 limit = (u64)(perf_mlock_kb >> (PAGE_SHIFT - 10)) * nr_online();
	struct mm *mm = current_task()->mm;
	struct mlock_user *u;
	u64 used, locked, extra = 0;
	int err = 0;

	mutex_lock(&mlock_mutex);
	u = find_user(current_cred()->uid);
	if (!u) {
		err = -ENOMEM;
		goto out;
	}
	used = min_t(u64, u->pages, limit) + pages;
	if (used > limit)
		extra = used - limit;
	locked = load_relaxed(&mm->pinned_pages) + extra;
	if (locked > rlimit_cur(current_task(), RLIMIT_MEMLOCK) >> PAGE_SHIFT &&
	    perf_paranoid > -1 && !capable(CAP_IPC_LOCK)) {
		err = -EPERM;
		goto out;
	}
	*user = pages - (u32)extra;
	*from_rlimit = (u32)extra;
	u->pages += *user;
	fetch_add_relaxed(&mm->pinned_pages, extra);
out:
	mutex_unlock(&mlock_mutex);
	return err;
}

void perf_mlock_uncharge(u32 uid, u32 user)
{
	struct mlock_user *u;

	mutex_lock(&mlock_mutex);
	u = find_user(uid);
	if (u) {
		u->pages -= user;
		if (!u->pages) {
			list_del(&u->link);
			kfree(u);
		}
	}
	mutex_unlock(&mlock_mutex);
}
