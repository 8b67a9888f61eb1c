/* SPDX-License-Identifier: MIT */
/*
 * Macros for arm64 assembly.  Includes only constants.
 */
#ifndef SONDE_ARM64_ASM_H
#define SONDE_ARM64_ASM_H

#ifdef __ASSEMBLY__

/* clang-format off */
#define ENTRY(name)                     \
	.globl name;                    \
	.type name, %function;          \
	.balign 8;                      \
name:

#define LOCAL_ENTRY(name)               \
	.type name, %function;          \
	.balign 8;                      \
name:

#define END(name) .size name, . - name

/* Address of a symbol of the image, wherever the image runs. */
.macro	adr_l, reg, sym
	adrp	\reg, \sym
	add	\reg, \reg, :lo12:\sym
.endm

.macro	ldr_l, reg, sym
	adrp	\reg, \sym
	ldr	\reg, [\reg, :lo12:\sym]
.endm

.macro	str_l, val, sym, tmp
	adrp	\tmp, \sym
	str	\val, [\tmp, :lo12:\sym]
.endm

/* Address of this CPU's copy of a per-CPU variable. */
.macro	this_cpu, reg, sym, tmp
	adr_l	\reg, percpu_\sym
	mrs	\tmp, tpidr_el1
	add	\reg, \reg, \tmp
.endm

.macro	mov_q, reg, val:vararg
	movz	\reg, #:abs_g3:\val
	movk	\reg, #:abs_g2_nc:\val
	movk	\reg, #:abs_g1_nc:\val
	movk	\reg, #:abs_g0_nc:\val
.endm

.macro	extable, from, to
	.pushsection __ex_table, "aw"
	.balign	4
	.long	\from - ., \to - .
	.popsection
.endm
/* clang-format on */

#endif /* __ASSEMBLY__ */

#endif /* SONDE_ARM64_ASM_H */
