/* SPDX-License-Identifier: MIT */
/*
 * Rules of struct perf_event_attr that need nothing but the attr.  Pure.
 */
#ifndef SONDE_PERF_ATTR_CHECK_H
#define SONDE_PERF_ATTR_CHECK_H

#include <lib/types.h>
#include <linux/perf_event.h>

/* What the machine and the caller's rights decide. */
struct perf_attr_env {
	u64 regs_valid;		/* registers that may be asked for */
	u32 max_stack;		/* perf_event_max_stack */
	bool may_kernel;	/* kernel-privileged branches allowed */
};

/*
 * Validate and normalise attr (sample_max_stack, branch privilege bits).
 * 0, -EINVAL, -EACCES (branch stack of the kernel).
 */
int perf_attr_check(struct perf_event_attr *attr,
		    const struct perf_attr_env *env);

#endif /* SONDE_PERF_ATTR_CHECK_H */
