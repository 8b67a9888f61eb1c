/* SPDX-License-Identifier: MIT */
/*
 * What the loader said: arch_boot_info() reads the device tree, finds memory,
 * reservations, the initial file system and the command line, starts the
 * early console, and builds the kernel's tables.  Boot CPU, once, interrupts
 * masked, no allocator.  arch_setup() does the rest when there is one.
 */
#include <arch/boot.h>
#include <arch/impl/cpu.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <lib/minmax.h>
#include <lib/string.h>

u64 arm64_fdt_pa;
u64 arm64_boot_el;
struct fdt arm64_fdt;

#define FDT_MAX_BYTES (2u << 20)

/* Keeps the list sorted; ranges that touch are joined. */
static void add_range(struct boot_range *list, u32 *nr, u64 start, u64 end)
{
	u32 i = *nr;

	if (start >= end)
		return;
	CHECK(*nr < BOOT_MAX_RANGES);
	for (; i > 0 && list[i - 1].start > start; i--)
		list[i] = list[i - 1];
	list[i].start = start;
	list[i].end = end;
	(*nr)++;
	for (i = 0; i + 1 < *nr;) {
		if (list[i].end < list[i + 1].start) {
			i++;
			continue;
		}
		list[i].end = max(list[i].end, list[i + 1].end);
		(*nr)--;
		memmove(&list[i + 1], &list[i + 2],
			(*nr - i - 1) * sizeof(list[0]));
	}
}

static void reserve(struct boot_info *info, u64 start, u64 end)
{
	add_range(info->reserved, &info->nr_reserved,
		  ALIGN_DOWN(start, PAGE_SIZE), ALIGN_UP(end, PAGE_SIZE));
}

const struct fdt *arch_fdt(void)
{
	return arm64_fdt.structs ? &arm64_fdt : NULL;
}

static void find_memory(struct boot_info *info)
{
	const struct fdt *fdt = &arm64_fdt;
	u64 start, size;
	int node, i;

	fdt_for_each_child(node, fdt, FDT_ROOT) {
		const char *type = fdt_prop_string(fdt, node, "device_type");

		if (!type || !streq(type, "memory") ||
		    !fdt_is_enabled(fdt, node))
			continue;
		for (i = 0; !fdt_reg(fdt, node, i, &start, &size); i++)
			add_range(info->memory, &info->nr_memory,
				  ALIGN_UP(start, PAGE_SIZE),
				  ALIGN_DOWN(start + size, PAGE_SIZE));
	}
	CHECK(info->nr_memory);
}

static void find_reserved(struct boot_info *info)
{
	const struct fdt *fdt = &arm64_fdt;
	u64 start, size;
	int node, parent, i;

	reserve(info, arch_virt_to_phys(_text), arch_virt_to_phys(_end));
	reserve(info, arm64_fdt_pa, arm64_fdt_pa + fdt->total_size);
	for (i = 0; !fdt_reserved(fdt, (u32)i, &start, &size); i++)
		reserve(info, start, start + size);
	parent = fdt_find_path(fdt, "/reserved-memory");
	if (parent < 0)
		return;
	fdt_for_each_child(node, fdt, parent) {
		for (i = 0; !fdt_reg(fdt, node, i, &start, &size); i++)
			reserve(info, start, start + size);
	}
}

static void find_chosen(struct boot_info *info)
{
	const struct fdt *fdt = &arm64_fdt;
	int node = fdt_find_path(fdt, "/chosen");
	const char *args;

	if (node < 0)
		return;
	args = fdt_prop_string(fdt, node, "bootargs");
	if (args)
		strlcpy_k(info->cmdline, args, sizeof(info->cmdline));
	if (fdt_prop_u64(fdt, node, "linux,initrd-start",
			 &info->initrd.start) ||
	    fdt_prop_u64(fdt, node, "linux,initrd-end", &info->initrd.end) ||
	    info->initrd.start >= info->initrd.end)
		info->initrd.start = info->initrd.end = 0;
}

void arch_boot_info(struct boot_info *info)
{
	const void *early = (const void *)(uintptr_t)(FIXED_FDT_VA +
						      arm64_fdt_pa % (2 << 20));

	arm64_map_fdt_early();
	CHECK(!fdt_open(&arm64_fdt, early, FDT_MAX_BYTES));
	arm64_console_init();
	find_memory(info);
	find_reserved(info);
	find_chosen(info);
	arm64_extable_sort();
	arm64_map_kernel();

	/* From here on the tree is read through the linear map. */
	info->fdt = arch_phys_to_virt(arm64_fdt_pa);
	CHECK(!fdt_open(&arm64_fdt, info->fdt, FDT_MAX_BYTES));
}

void arch_setup(void)
{
	arm64_features_init();
	arm64_features_cpu();
}
