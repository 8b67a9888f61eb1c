// SPDX-License-Identifier: MIT
/*
 * Planted faults: `provoke=NAME` on the command line commits one at the end of
 * boot, so that a test can see that its detector fires. Only in kernels with a
 * detector (CONFIG_DEBUG_PROVOKE); in a release kernel this object is absent.
 */
#include <arch/irqflags.h>
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/panic.h>
#include <kernel/printk.h>
#include <kernel/sched.h>
#include <kernel/time.h>
#include <lib/atomic.h>
#include <lib/err.h>
#include <lib/list.h>
#include <lib/minmax.h>
#include <lib/string.h>

static char wanted[32];

static void set_provoke(const char *value)
{
	strlcpy_k(wanted, value, sizeof(wanted));
}
BOOT_PARAM(provoke, "provoke=", set_provoke);

static void provoke_panic(void)
{
	panic("provoked");
}

static void provoke_check(void)
{
	CHECK(OPAQUE(1) == 2);
}

static void provoke_assert(void)
{
	ASSERT(OPAQUE(1) == 2);
}

/* The first and last lock of the order, the wrong way round. */
static void provoke_lock_order(void)
{
	static struct spinlock low = SPINLOCK_INIT(LOCK_RANK_FILES);
	static struct spinlock high = SPINLOCK_INIT(LOCK_RANK_RECLAIM);

	spin_lock(&high);
	spin_lock(&low);
	spin_unlock(&low);
	spin_unlock(&high);
}

static void provoke_lock_twice(void)
{
	static struct mutex mutex = MUTEX_INIT(mutex, LOCK_RANK_SYSFS);

	mutex_lock(&mutex);
	mutex_lock(&mutex);
}

static void provoke_sleep(void)
{
	preempt_disable();
	might_sleep();
	preempt_enable();
}

static void provoke_mutex_in_spin(void)
{
	static struct spinlock spin = SPINLOCK_INIT(LOCK_RANK_FILES);
	static struct mutex mutex = MUTEX_INIT(mutex, LOCK_RANK_SYSFS);

	spin_lock(&spin);
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
	spin_unlock(&spin);
}

static void provoke_list(void)
{
	LIST_HEAD(head);
	LIST_HEAD(a);
	LIST_HEAD(b);

	list_add(&a, &head);
	list_add(&b, &head);
	a.prev = &a;
	list_del(&b);
}

static void provoke_ubsan(void)
{
	int x = OPAQUE(INT_MAX);

	printk(LOG_INFO, "provoked %d", x + OPAQUE(1));
}

static void provoke_null(void)
{
	int *p = OPAQUE((int *)NULL);

	printk(LOG_INFO, "provoked %d", READ_ONCE(*p));
}

/* Longer than the watchdog's patience. */
static void provoke_lockup(void)
{
	preempt_disable();
	for (;;)
		time_udelay(1000);
}

static const struct {
	const char *name;
	void (*fn)(void);
} faults[] = {
	{ "panic", provoke_panic },
	{ "check", provoke_check },
	{ "assert", provoke_assert },
	{ "lock-order", provoke_lock_order },
	{ "lock-twice", provoke_lock_twice },
	{ "mutex-in-spin", provoke_mutex_in_spin },
	{ "sleep", provoke_sleep },
	{ "list", provoke_list },
	{ "ubsan", provoke_ubsan },
	{ "null", provoke_null },
	{ "lockup", provoke_lockup },
};

static u32 went_by; /* [a] */

static void provoke_thread(void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		if (!streq(faults[i].name, wanted))
			continue;
		printk(LOG_NOTICE, "provoke: %s", wanted);
		faults[i].fn();
		printk(LOG_NOTICE, "provoke: %s went by", wanted);
	}
	store_release(&went_by, 1u);
	for (;;)
		time_sleep_until(~0ULL, false);
}

/*
 * In a thread of its own, with the boot waiting: the fault happens in an
 * ordinary task, and nothing else is going on.
 */
static int provoke_start(void)
{
	if (!wanted[0] ||
	    IS_ERR(kthread_create(provoke_thread, NULL, "provoke", -1)))
		return 0;
	while (!load_acquire(&went_by))
		time_sleep_until(time_mono_ns() + 10 * NSEC_PER_MSEC, false);
	return 0;
}
INITCALL(INIT_LATE, provoke_start);
