/* SPDX-License-Identifier: MIT */
/*
 * TLB maintenance of x86_64 by cross-CPU calls; contract in <arch/tlb.h>.
 */
#ifndef SONDE_X86_TLB_H
#define SONDE_X86_TLB_H

#include <lib/types.h>

struct mm;

void arch_tlb_flush_page(struct mm *mm, u64 va);
void arch_tlb_flush_range(struct mm *mm, u64 start, u64 end);
void arch_tlb_flush_mm(struct mm *mm);
void arch_tlb_flush_kernel(u64 start, u64 end);

#endif /* SONDE_X86_TLB_H */
