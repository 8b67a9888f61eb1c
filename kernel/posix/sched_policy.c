/* SPDX-License-Identifier: MIT */
/*
 * Scheduling policy and priority of a thread: sched_setscheduler, setparam,
 * setattr, their readers, limits and sched_yield.
 *
 * Every setter ends in set_policy(), which checks the request in Linux's order
 * and its permission against CAP_SYS_NICE, RLIMIT_RTPRIO and RLIMIT_NICE.
 * SCHED_DEADLINE does not exist here: EINVAL.
 */
#include <kernel/cred.h>
#include <kernel/page.h>
#include <kernel/pid.h>
#include <kernel/syscall.h>
#include <kernel/timespec.h>
#include <lib/err.h>
#include <lib/minmax.h>
#include <linux/resource.h>
#include <linux/sched_attr.h>

#include "internal.h"
#include "priority.h"

struct policy_request {
	s32 policy;		/* -1: keep */
	u32 prio;
	s32 nice;
	bool reset_on_fork;
	bool keep_params;
};

static bool policy_is_rt(s32 policy)
{
	return policy == SCHED_FIFO || policy == SCHED_RR;
}

static bool policy_is_valid(s32 policy)
{
	return policy_is_rt(policy) || policy == SCHED_NORMAL ||
	       policy == SCHED_BATCH || policy == SCHED_IDLE;
}

/* 0 or -EPERM: may current ask this of t? */
static int policy_permitted(struct task *t, const struct policy_request *r)
{
	const struct sched_entity *se = &t->se;

	if (capable(CAP_SYS_NICE))
		return 0;
	if (policy_is_rt(r->policy)) {
		u64 limit = rlimit_cur(t, RLIMIT_RTPRIO);

		if (r->policy != se->policy && !limit)
			return -EPERM;
		if (r->prio > se->rt_prio && r->prio > limit)
			return -EPERM;
	} else if (r->nice < se->nice && !nice_is_permitted(t, r->nice)) {
		return -EPERM;
	}
	if (se->policy == SCHED_IDLE && r->policy != SCHED_IDLE &&
	    !nice_is_permitted(t, se->nice))
		return -EPERM;
	if (!same_owner(t))
		return -EPERM;
	if (se->reset_on_fork && !r->reset_on_fork)
		return -EPERM;
	return 0;
}

static int set_policy(struct task *t, struct policy_request *r)
{
	int ret;

	if (r->policy < 0) {
		r->policy = t->se.policy;
		r->reset_on_fork = t->se.reset_on_fork;
	} else if (!policy_is_valid(r->policy)) {
		return -EINVAL;
	}
	if (r->keep_params) {
		r->prio = t->se.rt_prio;
		r->nice = t->se.nice;
	}
	if (r->prio > 99 || policy_is_rt(r->policy) != (r->prio != 0))
		return -EINVAL;
	ret = policy_permitted(t, r);
	if (ret)
		return ret;
	t->se.reset_on_fork = r->reset_on_fork;
	sched_set_policy(t, (u8)r->policy, (u8)r->prio,
			 (s8)(policy_is_rt(r->policy) ? t->se.nice : r->nice));
	return 0;
}

/* Referenced; pid 0: the caller. */
static struct task *find_thread(s32 pid)
{
	return pid ? task_find_get(pid) : task_get(current);
}

static int set_for_pid(s32 pid, struct policy_request *r)
{
	struct task *t = find_thread(pid);
	int ret;

	if (!t)
		return -ESRCH;
	if (r->nice > 19)		/* "as it is": sched_setscheduler */
		r->nice = t->se.nice;
	ret = set_policy(t, r);
	task_put(t);
	return ret;
}

static int set_with_param(s32 pid, s32 policy, const void __user *param)
{
	struct policy_request r = { .policy = policy, .nice = 20 };
	struct sched_param p;

	if (!param || pid < 0)
		return -EINVAL;
	if (copy_from_user(&p, param, sizeof(p)))
		return -EFAULT;
	if (policy >= 0 && (policy & SCHED_RESET_ON_FORK)) {
		r.policy &= ~SCHED_RESET_ON_FORK;
		r.reset_on_fork = true;
	}
	r.prio = (u32)p.sched_priority;
	return set_for_pid(pid, &r);
}

SYSCALL3(sched_setscheduler, s32, pid, s32, policy, const void __user *, param)
{
	return policy < 0 ? -EINVAL : set_with_param(pid, policy, param);
}

SYSCALL2(sched_setparam, s32, pid, const void __user *, param)
{
	return set_with_param(pid, -1, param);
}

