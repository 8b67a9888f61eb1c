// SPDX-License-Identifier: MIT
/*
 * Planted faults: `provoke=NAME` on the command line commits one at the end of
 * boot, so that a test can see that its detector fires. Only in kernels that
 * ask for it (CONFIG_DEBUG_PROVOKE); elsewhere this object is absent.
 *
 * Each stands in a function of its own, whose name the report has to show.
 */
#include <arch/irqflags.h>
#include <arch/mmu.h>
#include <kernel/init.h>
#include <kernel/lock.h>
#include <kernel/page.h>
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

static noinline void provoke_panic(void)
{
	panic("provoked");
}

static noinline void provoke_check(void)
{
	CHECK(OPAQUE(1) == 2);
}

static noinline void provoke_assert(void)
{
	ASSERT(OPAQUE(1) == 2);
}

/*
 * The first and last lock of the order, the wrong way round. With interrupts
 * off: on is another fault, for ranks that interrupts take.
 */
static noinline void provoke_lock_order(void)
{
	static struct spinlock low = SPINLOCK_INIT(LOCK_RANK_FILES);
	static struct spinlock high = SPINLOCK_INIT(LOCK_RANK_RECLAIM);
	unsigned long flags;

	flags = spin_lock_irqsave(&high);
	spin_lock(&low);
	spin_unlock(&low);
	spin_unlock_irqrestore(&high, flags);
}

static noinline void provoke_lock_twice(void)
{
	static struct mutex mutex = MUTEX_INIT(mutex, LOCK_RANK_SYSFS);

	mutex_lock(&mutex);
	mutex_lock(&mutex);
}

/* Let go by one who never took it. */
static noinline void provoke_lock_unheld(void)
{
	static struct spinlock lock = SPINLOCK_INIT(LOCK_RANK_FILES);

	spin_unlock(&lock);
}

/* Taken with interrupts on, and then by an interrupt. */
static struct spinlock irq_victim = SPINLOCK_INIT(LOCK_RANK_FILES);

static noinline void provoke_lock_in_timer(struct timer *timer)
{
	spin_lock(&irq_victim);
	spin_unlock(&irq_victim);
}

static noinline void provoke_lock_irq(void)
{
	static struct timer timer;

	spin_lock(&irq_victim);
	spin_unlock(&irq_victim);
	timer_init(&timer, provoke_lock_in_timer);
	timer_start(&timer, time_mono_ns());
	time_sleep_until(time_mono_ns() + 100 * NSEC_PER_MSEC, false);
}

/* Runs in the boot thread, which becomes a user program next. */
static noinline void provoke_lock_to_user(void)
{
	static struct mutex kept = MUTEX_INIT(kept, LOCK_RANK_FILE_POS);

	mutex_lock(&kept);
}

static noinline void provoke_sleep(void)
{
	preempt_disable();
	might_sleep();
	preempt_enable();
}

static noinline void provoke_mutex_in_spin(void)
{
	static struct spinlock spin = SPINLOCK_INIT(LOCK_RANK_FILES);
	static struct mutex mutex = MUTEX_INIT(mutex, LOCK_RANK_SYSFS);

	spin_lock(&spin);
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
	spin_unlock(&spin);
}

static noinline void provoke_list(void)
{
	LIST_HEAD(head);
	LIST_HEAD(a);
	LIST_HEAD(b);

	list_add(&a, &head);
	list_add(&b, &head);
	a.prev = &a;
	list_del(&b);
}

static noinline void provoke_list_twice(void)
{
	LIST_HEAD(head);
	LIST_HEAD(a);

	list_add(&a, &head);
	list_add(&a, &head);
}

static noinline void provoke_red_zone(void)
{
	u8 *p = OPAQUE((u8 *)kmalloc(20, GFP_KERNEL));

	p[20] = 1;
	kfree(p);
}

static noinline void provoke_double_free(void)
{
	u8 *p = OPAQUE((u8 *)kmalloc(20, GFP_KERNEL));

	kfree(p);
	kfree(OPAQUE(p));
}

/* Found when the object is handed out again. */
static noinline void provoke_use_after_free(void)
{
	u8 *p = OPAQUE((u8 *)kmalloc(20, GFP_KERNEL));

	kfree(p);
	p = OPAQUE(p);
	p[5] = 1;
	for (int i = 0; i < 1000; i++)
		if (OPAQUE((u8 *)kmalloc(20, GFP_KERNEL)) == p)
			break;
}

/* What is read is no pointer. */
static noinline void provoke_read_after_free(void)
{
	u32 **p = OPAQUE((u32 **)kmalloc(20, GFP_KERNEL));

	kfree(p);
	p = OPAQUE(p);
	printk(LOG_INFO, "provoked %u", READ_ONCE(*p[0]));
}

