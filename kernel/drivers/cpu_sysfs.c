/* SPDX-License-Identifier: MIT */
/*
 * /sys/devices/system/cpu and the one memory node: which CPUs there are, how
 * they are related, and what the architecture tells about each.
 *
 * Masks and lists in Linux's two spellings.  Writing cpuN/online takes a CPU
 * down or up.
 */
#include <arch/smp.h>
#include <kernel/cpu.h>
#include <kernel/cred.h>
#include <kernel/init.h>
#include <kernel/page.h>
#include <kernel/pseudo.h>
#include <lib/bitmap.h>
#include <lib/compiler.h>
#include <lib/err.h>
#include <lib/parse.h>
#include <lib/printf.h>

static struct pseudo_dir *cpu_root;	/* [I] after boot */

static int show_list(struct seq *s, const struct cpumask *mask)
{
	char list[160];

	bitmap_print_list(list, sizeof(list), mask->bits, NR_CPUS);
	seq_printf(s, "%s\n", list);
	return 0;
}

static int show_mask_list(struct seq *s, void *mask)
{
	return show_list(s, mask);
}

static int show_offline(struct seq *s, void *private)
{
	struct cpumask off;

	bitmap_andnot(off.bits, cpu_possible_mask.bits, cpu_online_mask.bits,
		      NR_CPUS);
	return show_list(s, &off);
}

static int show_kernel_max(struct seq *s, void *private)
{
	seq_printf(s, "%d\n", NR_CPUS - 1);
	return 0;
}

/* private of a per-CPU file is its number as a pointer-sized value. */
static u32 file_cpu(const void *private)
{
	return (u32)(uintptr_t)private;
}

static int show_online(struct seq *s, void *private)
{
	seq_printf(s, "%d\n", cpu_is_online(file_cpu(private)));
	return 0;
}

static ssize_t store_online(const char *text, size_t len, void *private)
{
	u32 cpu = file_cpu(private);
	bool on;
	int ret;

	if (parse_bool(text, &on))
		return -EINVAL;
	if (on == cpu_is_online(cpu))
		return (ssize_t)len;
	ret = on ? cpu_up(cpu) : cpu_down(cpu);
	return ret ? ret : (ssize_t)len;
}

static int show_core_id(struct seq *s, void *private)
{
	seq_printf(s, "%u\n", file_cpu(private));
	return 0;
}

static int show_own_mask(struct seq *s, void *private)
{
	seq_printf(s, "%llx\n", 1ull << file_cpu(private));
	return 0;
}

static int show_all_mask(struct seq *s, void *private)
{
	seq_printf(s, "%lx\n", cpu_online_mask.bits[0]);
	return 0;
}

static int show_all_list(struct seq *s, void *private)
{
	return show_list(s, &cpu_online_mask);
}

/* private is the CPU number and, above bit 16, the index of the register. */
static int show_id_register(struct seq *s, void *private)
{
	u64 which = (uintptr_t)private, value;
	const char *name;

	if (!arch_cpu_id_register(which & 0xffff, (u32)(which >> 16), &name,
				  &value))
		return -EIO;
	seq_printf(s, "0x%016llx\n", value);
	return 0;
}

static int add_id_registers(struct pseudo_dir *cpu_dir, u32 cpu)
{
	struct pseudo_file file = { .mode = 0444, .show = show_id_register };
	struct pseudo_dir *dir = NULL;
	u64 value;
	int ret;
	u32 n;

	for (n = 0; arch_cpu_id_register(cpu, n, &file.name, &value); n++) {
		if (!dir)
			dir = pseudo_mkpath(cpu_dir, "regs/identification");
		file.private = number_ptr((uintptr_t)n << 16 | cpu);
		ret = pseudo_create(dir, &file);
		if (ret)
			return ret;
	}
	return 0;
}

/* private is the CPU number and, above bit 16, which cache. */
static int show_cache_level(struct seq *s, void *private)
{
	const char *holds;
	u32 level;

	if (!arch_cpu_cache(file_cpu(private) >> 16, &level, &holds))
		return -EIO;
	seq_printf(s, "%u\n", level);
	return 0;
}

static int show_cache_type(struct seq *s, void *private)
{
	const char *holds;
	u32 level;

	if (!arch_cpu_cache(file_cpu(private) >> 16, &level, &holds))
		return -EIO;
	seq_printf(s, "%s\n", holds);
	return 0;
}

static int show_cache_cpus(struct seq *s, void *private)
{
	seq_printf(s, "%u\n", file_cpu(private) & 0xffff);
	return 0;
}

static int show_cache_mask(struct seq *s, void *private)
{
	return show_own_mask(s, number_ptr(file_cpu(private) & 0xffff));
}

/*
 * Each CPU's own caches.  Sizes and who shares the outer levels only firmware
 * could tell; there are no files for what is not known.
 */
static int add_caches(struct pseudo_dir *cpu_dir, u32 cpu)
{
	static const struct pseudo_file files[] = {
		{ .name = "level", .mode = 0444, .show = show_cache_level },
		{ .name = "shared_cpu_list", .mode = 0444,
		  .show = show_cache_cpus },
		{ .name = "shared_cpu_map", .mode = 0444,
		  .show = show_cache_mask },
		{ .name = "type", .mode = 0444, .show = show_cache_type },
	};
	const char *holds;
	u32 n, level;
	int ret = 0;

	for (n = 0; arch_cpu_cache(n, &level, &holds) && level == 1; n++) {
		char path[32];

		scnprintf(path, sizeof(path), "cache/index%u", n);
		ret = pseudo_create_all(pseudo_mkpath(cpu_dir, path), files,
					ARRAY_SIZE(files),
					number_ptr((uintptr_t)n << 16 | cpu));
		if (ret)
			break;
	}
	return ret;
}

