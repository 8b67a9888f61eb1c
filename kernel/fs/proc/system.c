/* SPDX-License-Identifier: MIT */
/*
 * The text files at the top of /proc that tell about the whole machine.
 *
 * One show function a file and one table; formats are those that the
 * reference prints (column widths included: programs parse them).  Nothing
 * here holds a lock across more than one file's numbers.
 */
#include "internal.h"

#include <arch/boot.h>
#include <arch/elf.h>
#include <kernel/cpu.h>
#include <kernel/fs.h>
#include <kernel/init.h>
#include <kernel/irq.h>
#include <kernel/mm.h>
#include <kernel/page.h>
#include <kernel/pid.h>
#include <kernel/pseudo.h>
#include <kernel/sched.h>
#include <kernel/task.h>
#include <kernel/time.h>
#include <kernel/utsname.h>
#include <lib/err.h>
#include <lib/math64.h>

#define USER_TICKS(ns) ((ns) / (NSEC_PER_SEC / USER_HZ))

static int show_version(struct seq *s, void *private)
{
	seq_puts(s, UTS_SYSNAME " version " UTS_RELEASE " (" UTS_BUILDER ") "
		    UTS_VERSION "\n");
	return 0;
}

static int show_uptime(struct seq *s, void *private)
{
	u64 up = time_mono_ns(), idle = 0;
	struct sched_cpu_times t;
	u32 cpu;

	for_each_possible_cpu(cpu) {
		sched_cpu_times(cpu, &t);
		idle += t.idle_ns;
	}
	seq_printf(s, "%llu.%02llu %llu.%02llu\n", up / NSEC_PER_SEC,
		   up % NSEC_PER_SEC / 10000000, idle / NSEC_PER_SEC,
		   idle % NSEC_PER_SEC / 10000000);
	return 0;
}

static u32 count_threads(void)
{
	struct process *p;
	u32 n = 0;
	unsigned long flags = spin_lock_irqsave(&tasklist_lock);

	list_for_each_entry(p, &all_processes, all_link)
		n += p->nr_threads;
	spin_unlock_irqrestore(&tasklist_lock, flags);
	return n;
}

static int show_loadavg(struct seq *s, void *private)
{
	u64 load[3];
	int i;

	sched_load_average(load);
	for (i = 0; i < 3; i++) {
		u64 v = load[i] + 2048 / 200; /* round to hundredths */

		seq_printf(s, "%llu.%02llu ", v / 2048,
			   (v % 2048) * 100 / 2048);
	}
	seq_printf(s, "%u/%u %d\n", sched_nr_running(), count_threads(),
		   pid_last());
	return 0;
}

static void show_cpu_line(struct seq *s, const struct sched_cpu_times *t)
{
	seq_printf(s, " %llu %llu %llu %llu 0 %llu 0 0 0 0\n",
		   USER_TICKS(t->user_ns), USER_TICKS(t->nice_ns),
		   USER_TICKS(t->system_ns), USER_TICKS(t->idle_ns),
		   USER_TICKS(t->irq_ns));
}

static int show_stat(struct seq *s, void *private)
{
	struct sched_cpu_times sum = { 0 }, t;
	u64 irqs = 0;
	u32 cpu;

	for_each_possible_cpu(cpu) {
		sched_cpu_times(cpu, &t);
		sum.user_ns += t.user_ns;
		sum.nice_ns += t.nice_ns;
		sum.system_ns += t.system_ns;
		sum.idle_ns += t.idle_ns;
		sum.irq_ns += t.irq_ns;
		irqs += irq_count_total(cpu);
	}
	seq_puts(s, "cpu ");
	show_cpu_line(s, &sum);
	for_each_online_cpu(cpu) {
		sched_cpu_times(cpu, &t);
		seq_printf(s, "cpu%u", cpu);
		show_cpu_line(s, &t);
	}
	seq_printf(s, "intr %llu\nctxt %llu\nbtime %llu\nprocesses %llu\n",
		   irqs, sched_switch_count(),
		   time_boot_offset_ns() / NSEC_PER_SEC, pid_alloc_count());
	seq_printf(s, "procs_running %u\nprocs_blocked 0\n",
		   sched_nr_running());
	seq_puts(s, "softirq 0 0 0 0 0 0 0 0 0 0 0\n");
	return 0;
}

void proc_show_kib(struct seq *s, const char *name, u64 kib)
{
	seq_printf(s, "%-16s%8llu kB\n", name, kib);
}

static void mem_line(struct seq *s, const char *name, u64 pages)
{
	proc_show_kib(s, name, pages * (PAGE_SIZE / 1024));
}

