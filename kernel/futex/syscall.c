/* SPDX-License-Identifier: MIT */
/*
 * futex(2): its operations, flags and timeouts.
 *
 * The timeout of FUTEX_WAIT is relative; those of the others are absolute, on
 * CLOCK_MONOTONIC or, with FUTEX_CLOCK_REALTIME (and always for LOCK_PI), on
 * the wall clock.
 */
#include <kernel/syscall.h>
#include <kernel/timespec.h>
#include <lib/err.h>

#include "internal.h"

static bool cmd_has_timeout(u32 cmd)
{
	return cmd == FUTEX_WAIT || cmd == FUTEX_LOCK_PI ||
	       cmd == FUTEX_LOCK_PI2 || cmd == FUTEX_WAIT_BITSET ||
	       cmd == FUTEX_WAIT_REQUEUE_PI;
}

static int read_deadline(const void __user *timeout, u32 cmd, bool realtime,
			 u64 *deadline)
{
	u64 ns;
	int ret = timespec_from_user(timeout, &ns);

	if (ret)
		return ret;
	if (cmd == FUTEX_WAIT)
		*deadline = time_deadline(ns);
	else if (realtime)
		*deadline = time_real_to_mono(ns);
	else
		*deadline = ns;
	return 0;
}

SYSCALL6(futex, u32 __user *, uaddr, int, op, u32, val,
	 const void __user *, timeout, u32 __user *, uaddr2, u32, val3)
{
	u32 cmd = (u32)op & FUTEX_CMD_MASK;
	u32 flags = op & FUTEX_PRIVATE_FLAG ? 0 : FUTEX_SHARED;
	bool realtime = op & FUTEX_CLOCK_REALTIME;
	u32 val2 = (u32)user_addr(timeout);
	u64 deadline = ~0ull;
	int ret;

	if (realtime && cmd != FUTEX_WAIT_BITSET &&
	    cmd != FUTEX_WAIT_REQUEUE_PI && cmd != FUTEX_LOCK_PI2)
		return -ENOSYS;
	if (cmd == FUTEX_LOCK_PI)
		realtime = true;
	if (timeout && cmd_has_timeout(cmd)) {
		ret = read_deadline(timeout, cmd, realtime, &deadline);
		if (ret)
			return ret;
	}
	switch (cmd) {
	case FUTEX_WAIT:
		return futex_wait(uaddr, flags, val, deadline,
				  FUTEX_BITSET_MATCH_ANY, true);
	case FUTEX_WAIT_BITSET:
		return futex_wait(uaddr, flags, val, deadline, val3, true);
	case FUTEX_WAKE:
		return futex_wake_flags(uaddr, flags, val,
					FUTEX_BITSET_MATCH_ANY);
	case FUTEX_WAKE_BITSET:
		return futex_wake_flags(uaddr, flags, val, val3);
	case FUTEX_REQUEUE:
		return futex_requeue(uaddr, flags, uaddr2, (s32)val, (s32)val2,
				     NULL);
	case FUTEX_CMP_REQUEUE:
		return futex_requeue(uaddr, flags, uaddr2, (s32)val, (s32)val2,
				     &val3);
	case FUTEX_WAKE_OP:
		return futex_wake_op(uaddr, flags, uaddr2, (s32)val, (s32)val2,
				     val3);
	case FUTEX_WAIT_REQUEUE_PI:
		return futex_wait_requeue_pi(uaddr, flags, val, deadline,
					     uaddr2);
	case FUTEX_CMP_REQUEUE_PI:
		return futex_requeue_pi(uaddr, flags, uaddr2, (s32)val,
					(s32)val2, val3);
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		return futex_lock_pi(uaddr, flags, deadline, false);
	case FUTEX_TRYLOCK_PI:
		return futex_lock_pi(uaddr, flags, ~0ull, true);
	case FUTEX_UNLOCK_PI:
		return futex_unlock_pi(uaddr, flags);
	}
	return -ENOSYS;
}
