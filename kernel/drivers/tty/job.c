/* SPDX-License-Identifier: MIT */
/*
 * Job control: who owns a terminal, which process group is in front, and what
 * happens to the others.
 *
 * tty->session and tty->pgrp change under tasklist_lock, process->tty under
 * siglock inside it.  Signals are posted with no lock held.
 */
#include "internal.h"

#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>

struct tty *tty_current(void)
{
	return READ_ONCE(current->proc->tty);
}

struct tty *tty_current_get(void)
{
	struct tty *tty;

	reclaim_read_lock();
	tty = tty_current();
	if (tty && !ref_get_unless_zero(&tty->refs))
		tty = NULL;
	reclaim_read_unlock();
	return tty;
}

void tty_hangup_current(void)
{
	struct tty *tty = tty_current_get();

	if (tty) {
		tty_hangup(tty);
		tty_put(tty);
	}
}

static struct pid *foreground(struct tty *tty)
{
	struct pid *pgrp;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);

	pgrp = tty->pgrp ? pid_get(tty->pgrp) : NULL;
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return pgrp;
}

void tty_signal_pgrp(struct tty *tty, int sig)
{
	struct pid *pgrp = foreground(tty);

	if (!pgrp)
		return;
	signal_send_pgrp(pgrp, sig, NULL);
	pid_put(pgrp);
}

static bool ignores(int sig)
{
	struct process *proc = current->proc;
	unsigned long flags = spin_lock_irqsave(&proc->siglock);
	bool ret = sigset_has(&current->blocked, sig) ||
		   user_addr(proc->sighand->action[sig - 1].handler) == SIG_IGN;

	spin_unlock_irqrestore(&proc->siglock, flags);
	return ret;
}

/*
 * Current is about to touch its controlling terminal: 0 when it may, else
 * what a background process gets.  sig is SIGTTIN for reads.
 */
int tty_check_change(struct tty *tty, int sig)
{
	struct process *proc = current->proc;
	struct pid *pgrp;
	bool orphan;
	unsigned long flags;

	if (READ_ONCE(proc->tty) != tty)
		return 0;
	flags = spin_lock_irqsave(&tasklist_lock);
	pgrp = pid_get(proc->pgrp);
	if (!tty->pgrp || tty->pgrp == pgrp) {
		spin_unlock_irqrestore(&tasklist_lock, flags);
		pid_put(pgrp);
		return 0;
	}
	orphan = pgrp_is_orphaned_locked(pgrp);
	spin_unlock_irqrestore(&tasklist_lock, flags);

	if (ignores(sig)) {
		pid_put(pgrp);
		return sig == SIGTTIN ? -EIO : 0;
	}
	if (orphan) {
		pid_put(pgrp);
		return -EIO;
	}
	signal_send_pgrp(pgrp, sig, NULL);
	pid_put(pgrp);
	return -ERESTARTSYS;
}

/* [tasklist_lock held] */
static void set_proc_tty(struct process *proc, struct tty *tty)
{
	spin_lock(&proc->siglock);
	proc->tty = tty;
	spin_unlock(&proc->siglock);
}

/* [tasklist_lock held] the references that were there go to the caller */
static void swap_owner(struct tty *tty, struct pid **session,
		       struct pid **pgrp)
{
	struct pid *old_session = tty->session;
	struct pid *old_pgrp = tty->pgrp;

	tty->session = *session;
	tty->pgrp = *pgrp;
	*session = old_session;
	*pgrp = old_pgrp;
}

static void put_owner(struct pid *session, struct pid *pgrp)
{
	if (session)
		pid_put(session);
	if (pgrp)
		pid_put(pgrp);
}

/* [tasklist_lock held] no process of the session keeps the terminal */
static void clear_session(struct pid *session)
{
	struct process *p;

	list_for_each_entry(p, &session->members[PID_SESSION], session_link)
		set_proc_tty(p, NULL);
}

