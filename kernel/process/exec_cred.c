/* SPDX-License-Identifier: MIT */
/*
 * The credentials a program starts with: set-user-id and set-group-id bits,
 * and the capabilities that follow from being root or not.  Files carry no
 * capabilities here.
 *
 * Runs with exec_lock held, before the point of no return.
 */
#include <kernel/cred.h>
#include <kernel/file.h>
#include <kernel/fs.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <linux/mount.h>
#include <linux/prctl.h>
#include <linux/stat.h>

#include "exec.h"

/* Ids from the file, unless something forbids them. */
static void apply_set_ids(struct exec *x, struct cred *c)
{
	const struct inode *inode = x->file->inode;
	u32 mode = READ_ONCE(inode->mode);

	if (!(mode & (S_ISUID | S_ISGID)) || current->no_new_privs ||
	    (READ_ONCE(x->file->path.mnt->flags) & MS_NOSUID))
		return;
	/* Without group execute, the bit means record locking. */
	if ((mode & (S_ISGID | 0010)) == (S_ISGID | 0010))
		c->egid = inode->gid;
	if (mode & S_ISUID)
		c->euid = inode->uid;
}

/* Somebody watches or shares what a privileged program would trust. */
static bool is_unsafe(void)
{
	const struct cred *tracer;
	bool capable_tracer;

	if (ref_read(&current->fs->refs) > 1 &&
	    ref_read(&current->fs->refs) >
		    (s32)READ_ONCE(current->proc->nr_threads))
		return true;
	if (!current->tracer)
		return false;
	tracer = task_cred_get(current->tracer);
	capable_tracer = cred_has(tracer, CAP_SYS_PTRACE);
	cred_put(tracer);
	return !capable_tracer;
}

static void apply_caps(struct cred *c, bool id_change)
{
	bool root = !(c->securebits & SECBIT_NOROOT);
	bool effective = false;
	u64 permitted = 0;

	if (root && (c->euid == 0 || c->uid == 0)) {
		permitted = c->cap_bounding | c->cap_inheritable;
		effective = c->euid == 0;
	}
	if (id_change)
		c->cap_ambient = 0;
	c->cap_permitted = permitted | c->cap_ambient;
	c->cap_effective = effective ? c->cap_permitted : c->cap_ambient;
	c->securebits &= ~SECBIT_KEEP_CAPS;
}

int exec_prepare_cred(struct exec *x)
{
	const struct cred *old = current->cred;
	struct cred *c = cred_copy(old);
	bool grown, id_change;

	if (!c)
		return -ENOMEM;
	c->euid = old->euid;
	c->egid = old->egid;
	apply_set_ids(x, c);
	x->ids_changed = c->euid != old->euid || c->egid != old->egid;
	if (x->ids_changed && is_unsafe() && !cred_has(old, CAP_SETUID)) {
		c->euid = old->uid;
		c->egid = old->gid;
		x->ids_changed = c->euid != old->euid ||
				 c->egid != old->egid;
	}
	id_change = c->euid != old->uid || c->egid != old->gid;
	apply_caps(c, id_change);
	c->suid = c->fsuid = c->euid;
	c->sgid = c->fsgid = c->egid;
	grown = c->cap_permitted & ~c->cap_ambient;
	x->secure = id_change ||
		    (c->uid != 0 && (c->euid == 0 || grown));
	x->cred = c;
	return 0;
}
