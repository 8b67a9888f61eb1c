/* SPDX-License-Identifier: MIT */
/*
 * Sending signals from user mode: kill, tkill, tgkill, rt_sigqueueinfo,
 * rt_tgsigqueueinfo, pidfd_send_signal; and who may.
 *
 * Locks: tasklist_lock for walking a group or everybody.
 */
#include <kernel/pid.h>
#include <kernel/pidfd.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/string.h>

#include "internal.h"

static bool cred_may_kill(const struct cred *c, const struct cred *target)
{
	return c->euid == target->suid || c->euid == target->uid ||
	       c->uid == target->suid || c->uid == target->uid ||
	       cred_has(c, CAP_KILL);
}

static int permitted(struct task *t, int sig)
{
	bool may;

	if (t->proc == current->proc)
		return 0;
	reclaim_read_lock();
	may = cred_may_kill(current->cred, reclaim_deref(t->cred));
	reclaim_read_unlock();
	if (may || (sig == SIGCONT &&
		    t->proc->session == current->proc->session))
		return 0;
	return -EPERM;
}

int signal_permitted(struct process *p, int sig)
{
	int err;

	reclaim_read_lock();
	err = permitted(READ_ONCE(p->leader), sig);
	reclaim_read_unlock();
	return err;
}

static void from_current(struct siginfo *info, int sig, int code)
{
	memset(info, 0, sizeof(*info));
	info->si_signo = sig;
	info->si_code = code;
	info->si_pid = task_tgid(current);
	info->si_uid = current->cred->uid;
}

static int send_checked(struct task *t, int sig, const struct siginfo *info,
			bool group)
{
	int err = sig < 0 || sig > NSIG ? -EINVAL : permitted(t, sig);

	if (err || !sig)
		return err;
	return group ? signal_send_process(t->proc, sig, info) :
		       signal_send_task(t, sig, info);
}

/* kill(pid > 0): a thread's number names its process too. */
static int kill_process(s32 pid, int sig, const struct siginfo *info)
{
	struct task *t = task_find_get(pid);
	int err = -ESRCH;

	if (t) {
		err = send_checked(t, sig, info, true);
		task_put(t);
	}
	return err;
}

static int kill_group(struct pid *pgrp, int sig, const struct siginfo *info)
{
	int ret = -ESRCH, err;
	bool success = false;
	unsigned long flags;
	struct process *p;

	flags = spin_lock_irqsave(&tasklist_lock);
	list_for_each_entry(p, &pgrp->members[PID_PGRP], pgrp_link) {
		err = send_checked(p->leader, sig, info, true);
		success |= !err;
		ret = err;
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return success ? 0 : ret;
}

static int kill_everybody(int sig, const struct siginfo *info)
{
	int ret = 0, count = 0, err;
	unsigned long flags;
	struct process *p;

	flags = spin_lock_irqsave(&tasklist_lock);
	list_for_each_entry(p, &all_processes, all_link) {
		if (p->pid->nr <= 1 || p == current->proc)
			continue;
		err = send_checked(p->leader, sig, info, true);
		count++;
		if (err != -EPERM)
			ret = err;
	}
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return count ? ret : -ESRCH;
}

static int kill_any(s32 pid, int sig, const struct siginfo *info)
{
	struct pid *pgrp;
	int err = -ESRCH;

	if (pid > 0)
		return kill_process(pid, sig, info);
	if (pid == S32_MIN)
		return -ESRCH;
	if (pid == -1)
		return kill_everybody(sig, info);
	if (pid == 0) {
		pgrp = process_pgrp_get(current->proc);
	} else {
		pgrp = pid_find_get(-pid);
	}
	if (pgrp) {
		err = kill_group(pgrp, sig, info);
		pid_put(pgrp);
	}
	return err;
}

SYSCALL2(kill, s32, pid, int, sig)
{
	struct siginfo info;

	from_current(&info, sig, SI_USER);
	return kill_any(pid, sig, &info);
}

static int kill_thread(s32 tgid, s32 tid, int sig, const struct siginfo *info)
{
	struct task *t = task_find_get(tid);
	int err = -ESRCH;

	if (!t)
		return err;
	if (tgid <= 0 || task_tgid(t) == tgid)
		err = send_checked(t, sig, info, false);
	task_put(t);
	/* It went while we looked: nobody can tell the difference. */
	return err;
}

SYSCALL2(tkill, s32, tid, int, sig)
{
	struct siginfo info;

	if (tid <= 0)
		return -EINVAL;
	from_current(&info, sig, SI_TKILL);
	return kill_thread(0, tid, sig, &info);
}

SYSCALL3(tgkill, s32, tgid, s32, tid, int, sig)
{
	struct siginfo info;

	if (tid <= 0 || tgid <= 0)
		return -EINVAL;
	from_current(&info, sig, SI_TKILL);
	return kill_thread(tgid, tid, sig, &info);
}

static int read_info(struct siginfo *info, int sig,
		     const struct siginfo __user *uinfo)
{
	if (copy_from_user(info, uinfo, sizeof(*info)))
		return -EFAULT;
	info->si_signo = sig;
	return 0;
}

/* Nobody may pretend to be the kernel or kill() to somebody else. */
static bool forged(const struct siginfo *info, s32 to)
{
	return (info->si_code >= 0 || info->si_code == SI_TKILL) &&
	       to != task_tgid(current) && to != task_tid(current);
}

SYSCALL3(rt_sigqueueinfo, s32, pid, int, sig,
	 const struct siginfo __user *, uinfo)
{
	struct siginfo info;
	int err = read_info(&info, sig, uinfo);

	if (err)
		return err;
	if (forged(&info, pid))
		return -EPERM;
	return kill_process(pid, sig, &info);
}

SYSCALL4(rt_tgsigqueueinfo, s32, tgid, s32, tid, int, sig,
	 const struct siginfo __user *, uinfo)
{
	struct siginfo info;
	int err = read_info(&info, sig, uinfo);

	if (err)
		return err;
	if (tid <= 0 || tgid <= 0)
		return -EINVAL;
	if (forged(&info, tid))
		return -EPERM;
	return kill_thread(tgid, tid, sig, &info);
}

SYSCALL4(pidfd_send_signal, int, pidfd, int, sig,
	 const struct siginfo __user *, uinfo, u32, flags)
{
	struct siginfo info;
	struct task *t;
	struct pid *pid;
	int err = 0;

	if (flags)
		return -EINVAL;
	pid = pidfd_get_pid(pidfd);
	if (IS_ERR(pid))
		return PTR_ERR(pid);
	if (uinfo) {
		err = -EFAULT;
		if (copy_from_user(&info, uinfo, sizeof(info)))
			goto put_pid;
		err = -EINVAL;
		if (info.si_signo != sig)
			goto put_pid;
		err = -EPERM;
		if (forged(&info, pid->nr))
			goto put_pid;
	} else {
		from_current(&info, sig, SI_USER);
	}
	err = -ESRCH;
	t = pid_task_get(pid);
	if (t) {
		err = send_checked(t, sig, &info, true);
		task_put(t);
	}
put_pid:
	pid_put(pid);
	return err;
}
