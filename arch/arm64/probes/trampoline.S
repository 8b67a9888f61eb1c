/* SPDX-License-Identifier: MIT */
/*
 * Where a kretprobed function returns to: builds the frame of the return,
 * as an exception would have, and asks kretprobe_returned() where to go on.
 * Everything is masked meanwhile.  No probe may be placed here.
 */
#include <arch/impl/asm.h>
#include <generated/asm-offsets.h>

	.section .entry.text, "ax"

ENTRY(arch_kretprobe_trampoline)
	sub	sp, sp, #S_SIZE
	stp	x0, x1, [sp, #16 * 0]
	mrs	x0, daif
	msr	daifset, #15
	stp	x2, x3, [sp, #16 * 1]
	stp	x4, x5, [sp, #16 * 2]
	stp	x6, x7, [sp, #16 * 3]
	stp	x8, x9, [sp, #16 * 4]
	stp	x10, x11, [sp, #16 * 5]
	stp	x12, x13, [sp, #16 * 6]
	stp	x14, x15, [sp, #16 * 7]
	stp	x16, x17, [sp, #16 * 8]
	stp	x18, x19, [sp, #16 * 9]
	stp	x20, x21, [sp, #16 * 10]
	stp	x22, x23, [sp, #16 * 11]
	stp	x24, x25, [sp, #16 * 12]
	stp	x26, x27, [sp, #16 * 13]
	stp	x28, x29, [sp, #16 * 14]
	mrs	x1, nzcv
	orr	x1, x1, x0
	mov	w2, #5				/* EL1h */
	orr	x1, x1, x2
	mov	x19, x0
	add	x2, sp, #S_SIZE
	stp	x30, x2, [sp, #S_LR]
	stp	x30, x1, [sp, #S_PC]
	mov	w3, #-1
	str	x3, [sp, #S_SYSCALLNO]
	stp	x29, x30, [sp, #S_RECORD]
	add	x29, sp, #S_RECORD
	mov	x0, sp
	bl	kretprobe_returned
	mov	x30, x0
	msr	daif, x19
	ldp	x0, x1, [sp, #16 * 0]
	ldp	x2, x3, [sp, #16 * 1]
	ldp	x4, x5, [sp, #16 * 2]
	ldp	x6, x7, [sp, #16 * 3]
	ldp	x8, x9, [sp, #16 * 4]
	ldp	x10, x11, [sp, #16 * 5]
	ldp	x12, x13, [sp, #16 * 6]
	ldp	x14, x15, [sp, #16 * 7]
	ldp	x16, x17, [sp, #16 * 8]
	ldp	x18, x19, [sp, #16 * 9]
	ldp	x20, x21, [sp, #16 * 10]
	ldp	x22, x23, [sp, #16 * 11]
	ldp	x24, x25, [sp, #16 * 12]
	ldp	x26, x27, [sp, #16 * 13]
	ldp	x28, x29, [sp, #16 * 14]
	add	sp, sp, #S_SIZE
	ret
END(arch_kretprobe_trampoline)
