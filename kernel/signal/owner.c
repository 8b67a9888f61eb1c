/* SPDX-License-Identifier: MIT */
/*
 * Signals of files to their owner: SIGIO, or what F_SETSIG asked for.
 *
 * The owner was set by somebody; the signal is sent with that one's rights.
 *
 * Locks: the owner's lock, then tasklist_lock is NOT taken inside it: what is
 * needed is copied out first.
 */
#include <kernel/pid.h>
#include <kernel/signal.h>
#include <kernel/task.h>
#include <lib/err.h>
#include <lib/string.h>

#include "internal.h"

/* The setter could have sent it: euid or uid against uid or saved uid. */
static bool owner_may(u32 uid, u32 euid, struct task *t)
{
	const struct cred *c;
	bool may;

	reclaim_read_lock();
	c = reclaim_deref(t->cred);
	may = euid == 0 || euid == c->suid || euid == c->uid ||
	      uid == c->suid || uid == c->uid;
	reclaim_read_unlock();
	return may;
}

static void send_one(struct task *t, int sig, int fd, long band, int code,
		     bool group)
{
	struct siginfo info;
	int err = -EAGAIN;

	if (sig) {
		memset(&info, 0, sizeof(info));
		info.si_signo = sig;
		info.si_code = code;
		info.si_band = band;
		info.si_fd = fd;
		err = group ? signal_send_process(t->proc, sig, &info) :
			      signal_send_task(t, sig, &info);
	}
	/* Without F_SETSIG, or when the queue is full: the plain one. */
	if (!err)
		return;
	if (group)
		signal_send_process(t->proc, SIGIO, NULL);
	else
		signal_send_task(t, SIGIO, NULL);
}

static void send_group(struct pid *pgrp, const struct file_owner *o, int fd,
		       long band, int code)
{
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	struct process *p;

	list_for_each_entry(p, &pgrp->members[PID_PGRP], pgrp_link) {
		if (p->leader && owner_may(o->uid, o->euid, p->leader))
			send_one(p->leader, o->sig, fd, band, code, true);
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
}

void signal_send_owner(struct file_owner *owner, int fd, long band, int code)
{
	unsigned long flags = spin_lock_irqsave(&owner->lock);
	struct file_owner copy = *owner;
	struct task *t;

	if (copy.pid)
		pid_get(copy.pid);
	spin_unlock_irqrestore(&owner->lock, flags);
	if (!copy.pid)
		return;
	if (copy.kind == PID_PGRP) {
		send_group(copy.pid, &copy, fd, band, code);
	} else {
		t = pid_task_get(copy.pid);
		if (t && owner_may(copy.uid, copy.euid, t))
			send_one(t, copy.sig, fd, band, code,
				 copy.kind != PID_TASK);
		if (t)
			task_put(t);
	}
	pid_put(copy.pid);
}