static int show_meminfo(struct seq *s, void *private)
{
	struct page_stats m;
	u64 avail, limit;
	s64 committed;

	page_stats(&m);
	mm_commit_stats(&committed, &limit);
	/* Cached pages hold tmpfs data here: none of them can be dropped. */
	avail = m.free;
	mem_line(s, "MemTotal:", m.total);
	mem_line(s, "MemFree:", m.free);
	mem_line(s, "MemAvailable:", avail);
	mem_line(s, "Buffers:", 0);
	mem_line(s, "Cached:", m.cached);
	mem_line(s, "SwapCached:", 0);
	mem_line(s, "Active:", m.cached + m.anon);
	mem_line(s, "Inactive:", 0);
	mem_line(s, "Active(anon):", m.cached + m.anon);
	mem_line(s, "Inactive(anon):", 0);
	mem_line(s, "Active(file):", 0);
	mem_line(s, "Inactive(file):", 0);
	mem_line(s, "Unevictable:", 0);
	mem_line(s, "Mlocked:", 0);
	mem_line(s, "SwapTotal:", 0);
	mem_line(s, "SwapFree:", 0);
	mem_line(s, "Dirty:", 0);
	mem_line(s, "Writeback:", 0);
	mem_line(s, "AnonPages:", m.anon);
	mem_line(s, "Mapped:", m.mapped);
	mem_line(s, "Shmem:", m.cached);
	mem_line(s, "KReclaimable:", 0);
	mem_line(s, "Slab:", m.slab);
	mem_line(s, "SReclaimable:", 0);
	mem_line(s, "SUnreclaim:", m.slab);
	mem_line(s, "KernelStack:", m.kstack);
	mem_line(s, "PageTables:", m.pgtable);
	mem_line(s, "CommitLimit:", limit);
	mem_line(s, "Committed_AS:", (u64)committed);
	seq_printf(s, "VmallocTotal:   %llu kB\n",
		   (ARCH_VMAP_END - ARCH_VMAP_BASE) / 1024);
	mem_line(s, "VmallocUsed:", m.vmalloc);
	mem_line(s, "VmallocChunk:", 0);
	return 0;
}

static int show_cpuinfo(struct seq *s, void *private)
{
	char text[1024];
	u32 cpu;

	for_each_online_cpu(cpu)
		seq_write(s, text, arch_cpuinfo(cpu, text, sizeof(text)));
	return 0;
}

static int show_filesystems(struct seq *s, void *private)
{
	filesystems_show(s);
	return 0;
}

static int show_cmdline(struct seq *s, void *private)
{
	seq_printf(s, "%s\n", boot_info.cmdline);
	return 0;
}

static int show_swaps(struct seq *s, void *private)
{
	seq_puts(s, "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n");
	return 0;
}

static int show_vmstat(struct seq *s, void *private)
{
	struct page_stats m;

	page_stats(&m);
	seq_printf(s, "nr_free_pages %llu\n", m.free);
	seq_printf(s, "nr_anon_pages %llu\n", m.anon);
	seq_printf(s, "nr_mapped %llu\n", m.mapped);
	seq_printf(s, "nr_file_pages %llu\n", m.cached);
	seq_printf(s, "nr_shmem %llu\n", m.cached);
	seq_printf(s, "nr_page_table_pages %llu\n", m.pgtable);
	return 0;
}

/* No modules, no partitions: files that are there and empty. */
static int show_nothing(struct seq *s, void *private)
{
	return 0;
}

static const struct pseudo_file system_files[] = {
	{ .name = "version", .mode = 0444, .show = show_version },
	{ .name = "uptime", .mode = 0444, .show = show_uptime },
	{ .name = "loadavg", .mode = 0444, .show = show_loadavg },
	{ .name = "stat", .mode = 0444, .show = show_stat },
	{ .name = "meminfo", .mode = 0444, .show = show_meminfo },
	{ .name = "cpuinfo", .mode = 0444, .show = show_cpuinfo },
	{ .name = "filesystems", .mode = 0444, .show = show_filesystems },
	{ .name = "cmdline", .mode = 0444, .show = show_cmdline },
	{ .name = "swaps", .mode = 0444, .show = show_swaps },
	{ .name = "vmstat", .mode = 0444, .show = show_vmstat },
	{ .name = "modules", .mode = 0444, .show = show_nothing },
	{ .name = "partitions", .mode = 0444, .show = show_nothing },
};

static int system_init(void)
{
	int ret = pseudo_create_all(proc_root, system_files,
				    ARRAY_SIZE(system_files), NULL);

	return ret ? ret : pseudo_symlink(proc_root, "mounts", "self/mounts");
}
INITCALL(INIT_FS, system_init);
