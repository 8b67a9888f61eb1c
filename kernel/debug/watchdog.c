// SPDX-License-Identifier: MIT
/*
 * The soft-lockup watchdog (CONFIG_SOFT_LOCKUP).
 *
 * One thread per CPU, above every other, stamps the time every few seconds. A
 * timer on each CPU looks at the stamps of all: a CPU that has not run its
 * thread for 30 s is reported with every CPU's stack, one for 60 s is a panic.
 * Since each looks at all, a CPU that hangs with interrupts masked is found by
 * the others. Started late in boot; holds no lock.
 */
#include <kernel/cpu.h>
#include <kernel/init.h>
#include <kernel/panic.h>
#include <kernel/percpu.h>
#include <kernel/printk.h>
#include <kernel/sched.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/atomic.h>
#include <lib/err.h>

#define STAMP_NS  (4 * NSEC_PER_SEC)
#define REPORT_NS (30 * NSEC_PER_SEC)
#define PANIC_NS  (60 * NSEC_PER_SEC)

static DEFINE_PER_CPU(u64, stamp_ns);		  /* [a]; 0: not watched */
static DEFINE_PER_CPU(struct timer, check_timer); /* own CPU */
static u64 last_report_ns;			  /* [a] */

static void check_cpu(u32 cpu, u64 now)
{
	u64 stamp = load_relaxed(per_cpu_ptr(stamp_ns, cpu));
	u64 last = load_relaxed(&last_report_ns);

	if (!stamp || now < stamp + REPORT_NS)
		return;
	/* One report per half minute, by whoever comes first. */
	if ((!last || now > last + REPORT_NS) &&
	    try_cmpxchg_relaxed(&last_report_ns, &last, now)) {
		printk(LOG_EMERG, "soft lockup: CPU %u stuck for %llu s", cpu,
		       (now - stamp) / NSEC_PER_SEC);
		dump_all_stacks();
	}
	if (now > stamp + PANIC_NS)
		panic("soft lockup: CPU %u stuck for %llu s", cpu,
		      (now - stamp) / NSEC_PER_SEC);
}

static void check(struct timer *timer)
{
	u64 now = time_mono_ns();
	u32 cpu;

	for_each_online_cpu(cpu)
		check_cpu(cpu, now);
	timer_start(timer, now + STAMP_NS);
}

/*
 * A CPU that goes offline loses its thread to another one: from then on it is
 * not watched, and once it is back the thread returns.
 */
static bool is_home(u32 home)
{
	struct cpumask mask = { 0 };

	if (cpu_id() == home)
		return true;
	bitmap_set(mask.bits, home);
	return !sched_set_affinity(current_task(), &mask) && cpu_id() == home;
}

static void stamp_thread(void *arg)
{
	struct timer *timer = this_cpu_ptr(check_timer);
	u32 home = cpu_id();

	sched_set_policy(current_task(), SCHED_FIFO, 99, 0);
	timer_init(timer, check);
	timer_start(timer, time_mono_ns() + STAMP_NS);
	for (;;) {
		u64 now = time_mono_ns();

		store_relaxed(per_cpu_ptr(stamp_ns, home),
			      is_home(home) ? now : 0);
		time_sleep_until(now + STAMP_NS, false);
	}
}

static int watchdog_start(void)
{
	u32 cpu;

	for_each_online_cpu(cpu) {
		struct task *t = kthread_create(stamp_thread, NULL, "watchdog",
						(s32)cpu);

		if (IS_ERR(t))
			return (int)PTR_ERR(t);
	}
	return 0;
}
INITCALL(INIT_LATE, watchdog_start);
