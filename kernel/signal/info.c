/* SPDX-License-Identifier: MIT */
/*
 * siginfo to and from user memory.  The kernel keeps the user layout itself,
 * zeroed before it is filled, so that both are plain copies.
 */
#include <kernel/uaccess.h>
#include <lib/err.h>

#include "internal.h"

BUILD_ASSERT(sizeof(struct siginfo) == 128);
BUILD_ASSERT(OFFSET_OF(struct siginfo, si_pid) == 16);
BUILD_ASSERT(OFFSET_OF(struct siginfo, si_value) == 24);
BUILD_ASSERT(OFFSET_OF(struct siginfo, si_status) == 24);
BUILD_ASSERT(OFFSET_OF(struct siginfo, si_utime) == 32);
BUILD_ASSERT(OFFSET_OF(struct siginfo, si_sys_private) == 32);
BUILD_ASSERT(OFFSET_OF(struct siginfo, si_perf_data) == 24);
BUILD_ASSERT(OFFSET_OF(struct siginfo, si_perf_type) == 32);
BUILD_ASSERT(OFFSET_OF(struct siginfo, si_fd) == 24);
BUILD_ASSERT(OFFSET_OF(struct siginfo, si_arch) == 28);

int signal_copy_info(struct siginfo __user *to, const struct siginfo *info)
{
	return copy_to_user(to, info, sizeof(*info));
}
