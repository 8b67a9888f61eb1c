/* SPDX-License-Identifier: MIT */
/*
 * memcpy, memmove, memset and whole pages.
 *
 * 64 bytes a turn with pairs; the tail is done with accesses that overlap
 * what is already done, so that no size takes a byte loop past 7.  Leaf code
 * without a frame; unaligned accesses are fine on normal memory, which is all
 * these are for.
 */
#include <arch/impl/asm.h>
#include <generated/asm-offsets.h>

	.text
/*
 * void *memmove(void *dst, const void *src, size_t n)
 * Up to 16 bytes everything is loaded before anything is stored, and longer
 * ones go up or down as the overlap wants, so memcpy is the same routine.
 */
	.globl	memcpy
	.type	memcpy, %function
memcpy:
ENTRY(memmove)
	cmp	x2, #16
	b.hi	3f
	tbz	x2, #3, 1f
	add	x5, x1, x2		/* 8 to 15 bytes */
	add	x6, x0, x2
	ldr	x3, [x1]
	ldur	x4, [x5, #-8]
	str	x3, [x0]
	stur	x4, [x6, #-8]
	ret
1:	tbnz	x2, #4, 12f
	tbz	x2, #2, 11f
	ldr	w3, [x1]
	add	x5, x1, x2
	ldur	w4, [x5, #-4]
	add	x6, x0, x2
	str	w3, [x0]
	stur	w4, [x6, #-4]
	ret
11:	cbz	x2, 13f			/* 1 to 3 bytes */
	lsr	x7, x2, #1
	ldrb	w3, [x1]
	ldrb	w4, [x1, x7]
	add	x5, x1, x2
	ldurb	w5, [x5, #-1]
	add	x6, x0, x2
	strb	w3, [x0]
	strb	w4, [x0, x7]
	sturb	w5, [x6, #-1]
13:	ret
12:	ldp	x3, x4, [x1]		/* exactly 16 */
	stp	x3, x4, [x0]
	ret

3:	sub	x3, x0, x1
	cmp	x3, x2
	b.lo	down			/* dst inside src: from the end */

	mov	x3, x0			/* upwards */
	add	x14, x1, x2
	add	x15, x0, x2
	ldp	x12, x13, [x14, #-16]	/* the tail, before it is overwritten */
	subs	x2, x2, #64
	b.ls	5f
4:	ldp	x4, x5, [x1]
	ldp	x6, x7, [x1, #16]
	ldp	x8, x9, [x1, #32]
	ldp	x10, x11, [x1, #48]
	add	x1, x1, #64
	subs	x2, x2, #64
	stp	x4, x5, [x3]
	stp	x6, x7, [x3, #16]
	stp	x8, x9, [x3, #32]
	stp	x10, x11, [x3, #48]
	add	x3, x3, #64
	b.hi	4b
5:	adds	x2, x2, #64 - 16	/* 1 to 64 left; the tail covers 16 */
	b.le	7f
6:	ldp	x4, x5, [x1], #16
	subs	x2, x2, #16
	stp	x4, x5, [x3], #16
	b.gt	6b
7:	stp	x12, x13, [x15, #-16]
	ret

down:	add	x14, x1, x2
	add	x15, x0, x2
	ldp	x12, x13, [x1]		/* the head */
	subs	x2, x2, #64
	b.ls	9f
8:	ldp	x4, x5, [x14, #-16]
	ldp	x6, x7, [x14, #-32]
	ldp	x8, x9, [x14, #-48]
	ldp	x10, x11, [x14, #-64]
	sub	x14, x14, #64
	subs	x2, x2, #64
	stp	x4, x5, [x15, #-16]
	stp	x6, x7, [x15, #-32]
	stp	x8, x9, [x15, #-48]
	stp	x10, x11, [x15, #-64]
	sub	x15, x15, #64
	b.hi	8b
9:	adds	x2, x2, #64 - 16
	b.le	11f
10:	ldp	x4, x5, [x14, #-16]!
	subs	x2, x2, #16
	stp	x4, x5, [x15, #-16]!
	b.gt	10b
11:	stp	x12, x13, [x0]
	ret
END(memmove)

/* void *memset(void *dst, int c, size_t n) */
ENTRY(memset)
	and	w1, w1, #255
	mov_q	x3, 0x0101010101010101
	mul	x1, x1, x3
	add	x4, x0, x2
	cmp	x2, #16
	b.lo	3f
	mov	x3, x0
	subs	x2, x2, #64
	b.lo	2f
1:	stp	x1, x1, [x3]
	stp	x1, x1, [x3, #16]
	stp	x1, x1, [x3, #32]
	stp	x1, x1, [x3, #48]
	add	x3, x3, #64
	subs	x2, x2, #64
	b.hs	1b
2:	adds	x2, x2, #64 - 16	/* left, less the last 16 */
	b.le	22f
21:	stp	x1, x1, [x3], #16
	subs	x2, x2, #16
	b.gt	21b
22:	stp	x1, x1, [x4, #-16]
	ret
3:	tbz	x2, #3, 4f
	str	x1, [x0]
	stur	x1, [x4, #-8]
	ret
4:	tbz	x2, #2, 5f
	str	w1, [x0]
	stur	w1, [x4, #-4]
	ret
5:	cbz	x2, 6f
	lsr	x5, x2, #1
	strb	w1, [x0]
	strb	w1, [x0, x5]
	sturb	w1, [x4, #-1]
6:	ret
END(memset)

/* void arch_clear_page(void *page): by DC ZVA unless the CPU forbids it. */
ENTRY(arch_clear_page)
	ldr_l	x1, arm64_features
	add	x3, x0, #4096
	tbz	x1, #FEATURE_DCZVA, 2f
	mrs	x1, dczid_el0
	and	w1, w1, #15
	mov	x2, #4
	lsl	x2, x2, x1
1:	dc	zva, x0
	add	x0, x0, x2
	cmp	x0, x3
	b.lo	1b
	ret
2:	stp	xzr, xzr, [x0]
	stp	xzr, xzr, [x0, #16]
	stp	xzr, xzr, [x0, #32]
	stp	xzr, xzr, [x0, #48]
	add	x0, x0, #64
	cmp	x0, x3
	b.lo	2b
	ret
END(arch_clear_page)

/* void arch_copy_page(void *to, const void *from) */
ENTRY(arch_copy_page)
	add	x2, x0, #4096
1:	ldp	x4, x5, [x1]
	ldp	x6, x7, [x1, #16]
	ldp	x8, x9, [x1, #32]
	ldp	x10, x11, [x1, #48]
	ldp	x12, x13, [x1, #64]
	ldp	x14, x15, [x1, #80]
	ldp	x16, x17, [x1, #96]
	stp	x4, x5, [x0]
	stp	x6, x7, [x0, #16]
	ldp	x4, x5, [x1, #112]
	stp	x8, x9, [x0, #32]
	stp	x10, x11, [x0, #48]
	stp	x12, x13, [x0, #64]
	stp	x14, x15, [x0, #80]
	stp	x16, x17, [x0, #96]
	stp	x4, x5, [x0, #112]
	add	x1, x1, #128
	add	x0, x0, #128
	cmp	x0, x2
	b.lo	1b
	ret
END(arch_copy_page)