static noinline void provoke_page_after_free(void)
{
	struct page *page = page_alloc(0, GFP_KERNEL);
	u8 *p = page_address(page);

	page_put(page);
	p[100] = 1;
	for (int i = 0; i < 1000; i++)
		if (page_alloc(0, GFP_KERNEL) == page)
			break;
}

static noinline u64 provoke_recursion(u64 depth)
{
	u64 room[32] = { depth };

	if (depth == OPAQUE(~0ULL))
		return 0;
	return provoke_recursion(OPAQUE(&room[0])[0] + 1) + room[depth % 32];
}

static noinline void provoke_stack_overflow(void)
{
	printk(LOG_INFO, "provoked %llu", provoke_recursion(0));
}

static noinline void provoke_write_text(void)
{
	u32 *p = OPAQUE((u32 *)(void *)provoke_panic);

	WRITE_ONCE(*p, 0);
}

static noinline void provoke_write_rodata(void)
{
	static const u32 constant[1] = { 1 };
	u32 *p = OPAQUE((u32 *)&constant[0]);

	WRITE_ONCE(*p, 0);
}

static noinline void provoke_exec_data(void)
{
	static u64 words[2];
	void (*fn)(void) = OPAQUE((void (*)(void))(void *)words);

	fn();
	printk(LOG_INFO, "provoked");
}

static noinline void provoke_map_wx(void)
{
	struct page *page = page_alloc(0, GFP_KERNEL);

	vunmap(vmap_pages(&page, 1, PTE_READ | PTE_WRITE | PTE_EXEC));
}

static noinline void provoke_warn(void)
{
	warn_once(OPAQUE(1) == 1);
}

static noinline void provoke_ubsan(void)
{
	int x = OPAQUE(INT_MAX);

	printk(LOG_INFO, "provoked %d", x + OPAQUE(1));
}

static noinline void provoke_null(void)
{
	int *p = OPAQUE((int *)NULL);

	printk(LOG_INFO, "provoked %d", READ_ONCE(*p));
}

/* Longer than the watchdog's patience. */
static noinline void provoke_lockup(void)
{
	preempt_disable();
	for (;;)
		time_udelay(1000);
}

/* With interrupts masked: only another CPU can tell. */
static noinline void provoke_lockup_irq(void)
{
	arch_irq_disable();
	for (;;)
		time_udelay(1000);
}

static const struct {
	const char *name;
	void (*fn)(void);
	bool in_boot; /* committed by the boot thread itself */
} faults[] = {
	{ "panic", provoke_panic, false },
	{ "check", provoke_check, false },
	{ "assert", provoke_assert, false },
	{ "warn", provoke_warn, false },
	{ "lock-order", provoke_lock_order, false },
	{ "lock-twice", provoke_lock_twice, false },
	{ "lock-unheld", provoke_lock_unheld, false },
	{ "lock-irq", provoke_lock_irq, false },
	{ "mutex-in-spin", provoke_mutex_in_spin, false },
	{ "sleep", provoke_sleep, false },
	{ "list", provoke_list, false },
	{ "list-twice", provoke_list_twice, false },
	{ "ubsan", provoke_ubsan, false },
	{ "null", provoke_null, false },
	{ "red-zone", provoke_red_zone, false },
	{ "double-free", provoke_double_free, false },
	{ "use-after-free", provoke_use_after_free, false },
	{ "read-after-free", provoke_read_after_free, false },
	{ "page-after-free", provoke_page_after_free, false },
	{ "stack-overflow", provoke_stack_overflow, false },
	{ "write-text", provoke_write_text, false },
	{ "write-rodata", provoke_write_rodata, false },
	{ "exec-data", provoke_exec_data, false },
	{ "map-wx", provoke_map_wx, false },
	{ "lockup", provoke_lockup, false },
	{ "lockup-irq", provoke_lockup_irq, false },
	{ "lock-to-user", provoke_lock_to_user, true },
};

static u32 went_by; /* [a] */

static void commit(size_t n)
{
	printk(LOG_NOTICE, "provoke: %s", wanted);
	faults[n].fn();
	printk(LOG_NOTICE, "provoke: %s went by", wanted);
}

static void provoke_thread(void *arg)
{
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		if (streq(faults[i].name, wanted))
			commit(i);
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
	if (!wanted[0])
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		if (!faults[i].in_boot || !streq(faults[i].name, wanted))
			continue;
		commit(i);
		return 0;
	}
	if (IS_ERR(kthread_create(provoke_thread, NULL, "provoke", -1)))
		return 0;
	while (!load_acquire(&went_by))
		time_sleep_until(time_mono_ns() + 10 * NSEC_PER_MSEC, false);
	return 0;
}
INITCALL(INIT_LATE, provoke_start);
