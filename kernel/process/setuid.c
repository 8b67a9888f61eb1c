/* SPDX-License-Identifier: MIT */
/*
 * User ids: setuid, setreuid, setresuid, setfsuid and their readers, with
 * what a change of ids does to capabilities.
 *
 * Each call builds a changed copy of current's credentials and commits it;
 * there is no lock, because only the task itself replaces them.
 */
#include <kernel/mm.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <linux/prctl.h>

#include "internal.h"

#define NO_ID (~0u)
#define FS_CAPS                                                             \
	(1ull << CAP_CHOWN | 1ull << CAP_DAC_OVERRIDE |                     \
	 1ull << CAP_DAC_READ_SEARCH | 1ull << CAP_FOWNER |                 \
	 1ull << CAP_FSETID | 1ull << CAP_LINUX_IMMUTABLE |                 \
	 1ull << CAP_MKNOD | 1ull << 32 /* MAC_OVERRIDE */)

/*
 * Commit, and make the process undumpable where Linux does: it may hold in
 * memory what its new identity must not see.
 */
void cred_commit_checked(struct cred *next)
{
	const struct cred *old = current->cred;

	if (next->euid != old->euid || next->egid != old->egid ||
	    next->fsuid != old->fsuid || next->fsgid != old->fsgid ||
	    (next->cap_permitted & ~old->cap_permitted)) {
		if (current->mm)
			WRITE_ONCE(current->mm->dumpable, 0);
		current->pdeath_signal = 0;
	}
	cred_commit(next);
}

static bool has_root(const struct cred *c)
{
	return c->uid == 0 || c->euid == 0 || c->suid == 0;
}

void cred_fix_caps_setuid(struct cred *next, const struct cred *old)
{
	if (next->securebits & SECBIT_NO_SETUID_FIXUP)
		return;
	if (has_root(old) && !has_root(next)) {
		if (!(next->securebits & SECBIT_KEEP_CAPS)) {
			next->cap_permitted = 0;
			next->cap_effective = 0;
		}
		/* Ambient ones never survive the loss of root. */
		next->cap_ambient = 0;
	}
	if (old->euid == 0 && next->euid != 0)
		next->cap_effective = 0;
	if (old->euid != 0 && next->euid == 0)
		next->cap_effective = next->cap_permitted;
}

static void fix_caps_fsuid(struct cred *next, const struct cred *old)
{
	if (next->securebits & SECBIT_NO_SETUID_FIXUP)
		return;
	if (old->fsuid == 0 && next->fsuid != 0)
		next->cap_effective &= ~FS_CAPS;
	if (old->fsuid != 0 && next->fsuid == 0)
		next->cap_effective |= next->cap_permitted & FS_CAPS;
}

/* next is complete but for what follows from it; consumed. */
static int finish(struct cred *next)
{
	int err = cred_set_user(next, next->uid);

	if (err) {
		cred_put(next);
		return err;
	}
	cred_fix_caps_setuid(next, current->cred);
	cred_commit_checked(next);
	return 0;
}

SYSCALL1(setuid, u32, uid)
{
	const struct cred *old = current->cred;
	struct cred *next;

	if (uid == NO_ID)
		return -EINVAL;
	if (!cred_has(old, CAP_SETUID) && uid != old->uid && uid != old->suid)
		return -EPERM;
	next = cred_copy(old);
	if (!next)
		return -ENOMEM;
	if (capable(CAP_SETUID))
		next->uid = next->suid = uid;
	next->euid = next->fsuid = uid;
	return finish(next);
}

SYSCALL2(setreuid, u32, ruid, u32, euid)
{
	const struct cred *old = current->cred;
	struct cred *next;

	if (!cred_has(old, CAP_SETUID)) {
		if (ruid != NO_ID && ruid != old->uid && ruid != old->euid)
			return -EPERM;
		if (euid != NO_ID && euid != old->uid && euid != old->euid &&
		    euid != old->suid)
			return -EPERM;
	}
	next = cred_copy(old);
	if (!next)
		return -ENOMEM;
	if (ruid != NO_ID)
		next->uid = ruid;
	if (euid != NO_ID)
		next->euid = euid;
	if (ruid != NO_ID || (euid != NO_ID && euid != old->uid))
		next->suid = next->euid;
	next->fsuid = next->euid;
	return finish(next);
}

static bool is_one_of(u32 id, u32 a, u32 b, u32 c)
{
	return id == NO_ID || id == a || id == b || id == c;
}

SYSCALL3(setresuid, u32, ruid, u32, euid, u32, suid)
{
	const struct cred *old = current->cred;
	u32 r = old->uid, e = old->euid, s = old->suid;
	struct cred *next;

	if ((ruid == NO_ID || ruid == r) && (suid == NO_ID || suid == s) &&
	    (euid == NO_ID || (euid == e && euid == old->fsuid)))
		return 0;
	if (!cred_has(old, CAP_SETUID) &&
	    !(is_one_of(ruid, r, e, s) && is_one_of(euid, r, e, s) &&
	      is_one_of(suid, r, e, s)))
		return -EPERM;
	next = cred_copy(old);
	if (!next)
		return -ENOMEM;
	if (ruid != NO_ID)
		next->uid = ruid;
	if (euid != NO_ID)
		next->euid = euid;
	if (suid != NO_ID)
		next->suid = suid;
	next->fsuid = next->euid;
	return finish(next);
}

SYSCALL3(getresuid, u32 __user *, ruid, u32 __user *, euid, u32 __user *,
	 suid)
{
	const struct cred *c = current->cred;

	if (put_user(c->uid, ruid) || put_user(c->euid, euid) ||
	    put_user(c->suid, suid))
		return -EFAULT;
	return 0;
}

SYSCALL1(setfsuid, u32, uid)
{
	const struct cred *old = current->cred;
	u32 before = old->fsuid;
	struct cred *next;

	if (uid == NO_ID || uid == before)
		return before;
	if (uid != old->uid && uid != old->euid && uid != old->suid &&
	    !capable(CAP_SETUID))
		return before;
	next = cred_copy(old);
	if (!next)
		return before;
	next->fsuid = uid;
	fix_caps_fsuid(next, old);
	cred_commit_checked(next);
	return before;
}

SYSCALL0(getuid)
{
	return current->cred->uid;
}

SYSCALL0(geteuid)
{
	return current->cred->euid;
}
