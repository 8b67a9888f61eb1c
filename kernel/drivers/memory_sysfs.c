/* SPDX-License-Identifier: MIT */
/*
 * /sys/devices/system/memory: RAM in blocks of 128 MiB, each with its number
 * and state, and the node's links to them.  perf keeps them in the header of
 * perf.data (MEM_TOPOLOGY), lsmem prints them.
 *
 * Made once at boot from what the firmware told: memory does not come and go.
 */
#include <arch/boot.h>
#include <kernel/init.h>
#include <kernel/pseudo.h>
#include <lib/compiler.h>
#include <lib/err.h>
#include <lib/printf.h>

#define BLOCK_BYTES (128ull << 20)

static int show_block_size(struct seq *s, void *private)
{
	seq_printf(s, "%llx\n", BLOCK_BYTES);
	return 0;
}

static int show_index(struct seq *s, void *private)
{
	seq_printf(s, "%08lx\n", (unsigned long)(uintptr_t)private);
	return 0;
}

static int add_block(struct pseudo_dir *root, struct pseudo_dir *node,
		     struct pseudo_dir *bus, u64 index)
{
	static const struct pseudo_file files[] = {
		PSEUDO_TEXT("online", "1\n"),
		PSEUDO_TEXT("phys_device", "0\n"),
		{ .name = "phys_index", .mode = 0444, .show = show_index },
		PSEUDO_TEXT("removable", "0\n"),
		PSEUDO_TEXT("state", "online\n"),
		PSEUDO_TEXT("valid_zones", "none\n"),
	};
	struct pseudo_dir *dir;
	char name[32], target[64];
	int ret;

	scnprintf(name, sizeof(name), "memory%llu", index);
	dir = pseudo_mkdir(root, name);
	ret = pseudo_create_all(dir, files, ARRAY_SIZE(files),
				number_ptr(index));
	if (ret)
		return ret;
	pseudo_symlink(dir, "node0", "../../node/node0");
	pseudo_symlink(dir, "subsystem", "../../../../bus/memory");
	scnprintf(target, sizeof(target), "../../memory/%s", name);
	pseudo_symlink(node, name, target);
	scnprintf(target, sizeof(target), "../../../devices/system/memory/%s",
		  name);
	return pseudo_symlink(bus, name, target);
}

static int memory_sysfs_init(void)
{
	static const struct pseudo_file files[] = {
		PSEUDO_TEXT("auto_online_blocks", "offline\n"),
		{ .name = "block_size_bytes", .mode = 0444,
		  .show = show_block_size },
	};
	struct pseudo_dir *root, *node, *bus;
	u64 index, next = 0;
	int ret;
	u32 i;

	root = pseudo_mkpath(sysfs_root, "devices/system/memory");
	node = pseudo_mkpath(sysfs_root, "devices/system/node/node0");
	bus = pseudo_mkpath(sysfs_root, "bus/memory/devices");
	ret = pseudo_create_all(root, files, ARRAY_SIZE(files), NULL);
	for (i = 0; i < boot_info.nr_memory && !ret; i++) {
		const struct boot_range *ram = &boot_info.memory[i];

		/* Two ranges may share a block. */
		index = ram->start / BLOCK_BYTES;
		for (index = index < next ? next : index;
		     index * BLOCK_BYTES < ram->end && !ret; index++)
			ret = add_block(root, node, bus, index);
		next = index;
	}
	return ret;
}
INITCALL(INIT_LATE, memory_sysfs_init);
