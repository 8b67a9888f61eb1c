/* SPDX-License-Identifier: MIT */
/*
 * One instruction of each class, alone between three landings (1 before it,
 * 2 behind it, 3 further on), and what runs it with every register given and
 * taken down.  insn_table has {text, instruction, landing 3, 1 if the kernels
 * differ}; struct state is in uprobe_insns.c.
 */
#define X(n)	(8 * (n))
#define SP_AT	X(31)
#define NZCV	X(32)
#define V(n)	(272 + 16 * (n))
#define HOST_SP	336

	.section .rodata.rows, "a"
	.globl	insn_table
	.balign	8
insn_table:
	.text

/* void insn_run(struct state *s, const void *at): x17 is at, x18 is s. */
	.globl	insn_run
	.type	insn_run, %function
insn_run:
	stp	x29, x30, [sp, #-160]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	mov	x18, x0
	mov	x17, x1
	mov	x2, sp
	str	x2, [x18, #HOST_SP]
	ldr	x2, [x18, #NZCV]
	msr	nzcv, x2
	ldp	q0, q1, [x18, #V(0)]
	ldp	q2, q3, [x18, #V(2)]
	ldr	x2, [x18, #SP_AT]
	mov	sp, x2
	ldp	x0, x1, [x18, #X(0)]
	ldp	x2, x3, [x18, #X(2)]
	ldp	x4, x5, [x18, #X(4)]
	ldp	x6, x7, [x18, #X(6)]
	ldp	x8, x9, [x18, #X(8)]
	ldp	x10, x11, [x18, #X(10)]
	ldp	x12, x13, [x18, #X(12)]
	ldp	x14, x15, [x18, #X(14)]
	ldr	x16, [x18, #X(16)]
	ldp	x19, x20, [x18, #X(19)]
	ldp	x21, x22, [x18, #X(21)]
	ldp	x23, x24, [x18, #X(23)]
	ldp	x25, x26, [x18, #X(25)]
	ldp	x27, x28, [x18, #X(27)]
	ldp	x29, x30, [x18, #X(29)]
	br	x17

/* From a landing, whose address is in x17. */
insn_exit:
	stp	x0, x1, [x18, #X(0)]
	stp	x2, x3, [x18, #X(2)]
	stp	x4, x5, [x18, #X(4)]
	stp	x6, x7, [x18, #X(6)]
	stp	x8, x9, [x18, #X(8)]
	stp	x10, x11, [x18, #X(10)]
	stp	x12, x13, [x18, #X(12)]
	stp	x14, x15, [x18, #X(14)]
	stp	x16, x17, [x18, #X(16)]
	stp	x19, x20, [x18, #X(19)]
	stp	x21, x22, [x18, #X(21)]
	stp	x23, x24, [x18, #X(23)]
	stp	x25, x26, [x18, #X(25)]
	stp	x27, x28, [x18, #X(27)]
	stp	x29, x30, [x18, #X(29)]
	mrs	x0, nzcv
	str	x0, [x18, #NZCV]
	mov	x0, sp
	str	x0, [x18, #SP_AT]
	stp	q0, q1, [x18, #V(0)]
	stp	q2, q3, [x18, #V(2)]
	ldr	x0, [x18, #HOST_SP]
	mov	sp, x0
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #160
	ret

	.macro	landing
	adr	x17, .
	b	insn_exit
	.endm

	.macro	case, differ, insn:vararg
	.balign	8
1:	landing
7:	\insn
2:	landing
3:	landing
	.pushsection .rodata.names, "a"
8:	.asciz	"\insn"
	.popsection
	.pushsection .rodata.rows, "a"
	.quad	8b, 7b, 3b, \differ
	.popsection
	.endm

	.macro	one, insn:vararg
	case	0, \insn
	.endm

	/* The reference refuses these, or executes the copy's own literal. */
	.macro	more, insn:vararg
	case	1, \insn
	.endm

	/* Addresses. */
	one	adr x0, 1b
	one	adr x30, 3f
	one	adr xzr, 3f
	one	adrp x1, insn_table
	one	adrp x1, insn_far

	/* Branches. */
	one	b 1b
	one	b 3f
	one	bl 1b
	one	bl 3f
	.irp	cond, eq, ne, hs, lo, mi, pl, vs, vc, hi, ls, ge, lt, gt, le, al
	one	b.\cond 3f
	.endr
	one	b.eq 1b
	one	.inst 0x5400006f	// b.nv 3f
	.irp	reg, w0, x0, w30, xzr
	one	cbz \reg, 3f
	one	cbnz \reg, 1b
	.endr
	.irp	bit, 0, 2, 31, 32, 63
	one	tbz x0, #\bit, 3f
	one	tbnz x0, #\bit, 1b
	.endr
	one	tbz xzr, #5, 3f
	one	br x10
	one	br x30
	one	blr x10
	one	blr x30
	one	ret
	one	ret x10

	/* Literals. */
	more	ldr w0, literal
	more	ldr x0, literal
	more	ldrsw x0, literal
	more	ldr xzr, literal
	more	ldr s1, literal
	more	ldr d1, literal
	more	ldr q1, literal
	more	prfm pldl1keep, literal

	/* Hints. */
	one	nop
	more	yield
	one	sev
	one	sevl
	one	hint #6
	one	hint #7			// xpaclri
	one	hint #8			// pacia1716
	one	hint #16		// esb
	one	hint #20		// csdb
	one	hint #24		// paciaz
	one	hint #25		// paciasp
	more	hint #29		// autiasp
	more	hint #31		// autibsp
	one	hint #32		// bti
	one	hint #34		// bti c
	one	hint #36		// bti j
	one	hint #38		// bti jc
	one	hint #40

	/* Exceptions; these are not executed unless they may be probed. */
	one	svc #0
	one	hvc #0
	one	smc #0
	one	brk #1
	one	brk #5
	one	hlt #0
	one	eret

	/* System. */
	one	dmb ish
	one	dsb sy
	one	isb
	one	clrex
	one	mrs x0, tpidr_el0
	one	mrs x0, nzcv
	one	mrs x0, fpcr
	one	mrs x0, ctr_el0
	more	msr nzcv, x0
	one	dc cvau, x9
	one	ic ivau, x9
	one	dc zva, x9

	/* Exclusive and ordered. */
	one	ldxr x0, [x9]
	one	ldaxrb w0, [x9]
	one	stxr w0, x1, [x9]
	one	stlxr w0, x1, [x9]
	one	ldxp x0, x1, [x9]
	one	stxp w0, x1, x2, [x9]
	one	ldar x0, [x9]
	one	stlr x1, [x9]
	one	ldarb w0, [x9]

	/* Loads and stores that are executed elsewhere. */
	one	stp x0, x30, [sp, #-32]!
	one	stp x29, x30, [sp], #-32
	one	ldp x0, x30, [sp], #32
	one	ldp x1, x2, [sp, #16]!
	one	str x1, [sp, #-16]!
	one	ldr x1, [sp], #16
	one	ldr x0, [x9, #8]
	one	ldrsb w0, [x9, #3]
	one	str w1, [x9], #4
	one	ldr q1, [x9]
	one	stp q0, q3, [sp, #-32]!
	one	ld1 {v0.16b, v1.16b}, [x9], #32
	one	st1 {v2.d}[1], [x9]
	one	prfm pldl1keep, [x9]

	/* Data processing. */
	one	add sp, sp, #32
	one	sub sp, sp, #64
	one	add x0, x0, x1
	one	subs x0, x0, #1
	one	adcs x0, x0, x1
	one	csel x0, x1, x2, hi
	one	ccmp x0, #1, #15, ne
	one	mul x0, x1, x2
	one	movk x0, #0x1234, lsl #32
	one	fadd d0, d1, d2
	one	fmov x0, d1
	one	add v0.4s, v1.4s, v2.4s
	one	cnt v1.8b, v2.8b

	.balign	16
literal:
	.quad	0x81234567f9abcdef, 0x0f1e2d3c4b5a6978

	.section .rodata.rows, "a"
	.quad	0, 0, 0, 0
	.section .data.far, "aw"
	.skip	65536
insn_far:
	.quad	0
	.section .note.GNU-stack, "", %progbits
