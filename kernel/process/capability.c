/* SPDX-License-Identifier: MIT */
/*
 * Capabilities: capget, capset, and the prctl options about the bounding and
 * ambient sets and the secure bits.
 */
#include <kernel/pid.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/string.h>
#include <linux/capability.h>
#include <linux/prctl.h>

#include "internal.h"
#include "prctl.h"

/* Words of 32 capabilities for a version; 0: unknown, and the header is told
 * which one to use. */
static int header_words(struct user_cap_header __user *uheader, u32 *words)
{
	u32 version;

	if (get_user(version, user_field(uheader, version)))
		return -EFAULT;
	switch (version) {
	case LINUX_CAPABILITY_VERSION_1:
		*words = 1;
		return 0;
	case LINUX_CAPABILITY_VERSION_2:
	case LINUX_CAPABILITY_VERSION_3:
		*words = 2;
		return 0;
	}
	version = LINUX_CAPABILITY_VERSION_3;
	if (put_user(version, user_field(uheader, version)))
		return -EFAULT;
	*words = 0;
	return -EINVAL;
}

static int cred_of(s32 pid, const struct cred **out)
{
	struct task *t;

	if (pid < 0)
		return -EINVAL;
	if (!pid) {
		*out = cred_get(current->cred);
		return 0;
	}
	t = task_find_get(pid);
	if (!t)
		return -ESRCH;
	*out = task_cred_get(t);
	task_put(t);
	return 0;
}

SYSCALL2(capget, struct user_cap_header __user *, uheader,
	 struct user_cap_data __user *, udata)
{
	struct user_cap_data data[2];
	const struct cred *c;
	u32 words;
	s32 pid;
	int err;

	err = header_words(uheader, &words);
	if (err)
		return !udata && err == -EINVAL ? 0 : err;
	if (!udata)
		return 0;
	if (get_user(pid, user_field(uheader, pid)))
		return -EFAULT;
	err = cred_of(pid, &c);
	if (err)
		return err;
	for (u32 i = 0; i < 2; i++) {
		data[i].effective = (u32)(c->cap_effective >> (32 * i));
		data[i].permitted = (u32)(c->cap_permitted >> (32 * i));
		data[i].inheritable = (u32)(c->cap_inheritable >> (32 * i));
	}
	cred_put(c);
	return copy_to_user(udata, data, words * sizeof(data[0]));
}

/* What one may ask for, given what one has. */
static int check_sets(const struct cred *old, u64 effective, u64 permitted,
		      u64 inheritable)
{
	u64 may_inherit = old->cap_inheritable | old->cap_permitted;

	if (!cred_has(old, CAP_SETPCAP) && (inheritable & ~may_inherit))
		return -EPERM;
	if (inheritable & ~(old->cap_inheritable | old->cap_bounding))
		return -EPERM;
	if (permitted & ~old->cap_permitted)
		return -EPERM;
	if (effective & ~permitted)
		return -EPERM;
	return 0;
}

SYSCALL2(capset, struct user_cap_header __user *, uheader,
	 const struct user_cap_data __user *, udata)
{
	const struct cred *old = current->cred;
	u64 effective = 0, permitted = 0, inheritable = 0;
	struct user_cap_data data[2];
	struct cred *next;
	u32 words;
	s32 pid;
	int err;

	err = header_words(uheader, &words);
	if (err)
		return err;
	if (get_user(pid, user_field(uheader, pid)))
		return -EFAULT;
	if (pid && pid != task_tid(current))
		return -EPERM;
	memset(data, 0, sizeof(data));
	if (copy_from_user(data, udata, words * sizeof(data[0])))
		return -EFAULT;
	for (u32 i = 0; i < 2; i++) {
		effective |= (u64)data[i].effective << (32 * i);
		permitted |= (u64)data[i].permitted << (32 * i);
		inheritable |= (u64)data[i].inheritable << (32 * i);
	}
	effective &= CAP_FULL;
	permitted &= CAP_FULL;
	inheritable &= CAP_FULL;
	err = check_sets(old, effective, permitted, inheritable);
	if (err)
		return err;
	next = cred_copy(old);
	if (!next)
		return -ENOMEM;
	next->cap_effective = effective;
	next->cap_permitted = permitted;
	next->cap_inheritable = inheritable;
	next->cap_ambient &= permitted & inheritable;
	cred_commit_checked(next);
	return 0;
}

long prctl_capbset_drop(u64 cap)
{
	struct cred *next;

	if (!capable(CAP_SETPCAP))
		return -EPERM;
	if (cap > CAP_LAST)
		return -EINVAL;
	next = cred_copy(current->cred);
	if (!next)
		return -ENOMEM;
	next->cap_bounding &= ~(1ull << cap);
	cred_commit_checked(next);
	return 0;
}

long prctl_set_securebits(u64 bits)
{
	const struct cred *old = current->cred;
	u32 locked = (old->securebits & SECURE_ALL_LOCKS) >> 1;
	struct cred *next;

	if (bits & ~(u64)(SECURE_ALL_BITS | SECURE_ALL_LOCKS))
		return -EPERM;
	if ((locked & (old->securebits ^ (u32)bits)) ||
	    (old->securebits & SECURE_ALL_LOCKS & ~(u32)bits) ||
	    !cred_has(old, CAP_SETPCAP))
		return -EPERM;
	next = cred_copy(old);
	if (!next)
		return -ENOMEM;
	next->securebits = (u32)bits;
	cred_commit_checked(next);
	return 0;
}

long prctl_set_keepcaps(u64 keep)
{
	struct cred *next;

	if (keep > 1)
		return -EINVAL;
	if (current->cred->securebits & SECBIT_KEEP_CAPS_LOCKED)
		return -EPERM;
	next = cred_copy(current->cred);
	if (!next)
		return -ENOMEM;
	if (keep)
		next->securebits |= SECBIT_KEEP_CAPS;
	else
		next->securebits &= ~SECBIT_KEEP_CAPS;
	cred_commit_checked(next);
	return 0;
}

static long change_ambient(u64 set, u64 clear)
{
	struct cred *next = cred_copy(current->cred);

	if (!next)
		return -ENOMEM;
	next->cap_ambient = (next->cap_ambient | set) & ~clear;
	cred_commit_checked(next);
	return 0;
}

long prctl_cap_ambient(u64 op, u64 cap, u64 arg4, u64 arg5)
{
	const struct cred *c = current->cred;
	u64 bit;

	if (op == PR_CAP_AMBIENT_CLEAR_ALL) {
		if (cap || arg4 || arg5)
			return -EINVAL;
		return change_ambient(0, ~0ull);
	}
	if (cap > CAP_LAST || arg4 || arg5)
		return -EINVAL;
	bit = 1ull << cap;
	switch (op) {
	case PR_CAP_AMBIENT_IS_SET:
		return !!(c->cap_ambient & bit);
	case PR_CAP_AMBIENT_RAISE:
		if (!(c->cap_permitted & c->cap_inheritable & bit) ||
		    (c->securebits & SECBIT_NO_CAP_AMBIENT_RAISE))
			return -EPERM;
		return change_ambient(bit, 0);
	case PR_CAP_AMBIENT_LOWER:
		return change_ambient(0, bit);
	}
	return -EINVAL;
}
