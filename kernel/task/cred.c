/* SPDX-License-Identifier: MIT */
/*
 * Credentials: who a task is and what it may do.
 *
 * Owns the life of struct cred and of group lists, the swap of current's
 * credentials, and the capability test.
 *
 * A published cred never changes; a change is a copy that cred_commit()
 * swaps in.  Another task's cred is read with preemption off, so the old one
 * is freed through reclaim_after().
 *
 * Must never: write a cred that a task already carries.
 */
#include <kernel/cred.h>
#include <kernel/page.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/string.h>

#include "internal.h"

/* Static and referenced for good by the idle task. */
struct cred init_cred = {
	.refs = REF_INIT(1),
	.cap_permitted = CAP_FULL,
	.cap_effective = CAP_FULL,
	.cap_bounding = CAP_FULL,
	.user = &root_user,
};

static struct kmem_cache *cred_cache;

void cred_init(void)
{
	cred_cache = kmem_cache_create("cred", sizeof(struct cred), 16);
}

struct cred *cred_get(const struct cred *c)
{
	struct cred *ref = (struct cred *)c;

	ref_get(&ref->refs);
	return ref;
}

static void groups_put(struct group_list *groups)
{
	if (groups && ref_put(&groups->refs))
		kfree(groups);
}

static void cred_free(struct reclaim_node *node)
{
	struct cred *c = container_of(node, struct cred, reclaim);

	groups_put(c->groups);
	user_put(c->user);
	kmem_cache_free(cred_cache, c);
}

void cred_put(const struct cred *c)
{
	struct cred *ref = (struct cred *)c;

	if (ref && ref_put(&ref->refs))
		reclaim_after(&ref->reclaim, cred_free);
}

struct cred *cred_copy(const struct cred *c)
{
	struct cred *copy = kmem_cache_alloc(cred_cache, GFP_KERNEL);

	if (!copy)
		return NULL;
	*copy = *c;
	ref_init(&copy->refs);
	if (copy->groups)
		ref_get(&copy->groups->refs);
	user_get(copy->user);
	return copy;
}

void cred_set_groups(struct cred *c, struct group_list *groups)
{
	groups_put(c->groups);
	c->groups = groups;
}

int cred_set_user(struct cred *c, u32 uid)
{
	struct user *user;

	if (c->user->uid == uid)
		return 0;
	user = user_find_get(uid);
	if (!user)
		return -EAGAIN;
	user_put(c->user);
	c->user = user;
	return 0;
}

void cred_commit(struct cred *next)
{
	const struct cred *old = current->cred;

	if (next->user != old->user) {
		fetch_add_relaxed(&next->user->nproc, 1);
		fetch_add_relaxed(&old->user->nproc, -1);
	}
	reclaim_assign(current->cred, next);
	cred_put(old);
}

const struct cred *current_cred(void)
{
	return current->cred;
}

const struct cred *task_cred_get(struct task *t)
{
	const struct cred *c;
	struct cred *ref;

	reclaim_read_lock();
	do {
		c = reclaim_deref(t->cred);
		ref = (struct cred *)c;
	} while (!ref_get_unless_zero(&ref->refs));
	reclaim_read_unlock();
	return c;
}

bool cred_capable(const struct cred *c, int cap)
{
	return cred_has(c, cap);
}

bool capable(int cap)
{
	if (!cred_has(current->cred, cap))
		return false;
	current->flags |= TASK_SUPERPRIV;
	return true;
}

static bool groups_has(const struct group_list *groups, u32 gid)
{
	u32 lo = 0, hi;

	if (!groups)
		return false;
	for (hi = groups->nr; lo < hi;) {
		u32 mid = lo + (hi - lo) / 2;

		if (groups->gid[mid] == gid)
			return true;
		if (groups->gid[mid] < gid)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

bool in_group(const struct cred *c, u32 gid)
{
	return c->fsgid == gid || groups_has(c->groups, gid);
}

bool in_egroup(const struct cred *c, u32 gid)
{
	return c->egid == gid || groups_has(c->groups, gid);
}
