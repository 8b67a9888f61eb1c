/* SPDX-License-Identifier: MIT */
/*
 * TLB maintenance.  Break-before-make order is the caller's (kernel/mm):
 * clear the entry, flush, then store the new one (Arm ARM D8.14.1).
 * <arch/impl/tlb.h> supplies, each complete on every CPU on return (broadcast
 * TLBI on arm64, cross-calls on x86_64):
 *
 *   arch_tlb_flush_page(struct mm *, u64 va)
 *   arch_tlb_flush_range(struct mm *, u64 start, u64 end)
 *   arch_tlb_flush_mm(struct mm *)
 *   arch_tlb_flush_kernel(u64 start, u64 end)
 */
#ifndef SONDE_ARCH_TLB_H
#define SONDE_ARCH_TLB_H

#include <lib/types.h>

struct mm;

#include <arch/impl/tlb.h>

#endif /* SONDE_ARCH_TLB_H */
