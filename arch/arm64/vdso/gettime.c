/* SPDX-License-Identifier: MIT */
/*
 * Clocks without a system call, in user mode.
 *
 * Reads the data page that kernel/time writes; retries while a write is under
 * way.  A clock that the page does not carry becomes the system call.  No
 * data of its own, no call out of this object.
 */
#include <kernel/vdso.h>
#include <linux/errno.h>

#define CLOCK_REALTIME		0
#define CLOCK_MONOTONIC		1
#define CLOCK_MONOTONIC_RAW	4
#define CLOCK_REALTIME_COARSE	5
#define CLOCK_MONOTONIC_COARSE	6
#define CLOCK_BOOTTIME		7
#define CLOCK_TAI		11

#define NR_clock_gettime 113
#define NR_clock_getres	 114

#define NSEC_PER_SEC 1000000000ull

struct timespec64 {
	s64 sec;
	s64 nsec;
};

struct timeval64 {
	s64 sec;
	s64 usec;
};

struct timezone {
	s32 minutes_west;
	s32 dst;
};

#define EXPORT __attribute__((visibility("default")))

int __kernel_clock_gettime(int clock, struct timespec64 *ts);
int __kernel_clock_getres(int clock, struct timespec64 *res);
int __kernel_gettimeofday(struct timeval64 *tv, struct timezone *tz);

/* Not const: it changes under this code. */
extern struct vdso_data vdso_clock_data
	__attribute__((visibility("hidden")));

static inline int system_call(long nr, int clock, void *out)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = clock;
	register void *x1 __asm__("x1") = out;

	__asm__ __volatile__("svc #0"
			     : "+r"(x0)
			     : "r"(x8), "r"(x1)
			     : "memory");
	return (int)x0;
}

/* The ISB keeps the read from being done before the sequence number's. */
static inline u64 counter(void)
{
	u64 count;

	__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0"
			     : "=r"(count)
			     :
			     : "memory");
	return count;
}

static inline u64 read_clock(bool real, bool coarse)
{
	const struct vdso_data *d = &vdso_clock_data;
	u64 ns, delta, high, low;
	u32 seq, shift;

	do {
		seq = __atomic_load_n(&d->seq, __ATOMIC_ACQUIRE);
		delta = counter() - d->base_cycles;
		low = delta * d->mult;
		__asm__("umulh %0, %1, %2"
			: "=r"(high)
			: "r"(delta), "r"((u64)d->mult));
		shift = d->shift;
		ns = low >> shift | high << (64 - shift);
		if (coarse)
			ns -= ns % d->coarse_ns;
		if (real)
			ns += d->real_offset_ns;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (seq & 1 || seq != READ_ONCE(d->seq));
	return ns;
}

static inline int put(struct timespec64 *ts, u64 ns)
{
	u64 sec = ns / NSEC_PER_SEC;

	ts->sec = (s64)sec;
	ts->nsec = (s64)(ns - sec * NSEC_PER_SEC);
	return 0;
}

EXPORT int __kernel_clock_gettime(int clock, struct timespec64 *ts)
{
	switch (clock) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_BOOTTIME:
		return put(ts, read_clock(false, false));
	case CLOCK_REALTIME:
	case CLOCK_TAI:
		return put(ts, read_clock(true, false));
	case CLOCK_MONOTONIC_COARSE:
		return put(ts, read_clock(false, true));
	case CLOCK_REALTIME_COARSE:
		return put(ts, read_clock(true, true));
	default:
		return system_call(NR_clock_gettime, clock, ts);
	}
}

EXPORT int __kernel_gettimeofday(struct timeval64 *tv, struct timezone *tz)
{
	if (tv) {
		u64 us = read_clock(true, false) / 1000;

		tv->sec = (s64)(us / 1000000);
		tv->usec = (s64)(us % 1000000);
	}
	if (tz) {
		tz->minutes_west = 0;
		tz->dst = 0;
	}
	return 0;
}

EXPORT int __kernel_clock_getres(int clock, struct timespec64 *res)
{
	s64 ns;

	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_BOOTTIME:
	case CLOCK_TAI:
		ns = 1;
		break;
	case CLOCK_REALTIME_COARSE:
	case CLOCK_MONOTONIC_COARSE:
		ns = vdso_clock_data.coarse_ns;
		break;
	default:
		return system_call(NR_clock_getres, clock, res);
	}
	if (res) {
		res->sec = 0;
		res->nsec = ns;
	}
	return 0;
}
