/* SPDX-License-Identifier: MIT */
/*
 * The context switch, and the floating-point registers.
 *
 * Only tasks with an address space own FP/SIMD and TLS state, so a switch to
 * a kernel thread saves but does not load.  The CPU remembers whose registers
 * it holds: a task that comes back to the CPU that last held them, with
 * nobody's loaded in between, does not load them again.  Called with
 * interrupts masked; nothing here may fault.
 */
#include <arch/impl/asm.h>
#include <generated/asm-offsets.h>

	.arch_extension fp
	.arch_extension simd

	/* Uses tmp; base is left pointing at the status words. */
	.macro	fpsimd_pairs, op, base
	\op	q0, q1, [\base, #16 * 0]
	\op	q2, q3, [\base, #16 * 2]
	\op	q4, q5, [\base, #16 * 4]
	\op	q6, q7, [\base, #16 * 6]
	\op	q8, q9, [\base, #16 * 8]
	\op	q10, q11, [\base, #16 * 10]
	\op	q12, q13, [\base, #16 * 12]
	\op	q14, q15, [\base, #16 * 14]
	\op	q16, q17, [\base, #16 * 16]
	\op	q18, q19, [\base, #16 * 18]
	\op	q20, q21, [\base, #16 * 20]
	\op	q22, q23, [\base, #16 * 22]
	\op	q24, q25, [\base, #16 * 24]
	\op	q26, q27, [\base, #16 * 26]
	\op	q28, q29, [\base, #16 * 28]
	\op	q30, q31, [\base, #16 * 30]
	.endm

	.macro	fpsimd_store, base, t0, t1
	fpsimd_pairs stp, \base
	mrs	\t0, fpsr
	mrs	\t1, fpcr
	add	\base, \base, #FPSIMD_FPSR
	stp	w9, w10, [\base]
	.endm

	.macro	fpsimd_load, base
	fpsimd_pairs ldp, \base
	add	\base, \base, #FPSIMD_FPSR
	ldp	w9, w10, [\base]
	msr	fpsr, x9
	msr	fpcr, x10
	.endm

	.section .entry.text, "ax"

/* struct task *arch_switch_to(struct task *prev, struct task *next) */
ENTRY(arch_switch_to)
	add	x8, x0, #TASK_CONTEXT
	mov	x9, sp
	stp	x19, x20, [x8, #16 * 0]
	stp	x21, x22, [x8, #16 * 1]
	stp	x23, x24, [x8, #16 * 2]
	stp	x25, x26, [x8, #16 * 3]
	stp	x27, x28, [x8, #16 * 4]
	stp	x29, x9, [x8, #16 * 5]
	str	x30, [x8, #16 * 6]
	ldr	x11, [x0, #TASK_MM]
	cbz	x11, 1f
	mrs	x9, tpidr_el0
	str	x9, [x0, #TASK_TLS]
	add	x8, x0, #TASK_FPSIMD
	fpsimd_store x8, x9, x10

1:	ldr	x11, [x1, #TASK_MM]
	cbz	x11, 3f
	ldr	x9, [x1, #TASK_TLS]
	msr	tpidr_el0, x9
	this_cpu x12, fp_owner, x9
	ldr	x13, [x12]
	ldr	w14, [x1, #TASK_FP_CPU]
	ldr	w15, [x1, #TI_CPU]
	cmp	x13, x1
	ccmp	w14, w15, #0, eq
	b.eq	3f
	str	x1, [x12]
	str	w15, [x1, #TASK_FP_CPU]
	add	x8, x1, #TASK_FPSIMD
	fpsimd_load x8

3:	add	x8, x1, #TASK_CONTEXT
	ldp	x19, x20, [x8, #16 * 0]
	ldp	x21, x22, [x8, #16 * 1]
	ldp	x23, x24, [x8, #16 * 2]
	ldp	x25, x26, [x8, #16 * 3]
	ldp	x27, x28, [x8, #16 * 4]
	ldp	x29, x9, [x8, #16 * 5]
	ldr	x30, [x8, #16 * 6]
	mov	sp, x9
	msr	sp_el0, x1
	/* The priority mask is the CPU's, and so is the note of it. */
	ldr	w9, [x0, #TI_IRQ_RAISED]
	cbz	w9, 4f
	str	wzr, [x0, #TI_IRQ_RAISED]
	str	w9, [x1, #TI_IRQ_RAISED]
4:	ret
END(arch_switch_to)

	.text
/* void arm64_fpsimd_save(struct arch_fpsimd *): the live registers. */
ENTRY(arm64_fpsimd_save)
	fpsimd_store x0, x9, x10
	ret
END(arm64_fpsimd_save)

/* void arm64_fpsimd_load(const struct arch_fpsimd *) */
ENTRY(arm64_fpsimd_load)
	fpsimd_load x0
	ret
END(arm64_fpsimd_load)
