/* SPDX-License-Identifier: MIT */
/*
 * Waiting for a signal without a handler: rt_sigtimedwait.
 *
 * While it sleeps, the awaited signals are unblocked (so that senders wake
 * it) and real_blocked says that they were not meant to be acted upon.
 */
#include <kernel/sched.h>
#include <kernel/syscall.h>
#include <kernel/time.h>
#include <kernel/uaccess.h>
#include <lib/err.h>

#include "internal.h"

struct user_timespec {
	s64 sec;
	s64 nsec;
};

static int read_deadline(const struct user_timespec __user *uts, u64 *deadline)
{
	struct user_timespec ts;
	u64 now = time_mono_ns();

	if (copy_from_user(&ts, uts, sizeof(ts)))
		return -EFAULT;
	if (ts.sec < 0 || ts.nsec < 0 || ts.nsec >= (s64)NSEC_PER_SEC)
		return -EINVAL;
	if ((u64)ts.sec >= (U64_MAX - now) / NSEC_PER_SEC - 1)
		*deadline = ~0ull;
	else
		*deadline = now + (u64)ts.sec * NSEC_PER_SEC + (u64)ts.nsec;
	return 0;
}

static int take_or_wait(u64 want, u64 deadline, bool may_wait,
			struct siginfo *info)
{
	struct process *p = current->proc;
	int sig;

	siglock_irq(p);
	sig = signal_dequeue_locked(current, want, info);
	if (sig || !may_wait) {
		siglock_irq_release(p);
		return sig;
	}
	current->real_blocked = current->blocked;
	current->blocked.bits &= ~want;
	signal_recalc(current);
	set_current_state(TASK_INTERRUPTIBLE);
	siglock_irq_release(p);
	if (!signal_pending(current))
		schedule_until(deadline);
	set_current_state(TASK_RUNNING);
	siglock_irq(p);
	current->blocked = current->real_blocked;
	current->real_blocked.bits = 0;
	sig = signal_dequeue_locked(current, want, info);
	siglock_irq_release(p);
	return sig;
}

SYSCALL4(rt_sigtimedwait, const struct sigset __user *, uset,
	 struct siginfo __user *, uinfo,
	 const struct user_timespec __user *, uts, size_t, size)
{
	u64 deadline = ~0ull, want;
	struct siginfo info;
	int sig, err;

	if (size != sizeof(struct sigset))
		return -EINVAL;
	if (get_user(want, user_field(uset, bits)))
		return -EFAULT;
	want &= ~SIGS_KERNEL_ONLY;
	if (uts) {
		err = read_deadline(uts, &deadline);
		if (err)
			return err;
	}
	sig = take_or_wait(want, deadline,
			   deadline == ~0ull || deadline > time_mono_ns(),
			   &info);
	if (!sig)
		return signal_pending(current) ? -EINTR : -EAGAIN;
	if (uinfo && signal_copy_info(uinfo, &info))
		return -EFAULT;
	return sig;
}
