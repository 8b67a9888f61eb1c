/* SPDX-License-Identifier: MIT */
/*
 * One-shot timers on per-CPU queues ordered by expiry.
 *
 * Each CPU's base lock guards its tree, the fields of the timers that name
 * that CPU, and the hardware timer, which is armed for the first of the tree.
 * Cancelling the first leaves the hardware armed: the interrupt then finds
 * nothing due and arms anew, which is cheaper than arming on each cancel.
 *
 * base->running is the timer whose fn is being called without the lock; a
 * timer is not moved to another CPU while its fn runs, so that waiting for
 * one base is enough.  Must never be called from the overflow interrupt.
 *
 * Timers that are asked for faster than they can be served must not keep a CPU
 * in its interrupt for good: one that finds more due at each look at the clock
 * ends, and the next one is late by as long as this one took.
 */
#include <arch/time.h>
#include <kernel/cpu.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/time.h>
#include <kernel/trace_hooks.h>
#include <lib/minmax.h>

#include "internal.h"
#include "timer_queue.h"

#define MOST_LOOKS    3		/* in one interrupt */
#define MOST_PAUSE_NS (100 * NSEC_PER_MSEC)

struct timer_base {
	struct spinlock lock;
	struct rb_root queue;		/* [lock] by expires */
	struct timer *running;		/* [lock] */
	u64 armed;			/* [lock] mono ns, ~0: disarmed */
	bool in_interrupt;		/* [lock] arms when it is done */
	bool pausing;			/* [lock] armed late, on purpose */
};

static DEFINE_PER_CPU(struct timer_base, timer_base) = {
	.lock = SPINLOCK_INIT(LOCK_RANK_TIMER_BASE),
	.armed = ~0ull,
};

void timer_init(struct timer *t, void (*fn)(struct timer *t))
{
	rb_node_clear(&t->node);
	t->expires = 0;
	t->fn = fn;
	t->cpu = -1;
	t->queued = 0;
	trace_hrtimer_init(t);
}

/* [lock, own CPU] */
static void base_arm_for(struct timer_base *base, u64 next)
{
	base->armed = next;
	arch_timer_arm(next == ~0ull ? ~0ull : time_ns_to_counter(next));
}

/* [lock, own CPU] */
static void base_arm(struct timer_base *base)
{
	struct timer *first = timer_queue_first(&base->queue);

	base_arm_for(base, first ? first->expires : ~0ull);
}

/* [lock, own CPU] What the timers had from start on, the rest has now. */
static void base_pause(struct timer_base *base, u64 start, u64 now)
{
	base->pausing = true;
	base_arm_for(base, now + min(now - start, MOST_PAUSE_NS));
}

/*
 * Lock the base that t belongs to; NULL when it was never started.  t->cpu
 * only changes under the lock of the base it leaves.
 */
static struct timer_base *timer_lock_base(struct timer *t)
{
	struct timer_base *base;
	s32 cpu;

	for (;;) {
		cpu = READ_ONCE(t->cpu);
		if (cpu < 0)
			return NULL;
		base = per_cpu_ptr(timer_base, cpu);
		spin_lock(&base->lock);
		if (t->cpu == cpu)
			return base;
		spin_unlock(&base->lock);
	}
}

/*
 * Interrupts are masked.  Returns the base to queue t on, locked: this CPU's,
 * unless fn is running elsewhere, and then that one (it arms on its way out).
 */
static struct timer_base *timer_take(struct timer *t, bool *was_armed)
{
	struct timer_base *mine = this_cpu_ptr(timer_base);
	struct timer_base *base = timer_lock_base(t);

	if (base) {
		if (t->queued) {
			timer_queue_remove(&base->queue, t);
			trace_hrtimer_cancel(t);
			*was_armed = true;
		}
		if (base == mine || base->running == t)
			return base;
		t->cpu = (s32)cpu_id();
		spin_unlock(&base->lock);
	}
	spin_lock(&mine->lock);
	t->cpu = (s32)cpu_id();
	return mine;
}

void timer_start(struct timer *t, u64 expires_ns)
{
	unsigned long flags = arch_irq_save();
	bool was_armed = false;
	struct timer_base *base = timer_take(t, &was_armed);

	t->expires = expires_ns;
	timer_queue_add(&base->queue, t);
	trace_hrtimer_start(t, was_armed);
	if (expires_ns < base->armed && !base->in_interrupt &&
	    !base->pausing && base == this_cpu_ptr(timer_base))
		base_arm(base);
	spin_unlock(&base->lock);
	arch_irq_restore(flags);
}

bool timer_cancel(struct timer *t)
{
	unsigned long flags = arch_irq_save();
	struct timer_base *base = timer_lock_base(t);
	bool was = false;

	if (base) {
		was = t->queued;
		if (was) {
			timer_queue_remove(&base->queue, t);
			trace_hrtimer_cancel(t);
		}
		spin_unlock(&base->lock);
	}
	arch_irq_restore(flags);
	return was;
}

static bool timer_is_running(struct timer *t)
{
	unsigned long flags = arch_irq_save();
	struct timer_base *base = timer_lock_base(t);
	bool running = false;

	if (base) {
		running = base->running == t;
		spin_unlock(&base->lock);
	}
	arch_irq_restore(flags);
	return running;
}

bool timer_cancel_sync(struct timer *t)
{
	bool was = timer_cancel(t);

	while (unlikely(timer_is_running(t))) {
		arch_cpu_relax();
		was |= timer_cancel(t);	/* fn may have restarted it */
	}
	return was;
}

u64 timer_forward(struct timer *t, u64 now, u64 period_ns)
{
	return timer_queue_forward(t, now, period_ns);
}

void timer_interrupt(void)
{
	struct timer_base *base = this_cpu_ptr(timer_base);
	u64 start = time_mono_ns(), now = start;
	u32 looks = 0;
	struct timer *t;

	spin_lock(&base->lock);
	base->in_interrupt = true;
	base->pausing = false;
	while ((t = timer_queue_first(&base->queue))) {
		if (t->expires > now) {
			now = time_mono_ns();
			if (t->expires > now)
				break;
			if (++looks == MOST_LOOKS) {
				base_pause(base, start, now);
				break;
			}
		}
		timer_queue_remove(&base->queue, t);
		base->running = t;
		spin_unlock(&base->lock);
		trace_hrtimer_expire_entry(t, now);
		t->fn(t);
		trace_hrtimer_expire_exit(t);
		spin_lock(&base->lock);
		base->running = NULL;
	}
	base->in_interrupt = false;
	if (!base->pausing)
		base_arm(base);
	spin_unlock(&base->lock);
}

/* cpu is dead: its timers go on here.  Interrupts masked. */
void timer_adopt(u32 cpu)
{
	struct timer_base *from = per_cpu_ptr(timer_base, cpu);
	struct timer_base *to = this_cpu_ptr(timer_base);
	struct timer *t;

	spin_lock_two(&from->lock, &to->lock);
	while ((t = timer_queue_first(&from->queue))) {
		timer_queue_remove(&from->queue, t);
		t->cpu = (s32)cpu_id();
		timer_queue_add(&to->queue, t);
	}
	from->armed = ~0ull;
	from->pausing = false;
	base_arm(to);
	spin_unlock_two(&from->lock, &to->lock);
}

void time_init_cpu(void)
{
	arch_time_init_cpu();
	tick_init_cpu();
}
