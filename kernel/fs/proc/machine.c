/* SPDX-License-Identifier: MIT */
/*
 * Files at the top of /proc about the machine's parts: interrupts, drivers,
 * physical memory.
 *
 * Formats are the reference's, as procps and util-linux parse them.  What
 * does not exist here (soft interrupts, disks, misc devices) has a file that
 * says so: zeroes, or nothing.
 */
#include <arch/boot.h>
#include <arch/irq.h>
#include <kernel/cpu.h>
#include <kernel/cred.h>
#include <kernel/init.h>
#include <kernel/irq.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>
#include <lib/err.h>
#include <lib/minmax.h>

extern const char _text[], _stext[], _etext[], _sdata[], _end[];

static void show_cpu_heads(struct seq *s, u32 indent)
{
	u32 cpu;

	seq_printf(s, "%*s", (int)indent, "");
	for_each_online_cpu(cpu)
		seq_printf(s, "CPU%-8u", cpu);
	seq_putc(s, '\n');
}

static int show_interrupts(struct seq *s, void *private)
{
	u32 irq, cpu, count = arch_irq_count();
	const char *name;

	show_cpu_heads(s, 11);
	for (irq = 0; irq < count; irq++) {
		if (!irq_describe(irq, &name))
			continue;
		seq_printf(s, "%3u: ", irq);
		for_each_online_cpu(cpu)
			seq_printf(s, "%10llu ", irq_count(irq, cpu));
		seq_printf(s, "  %8s %3u Level     %s\n", arch_irq_chip_name(),
			   irq, name);
	}
	seq_printf(s, "%3s: %10u\n", "Err", 0u);
	return 0;
}

static int show_softirqs(struct seq *s, void *private)
{
	static const char *const kinds[] = {
		"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL",
		"TASKLET", "SCHED", "HRTIMER", "RCU",
	};
	u32 i, cpu;

	show_cpu_heads(s, 20);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		seq_printf(s, "%12s:", kinds[i]);
		for_each_online_cpu(cpu)
			seq_printf(s, " %10u", 0u);
		seq_putc(s, '\n');
	}
	return 0;
}

/* A driver's name where one serves many devices of a number. */
static const char *major_name(u32 major)
{
	switch (major) {
	case 1:
		return "mem";
	case 136:
		return "pts";
	case 204:
		return "ttyAMA";
	default:
		return NULL;
	}
}

/* Whether an earlier device had this one's number. */
static bool seen_before(u32 n, u32 major)
{
	const char *name;
	u32 rdev;

	while (n--)
		if (chrdev_describe(n, &rdev, &name) && MAJOR(rdev) == major)
			return true;
	return false;
}

static int show_devices(struct seq *s, void *private)
{
	const char *name;
	u32 major, n, rdev;

	seq_puts(s, "Character devices:\n");
	for (major = 0; major < 512; major++) {
		for (n = 0; chrdev_describe(n, &rdev, &name); n++) {
			if (MAJOR(rdev) != major)
				continue;
			if (!major_name(major))
				seq_printf(s, "%3u /dev/%s\n", major, name);
			else if (!seen_before(n, major))
				seq_printf(s, "%3u %s\n", major,
					   major_name(major));
		}
	}
	seq_puts(s, "\nBlock devices:\n");
	return 0;
}

static int show_buddyinfo(struct seq *s, void *private)
{
	u64 nr[MAX_ORDER];
	u32 order;

	page_free_blocks(nr);
	seq_puts(s, "Node 0, zone      DMA ");
	for (order = 0; order < MAX_ORDER; order++)
		seq_printf(s, "%6llu ", nr[order]);
	seq_putc(s, '\n');
	return 0;
}

static void show_range(struct seq *s, u32 indent, u64 start, u64 end,
		       const char *what)
{
	if (!capable(CAP_SYS_ADMIN))
		start = end = 0;
	seq_printf(s, "%*s%08llx-%08llx : %s\n", (int)indent, "", start, end,
		   what);
}

static bool inside(const struct boot_range *ram, u64 at)
{
	return at >= ram->start && at < ram->end;
}

static int show_iomem(struct seq *s, void *private)
{
	u64 text = arch_virt_to_phys(_text), etext = arch_virt_to_phys(_etext);
	u64 data = arch_virt_to_phys(_sdata), end = arch_virt_to_phys(_end);
	u32 i;

	for (i = 0; i < boot_info.nr_memory; i++) {
		const struct boot_range *ram = &boot_info.memory[i];

		show_range(s, 0, ram->start, ram->end - 1, "System RAM");
		if (!inside(ram, text))
			continue;
		show_range(s, 2, text, etext - 1, "Kernel code");
		show_range(s, 2, data, end - 1, "Kernel data");
	}
	return 0;
}

static int show_nothing(struct seq *s, void *private)
{
	return 0;
}

static const struct pseudo_file machine_files[] = {
	{ .name = "interrupts", .mode = 0444, .show = show_interrupts },
	{ .name = "softirqs", .mode = 0444, .show = show_softirqs },
	{ .name = "devices", .mode = 0444, .show = show_devices },
	{ .name = "misc", .mode = 0444, .show = show_nothing },
	{ .name = "diskstats", .mode = 0444, .show = show_nothing },
	{ .name = "buddyinfo", .mode = 0444, .show = show_buddyinfo },
	{ .name = "iomem", .mode = 0400, .show = show_iomem },
};

static int machine_init(void)
{
	return pseudo_create_all(proc_root, machine_files,
				 ARRAY_SIZE(machine_files), NULL);
}
INITCALL(INIT_FS, machine_init);
