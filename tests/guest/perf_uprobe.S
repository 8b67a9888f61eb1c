/* SPDX-License-Identifier: MIT */
/*
 * One instruction of each kind that depends on where it stands, with a label
 * to put a probe at.  insn_NAME(argument) returns a value that tells whether
 * it had its effect; the table has {name, function, label}.
 */
	.section .rodata.rows, "a"
	.globl	insn_rows
	.balign	8
insn_rows:
	.text

	.macro	fn, name
	.balign	8
	.globl	insn_\name
	.type	insn_\name, %function
insn_\name:
	.endm

	.macro	row, name
	.pushsection .rodata.rows, "a"
	.balign	8
	.quad	8f, insn_\name, at_\name
	.popsection
	.pushsection .rodata.names, "a"
8:	.asciz	"\name"
	.popsection
	.endm

	fn	b
	mov	x1, #1
at_b:	b	1f
	mov	x1, #2
1:	add	x0, x0, x1
	ret
	row	b

	fn	bl
	mov	x9, x30
	mov	x1, x0
at_bl:	bl	1f
2:	mov	x30, x9
	ret
1:	adr	x2, 2b
	sub	x0, x30, x2
	add	x0, x0, x1
	ret
	row	bl

	fn	bcond
	cmp	x0, #5
at_bcond:	b.hi	1f
	mov	x0, #100
	ret
1:	mov	x0, #200
	ret
	row	bcond

	fn	cbz
at_cbz:	cbz	w0, 1f
	mov	x0, #100
	ret
1:	mov	x0, #200
	ret
	row	cbz

	fn	cbnz
at_cbnz:	cbnz	x0, 1f
	mov	x0, #100
	ret
1:	mov	x0, #200
	ret
	row	cbnz

	fn	tbz
at_tbz:	tbz	x0, #2, 1f
	mov	x0, #100
	ret
1:	mov	x0, #200
	ret
	row	tbz

	fn	tbnz
at_tbnz:	tbnz	x0, #33, 1f
	mov	x0, #100
	ret
1:	mov	x0, #200
	ret
	row	tbnz

	fn	br
	adr	x2, 1f
at_br:	br	x2
	mov	x0, #100
1:	ret
	row	br

	fn	blr
	mov	x9, x30
	adr	x2, 1f
at_blr:	blr	x2
2:	mov	x30, x9
	ret
1:	adr	x2, 2b
	sub	x2, x30, x2
	add	x0, x0, x2
	ret
	row	blr

	fn	ret
at_ret:	ret
	row	ret

	fn	adr
at_adr:	adr	x1, insn_adr
	adrp	x2, insn_adr
	add	x2, x2, :lo12:insn_adr
	sub	x1, x1, x2
	add	x0, x0, x1
	ret
	row	adr

	fn	adrp
at_adrp:	adrp	x1, insn_adrp
	add	x1, x1, :lo12:insn_adrp
	adr	x2, insn_adrp
	sub	x1, x1, x2
	add	x0, x0, x1
	ret
	row	adrp

	fn	ldr_w
at_ldr_w:	ldr	w1, literal
	add	x0, x0, x1
	ret
	row	ldr_w

	fn	ldr_x
at_ldr_x:	ldr	x1, literal
	add	x0, x0, x1
	ret
	row	ldr_x

	fn	ldrsw
at_ldrsw:	ldrsw	x1, literal
	add	x0, x0, x1
	ret
	row	ldrsw

	fn	nop
at_nop:	nop
	ret
	row	nop

	/* What is executed elsewhere. */
	fn	add
at_add:	add	x0, x0, #7
	ret
	row	add

	fn	push
at_push:	stp	x0, x30, [sp, #-32]!
	mov	x0, sp
	ldr	x1, [sp]
	ldp	x2, x30, [sp], #32
	mov	x0, x1
	ret
	row	push

	fn	pop
	stp	x0, x30, [sp, #-32]!
	mov	x0, #0
at_pop:	ldp	x0, x30, [sp], #32
	ret
	row	pop

	fn	flags
at_flags:	subs	x1, x0, #3
	cset	x0, hi
	ret
	row	flags

	fn	mrs
	cmp	x0, #3
at_mrs:	mrs	x0, nzcv
	ret
	row	mrs

	fn	fp
	scvtf	d0, x0
at_fp:	fadd	d0, d0, d0
	fcvtzs	x0, d0
	ret
	row	fp

	.balign	8
literal:
	.quad	0x8123456789abcdef

	.section .rodata.rows, "a"
	.quad	0, 0, 0
	.section .note.GNU-stack, "", %progbits
