/* SPDX-License-Identifier: MIT */
/*
 * Copying a struct perf_event_attr in: size negotiation, then validation.
 *
 * Entry point: perf_attr_copy.  Task context.  A size we cannot serve is
 * answered with -E2BIG and our own size written back, so that a client can
 * find out what this kernel speaks.
 */
#include "attr_check.h"
#include "door.h"

#include <arch/perf.h>
#include <kernel/page.h>
#include <kernel/uaccess.h>
#include <lib/err.h>

static int refuse_size(struct perf_event_attr __user *user)
{
	u32 size = sizeof(struct perf_event_attr);

	/* A hint only: memory that cannot be written is no other error. */
	(void)!put_user(size, user_field(user, size));
	return -E2BIG;
}

int perf_attr_copy(struct perf_event_attr *attr, void __user *p)
{
	struct perf_event_attr __user *user = p;
	struct perf_attr_env env = {
		.regs_valid = ARCH_PERF_REGS_VALID,
		.max_stack = perf_max_stack,
		.may_kernel = !perf_allow_kernel(),
	};
	u32 size;
	int err;

	if (get_user(size, user_field(user, size)))
		return -EFAULT;
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size < PERF_ATTR_SIZE_VER0 || size > PAGE_SIZE)
		return refuse_size(user);
	err = copy_struct_from_user(attr, sizeof(*attr), user, size);
	if (err == -E2BIG)
		return refuse_size(user);
	if (err)
		return err;
	attr->size = size;
	return perf_attr_check(attr, &env);
}