SYSCALL1(sched_getscheduler, s32, pid)
{
	struct task *t;
	long ret;

	if (pid < 0)
		return -EINVAL;
	t = find_thread(pid);
	if (!t)
		return -ESRCH;
	ret = t->se.policy | (t->se.reset_on_fork ? SCHED_RESET_ON_FORK : 0);
	task_put(t);
	return ret;
}

SYSCALL2(sched_getparam, s32, pid, void __user *, param)
{
	struct sched_param p;
	struct task *t;

	if (!param || pid < 0)
		return -EINVAL;
	t = find_thread(pid);
	if (!t)
		return -ESRCH;
	p.sched_priority = t->se.rt_prio;
	task_put(t);
	return copy_to_user(param, &p, sizeof(p));
}

static int read_attr(struct sched_attr __user *user, struct sched_attr *attr)
{
	u32 size;
	int ret;

	if (get_user(size, user_field(user, size)))
		return -EFAULT;
	if (!size)
		size = SCHED_ATTR_SIZE_VER0;
	if (size < SCHED_ATTR_SIZE_VER0 || size > PAGE_SIZE) {
		ret = -E2BIG;
	} else {
		ret = copy_struct_from_user(attr, sizeof(*attr), user, size);
	}
	if (ret == -E2BIG &&
	    put_user((u32)sizeof(struct sched_attr), user_field(user, size)))
		return -EFAULT;
	return ret;
}

SYSCALL3(sched_setattr, s32, pid, struct sched_attr __user *, user, u32, flags)
{
	struct policy_request r;
	struct sched_attr attr;
	int ret;

	if (!user || pid < 0 || flags)
		return -EINVAL;
	ret = read_attr(user, &attr);
	if (ret)
		return ret;
	if ((s32)attr.sched_policy < 0 || (attr.sched_flags & ~SCHED_FLAG_ALL))
		return -EINVAL;
	r = (struct policy_request){
		.policy = (s32)attr.sched_policy,
		.prio = attr.sched_priority,
		.nice = clamp_t(s32, attr.sched_nice, -20, 19),
		.reset_on_fork = attr.sched_flags & SCHED_FLAG_RESET_ON_FORK,
		.keep_params = attr.sched_flags & SCHED_FLAG_KEEP_PARAMS,
	};
	if (attr.sched_flags & SCHED_FLAG_KEEP_POLICY)
		r.policy = -1;
	return set_for_pid(pid, &r);
}

SYSCALL4(sched_getattr, s32, pid, struct sched_attr __user *, user, u32, size,
	 u32, flags)
{
	struct sched_attr attr = { 0 };
	struct task *t;

	if (!user || pid < 0 || size > PAGE_SIZE ||
	    size < SCHED_ATTR_SIZE_VER0 || flags)
		return -EINVAL;
	t = find_thread(pid);
	if (!t)
		return -ESRCH;
	attr.size = size < sizeof(attr) ? size : (u32)sizeof(attr);
	attr.sched_policy = t->se.policy;
	if (t->se.reset_on_fork)
		attr.sched_flags |= SCHED_FLAG_RESET_ON_FORK;
	if (policy_is_rt(t->se.policy))
		attr.sched_priority = t->se.rt_prio;
	else
		attr.sched_nice = t->se.nice;
	attr.sched_util_max = size >= SCHED_ATTR_SIZE_VER1 ? 1024 : 0;
	task_put(t);
	return copy_to_user(user, &attr, attr.size);
}

SYSCALL1(sched_get_priority_max, s32, policy)
{
	if (policy_is_rt(policy))
		return 99;
	return policy_is_valid(policy) || policy == 6 ? 0 : -EINVAL;
}

SYSCALL1(sched_get_priority_min, s32, policy)
{
	if (policy_is_rt(policy))
		return 1;
	return policy_is_valid(policy) || policy == 6 ? 0 : -EINVAL;
}

/* FIFO has no quantum; a fair task alone on its CPU has none either. */
SYSCALL2(sched_rr_get_interval, s32, pid, void __user *, out)
{
	struct task *t;
	u64 ns = 0;

	if (pid < 0)
		return -EINVAL;
	t = find_thread(pid);
	if (!t)
		return -ESRCH;
	if (t->se.policy == SCHED_RR)
		ns = 100 * NSEC_PER_MSEC;
	else if (t->se.policy != SCHED_FIFO)
		ns = TICK_NS;
	task_put(t);
	return timespec_to_user(out, ns);
}

SYSCALL0(sched_yield)
{
	sched_yield_cpu();
	return 0;
}
