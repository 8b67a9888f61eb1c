/* SPDX-License-Identifier: MIT */
/*
 * Reading and setting the clocks: clock_gettime and its family, gettimeofday,
 * times, adjtimex.
 *
 * The boot and the monotonic clock are one, since nothing suspends; the raw
 * clock is the same too, since nothing steers the rate.  adjtimex answers and
 * changes nothing.
 */
#include <kernel/cred.h>
#include <kernel/syscall.h>
#include <kernel/timespec.h>
#include <lib/err.h>

#include "internal.h"

static struct timezone system_tz;	/* settimeofday; read as it is */

static int clock_read(s32 id, u64 *ns)
{
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_ALARM:
	case CLOCK_TAI:
		*ns = time_real_ns();
		return 0;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_BOOTTIME:
	case CLOCK_BOOTTIME_ALARM:
		*ns = time_mono_ns();
		return 0;
	case CLOCK_REALTIME_COARSE:
		*ns = time_mono_ns();
		*ns = *ns - *ns % TICK_NS + time_boot_offset_ns();
		return 0;
	case CLOCK_MONOTONIC_COARSE:
		*ns = time_mono_ns();
		*ns -= *ns % TICK_NS;
		return 0;
	}
	return clock_is_cpu(id) ? cpu_clock_read(id, ns) : -EINVAL;
}

SYSCALL2(clock_gettime, s32, id, void __user *, out)
{
	u64 ns;
	int ret = clock_read(id, &ns);

	return ret ? ret : timespec_to_user(out, ns);
}

static int clock_resolution(s32 id, u64 *ns)
{
	u32 which = (u32)id & CPUCLOCK_CLOCK_MASK;
	u64 now;
	int ret = clock_read(id, &now);

	*ns = 1;
	if (id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE ||
	    (id < 0 && which != CPUCLOCK_SCHED))
		*ns = TICK_NS;
	return ret;
}

SYSCALL2(clock_getres, s32, id, void __user *, out)
{
	u64 ns;
	int ret = clock_resolution(id, &ns);

	if (ret || !out)
		return ret;
	return timespec_to_user(out, ns);
}

SYSCALL2(clock_settime, s32, id, const void __user *, from)
{
	u64 ns;
	int ret;

	if (id != CLOCK_REALTIME)
		return clock_is_cpu(id) && !cpu_clock_check(id) ? -EPERM :
								  -EINVAL;
	ret = timespec_from_user(from, &ns);
	if (ret)
		return ret;
	if (!capable(CAP_SYS_TIME))
		return -EPERM;
	return time_set_real_ns(ns);
}

SYSCALL2(gettimeofday, void __user *, tv, void __user *, tz)
{
	struct kernel_timeval now;

	if (tv) {
		now = ns_to_timeval(time_real_ns());
		if (copy_to_user(tv, &now, sizeof(now)))
			return -EFAULT;
	}
	if (tz && copy_to_user(tz, &system_tz, sizeof(system_tz)))
		return -EFAULT;
	return 0;
}

SYSCALL2(settimeofday, const void __user *, tv, const void __user *, tz)
{
	struct kernel_timeval now;
	struct timezone zone;

	if (tv && copy_from_user(&now, tv, sizeof(now)))
		return -EFAULT;
	if (tv && (u64)now.tv_usec >= 1000000)
		return -EINVAL;
	if (tz && copy_from_user(&zone, tz, sizeof(zone)))
		return -EFAULT;
	if (tv && (now.tv_sec < 0 ||
		   (u64)now.tv_sec >= (u64)S64_MAX / NSEC_PER_SEC))
		return -EINVAL;
	if (!capable(CAP_SYS_TIME))
		return -EPERM;
	if (tz) {
		if (zone.tz_minuteswest > 15 * 60 ||
		    zone.tz_minuteswest < -15 * 60)
			return -EINVAL;
		system_tz = zone;
	}
	if (!tv)
		return 0;
	return time_set_real_ns((u64)now.tv_sec * NSEC_PER_SEC +
				(u64)now.tv_usec * NSEC_PER_USEC);
}

#define NS_PER_CLOCK (NSEC_PER_SEC / USER_HZ)

SYSCALL1(times, void __user *, out)
{
	struct process *p = current->proc;
	struct kernel_tms tms;
	struct task_usage u;
	unsigned long flags;

	if (out) {
		process_usage(p, &u);
		tms.tms_utime = (s64)(u.utime_ns / NS_PER_CLOCK);
		tms.tms_stime = (s64)(u.stime_ns / NS_PER_CLOCK);
		flags = spin_lock_irqsave(&p->siglock);
		tms.tms_cutime = (s64)(p->cutime_ns / NS_PER_CLOCK);
		tms.tms_cstime = (s64)(p->cstime_ns / NS_PER_CLOCK);
		spin_unlock_irqrestore(&p->siglock, flags);
		if (copy_to_user(out, &tms, sizeof(tms)))
			return -EFAULT;
	}
	return (long)(time_mono_ns() / NS_PER_CLOCK);
}

/* What an unsynchronised clock that nobody steers says of itself. */
static long adjtimex(void __user *user)
{
	struct kernel_timex tx;
	u32 modes;

	if (copy_from_user(&tx, user, sizeof(tx)))
		return -EFAULT;
	modes = tx.modes;
	if (modes && modes != ADJ_OFFSET_SS_READ)
		return capable(CAP_SYS_TIME) ? -EINVAL : -EPERM;
	tx = (struct kernel_timex){
		.modes = modes,
		.maxerror = 16000000,
		.esterror = 16000000,
		.status = STA_UNSYNC,
		.constant = 2,
		.precision = 1,
		.tolerance = 32768000,
		.tick = 10000,
		.time = ns_to_timeval(time_real_ns()),
	};
	return copy_to_user(user, &tx, sizeof(tx)) ? -EFAULT : TIME_ERROR;
}

SYSCALL1(adjtimex, void __user *, user)
{
	return adjtimex(user);
}

SYSCALL2(clock_adjtime, s32, id, void __user *, user)
{
	u64 ns;

	if (id == CLOCK_REALTIME)
		return adjtimex(user);
	return clock_read(id, &ns) ? -EINVAL : -EOPNOTSUPP;
}
