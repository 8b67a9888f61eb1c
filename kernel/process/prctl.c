/* SPDX-License-Identifier: MIT */
/*
 * prctl(2): the options of a thread and of its process.
 *
 * Options that this kernel has no feature for answer as a Linux that was
 * built without it does, which is EINVAL nearly everywhere.
 */
#include <kernel/mm.h>
#include <kernel/perf_event.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <linux/prctl.h>

#include "internal.h"
#include "prctl.h"

#define SLACK_BASE_NS 50000

static long set_name(u64 arg)
{
	char name[TASK_COMM_LEN] = { 0 };

	if (strncpy_from_user(name, (const char __user *)user_ptr(arg),
			      sizeof(name) - 1) < 0)
		return -EFAULT;
	name[sizeof(name) - 1] = '\0';
	task_set_comm(current, name, false);
	return 0;
}

static long get_name(u64 arg)
{
	char name[TASK_COMM_LEN];

	task_get_comm(current, name);
	return copy_to_user(user_ptr(arg), name, sizeof(name));
}

static long set_dumpable(u64 value)
{
	if (value > 1)
		return -EINVAL;
	WRITE_ONCE(current->mm->dumpable, (u8)value);
	return 0;
}

static long set_timer_slack(u64 ns)
{
	/* Real-time classes have none to set. */
	if (current->se.policy == SCHED_FIFO || current->se.policy == SCHED_RR)
		return 0;
	current->timer_slack_ns = ns ? ns : SLACK_BASE_NS;
	return 0;
}

static long set_subreaper(u64 on)
{
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);

	current->proc->subreaper = on;
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return 0;
}

static long put_int(u64 addr, u32 value)
{
	u32 __user *to = (u32 __user *)user_ptr(addr);

	return put_user(value, to);
}

static long set_pdeath(u64 sig)
{
	if (sig > NSIG)
		return -EINVAL;
	current->pdeath_signal = (u32)sig;
	return 0;
}

static long set_no_new_privs(u64 on, u64 rest)
{
	if (on != 1 || rest)
		return -EINVAL;
	current->no_new_privs = true;
	return 0;
}

/* Who may change where the kernel thinks code and data are: nobody yet. */
static long set_mm(u64 arg4, u64 arg5)
{
	if (arg5 || arg4)
		return -EINVAL;
	return capable(CAP_SYS_RESOURCE) ? -EINVAL : -EPERM;
}

static long get_tid_address(u64 addr)
{
	u64 tid = user_addr(current->clear_child_tid);
	u64 __user *to = (u64 __user *)user_ptr(addr);

	return put_user(tid, to);
}

static long io_flusher(u64 rest)
{
	if (!capable(CAP_SYS_RESOURCE))
		return -EPERM;
	return rest ? -EINVAL : 0;
}

static long cap_and_secure(int option, u64 a2, u64 a3, u64 a4, u64 a5)
{
	const struct cred *c = current->cred;

	switch (option) {
	case PR_GET_KEEPCAPS:
		return !!(c->securebits & SECBIT_KEEP_CAPS);
	case PR_SET_KEEPCAPS:
		return prctl_set_keepcaps(a2);
	case PR_CAPBSET_READ:
		return a2 > CAP_LAST ? -EINVAL : !!(c->cap_bounding >> a2 & 1);
	case PR_CAPBSET_DROP:
		return prctl_capbset_drop(a2);
	case PR_GET_SECUREBITS:
		return c->securebits;
	case PR_SET_SECUREBITS:
		return prctl_set_securebits(a2);
	case PR_CAP_AMBIENT:
		return prctl_cap_ambient(a2, a3, a4, a5);
	}
	return -EINVAL;
}

SYSCALL5(prctl, int, option, u64, a2, u64, a3, u64, a4, u64, a5)
{
	switch (option) {
	case PR_SET_PDEATHSIG:
		return set_pdeath(a2);
	case PR_GET_PDEATHSIG:
		return put_int(a2, current->pdeath_signal);
	case PR_GET_DUMPABLE:
		return READ_ONCE(current->mm->dumpable);
	case PR_SET_DUMPABLE:
		return set_dumpable(a2);
	case PR_GET_TIMING:
		return 0;
	case PR_SET_TIMING:
		return a2 ? -EINVAL : 0;
	case PR_SET_NAME:
		return set_name(a2);
	case PR_GET_NAME:
		return get_name(a2);
	case PR_GET_SECCOMP:
		return 0;
	case PR_TASK_PERF_EVENTS_DISABLE:
		return perf_prctl(false);
	case PR_TASK_PERF_EVENTS_ENABLE:
		return perf_prctl(true);
	case PR_GET_TIMERSLACK:
		return (long)current->timer_slack_ns;
	case PR_SET_TIMERSLACK:
		return set_timer_slack(a2);
	case PR_SET_MM:
		return set_mm(a4, a5);
	case PR_GET_TID_ADDRESS:
		return get_tid_address(a2);
	case PR_SET_CHILD_SUBREAPER:
		return set_subreaper(a2);
	case PR_GET_CHILD_SUBREAPER:
		return put_int(a2, current->proc->subreaper);
	case PR_SET_NO_NEW_PRIVS:
		return set_no_new_privs(a2, a3 | a4 | a5);
	case PR_GET_NO_NEW_PRIVS:
		return a2 | a3 | a4 | a5 ? -EINVAL : current->no_new_privs;
	case PR_GET_THP_DISABLE:
		return a2 | a3 | a4 | a5 ? -EINVAL : 0;
	case PR_SET_THP_DISABLE:
		return a3 | a4 | a5 ? -EINVAL : 0;
	case PR_GET_IO_FLUSHER:
		return io_flusher(a2 | a3 | a4 | a5);
	case PR_SET_IO_FLUSHER:
		return a2 > 1 ? -EINVAL : io_flusher(a3 | a4 | a5);
	default:
		return cap_and_secure(option, a2, a3, a4, a5);
	}
}