static long take_tty(struct tty *tty, struct file *file, bool steal)
{
	struct process *proc = current->proc;
	struct pid *session = NULL, *pgrp = NULL;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	long ret = 0;

	if (file->ops == &tty_file_ops && tty_is_gone(tty, file))
		ret = -EIO;
	else if (!proc->is_session_leader || proc->tty)
		ret = proc->is_session_leader && proc->tty == tty &&
				      tty->session == proc->session ?
			      0 :
			      -EPERM;
	else if (tty->session && tty->session != proc->session && !steal)
		ret = -EPERM;
	if (!ret && proc->tty != tty) {
		if (tty->session)
			clear_session(tty->session);
		session = pid_get(proc->session);
		pgrp = pid_get(proc->pgrp);
		swap_owner(tty, &session, &pgrp);
		set_proc_tty(proc, tty);
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	put_owner(session, pgrp);
	return ret;
}

long tty_set_ctty(struct tty *tty, struct file *file, bool steal)
{
	if (!(file->mode & FMODE_READ) && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	return take_tty(tty, file, steal && capable(CAP_SYS_ADMIN));
}

/* open(2) without O_NOCTTY by a session leader that has none. */
void tty_open_ctty(struct tty *tty, struct file *file)
{
	if ((file->flags & O_NOCTTY) || !(file->mode & FMODE_READ) ||
	    READ_ONCE(current->proc->tty) || READ_ONCE(tty->session))
		return;
	take_tty(tty, file, false);
}

/* A leader takes its session along: hang-up for the group in front. */
static void disassociate(struct process *leader, struct tty *tty, bool on_exit)
{
	struct pid *session = NULL, *pgrp = NULL;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);

	if (tty->session == leader->session) {
		clear_session(tty->session);
		swap_owner(tty, &session, &pgrp);
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	if (pgrp) {
		signal_send_pgrp(pgrp, SIGHUP, NULL);
		if (!on_exit)
			signal_send_pgrp(pgrp, SIGCONT, NULL);
	}
	put_owner(session, pgrp);
}

/* [tasklist_lock held] The leader of a session, referenced, or NULL. */
static struct process *session_leader(struct pid *session)
{
	struct process *p;

	list_for_each_entry(p, &session->members[PID_SESSION], session_link)
		if (p->is_session_leader)
			return process_get(p);
	return NULL;
}

/*
 * A hang-up: the session has no terminal any more.  Its leader is told, and
 * remembers the group in front for when it exits itself.
 */
void tty_lose_session(struct tty *tty)
{
	struct pid *session = NULL, *pgrp = NULL;
	struct process *leader = NULL;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);

	if (tty->session) {
		clear_session(tty->session);
		leader = session_leader(tty->session);
		swap_owner(tty, &session, &pgrp);
		if (leader)
			swap(leader->tty_old_pgrp, pgrp);
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	put_owner(session, pgrp);
	if (!leader)
		return;
	signal_send_process(leader, SIGHUP, NULL);
	signal_send_process(leader, SIGCONT, NULL);
	process_put(leader);
}

/* The last thread of a session's leader ends, without a terminal. */
static void signal_old_pgrp(struct process *leader)
{
	struct pid *pgrp;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);

	pgrp = leader->tty_old_pgrp;
	leader->tty_old_pgrp = NULL;
	spin_unlock_irqrestore(&tasklist_lock, flags);
	if (!pgrp)
		return;
	signal_send_pgrp(pgrp, SIGHUP, NULL);
	signal_send_pgrp(pgrp, SIGCONT, NULL);
	pid_put(pgrp);
}

/*
 * A pty stays as it is, apart from its foreground group's SIGHUP; a line is
 * hung up, so that who runs on cannot disturb the next session.
 */
void tty_session_exit(struct process *leader)
{
	struct tty *tty = tty_current_get();

	if (!tty) {
		signal_old_pgrp(leader);
		return;
	}
	disassociate(leader, tty, true);
	if (!tty->ops->is_pty)
		tty_hangup(tty);
	tty_put(tty);
	signal_old_pgrp(leader);
}

long tty_drop_ctty(void)
{
	struct process *proc = current->proc;
	struct tty *tty = READ_ONCE(proc->tty);
	unsigned long flags;

	if (!tty)
		return -ENOTTY;
	if (proc->is_session_leader) {
		disassociate(proc, tty, false);
		return 0;
	}
	flags = spin_lock_irqsave(&tasklist_lock);
	set_proc_tty(proc, NULL);
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return 0;
}

long tty_get_pgrp(struct tty *tty, bool master)
{
	struct pid *pgrp;
	long nr;

	if (tty_current() != tty && !master)
		return -ENOTTY;
	pgrp = foreground(tty);
	nr = pgrp ? pgrp->nr : 0;
	if (pgrp)
		pid_put(pgrp);
	return nr;
}

long tty_get_sid(struct tty *tty, bool master)
{
	long ret = -ENOTTY;
	unsigned long flags;

	if (tty_current() != tty && !master)
		return -ENOTTY;
	flags = spin_lock_irqsave(&tasklist_lock);
	if (tty->session)
		ret = tty->session->nr;
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return ret;
}

long tty_set_pgrp(struct tty *tty, s32 nr)
{
	struct process *proc = current->proc;
	struct pid *pgrp = NULL;
	unsigned long flags;
	long ret = tty_check_change(tty, SIGTTOU);

	if (ret)
		return ret == -EIO ? -ENOTTY : ret;
	if (READ_ONCE(proc->tty) != tty || tty->session != proc->session)
		return -ENOTTY;
	if (nr < 0)
		return -EINVAL;
	flags = spin_lock_irqsave(&tasklist_lock);
	pgrp = pid_find(nr);
	if (!pgrp || list_empty(&pgrp->members[PID_PGRP])) {
		pgrp = NULL;
		ret = -ESRCH;
	} else if (list_first_entry(&pgrp->members[PID_PGRP], struct process,
				    pgrp_link)->session != proc->session) {
		pgrp = NULL;
		ret = -EPERM;
	} else {
		struct pid *old = tty->pgrp;

		tty->pgrp = pid_get(pgrp);
		pgrp = old;
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	if (pgrp)
		pid_put(pgrp);
	return ret;
}

/* As user space packs device numbers of 32 bits. */
u32 tty_devnum(const struct tty *tty)
{
	u32 minor = tty->rdev & 0xfffff;

	return (minor & 0xff) | ((tty->rdev >> 20) << 8) |
	       ((minor & ~0xffu) << 12);
}

void tty_of_process(struct process *p, u32 *dev, s32 *pgrp)
{
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);
	struct tty *tty = p->tty;

	*dev = tty ? tty_devnum(tty) : 0;
	*pgrp = tty && tty->pgrp ? tty->pgrp->nr : -1;
	spin_unlock_irqrestore(&tasklist_lock, flags);
}
