/* SPDX-License-Identifier: MIT */
/*
 * CPUs that a thread may use: sched_setaffinity, sched_getaffinity, getcpu.
 *
 * A mask from user space may be shorter or longer than the kernel's; missing
 * bits are zero, excess bytes are not looked at.
 */
#include <kernel/cred.h>
#include <kernel/pid.h>
#include <kernel/syscall.h>
#include <kernel/uaccess.h>
#include <lib/err.h>
#include <lib/minmax.h>

#include "internal.h"
#include "priority.h"

SYSCALL3(sched_setaffinity, s32, pid, u32, len, const void __user *, user)
{
	struct cpumask mask = { 0 };
	struct task *t;
	int ret;

	if (copy_from_user(&mask, user, min_t(size_t, len, sizeof(mask))))
		return -EFAULT;
	t = pid ? task_find_get(pid) : task_get(current);
	if (!t)
		return -ESRCH;
	if (!same_owner(t) && !capable(CAP_SYS_NICE))
		ret = -EPERM;
	else
		ret = sched_set_affinity(t, &mask);
	task_put(t);
	return ret;
}

SYSCALL3(sched_getaffinity, s32, pid, u32, len, void __user *, user)
{
	u32 need = (nr_cpu_ids + BITS_PER_LONG - 1) / BITS_PER_LONG *
		   sizeof(long);
	u32 bytes = min_t(u32, len, sizeof(struct cpumask));
	struct cpumask mask;
	struct task *t;

	if ((u64)len * 8 < nr_cpu_ids || len % sizeof(long))
		return -EINVAL;
	t = pid ? task_find_get(pid) : task_get(current);
	if (!t)
		return -ESRCH;
	bitmap_and(mask.bits, t->se.allowed.bits, cpu_online_mask.bits,
		   NR_CPUS);
	task_put(t);
	bytes = max(bytes, need);
	if (copy_to_user(user, &mask, bytes))
		return -EFAULT;
	return bytes;
}

SYSCALL3(getcpu, u32 __user *, cpu, u32 __user *, node, void __user *, unused)
{
	u32 here = READ_ONCE(current->ti.cpu);

	if (cpu && put_user(here, cpu))
		return -EFAULT;
	if (node && put_user(0u, node))
		return -EFAULT;
	return 0;
}
