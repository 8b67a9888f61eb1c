/* SPDX-License-Identifier: MIT */
/*
 * The order of the boot.
 *
 * kernel_start() runs on the boot stack as the boot CPU's idle task with
 * interrupts masked: console, memory, per-CPU data, scheduler, interrupts,
 * clock.  It creates the init thread (number 1) and becomes idle.  The init
 * thread does everything that may sleep: initcalls by level, the other CPUs,
 * the initramfs, and at last becomes the first user program.
 *
 * Whatever must come in a certain order has its line here; everything else is
 * an initcall.
 */
#include <arch/boot.h>
#include <arch/irq.h>
#include <arch/smp.h>
#include <kernel/cpu.h>
#include <kernel/fs.h>
#include <kernel/init.h>
#include <kernel/ksym.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <kernel/perf_event.h>
#include <kernel/printk.h>
#include <kernel/process.h>
#include <kernel/random.h>
#include <kernel/reclaim.h>
#include <kernel/sched.h>
#include <kernel/static_key.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <lib/err.h>

#include <generated/version.h>

#include "internal.h"

struct boot_info boot_info;

#define INITCALL_BOUNDS(n)                                   \
	extern initcall_fn *const __start_initcall_##n[];    \
	extern initcall_fn *const __stop_initcall_##n[]
INITCALL_BOUNDS(1);
INITCALL_BOUNDS(2);
INITCALL_BOUNDS(3);
INITCALL_BOUNDS(4);

static void run_initcalls(initcall_fn *const *from, initcall_fn *const *to)
{
	int ret;

	for (; from < to; from++) {
		ret = (*from)();
		if (ret)
			pr_err("initcall %pS returned %d", *from, ret);
		CHECK(!arch_irqs_disabled() && !current_info()->preempt_count);
	}
}

/* Once its PMUs are there; the other CPUs do it on their way up. */
static void init_perf_here(void)
{
	unsigned long flags = arch_irq_save();

	perf_cpu_online(cpu_id());
	arch_irq_restore(flags);
}

static void init_main(void *arg)
{
	int ret;

	reclaim_init();
	static_keys_init();
	random_init();
	fs_init();
	perf_init();
	run_initcalls(__start_initcall_1, __stop_initcall_1);
	run_initcalls(__start_initcall_2, __stop_initcall_2);
	run_initcalls(__start_initcall_3, __stop_initcall_3);
	init_perf_here();
	smp_init(boot_options.max_cpus);
	run_initcalls(__start_initcall_4, __stop_initcall_4);
	arch_seal();
	/* From here on names are looked up: it needs a root. */
	process_run_init();
	make_first_names();
	ret = initramfs_unpack();
	if (ret)
		pr_err("Initramfs unpacking failed: %d", ret);
	run_init();
}

static void init_memory(void)
{
	cpu_set_possible(arch_smp_probe());
	percpu_init();
	page_alloc_init();
	slab_init();
	arch_setup();
}

void kernel_start(void)
{
	struct task *init;

	ksym_init();
	arch_boot_info(&boot_info);
	cmdline_parse(boot_info.cmdline);
	pr_info("Sonde %s, %s", BUILD_COMMIT, BUILD_DATE);
	pr_info("Kernel command line: %s", boot_info.cmdline);
	init_memory();
	sched_init();
	if (arch_irq_init())
		panic("no interrupt controller in the device tree");
	arch_irq_init_cpu();
	time_init();
	time_init_cpu();
	mm_init();
	task_core_init();
	init = kthread_create(init_main, NULL, "swapper/0", -1);
	if (IS_ERR(init))
		panic("no memory for the first thread");
	sched_start();
}
