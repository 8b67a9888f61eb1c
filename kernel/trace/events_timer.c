/* SPDX-License-Identifier: MIT */
/*
 * Events of timers: layouts and print formats as Linux 6.1's.
 *
 * Every timer here is of the exact kind, runs by the monotonic clock and is
 * started for an absolute time (mode 0), without slack.  The coarse ones that
 * Linux has besides (timer_*) do not exist.
 */
#include "event.h"

#include <kernel/time.h>

typedef s32 clockid_t;

#define CLOCK_MONOTONIC 1
#define MODE_ABS	0

/* How both show their mode. */
#define MODE_TEXT \
	"__print_symbolic(REC->mode, { HRTIMER_MODE_ABS, \"ABS\" " \
	"}, { HRTIMER_MODE_REL, \"REL\" }, { " \
	"HRTIMER_MODE_ABS_PINNED, \"ABS|PINNED\" }, { " \
	"HRTIMER_MODE_REL_PINNED, \"REL|PINNED\" }, { " \
	"HRTIMER_MODE_ABS_SOFT, \"ABS|SOFT\" }, { " \
	"HRTIMER_MODE_REL_SOFT, \"REL|SOFT\" }, { " \
	"HRTIMER_MODE_ABS_PINNED_SOFT, \"ABS|PINNED|SOFT\" }, { " \
	"HRTIMER_MODE_REL_PINNED_SOFT, \"REL|PINNED|SOFT\" }, { " \
	"HRTIMER_MODE_ABS_HARD, \"ABS|HARD\" }, { " \
	"HRTIMER_MODE_REL_HARD, \"REL|HARD\" }, { " \
	"HRTIMER_MODE_ABS_PINNED_HARD, \"ABS|PINNED|HARD\" }, { " \
	"HRTIMER_MODE_REL_PINNED_HARD, \"REL|PINNED|HARD\" })"

TRACE_EVENT(timer, hrtimer_init, (const struct timer *t), (t),
	    ((T, "void *", const void *, hrtimer), (F, clockid_t, clockid),
	     (T, "enum hrtimer_mode", u32, mode)),
	    "hrtimer=%p clockid=%s mode=%s",
	    "REC->hrtimer, __print_symbolic(REC->clockid, { 0, "
	    "\"CLOCK_REALTIME\" }, { 1, \"CLOCK_MONOTONIC\" }, { 7, "
	    "\"CLOCK_BOOTTIME\" }, { 11, \"CLOCK_TAI\" }), " MODE_TEXT)
{
	r->hrtimer = t;
	r->clockid = CLOCK_MONOTONIC;
	r->mode = MODE_ABS;
}

TRACE_EVENT(timer, hrtimer_start, (const struct timer *t, bool was_armed),
	    (t, was_armed),
	    ((T, "void *", const void *, hrtimer),
	     (T, "void *", uintptr_t, function), (F, s64, expires),
	     (F, s64, softexpires), (T, "enum hrtimer_mode", u32, mode),
	     (T, "bool", bool, was_armed)),
	    "hrtimer=%p function=%ps expires=%llu softexpires=%llu "
	    "mode=%s was_armed=%d",
	    "REC->hrtimer, REC->function, (unsigned long long) "
	    "REC->expires, (unsigned long long) REC->softexpires, "
	    MODE_TEXT ", "
	    "REC->was_armed")
{
	r->hrtimer = t;
	r->function = (uintptr_t)t->fn;
	r->expires = r->softexpires = (s64)t->expires;
	r->mode = MODE_ABS;
	r->was_armed = was_armed;
}

TRACE_EVENT(timer, hrtimer_expire_entry, (const struct timer *t, u64 now),
	    (t, now),
	    ((T, "void *", const void *, hrtimer), (F, s64, now),
	     (T, "void *", uintptr_t, function)),
	    "hrtimer=%p function=%ps now=%llu",
	    "REC->hrtimer, REC->function, (unsigned long long) "
	    "REC->now")
{
	r->hrtimer = t;
	r->now = (s64)now;
	r->function = (uintptr_t)t->fn;
}

/* The timer may be gone: only where it was. */
#define ADDRESS_ONLY(name)                                              \
	TRACE_EVENT(timer, name, (const struct timer *t), (t),          \
		    ((T, "void *", const void *, hrtimer)),             \
		    "hrtimer=%p", "REC->hrtimer")                       \
	{                                                               \
		r->hrtimer = t;                                         \
	}
ADDRESS_ONLY(hrtimer_expire_exit)
ADDRESS_ONLY(hrtimer_cancel)

TRACE_EVENT(timer, itimer_state,
	    (int which, u64 expires, u64 value, u64 interval),
	    (which, expires, value, interval),
	    ((F, int, which), (F, unsigned long long, expires),
	     (F, long, value_sec), (F, long, value_nsec),
	     (F, long, interval_sec), (F, long, interval_nsec)),
	    "which=%d expires=%llu it_value=%ld.%06ld "
	    "it_interval=%ld.%06ld",
	    "REC->which, REC->expires, REC->value_sec, "
	    "REC->value_nsec / 1000L, REC->interval_sec, "
	    "REC->interval_nsec / 1000L")
{
	r->which = which;
	r->expires = expires;
	r->value_sec = (long)(value / NSEC_PER_SEC);
	r->value_nsec = (long)(value % NSEC_PER_SEC);
	r->interval_sec = (long)(interval / NSEC_PER_SEC);
	r->interval_nsec = (long)(interval % NSEC_PER_SEC);
}

TRACE_EVENT(timer, itimer_expire, (int which, s32 pid, u64 now),
	    (which, pid, now),
	    ((F, int, which), (F, pid_t, pid), (F, unsigned long long, now)),
	    "which=%d pid=%d now=%llu",
	    "REC->which, (int) REC->pid, REC->now")
{
	r->which = which;
	r->pid = pid;
	r->now = now;
}

TRACE_EVENT(timer, tick_stop, (int success, int dependency),
	    (success, dependency), ((F, int, success), (F, int, dependency)),
	    "success=%d dependency=%s",
	    "REC->success, __print_symbolic(REC->dependency, { 0, "
	    "\"NONE\" }, { (1 << 0), \"POSIX_TIMER\" }, { (1 << 1), "
	    "\"PERF_EVENTS\" }, { (1 << 2), \"SCHED\" }, { (1 << 3), "
	    "\"CLOCK_UNSTABLE\" }, { (1 << 4), \"RCU\" }, { (1 << "
	    "5), \"RCU_EXP\" })")
{
	r->success = success;
	r->dependency = dependency;
}
