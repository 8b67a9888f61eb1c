/* SPDX-License-Identifier: MIT */
/*
 * Where a kretprobed function returns to: builds the frame of the return,
 * as an exception would have, and asks kretprobe_returned() where to go on.
 * Everything is masked meanwhile.  No probe may be placed here.
 */
#include <arch/impl/asm.h>
#include <arch/impl/frame.h>
#include <generated/asm-offsets.h>

	.section .entry.text, "ax"

ENTRY(arch_kretprobe_trampoline)
	sub	sp, sp, #S_SIZE
	stp	x0, x1, [sp, #16 * 0]
	mrs	x0, daif
	msr	daifset, #15
	save_gprs
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
	str	xzr, [sp, #S_IRQ_MASKED]
	stp	x29, x30, [sp, #S_RECORD]
	add	x29, sp, #S_RECORD
	mov	x0, sp
	bl	kretprobe_returned
	str	x0, [sp, #S_LR]
	msr	daif, x19
	restore_gprs
	add	sp, sp, #S_SIZE
	ret
END(arch_kretprobe_trampoline)
