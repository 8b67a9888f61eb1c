/* SPDX-License-Identifier: MIT */
/*
 * Validation of a struct perf_event_attr by itself: reserved bits, ranges,
 * combinations.  Rules that need a PMU, a target or a group are elsewhere.
 *
 * Entry point: perf_attr_check.  Pure; the order of the checks is not
 * visible, since all but one answer -EINVAL.
 */
#include "attr_check.h"

#include <lib/bits.h>
#include <lib/err.h>

static int check_branches(struct perf_event_attr *attr, bool may_kernel)
{
	u64 mask = attr->branch_sample_type;

	if (!(attr->sample_type & PERF_SAMPLE_BRANCH_STACK))
		return 0;
	if (mask & ~(u64)(PERF_SAMPLE_BRANCH_MAX - 1))
		return -EINVAL;
	/* Something other than a privilege level must be asked for. */
	if (!(mask & ~(u64)PERF_SAMPLE_BRANCH_PLM_ALL))
		return -EINVAL;
	/* No level named: that of the event. */
	if (!(mask & PERF_SAMPLE_BRANCH_PLM_ALL)) {
		if (!attr->exclude_kernel)
			mask |= PERF_SAMPLE_BRANCH_KERNEL;
		if (!attr->exclude_user)
			mask |= PERF_SAMPLE_BRANCH_USER;
		if (!attr->exclude_hv)
			mask |= PERF_SAMPLE_BRANCH_HV;
		attr->branch_sample_type = mask;
	}
	if ((mask & (PERF_SAMPLE_BRANCH_KERNEL | PERF_SAMPLE_BRANCH_HV)) &&
	    !may_kernel)
		return -EACCES;
	return 0;
}

static int check_regs(u64 mask, u64 valid)
{
	return mask && !(mask & ~valid) ? 0 : -EINVAL;
}

static int check_combinations(const struct perf_event_attr *attr)
{
	if (attr->inherit_thread && !attr->inherit)
		return -EINVAL;
	if (attr->remove_on_exec && attr->enable_on_exec)
		return -EINVAL;
	if (attr->sigtrap && !attr->remove_on_exec)
		return -EINVAL;
	if ((attr->sample_type & PERF_SAMPLE_WEIGHT_TYPE) ==
	    PERF_SAMPLE_WEIGHT_TYPE)
		return -EINVAL;
	return 0;
}

int perf_attr_check(struct perf_event_attr *attr,
		    const struct perf_attr_env *env)
{
	int err;

	if (attr->__reserved_1 || attr->__reserved_2 || attr->__reserved_3)
		return -EINVAL;
	if (attr->sample_type & ~(u64)(PERF_SAMPLE_MAX - 1))
		return -EINVAL;
	if (attr->read_format & ~(u64)(PERF_FORMAT_MAX - 1))
		return -EINVAL;
	err = check_branches(attr, env->may_kernel);
	if (err)
		return err;
	if (attr->sample_type & PERF_SAMPLE_REGS_USER) {
		err = check_regs(attr->sample_regs_user, env->regs_valid);
		if (err)
			return err;
	}
	if (attr->sample_type & PERF_SAMPLE_STACK_USER) {
		/* Room for the record's other fields, and whole words. */
		if (attr->sample_stack_user >= 0xffff ||
		    attr->sample_stack_user % sizeof(u64))
			return -EINVAL;
	}
	if (!attr->sample_max_stack)
		attr->sample_max_stack = (u16)env->max_stack;
	if (attr->sample_type & PERF_SAMPLE_REGS_INTR) {
		err = check_regs(attr->sample_regs_intr, env->regs_valid);
		if (err)
			return err;
	}
	return check_combinations(attr);
}
