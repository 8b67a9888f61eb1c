/* SPDX-License-Identifier: MIT */
/*
 * Restartable sequences: rseq(2).
 *
 * A thread registers an area in which the kernel keeps the number of its CPU
 * and in which the thread names the critical section it is in.  Whenever the
 * thread was preempted, migrated or is about to take a signal, it comes through
 * rseq_resume (or rseq_signal) before it is back in user mode: if it stands
 * inside the named section, it goes on at the section's abort handler, which
 * must be preceded by the registered signature.  Whatever is wrong with the
 * area ends the thread by SIGSEGV.
 *
 * Task context, interrupts on; all fields of the task are its own.
 */
#include <arch/regs.h>
#include <kernel/posix.h>
#include <kernel/signal.h>
#include <kernel/syscall.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <linux/rseq.h>
#include <linux/sched.h>

static struct rseq __user *rseq_area(struct task *t)
{
	return t->rseq;
}

/* Leave an interrupted critical section by its abort handler. */
static int rseq_fix_ip(struct task *t, struct pt_regs *regs)
{
	struct rseq __user *area = rseq_area(t);
	u64 ip = regs_ip(regs), where;
	struct rseq_cs cs;
	u32 sig;

	if (get_user(where, user_field(area, rseq_cs)))
		return -EFAULT;
	if (likely(!where))
		return 0;
	if (where >= ARCH_USER_END)
		return -EINVAL;
	if (copy_from_user(&cs, user_ptr(where), sizeof(cs)))
		return -EFAULT;
	if (cs.start_ip >= ARCH_USER_END || cs.abort_ip >= ARCH_USER_END ||
	    cs.start_ip + cs.post_commit_offset >= ARCH_USER_END ||
	    cs.start_ip + cs.post_commit_offset < cs.start_ip || cs.version ||
	    cs.abort_ip - cs.start_ip < cs.post_commit_offset)
		return -EINVAL;
	if (get_user(sig, (u32 __user *)user_ptr(cs.abort_ip - sizeof(u32))))
		return -EFAULT;
	if (sig != t->rseq_sig)
		return -EINVAL;
	if (ip - cs.start_ip < cs.post_commit_offset) {
		if (cs.flags)
			return -EINVAL;
		regs_set_ip(regs, cs.abort_ip);
	}
	return put_user((u64)0, user_field(area, rseq_cs));
}

static int rseq_update_cpu(struct task *t)
{
	struct rseq __user *area = rseq_area(t);
	u32 cpu = READ_ONCE(t->ti.cpu);

	if (likely(cpu == t->rseq_cpu))
		return 0;
	if (put_user(cpu, user_field(area, cpu_id_start)) ||
	    put_user(cpu, user_field(area, cpu_id)))
		return -EFAULT;
	t->rseq_cpu = cpu;
	return 0;
}

void rseq_resume(struct pt_regs *regs)
{
	struct task *t = current;

	if (!t->rseq || (t->flags & TASK_EXITING))
		return;
	if (rseq_fix_ip(t, regs) || rseq_update_cpu(t))
		signal_force(SIGSEGV, SI_KERNEL, 0);
}

void rseq_signal(struct pt_regs *regs)
{
	rseq_resume(regs);
}

void rseq_fork(struct task *child, u64 clone_flags)
{
	if (clone_flags & CLONE_VM) {
		rseq_exec(child);
		return;
	}
	child->rseq = current->rseq;
	child->rseq_len = current->rseq_len;
	child->rseq_sig = current->rseq_sig;
	child->rseq_cpu = current->rseq_cpu;
	if (child->rseq)
		fetch_or_relaxed(&child->ti.flags, TIF_NOTIFY_RESUME);
}

void rseq_exec(struct task *t)
{
	t->rseq = NULL;
	t->rseq_len = 0;
	t->rseq_sig = 0;
	t->rseq_cpu = (u32)RSEQ_CPU_ID_UNINITIALIZED;
}

static long rseq_unregister(struct rseq __user *area, u32 len, u32 sig)
{
	struct task *t = current;

	if (!t->rseq || t->rseq != area || len != t->rseq_len)
		return -EINVAL;
	if (sig != t->rseq_sig)
		return -EPERM;
	if (put_user(0u, user_field(area, cpu_id_start)) ||
	    put_user((u32)RSEQ_CPU_ID_UNINITIALIZED, user_field(area, cpu_id)))
		return -EFAULT;
	rseq_exec(t);
	return 0;
}

SYSCALL4(rseq, struct rseq __user *, area, u32, len, int, flags, u32, sig)
{
	struct task *t = current;

	if (flags & RSEQ_FLAG_UNREGISTER) {
		if (flags & ~RSEQ_FLAG_UNREGISTER)
			return -EINVAL;
		return rseq_unregister(area, len, sig);
	}
	if (flags)
		return -EINVAL;
	if (t->rseq) {
		if (t->rseq != area || len != t->rseq_len)
			return -EINVAL;
		return sig != t->rseq_sig ? -EPERM : -EBUSY;
	}
	if (user_addr(area) % RSEQ_AREA_SIZE || len != RSEQ_AREA_SIZE)
		return -EINVAL;
	if (!access_ok(area, len))
		return -EFAULT;
	t->rseq = area;
	t->rseq_len = len;
	t->rseq_sig = sig;
	t->rseq_cpu = (u32)RSEQ_CPU_ID_UNINITIALIZED;
	task_set_flag(t, TIF_NOTIFY_RESUME);
	return 0;
}
