/* SPDX-License-Identifier: MIT */
/*
 * Mappings of the vmap area, and the end of boot-time set-up.
 *
 * arch_kernel_map() and arch_kernel_unmap() walk the one kernel table that
 * every CPU uses in TTBR1, so nothing has to be propagated.  Tables are made
 * as needed and never freed.  kmap_lock guards their creation; who owns an
 * address range is the caller's business.
 */
#include <arch/barrier.h>
#include <arch/boot.h>
#include <arch/impl/cpu.h>
#include <arch/mmu.h>
#include <arch/tlb.h>
#include <kernel/lock.h>
#include <kernel/page.h>
#include <lib/err.h>

extern u64 arm64_kernel_pgd[];

static struct spinlock kmap_lock = SPINLOCK_INIT(LOCK_RANK_KMAP);

/* Tables in the image are not in the linear map's reach of page_address(). */
static u64 *lower_table(u64 *slot, bool create)
{
	u64 pte = READ_ONCE(*slot);
	struct page *page, *spare = NULL;
	unsigned long flags;

	if (pte)
		return arch_phys_to_virt(arch_pte_pa(pte));
	if (!create)
		return NULL;
	page = page_alloc(0, GFP_ATOMIC | GFP_ZERO);
	if (!page)
		return NULL;
	flags = spin_lock_irqsave(&kmap_lock);
	pte = READ_ONCE(*slot);
	if (pte) {
		spare = page;
	} else {
		pte = arch_pte_table(page_to_phys(page));
		arch_pte_store(slot, pte);
	}
	spin_unlock_irqrestore(&kmap_lock, flags);
	if (spare)
		page_put(spare);
	return arch_phys_to_virt(arch_pte_pa(pte));
}

static u64 *walk(u64 va, bool create)
{
	u64 *table = arm64_kernel_pgd;
	int level;

	for (level = 0; table && level < ARCH_PT_LEVELS - 1; level++)
		table = lower_table(&table[va >> ARCH_PT_SHIFT(level) & 511],
				    create);
	return table ? &table[va >> ARCH_PT_SHIFT(level) & 511] : NULL;
}

int arch_kernel_map(u64 va, u64 pa, size_t size, u32 prot)
{
	u64 end = va + size, at;

	for (at = va; at < end; at += PAGE_SIZE, pa += PAGE_SIZE) {
		u64 *slot = walk(at, true);

		if (!slot) {
			arch_kernel_unmap(va, at - va);
			return -ENOMEM;
		}
		WRITE_ONCE(*slot, arch_pte_make(pa, prot | PTE_GLOBAL));
	}
	arch_wmb();
	arch_isb();
	return 0;
}

void arch_kernel_unmap(u64 va, size_t size)
{
	u64 end = va + size, at;

	for (at = va; at < end; at += PAGE_SIZE) {
		u64 *slot = walk(at, false);

		if (slot)
			WRITE_ONCE(*slot, 0);
	}
	if (size)
		arch_tlb_flush_kernel(va, end);
}
