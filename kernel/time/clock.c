/* SPDX-License-Identifier: MIT */
/*
 * The clocks: monotonic time from the architectural counter, and the wall
 * clock as an offset from it.
 *
 * time_conv is written once at boot.  The offset changes only under
 * real_lock; readers take it as one 64-bit load, so they need no lock.  Both
 * are mirrored in the vDSO's data page.  Any context may read; the overflow
 * interrupt too.
 */
#include <arch/time.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/time.h>
#include <lib/err.h>
#include <lib/math64.h>

#include "internal.h"

struct time_conv time_conv;
static u64 real_offset_ns;	/* [real_lock] real - mono, read anywhere */
static struct spinlock watch_lock = SPINLOCK_INIT(LOCK_RANK_CLOCK_WATCH);
static struct list_head watches = LIST_HEAD_INIT(watches); /* [watch_lock] */
static struct spinlock real_lock = SPINLOCK_INIT(LOCK_RANK_TIMER_BASE);

/* Nanoseconds to counter ticks, for arming: rounds up to a whole tick. */
static u32 cycles_mult;		/* [I] */
static u32 cycles_shift;	/* [I] */

__notrace u64 time_mono_ns(void)
{
	return mul_u64_u32_shr(arch_clock_read() - time_conv.base_cycles,
			       time_conv.mult, time_conv.shift);
}

u64 time_ns_to_counter(u64 mono_ns)
{
	u64 cycles = mul_u64_u32_shr(mono_ns, cycles_mult, cycles_shift);

	return time_conv.base_cycles + cycles + 1;
}

u64 time_boot_offset_ns(void)
{
	return READ_ONCE(real_offset_ns);
}

u64 time_real_ns(void)
{
	return time_mono_ns() + READ_ONCE(real_offset_ns);
}

void clock_watch_add(struct clock_watch *w)
{
	unsigned long flags = spin_lock_irqsave(&watch_lock);

	list_add_tail(&w->link, &watches);
	spin_unlock_irqrestore(&watch_lock, flags);
}

void clock_watch_del(struct clock_watch *w)
{
	unsigned long flags = spin_lock_irqsave(&watch_lock);

	list_del(&w->link);
	spin_unlock_irqrestore(&watch_lock, flags);
}

static void clock_was_set(void)
{
	unsigned long flags = spin_lock_irqsave(&watch_lock);
	struct clock_watch *w;

	list_for_each_entry(w, &watches, link)
		w->fn(w);
	spin_unlock_irqrestore(&watch_lock, flags);
}

int time_set_real_ns(u64 ns)
{
	unsigned long flags;
	u64 mono;

	/* Linux keeps the wall clock within what a signed 64-bit ns holds. */
	if (ns > (u64)S64_MAX / 2)
		return -EINVAL;
	flags = spin_lock_irqsave(&real_lock);
	mono = time_mono_ns();
	if (ns < mono) {
		spin_unlock_irqrestore(&real_lock, flags);
		return -EINVAL;
	}
	WRITE_ONCE(real_offset_ns, ns - mono);
	time_vdso_update(real_offset_ns);
	spin_unlock_irqrestore(&real_lock, flags);
	clock_was_set();
	return 0;
}

void time_udelay(u32 us)
{
	u64 end = time_mono_ns() + us * NSEC_PER_USEC;

	while (time_mono_ns() < end)
		arch_cpu_relax();
}

void time_init(void)
{
	u64 hz;

	if (arch_time_init())
		panic("time: no counter in the device tree");
	hz = arch_clock_freq();
	scale_mult_shift(hz, NSEC_PER_SEC, &time_conv.mult, &time_conv.shift);
	scale_mult_shift(NSEC_PER_SEC, hz, &cycles_mult, &cycles_shift);
	time_conv.base_cycles = arch_clock_read();
	time_vdso_update(0);
}
