/* SPDX-License-Identifier: MIT */
/*
 * May current look into another task?  One rule for ptrace, /proc, perf,
 * kcmp, process_vm_readv and the rest.
 *
 * Takes no lock; a caller that acts on the answer holds the target's
 * proc->exec_lock, because execve may change it.
 */
#include <kernel/cred.h>
#include <kernel/mm.h>
#include <kernel/task.h>
#include <lib/err.h>

static bool same_ids(u32 uid, u32 gid, const struct cred *target)
{
	return uid == target->euid && uid == target->suid &&
	       uid == target->uid && gid == target->egid &&
	       gid == target->sgid && gid == target->gid;
}

int ptrace_may_access(struct task *target, bool attach, bool real_creds)
{
	const struct cred *own = current->cred, *theirs;
	bool override = cred_has(own, CAP_SYS_PTRACE);
	struct mm *mm;
	int err = 0;
	u64 caps;

	/* A process may always look at itself. */
	if (target->proc == current->proc)
		return 0;
	theirs = task_cred_get(target);
	caps = real_creds ? own->cap_permitted : own->cap_effective;
	if (override)
		goto put_cred;
	if (!same_ids(real_creds ? own->uid : own->fsuid,
		      real_creds ? own->gid : own->fsgid, theirs) ||
	    (theirs->cap_permitted & ~caps))
		err = -EPERM;
	mm = err ? NULL : task_mm_get(target);
	if (mm) {
		if (READ_ONCE(mm->dumpable) != 1)
			err = -EPERM;
		mm_put(mm);
	}
put_cred:
	cred_put(theirs);
	return err;
}
