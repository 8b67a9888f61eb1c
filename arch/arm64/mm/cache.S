/* SPDX-License-Identifier: MIT */
/*
 * Cache maintenance by address.
 *
 * arch_icache_sync: data side to the point of unification, instruction side
 * invalidated in the inner shareable domain, which broadcasts; the ISB at the
 * end is for this CPU, others take theirs at their next exception return.
 * What is written here is executed at another address, so by address is right
 * only where the instruction cache goes by physical ones: CTR_EL0.L1Ip says
 * PIPT.  Of a VIPT cache everything goes, which alone reaches every alias (Arm
 * ARM D7.5, VIPT instruction caches).
 * arm64_dcache_clean_poc: what a CPU without its MMU is going to read.
 */
#include <arch/impl/asm.h>

#define CTR_L1IP_SHIFT 14
#define CTR_L1IP_PIPT  3

	.macro	line_size, field, reg, tmp
	mrs	\tmp, ctr_el0
	ubfx	\tmp, \tmp, #\field, #4
	mov	\reg, #4
	lsl	\reg, \reg, \tmp
	.endm

	.macro	by_line, op, arg, start, end, line, at
	sub	\at, \line, #1
	bic	\at, \start, \at
1:	\op	\arg, \at
	add	\at, \at, \line
	cmp	\at, \end
	b.lo	1b
	.endm

	.text
/* void arch_icache_sync(void *kva, size_t size) */
ENTRY(arch_icache_sync)
	add	x1, x0, x1
	line_size 16, x2, x3
	by_line	dc, cvau, x0, x1, x2, x4
	dsb	ish
	mrs	x2, ctr_el0
	ubfx	x2, x2, #CTR_L1IP_SHIFT, #2
	cmp	x2, #CTR_L1IP_PIPT
	b.ne	2f
	line_size 0, x2, x3
	by_line	ic, ivau, x0, x1, x2, x4
	b	3f
2:	ic	ialluis
3:	dsb	ish
	isb
	ret
END(arch_icache_sync)

/* void arm64_dcache_clean_poc(const void *va, size_t size) */
ENTRY(arm64_dcache_clean_poc)
	add	x1, x0, x1
	line_size 16, x2, x3
	by_line	dc, cvac, x0, x1, x2, x4
	dsb	sy
	ret
END(arm64_dcache_clean_poc)
