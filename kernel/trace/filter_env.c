/* SPDX-License-Identifier: MIT */
/*
 * What a filter asks the running kernel.  Any context; memory is read by the
 * no-fault copies, a piece at a time so that a string may end at the end of
 * what is mapped.
 */
#include <arch/uaccess.h>
#include <kernel/cpu.h>
#include <kernel/task.h>
#include <kernel/uaccess.h>
#include <lib/minmax.h>
#include <lib/string.h>

#include "filter.h"

#define PIECE 64u	/* divides a page */

const char *trace_filter_comm(void)
{
	return current->comm;
}

u32 trace_filter_cpu(void)
{
	return cpu_id();
}

bool trace_filter_fetch(const char *str, bool user, char *buf, u32 size)
{
	uintptr_t addr = (uintptr_t)str;
	u32 done, n;
	size_t left;

	/* Only half of the addresses can be what they are said to be. */
	if (user == ((intptr_t)addr < 0))
		return false;
	for (done = 0; done < size - 1; done += n) {
		n = min(PIECE - (u32)((addr + done) % PIECE), size - 1 - done);
		if (user)
			left = copy_user_nofault(buf + done,
						 user_ptr(addr + done), n);
		else
			left = arch_copy_kernel_nofault(buf + done,
							str + done, n);
		if (left)
			return false;
		if (strnlen(buf + done, n) < n)
			return true;
	}
	buf[done] = '\0';
	return true;
}
