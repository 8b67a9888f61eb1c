/* SPDX-License-Identifier: MIT */
/*
 * The kernel's own tables, built once by the boot CPU before any allocator.
 *
 * head.S leaves the image mapped in 2 MiB blocks with every right and nothing
 * else.  arm64_map_kernel() makes the tables that stay: the linear map in the
 * largest blocks that fit, the image with text executable, read-only data
 * and data apart, the linear alias of text and read-only data read-only, and
 * the page below the boot stack absent.  Tables come from a pool in the
 * image; kmap.c adds to them later.  No locks: one CPU, interrupts masked.
 */
#include <arch/impl/cpu.h>
#include <arch/boot.h>
#include <arch/barrier.h>
#include <arch/tlb.h>
#include <kernel/page.h>
#include <kernel/panic.h>
#include <lib/minmax.h>
#include <lib/noprobe.h>
#include <lib/string.h>

#define POOL_TABLES 64

static u64 pool[POOL_TABLES][ARCH_PT_ENTRIES] __aligned(4096);
static u32 pool_used;

u64 arm64_kimage_offset;
u64 arm64_ttbr1;
u64 arm64_kernel_pgd[ARCH_PT_ENTRIES] __aligned(4096);

#define PROT_TEXT   (PTE_READ | PTE_EXEC | PTE_GLOBAL)
#define PROT_RODATA (PTE_READ | PTE_GLOBAL)
#define PROT_DATA   (PTE_READ | PTE_WRITE | PTE_GLOBAL)

/* A table made here is reached through the image, never the linear map. */
static u64 *table_at(u64 pte)
{
	return (u64 *)(uintptr_t)(arch_pte_pa(pte) + arm64_kimage_offset);
}

static u64 *next_table(u64 *slot)
{
	u64 *table;

	if (*slot)
		return table_at(*slot);
	CHECK(pool_used < POOL_TABLES);
	table = pool[pool_used++];
	*slot = arch_pte_table(arch_virt_to_phys(table));
	return table;
}

/* A block entry is a page entry without the table bit. */
static u64 leaf(u64 pa, u32 prot, int level)
{
	u64 pte = arch_pte_make(pa, prot);

	return level == ARCH_PT_LEVELS - 1 ? pte : pte & ~ARM64_PTE_TABLE;
}

static void map_range(u64 *root, u64 va, u64 pa, u64 size, u32 prot)
{
	u64 end = va + size;

	while (va != end) {
		u64 *table = root;
		int level = 0;
		u64 block, *slot;

		for (;; level++) {
			block = 1ull << ARCH_PT_SHIFT(level);
			slot = &table[va >> ARCH_PT_SHIFT(level) & 511];
			if (level == ARCH_PT_LEVELS - 1)
				break;
			if (level > 0 && !*slot && !((va | pa) & (block - 1)) &&
			    end - va >= block)
				break;
			table = next_table(slot);
		}
		*slot = leaf(pa, prot, level);
		va += block;
		pa += block;
	}
}

static void map_linear(u64 start, u64 end, u32 prot)
{
	if (start < end)
		map_range(arm64_kernel_pgd, start + ARCH_LINEAR_BASE, start,
			  end - start, prot);
}

/* Text and read-only data may not be written through the linear map. */
static void map_memory(const struct boot_range *ram)
{
	u64 text = arch_virt_to_phys(_text);
	u64 data = arch_virt_to_phys(_erodata);
	u64 sealed = arch_virt_to_phys(_ero_after_init);

	if (data <= ram->start || text >= ram->end) {
		map_linear(ram->start, ram->end, PROT_DATA);
		return;
	}
	map_linear(ram->start, text, PROT_DATA);
	map_linear(max(text, ram->start), min(data, ram->end), PROT_RODATA);
	/* Apart, so that it is in pages for arch_seal() to change. */
	map_linear(max(data, ram->start), min(sealed, ram->end), PROT_DATA);
	map_linear(sealed, ram->end, PROT_DATA);
}

static void map_image(uintptr_t start, uintptr_t end, u32 prot)
{
	map_range(arm64_kernel_pgd, start, start - arm64_kimage_offset,
		  end - start, prot);
}

