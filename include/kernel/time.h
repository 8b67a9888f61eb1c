/* SPDX-License-Identifier: MIT */
/*
 * Clocks and timers.
 *
 * time_mono_ns() is CLOCK_MONOTONIC and the perf clock: nanoseconds since
 * boot from the architectural counter by a 32.32-style mult/shift, monotonic
 * across CPUs, any context, no lock.
 */
#ifndef SONDE_KERNEL_TIME_H
#define SONDE_KERNEL_TIME_H

#include <lib/list.h>
#include <lib/rbtree.h>
#include <lib/types.h>

struct pt_regs;

#define NSEC_PER_SEC  1000000000ull
#define NSEC_PER_MSEC 1000000ull
#define NSEC_PER_USEC 1000ull
#define HZ	      250	/* the tick that perf and the scheduler mean */
#define TICK_NS	      (NSEC_PER_SEC / HZ)
#define USER_HZ	      100

u64 time_mono_ns(void);
u64 time_real_ns(void);		/* wall clock; RTC at boot, settime moves it */
u64 time_boot_offset_ns(void);	/* real - mono */
int time_set_real_ns(u64 ns);

/* Called whenever the wall clock was set, in the setter's context, interrupts
 * off; fn may take locks from LOCK_RANK_TIMERS on. */
struct clock_watch {
	struct list_head link;		/* [watch_lock] */
	void (*fn)(struct clock_watch *w);	/* [I] */
};
void clock_watch_add(struct clock_watch *w);
void clock_watch_del(struct clock_watch *w);	/* fn does not run after */

/* Counter to nanoseconds: ns = (cycles * mult) >> shift (since boot base). */
struct time_conv {
	u32 mult;	/* [I] */
	u32 shift;	/* [I] */
	u64 base_cycles;/* [I] counter at mono 0 */
};
extern struct time_conv time_conv;

/* Boot CPU: find the counter, start the clock.  Then each CPU's timer. */
void time_init(void);
void time_init_cpu(void);

/*
 * One-shot high-resolution timers on a per-CPU queue.  fn runs in hard
 * interrupt context on the CPU where it was started, ordinary interrupts
 * masked; it may restart its own timer.
 */
struct timer {
	struct rb_node node;		/* [timer base lock] */
	u64 expires;			/* [timer base lock] mono ns */
	void (*fn)(struct timer *t);	/* [I] while active */
	s32 cpu;			/* [timer base lock] queue, -1 never */
	u8 queued;			/* [timer base lock] */
};

void timer_init(struct timer *t, void (*fn)(struct timer *t));
/* (Re)start on this CPU for an absolute time.  Any context but the overflow
 * interrupt. */
void timer_start(struct timer *t, u64 expires_ns);
/* True if it was queued.  Does not wait for a running fn. */
bool timer_cancel(struct timer *t);
/* Also waits until fn is not running anywhere.  Task context. */
bool timer_cancel_sync(struct timer *t);
/* Next fn invocation relative to the old expiry, for periodic timers:
 * returns how many periods passed. */
u64 timer_forward(struct timer *t, u64 now, u64 period_ns);

/* Arch timer interrupt: run what expired, rearm. */
void timer_interrupt(void);

/* CPU hotplug: the dying CPU's tick ends; then its timers move here. */
void tick_stop_cpu(void);
void timer_adopt(u32 cpu);

/*
 * The tick: 250 Hz while the CPU is busy or somebody asked (tick_request),
 * off when idle.  Subscribers are called in hard-interrupt context on each
 * tick.
 */
void tick_request(bool on);		/* this CPU; counted; interrupts off */
u64 tick_count(void);			/* jiffies-like, from mono time */
/* Keep the tick running at least until it next fires.  Interrupts off. */
void tick_kick(void);

struct tick_subscriber {
	struct tick_subscriber *next;	/* [boot] then immutable */
	void (*fn)(struct pt_regs *regs);
};
/* Boot only.  The tick calls fn whether or not this caller requested it. */
void tick_subscribe(struct tick_subscriber *s);

/* Sleep of the current task; -EINTR with a signal.  Absolute mono ns. */
int time_sleep_until(u64 mono_ns, bool interruptible);
void time_udelay(u32 us);

#endif /* SONDE_KERNEL_TIME_H */
