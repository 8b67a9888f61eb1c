/* SPDX-License-Identifier: MIT */
/*
 * Broadcast TLB invalidation.
 *
 * Every function orders earlier stores to the tables before the invalidation
 * (DSB ISHST) and is complete on all CPUs when it returns (DSB ISH).  A range
 * of more than a few hundred pages is cheaper as the whole space.  Any
 * context.
 */
#include <arch/impl/asid.h>
#include <arch/mmu.h>
#include <arch/tlb.h>
#include <kernel/mm.h>

#define MAX_PAGES 512

#define tlbi(op)      __asm__ __volatile__("tlbi " op ::: "memory")
#define tlbi_arg(op, arg) \
	__asm__ __volatile__("tlbi " op ", %0" : : "r"(arg) : "memory")
#define dsb(kind)     __asm__ __volatile__("dsb " kind ::: "memory")

/* Operand of the by-address forms: ASID and page number. */
static u64 operand(u64 asid, u64 va)
{
	return asid << 48 | (va >> 12 & 0xfffffffffffull);
}

void arch_tlb_flush_page(struct mm *mm, u64 va)
{
	dsb("ishst");
	tlbi_arg("vae1is", operand(arm64_asid(&mm->arch), va));
	dsb("ish");
}

void arch_tlb_flush_mm(struct mm *mm)
{
	dsb("ishst");
	tlbi_arg("aside1is", operand(arm64_asid(&mm->arch), 0));
	dsb("ish");
}

void arch_tlb_flush_range(struct mm *mm, u64 start, u64 end)
{
	u64 pages = (end - start) >> 12;
	u64 arg;

	if (pages > MAX_PAGES) {
		arch_tlb_flush_mm(mm);
		return;
	}
	/* The ASID is read after the barrier: a CPU that gave the space a
	 * new one before it must be seen, one after it sees the tables. */
	dsb("ishst");
	arg = operand(arm64_asid(&mm->arch), start);
	while (pages--)
		tlbi_arg("vae1is", arg++);
	dsb("ish");
}

void arch_tlb_flush_kernel(u64 start, u64 end)
{
	u64 pages = (end - start) >> 12;
	u64 arg = operand(0, start);

	dsb("ishst");
	if (pages > MAX_PAGES)
		tlbi("vmalle1is");
	else
		while (pages--)
			tlbi_arg("vaale1is", arg++);
	dsb("ish");
	__asm__ __volatile__("isb" ::: "memory");
}
