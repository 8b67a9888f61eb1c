/* SPDX-License-Identifier: MIT */
/*
 * Group ids and supplementary groups.  As in setuid.c, a changed copy of the
 * credentials is committed.
 */
#include <kernel/page.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/sort.h>
#include <lib/string.h>

#include "internal.h"

#define NO_ID (~0u)

SYSCALL1(setgid, u32, gid)
{
	const struct cred *old = current->cred;
	struct cred *next;

	if (gid == NO_ID)
		return -EINVAL;
	if (!cred_has(old, CAP_SETGID) && gid != old->gid && gid != old->sgid)
		return -EPERM;
	next = cred_copy(old);
	if (!next)
		return -ENOMEM;
	if (capable(CAP_SETGID))
		next->gid = next->sgid = gid;
	next->egid = next->fsgid = gid;
	cred_commit_checked(next);
	return 0;
}

SYSCALL2(setregid, u32, rgid, u32, egid)
{
	const struct cred *old = current->cred;
	struct cred *next;

	if (!cred_has(old, CAP_SETGID)) {
		if (rgid != NO_ID && rgid != old->gid && rgid != old->egid)
			return -EPERM;
		if (egid != NO_ID && egid != old->gid && egid != old->egid &&
		    egid != old->sgid)
			return -EPERM;
	}
	next = cred_copy(old);
	if (!next)
		return -ENOMEM;
	if (rgid != NO_ID)
		next->gid = rgid;
	if (egid != NO_ID)
		next->egid = egid;
	if (rgid != NO_ID || (egid != NO_ID && egid != old->gid))
		next->sgid = next->egid;
	next->fsgid = next->egid;
	cred_commit_checked(next);
	return 0;
}

static bool is_one_of(u32 id, const struct cred *c)
{
	return id == NO_ID || id == c->gid || id == c->egid || id == c->sgid;
}

SYSCALL3(setresgid, u32, rgid, u32, egid, u32, sgid)
{
	const struct cred *old = current->cred;
	struct cred *next;

	if (!cred_has(old, CAP_SETGID) &&
	    !(is_one_of(rgid, old) && is_one_of(egid, old) &&
	      is_one_of(sgid, old)))
		return -EPERM;
	next = cred_copy(old);
	if (!next)
		return -ENOMEM;
	if (rgid != NO_ID)
		next->gid = rgid;
	if (egid != NO_ID)
		next->egid = egid;
	if (sgid != NO_ID)
		next->sgid = sgid;
	next->fsgid = next->egid;
	cred_commit_checked(next);
	return 0;
}

SYSCALL3(getresgid, u32 __user *, rgid, u32 __user *, egid, u32 __user *,
	 sgid)
{
	const struct cred *c = current->cred;

	if (put_user(c->gid, rgid) || put_user(c->egid, egid) ||
	    put_user(c->sgid, sgid))
		return -EFAULT;
	return 0;
}

SYSCALL1(setfsgid, u32, gid)
{
	const struct cred *old = current->cred;
	u32 before = old->fsgid;
	struct cred *next;

	if (gid == NO_ID || gid == before)
		return before;
	if (!is_one_of(gid, old) && !capable(CAP_SETGID))
		return before;
	next = cred_copy(old);
	if (!next)
		return before;
	next->fsgid = gid;
	cred_commit_checked(next);
	return before;
}

SYSCALL0(getgid)
{
	return current->cred->gid;
}

SYSCALL0(getegid)
{
	return current->cred->egid;
}

SYSCALL2(getgroups, int, size, u32 __user *, ulist)
{
	const struct group_list *groups = current->cred->groups;
	u32 nr = groups ? groups->nr : 0;

	if (size < 0)
		return -EINVAL;
	if (!size || !nr)
		return nr;
	if ((u32)size < nr)
		return -EINVAL;
	if (copy_to_user(ulist, groups->gid, nr * sizeof(u32)))
		return -EFAULT;
	return nr;
}

static int compare_gids(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static struct group_list *read_groups(const u32 __user *ulist, u32 nr)
{
	struct group_list *groups;

	groups = kmalloc(sizeof(*groups) + nr * sizeof(u32), GFP_KERNEL);
	if (!groups)
		return ERR_PTR(-ENOMEM);
	ref_init(&groups->refs);
	groups->nr = nr;
	if (copy_from_user(groups->gid, ulist, nr * sizeof(u32))) {
		kfree(groups);
		return ERR_PTR(-EFAULT);
	}
	for (u32 i = 0; i < nr; i++) {
		if (groups->gid[i] == NO_ID) {
			kfree(groups);
			return ERR_PTR(-EINVAL);
		}
	}
	sort(groups->gid, nr, sizeof(u32), compare_gids);
	return groups;
}

SYSCALL2(setgroups, int, size, const u32 __user *, ulist)
{
	struct group_list *groups = NULL;
	struct cred *next;

	if (!capable(CAP_SETGID))
		return -EPERM;
	if ((u32)size > NGROUPS_INLINE_MAX)
		return -EINVAL;
	if (size) {
		groups = read_groups(ulist, (u32)size);
		if (IS_ERR(groups))
			return PTR_ERR(groups);
	}
	next = cred_copy(current->cred);
	if (!next) {
		kfree(groups);
		return -ENOMEM;
	}
	cred_set_groups(next, groups);
	cred_commit_checked(next);
	return 0;
}
