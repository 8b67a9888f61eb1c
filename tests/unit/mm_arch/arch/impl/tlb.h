/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: no TLB, but flushes are counted. */
#include <lib/types.h>
struct mm;
void arch_tlb_flush_page(struct mm *mm, u64 va);
void arch_tlb_flush_range(struct mm *mm, u64 start, u64 end);
void arch_tlb_flush_mm(struct mm *mm);