static void protect(u64 va, u64 size)
{
	u64 end = va + size, at;

	for (at = va; at < end; at += PAGE_SIZE) {
		u64 *table = arm64_kernel_pgd, *slot;
		int level;

		for (level = 0; level < ARCH_PT_LEVELS - 1; level++)
			table = table_at(
				table[at >> ARCH_PT_SHIFT(level) & 511]);
		slot = &table[at >> ARCH_PT_SHIFT(level) & 511];
		arch_pte_store(slot, arch_pte_set_prot(*slot, PROT_RODATA));
	}
	arch_tlb_flush_kernel(va, end);
}

/* Only rights change, so no entry has to be absent in between. */
void arch_seal(void)
{
	u64 size = (u64)(_ero_after_init - _sro_after_init);

	protect((uintptr_t)_sro_after_init, size);
	protect(arch_virt_to_phys(_sro_after_init) + ARCH_LINEAR_BASE, size);
}

/* Through the identity map, the only place to stand meanwhile. */
static void replace_ttbr1(u64 table)
{
	void (*replace)(u64);
	u64 entry = arch_virt_to_phys((const void *)idmap_replace_ttbr1);

	replace = (void (*)(u64))(uintptr_t)entry;
	write_sysreg(arch_virt_to_phys(boot_idmap), ttbr0_el1);
	arch_isb();
	replace(table);
	write_sysreg(arch_virt_to_phys(arm64_empty_table), ttbr0_el1);
	arch_isb();
	__asm__ __volatile__("tlbi vmalle1\n\tdsb nsh\n\tisb" ::: "memory");
}

void arm64_map_kernel(void)
{
	uintptr_t stack = (uintptr_t)arm64_boot_stack;
	u64 *fixed;
	u32 i;

	for (i = 0; i < boot_info.nr_memory; i++)
		map_memory(&boot_info.memory[i]);
	map_image((uintptr_t)_text, (uintptr_t)_srodata, PROT_TEXT);
	map_image((uintptr_t)_srodata, (uintptr_t)_erodata, PROT_RODATA);
	map_image((uintptr_t)_erodata, stack - ARCH_STACK_SIZE, PROT_DATA);
	map_image(stack, (uintptr_t)_end, PROT_DATA);

	/* The fixed slots keep their table, and the console its mapping. */
	fixed = next_table(&arm64_kernel_pgd[ARCH_FIXED_BASE >> 39 & 511]);
	fixed = next_table(&fixed[0]);
	fixed[0] = arch_pte_table(arch_virt_to_phys(arm64_fixed_table));

	arm64_ttbr1 = arch_virt_to_phys(arm64_kernel_pgd);
	arm64_dcache_clean_poc(&arm64_ttbr1, sizeof(arm64_ttbr1));
	arch_wmb();
	replace_ttbr1(arm64_ttbr1);
}

/* Before the linear map: the device tree in two 2 MiB blocks, read-only. */
void arm64_map_fdt_early(void)
{
	u64 *table = boot_pgd + 2 * ARCH_PT_ENTRIES;
	u64 pa = ALIGN_DOWN(arm64_fdt_pa, 1ull << 21);
	u64 slot = FIXED_FDT_VA >> 21 & 511;

	arch_pte_store(&table[slot], leaf(pa, PROT_RODATA, 2));
	arch_pte_store(&table[slot + 1],
		       leaf(pa + (1ull << 21), PROT_RODATA, 2));
	arch_isb();
}

/* Break before make; prot 0 leaves the slot empty.  Caller: one at a time. */
void arm64_fixed_map(unsigned int slot, u64 pa, u32 prot)
{
	u64 va = FIXED_VA(slot);

	arch_pte_store(&arm64_fixed_table[slot], 0);
	arch_tlb_flush_kernel(va, va + PAGE_SIZE);
	if (prot)
		arch_pte_store(&arm64_fixed_table[slot],
			       arch_pte_make(pa, prot | PTE_GLOBAL));
	arch_isb();
}
NOPROBE(arm64_fixed_map);
