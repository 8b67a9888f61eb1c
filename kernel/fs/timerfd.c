/* SPDX-License-Identifier: MIT */
/*
 * timerfd: expirations of a timer as a file.
 *
 * A timer on a wall clock that was set absolutely follows the clock when that
 * is set, and with TFD_TIMER_CANCEL_ON_SET a read says ECANCELED once.
 *
 * A periodic timer that has fired rests until somebody looks: that one counts
 * the periods since.  So a period costs nothing that nobody reads, however
 * short it is.
 *
 * tfd->lock (a spin lock, ordinary interrupts off) guards all.
 */
#include "internal.h"

#include <kernel/file.h>
#include <kernel/syscall.h>
#include <kernel/time.h>
#include <kernel/timespec.h>
#include <kernel/wait.h>
#include <lib/printf.h>
#include <linux/time.h>
#include <linux/timerfd.h>

struct timerfd {
	struct spinlock lock;		/* LOCK_RANK_TIMERS */
	struct timer timer;
	u64 expires;			/* [lock] mono ns; 0: disarmed */
	u64 period;			/* [lock] ns; 0: one shot */
	u64 ticks;			/* [lock] not read yet */
	u32 clock;			/* [I] */
	u32 settime_flags;		/* [lock] for fdinfo */
	bool fired;			/* [lock] at expires, and rests */
	bool canceled;			/* [lock] the clock was set */
	u64 offset;			/* [lock] of the wall clock */
	struct clock_watch watch;	/* wall clocks only */
	struct wait_queue wq;
};

static bool is_wall(u32 clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_ALARM;
}

/* [hard interrupt] */
static void timerfd_fire(struct timer *timer)
{
	struct timerfd *t = container_of(timer, struct timerfd, timer);
	unsigned long flags = spin_lock_irqsave(&t->lock);
	u64 now = time_mono_ns();

	if (!t->expires || t->fired || t->expires > now) {
		spin_unlock_irqrestore(&t->lock, flags);
		return;
	}
	t->ticks++;
	if (t->period)
		t->fired = true;
	else
		t->expires = 0;
	spin_unlock_irqrestore(&t->lock, flags);
	wake_up_poll(&t->wq, POLLIN);
}

/* The wall clock was set: an absolute timer is due at another time. */
static void timerfd_clock_set(struct clock_watch *w)
{
	struct timerfd *t = container_of(w, struct timerfd, watch);
	u64 offset = time_boot_offset_ns(), moved;
	unsigned long flags = spin_lock_irqsave(&t->lock);
	bool wake = false;

	if (t->settime_flags & TFD_TIMER_ABSTIME) {
		wake = t->settime_flags & TFD_TIMER_CANCEL_ON_SET;
		t->canceled |= wake;
		if (t->expires) {
			moved = t->expires + t->offset;
			t->expires = moved > offset ? moved - offset : 1;
			if (!t->fired)
				timer_start(&t->timer, t->expires);
		}
		t->offset = offset;
	}
	spin_unlock_irqrestore(&t->lock, flags);
	if (wake)
		wake_up_poll(&t->wq, POLLIN);
}

/*
 * [lock] Goes on from where it rests: counts what has passed.  True: the timer
 * is to be started.
 */
static bool advance(struct timerfd *t)
{
	u64 now = time_mono_ns(), n;

	if (!t->fired)
		return false;
	t->fired = false;
	if (t->expires > now)	/* the clock was set back */
		return true;
	n = (now - t->expires) / t->period;
	t->ticks += n;
	t->expires += (n + 1) * t->period;
	return true;
}

/* Expirations since the last read, or -ECANCELED. */
static int take_ticks(struct timerfd *t, u64 *n)
{
	unsigned long flags = spin_lock_irqsave(&t->lock);
	int ret = t->canceled ? -ECANCELED : 0;

	if (advance(t))
		timer_start(&t->timer, t->expires);
	*n = t->ticks;
	t->ticks = 0;
	t->canceled = false;
	spin_unlock_irqrestore(&t->lock, flags);
	return ret;
}

static bool has_news(struct timerfd *t)
{
	return READ_ONCE(t->ticks) || READ_ONCE(t->canceled);
}