static const struct pseudo_file topology_files[] = {
	{ .name = "core_id", .mode = 0444, .show = show_core_id },
	PSEUDO_TEXT("physical_package_id", "0\n"),
	PSEUDO_TEXT("cluster_id", "0\n"),
	{ .name = "core_cpus", .mode = 0444, .show = show_own_mask },
	{ .name = "core_cpus_list", .mode = 0444, .show = show_core_id },
	{ .name = "thread_siblings", .mode = 0444, .show = show_own_mask },
	{ .name = "thread_siblings_list", .mode = 0444, .show = show_core_id },
	{ .name = "core_siblings", .mode = 0444, .show = show_all_mask },
	{ .name = "core_siblings_list", .mode = 0444, .show = show_all_list },
	{ .name = "package_cpus", .mode = 0444, .show = show_all_mask },
	{ .name = "package_cpus_list", .mode = 0444, .show = show_all_list },
	{ .name = "cluster_cpus", .mode = 0444, .show = show_all_mask },
	{ .name = "cluster_cpus_list", .mode = 0444, .show = show_all_list },
};

/* A link to CPU NAME in FOLDER; UP leads from there to the CPUs. */
static void link_cpu(const char *folder, const char *up, const char *name)
{
	struct pseudo_dir *dir = pseudo_mkpath(sysfs_root, folder);
	char target[64];

	scnprintf(target, sizeof(target), "%s%s", up, name);
	pseudo_symlink(dir, name, target);
}

static int add_cpu(u32 cpu)
{
	struct pseudo_file online = {
		.name = "online", .mode = 0644, .show = show_online,
		.store = store_online, .private = number_ptr(cpu),
	};
	struct pseudo_dir *dir;
	char name[16];
	int ret;

	scnprintf(name, sizeof(name), "cpu%u", cpu);
	dir = pseudo_mkdir(cpu_root, name);
	pseudo_create(dir, &online);
	pseudo_symlink(dir, "subsystem", "../../../../bus/cpu");
	pseudo_symlink(dir, "node0", "../../node/node0");
	link_cpu("bus/cpu/devices", "../../../devices/system/cpu/", name);
	link_cpu("devices/system/node/node0", "../../cpu/", name);
	ret = pseudo_create_all(pseudo_mkdir(dir, "topology"), topology_files,
				ARRAY_SIZE(topology_files), number_ptr(cpu));
	if (ret)
		return ret;
	ret = add_caches(dir, cpu);
	return ret ? ret : add_id_registers(dir, cpu);
}

static int show_node_meminfo(struct seq *s, void *private)
{
	struct page_stats m;

	page_stats(&m);
	seq_printf(s, "Node 0 MemTotal:       %8llu kB\n",
		   m.total * (PAGE_SIZE / 1024));
	seq_printf(s, "Node 0 MemFree:        %8llu kB\n",
		   m.free * (PAGE_SIZE / 1024));
	seq_printf(s, "Node 0 MemUsed:        %8llu kB\n",
		   (m.total - m.free) * (PAGE_SIZE / 1024));
	return 0;
}

static int add_node(void)
{
	static const struct pseudo_file root_files[] = {
		PSEUDO_TEXT("online", "0\n"),
		PSEUDO_TEXT("possible", "0\n"),
		PSEUDO_TEXT("has_cpu", "0\n"),
		PSEUDO_TEXT("has_memory", "0\n"),
		PSEUDO_TEXT("has_normal_memory", "0\n"),
	};
	static const struct pseudo_file node_files[] = {
		{ .name = "cpulist", .mode = 0444, .show = show_all_list },
		{ .name = "cpumap", .mode = 0444, .show = show_all_mask },
		PSEUDO_TEXT("distance", "10\n"),
		{ .name = "meminfo", .mode = 0444, .show = show_node_meminfo },
	};
	struct pseudo_dir *root = pseudo_mkpath(sysfs_root,
						"devices/system/node");
	int ret = pseudo_create_all(root, root_files, ARRAY_SIZE(root_files),
				    NULL);

	return ret ? ret : pseudo_create_all(pseudo_mkdir(root, "node0"),
					     node_files, ARRAY_SIZE(node_files),
					     NULL);
}

static int cpu_sysfs_init(void)
{
	static const struct pseudo_file files[] = {
		{ .name = "online", .mode = 0444, .show = show_mask_list,
		  .private = &cpu_online_mask },
		{ .name = "possible", .mode = 0444, .show = show_mask_list,
		  .private = &cpu_possible_mask },
		{ .name = "present", .mode = 0444, .show = show_mask_list,
		  .private = &cpu_possible_mask },
		{ .name = "offline", .mode = 0444, .show = show_offline },
		{ .name = "kernel_max", .mode = 0444,
		  .show = show_kernel_max },
	};
	int ret;
	u32 cpu;

	cpu_root = pseudo_mkpath(sysfs_root, "devices/system/cpu");
	ret = pseudo_create_all(cpu_root, files, ARRAY_SIZE(files), NULL);
	for_each_possible_cpu(cpu) {
		if (!ret)
			ret = add_cpu(cpu);
	}
	return ret ? ret : add_node();
}
INITCALL(INIT_LATE, cpu_sysfs_init);
