/* SPDX-License-Identifier: MIT */
/*
 * Time values between user space and nanoseconds, with Linux's checks: seconds
 * not negative, nanoseconds below 10^9; what exceeds the range of 64-bit
 * nanoseconds counts as the end of it.
 */
#ifndef SONDE_KERNEL_TIMESPEC_H
#define SONDE_KERNEL_TIMESPEC_H

#include <kernel/time.h>
#include <kernel/uaccess.h>
#include <linux/time.h>

static inline bool timespec_is_valid(const struct kernel_timespec *ts)
{
	return ts->tv_sec >= 0 && (u64)ts->tv_nsec < NSEC_PER_SEC;
}

static inline u64 timespec_to_ns(const struct kernel_timespec *ts)
{
	if ((u64)ts->tv_sec >= (u64)S64_MAX / NSEC_PER_SEC)
		return (u64)S64_MAX;
	return (u64)ts->tv_sec * NSEC_PER_SEC + (u64)ts->tv_nsec;
}

static inline struct kernel_timespec ns_to_timespec(u64 ns)
{
	struct kernel_timespec ts = { .tv_sec = (s64)(ns / NSEC_PER_SEC),
				      .tv_nsec = (s64)(ns % NSEC_PER_SEC) };

	return ts;
}

static inline struct kernel_timeval ns_to_timeval(u64 ns)
{
	struct kernel_timeval tv = {
		.tv_sec = (s64)(ns / NSEC_PER_SEC),
		.tv_usec = (s64)(ns % NSEC_PER_SEC / NSEC_PER_USEC),
	};

	return tv;
}

/* 0, -EFAULT, -EINVAL. */
static inline int timespec_from_user(const void __user *from, u64 *ns)
{
	struct kernel_timespec ts;

	if (copy_from_user(&ts, from, sizeof(ts)))
		return -EFAULT;
	if (!timespec_is_valid(&ts))
		return -EINVAL;
	*ns = timespec_to_ns(&ts);
	return 0;
}

static inline int timespec_to_user(void __user *to, u64 ns)
{
	struct kernel_timespec ts = ns_to_timespec(ns);

	return copy_to_user(to, &ts, sizeof(ts));
}

/* now + ns, saturating; ~0 means never. */
static inline u64 time_deadline(u64 ns)
{
	u64 now = time_mono_ns();

	return ns > (u64)S64_MAX - now ? ~0ull : now + ns;
}

/* An absolute wall-clock time on the monotonic clock; the past is 0. */
static inline u64 time_real_to_mono(u64 real_ns)
{
	u64 offset = time_boot_offset_ns();

	if (real_ns >= (u64)S64_MAX)
		return ~0ull;
	return real_ns > offset ? real_ns - offset : 0;
}

#endif /* SONDE_KERNEL_TIMESPEC_H */
