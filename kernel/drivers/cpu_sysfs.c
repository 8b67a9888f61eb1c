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

static int show_package_id(struct seq *s, void *private)
{
	seq_puts(s, "0\n");
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
	u32 n;

	for (n = 0; arch_cpu_id_register(cpu, n, &file.name, &value); n++) {
		if (!dir)
			dir = pseudo_mkpath(cpu_dir, "regs/identification");
		if (!dir)
			return -ENOMEM;
		file.private = number_ptr((uintptr_t)n << 16 | cpu);
		pseudo_create(dir, &file);
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
	u32 n, i, level;

	for (n = 0; arch_cpu_cache(n, &level, &holds) && level == 1; n++) {
		struct pseudo_dir *dir;
		char path[32];

		scnprintf(path, sizeof(path), "cache/index%u", n);
		dir = pseudo_mkpath(cpu_dir, path);
		if (IS_ERR(dir))
			return (int)PTR_ERR(dir);
		for (i = 0; i < ARRAY_SIZE(files); i++) {
			struct pseudo_file file = files[i];

			file.private = number_ptr((uintptr_t)n << 16 | cpu);
			pseudo_create(dir, &file);
		}
	}
	return 0;
}

struct cpu_file {
	const char *dir;
	const char *name;
	int (*show)(struct seq *s, void *private);
};

static const struct cpu_file topology_files[] = {
	{ "topology", "core_id", show_core_id },
	{ "topology", "physical_package_id", show_package_id },
	{ "topology", "cluster_id", show_package_id },
	{ "topology", "core_cpus", show_own_mask },
	{ "topology", "core_cpus_list", show_core_id },
	{ "topology", "thread_siblings", show_own_mask },
	{ "topology", "thread_siblings_list", show_core_id },
	{ "topology", "core_siblings", show_all_mask },
	{ "topology", "core_siblings_list", show_all_list },
	{ "topology", "package_cpus", show_all_mask },
	{ "topology", "package_cpus_list", show_all_list },
	{ "topology", "cluster_cpus", show_all_mask },
	{ "topology", "cluster_cpus_list", show_all_list },
};

/* A link to CPU NAME in FOLDER; UP leads from there to the CPUs. */
static void link_cpu(const char *folder, const char *up, const char *name)
{
	struct pseudo_dir *dir = pseudo_mkpath(sysfs_root, folder);
	char target[64];

	scnprintf(target, sizeof(target), "%s%s", up, name);
	if (dir)
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
	u32 i;
	int ret;

	scnprintf(name, sizeof(name), "cpu%u", cpu);
	dir = pseudo_mkdir(cpu_root, name);
	if (!dir)
		return -ENOMEM;
	pseudo_create(dir, &online);
	pseudo_symlink(dir, "subsystem", "../../../../bus/cpu");
	pseudo_symlink(dir, "node0", "../../node/node0");
	link_cpu("bus/cpu/devices", "../../../devices/system/cpu/", name);
	link_cpu("devices/system/node/node0", "../../cpu/", name);
	for (i = 0; i < ARRAY_SIZE(topology_files); i++) {
		const struct cpu_file *f = &topology_files[i];
		struct pseudo_file file = {
			.name = f->name, .mode = 0444, .show = f->show,
			.private = number_ptr(cpu),
		};
		struct pseudo_dir *sub = pseudo_mkpath(dir, f->dir);

		if (!sub)
			return -ENOMEM;
		pseudo_create(sub, &file);
	}
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

static int show_zero(struct seq *s, void *private)
{
	seq_puts(s, "0\n");
	return 0;
}

static int show_distance(struct seq *s, void *private)
{
	seq_puts(s, "10\n");
	return 0;
}

static int add_node(void)
{
	static const struct pseudo_file root_files[] = {
		{ .name = "online", .mode = 0444, .show = show_zero },
		{ .name = "possible", .mode = 0444, .show = show_zero },
		{ .name = "has_cpu", .mode = 0444, .show = show_zero },
		{ .name = "has_memory", .mode = 0444, .show = show_zero },
		{ .name = "has_normal_memory", .mode = 0444,
		  .show = show_zero },
	};
	static const struct pseudo_file node_files[] = {
		{ .name = "cpulist", .mode = 0444, .show = show_all_list },
		{ .name = "cpumap", .mode = 0444, .show = show_all_mask },
		{ .name = "distance", .mode = 0444, .show = show_distance },
		{ .name = "meminfo", .mode = 0444, .show = show_node_meminfo },
	};
	struct pseudo_dir *root = pseudo_mkpath(sysfs_root,
						"devices/system/node");
	struct pseudo_dir *node = pseudo_mkpath(sysfs_root,
						"devices/system/node/node0");
	u32 i;

	if (!root || !node)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(root_files); i++)
		pseudo_create(root, &root_files[i]);
	for (i = 0; i < ARRAY_SIZE(node_files); i++)
		pseudo_create(node, &node_files[i]);
	return 0;
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
	u32 i, cpu;

	cpu_root = pseudo_mkpath(sysfs_root, "devices/system/cpu");
	if (!cpu_root)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(files); i++)
		pseudo_create(cpu_root, &files[i]);
	for_each_possible_cpu(cpu) {
		int ret = add_cpu(cpu);

		if (ret)
			return ret;
	}
	return add_node();
}
INITCALL(INIT_LATE, cpu_sysfs_init);