static ssize_t timerfd_read(struct file *f, struct uio *to, u64 *pos)
{
	struct timerfd *t = f->private;
	u64 n;
	int ret;

	if (to->left < sizeof(n))
		return -EINVAL;
	for (;;) {
		ret = take_ticks(t, &n);
		if (ret)
			return ret;
		if (n)
			break;
		if (f->flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(&t->wq, has_news(t));
		if (ret)
			return ret;
	}
	return uio_put(to, &n, sizeof(n)) < sizeof(n) ? -EFAULT : sizeof(n);
}

static u32 timerfd_poll(struct file *f, struct poll_table *pt)
{
	struct timerfd *t = f->private;

	poll_wait(pt, &t->wq);
	arch_smp_mb();
	return has_news(t) ? POLLIN : 0;
}

static void timerfd_release(struct file *f)
{
	struct timerfd *t = f->private;
	unsigned long flags;

	if (is_wall(t->clock))
		clock_watch_del(&t->watch);
	flags = spin_lock_irqsave(&t->lock);
	t->expires = 0;
	spin_unlock_irqrestore(&t->lock, flags);
	timer_cancel_sync(&t->timer);
	kfree(t);
}

/* [lock] */
static void get_setting(struct timerfd *t, struct kernel_itimerspec *out)
{
	u64 now = time_mono_ns(), left = 0;

	if (t->expires && !t->fired)
		left = t->expires > now ? t->expires - now : 1;
	out->it_value = ns_to_timespec(left);
	out->it_interval = ns_to_timespec(t->period);
}

static void timerfd_fdinfo(struct file *f, char *buf, size_t size)
{
	struct timerfd *t = f->private;
	struct kernel_itimerspec its;
	unsigned long flags = spin_lock_irqsave(&t->lock);
	u64 ticks = t->ticks;

	get_setting(t, &its);
	spin_unlock_irqrestore(&t->lock, flags);
	scnprintf(buf, size,
		  "clockid: %d\nticks: %llu\nsettime flags: 0%o\nit_value: (%llu, %llu)\nit_interval: (%llu, %llu)\n",
		  (int)t->clock, ticks, t->settime_flags,
		  (u64)its.it_value.tv_sec, (u64)its.it_value.tv_nsec,
		  (u64)its.it_interval.tv_sec, (u64)its.it_interval.tv_nsec);
}

static const struct file_ops timerfd_ops = {
	.read = timerfd_read,
	.poll = timerfd_poll,
	.release = timerfd_release,
	.fdinfo = timerfd_fdinfo,
	.llseek = no_llseek,
};

SYSCALL2(timerfd_create, u32, clock, u32, flags)
{
	struct timerfd *t;
	int fd;

	if (flags & ~(u32)(TFD_CLOEXEC | TFD_NONBLOCK))
		return -EINVAL;
	switch (clock) {
	case CLOCK_MONOTONIC:
	case CLOCK_REALTIME:
	case CLOCK_BOOTTIME:
		break;
	case CLOCK_REALTIME_ALARM:
	case CLOCK_BOOTTIME_ALARM:
		if (!capable(CAP_WAKE_ALARM))
			return -EPERM;
		break;
	default:
		return -EINVAL;
	}
	t = kzalloc(sizeof(*t), GFP_KERNEL);
	if (!t)
		return -ENOMEM;
	t->clock = clock;
	spin_init(&t->lock, LOCK_RANK_TIMERS);
	timer_init(&t->timer, timerfd_fire);
	wait_queue_init(&t->wq);
	t->watch.fn = timerfd_clock_set;
	if (is_wall(clock))
		clock_watch_add(&t->watch);
	fd = anon_fd("timerfd", &timerfd_ops, t, O_RDWR | flags);
	if (fd < 0) {
		if (is_wall(clock))
			clock_watch_del(&t->watch);
		kfree(t);
	}
	return fd;
}

static void arm(struct timerfd *t, const struct kernel_itimerspec *its,
		u32 flags, struct kernel_itimerspec *old)
{
	u64 value = timespec_to_ns(&its->it_value), now;
	unsigned long irq;

	timer_cancel_sync(&t->timer);
	irq = spin_lock_irqsave(&t->lock);
	advance(t);
	get_setting(t, old);
	now = time_mono_ns();
	t->ticks = 0;
	t->canceled = false;
	t->offset = time_boot_offset_ns();
	t->period = timespec_to_ns(&its->it_interval);
	t->settime_flags = flags;
	t->expires = 0;
	if (value) {
		if (!(flags & TFD_TIMER_ABSTIME))
			value = min(value + now, (u64)S64_MAX);
		else if (is_wall(t->clock))
			value = value > t->offset ? value - t->offset : 1;
		t->expires = value;
		timer_start(&t->timer, value);
	}
	spin_unlock_irqrestore(&t->lock, irq);
}

SYSCALL4(timerfd_settime, int, fd, u32, flags,
	 const struct kernel_itimerspec __user *, uits,
	 struct kernel_itimerspec __user *, uold)
{
	struct kernel_itimerspec its, old;
	struct fdref r;

	if (copy_from_user(&its, uits, sizeof(its)))
		return -EFAULT;
	if ((flags & ~(u32)(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) ||
	    !timespec_is_valid(&its.it_value) ||
	    !timespec_is_valid(&its.it_interval))
		return -EINVAL;
	r = fdget(fd);
	if (!r.file)
		return -EBADF;
	if (r.file->ops != &timerfd_ops) {
		fdput(r);
		return -EINVAL;
	}
	arm(r.file->private, &its, flags, &old);
	fdput(r);
	return uold ? copy_to_user(uold, &old, sizeof(old)) : 0;
}

SYSCALL2(timerfd_gettime, int, fd, struct kernel_itimerspec __user *, out)
{
	struct kernel_itimerspec its;
	struct fdref r = fdget(fd);
	struct timerfd *t;
	unsigned long flags;

	if (!r.file)
		return -EBADF;
	if (r.file->ops != &timerfd_ops) {
		fdput(r);
		return -EINVAL;
	}
	t = r.file->private;
	flags = spin_lock_irqsave(&t->lock);
	if (advance(t))
		timer_start(&t->timer, t->expires);
	get_setting(t, &its);
	spin_unlock_irqrestore(&t->lock, flags);
	fdput(r);
	return copy_to_user(out, &its, sizeof(its));
}
