/* SPDX-License-Identifier: MIT */
/*
 * Copies to and from user memory.
 *
 * User accesses are LDTR and STTR, which have EL0's rights.  Every routine
 * keeps account of what is not done: the main loops advance before the next
 * access, and a fault in a block falls back to smaller steps.  What a copy
 * answers is exact; clearing goes by words, which a page's end does not cut
 * (read(2) of /dev/zero shows that).  Registers x0..x15 only; leaf code
 * without a frame.
 *
 * The copies between uaccess_nofault_start and _end never have a fault
 * served; the trap handler goes straight to their fix-up.
 */
#include <arch/impl/asm.h>
#include <generated/asm-offsets.h>
#include <linux/errno.h>

	/* User access with its fix-up. */
	.macro	user, to, insn:vararg
9999:	\insn
	extable	9999b, \to
	.endm

	.text

/*
 * The body of a copy: x0 = to, x1 = from, x2 = n, returns the bytes not done
 * in x0.  load8 and store8 move 8 bytes at [reg, #off], load1 and store1 one.
 */
	.macro	copy_body, name, ld, st
ENTRY(\name)
	mov	x14, x2
	subs	x14, x14, #64
	b.lo	2f
1:	\ld\()_block \st
	add	x1, x1, #64
	add	x0, x0, #64
	subs	x14, x14, #64
	b.hs	1b
2:	add	x14, x14, #64
	subs	x14, x14, #8
	b.lo	4f
3:	\ld\()_word \st
	add	x1, x1, #8
	add	x0, x0, #8
	subs	x14, x14, #8
	b.hs	3b
4:	adds	x14, x14, #8
	b.eq	6f
5:	\ld\()_byte \st
	add	x1, x1, #1
	add	x0, x0, #1
	subs	x14, x14, #1
	b.ne	5b
6:	mov	x0, #0
	ret
	/* A fault in a block or word: x14 is what was left after it. */
.L\name\()_block_fault:
	add	x14, x14, #64
	b	5b
.L\name\()_word_fault:
	add	x14, x14, #8
	b	5b
.L\name\()_byte_fault:
	mov	x0, x14
	ret
END(\name)
	.endm

	.macro	from_user_block, name
	user	.L\name\()_block_fault, ldtr x3, [x1, #0]
	user	.L\name\()_block_fault, ldtr x4, [x1, #8]
	user	.L\name\()_block_fault, ldtr x5, [x1, #16]
	user	.L\name\()_block_fault, ldtr x6, [x1, #24]
	user	.L\name\()_block_fault, ldtr x7, [x1, #32]
	user	.L\name\()_block_fault, ldtr x8, [x1, #40]
	user	.L\name\()_block_fault, ldtr x9, [x1, #48]
	user	.L\name\()_block_fault, ldtr x10, [x1, #56]
	stp	x3, x4, [x0, #0]
	stp	x5, x6, [x0, #16]
	stp	x7, x8, [x0, #32]
	stp	x9, x10, [x0, #48]
	.endm
	.macro	from_user_word, name
	user	.L\name\()_word_fault, ldtr x3, [x1]
	str	x3, [x0]
	.endm
	.macro	from_user_byte, name
	user	.L\name\()_byte_fault, ldtrb w3, [x1]
	strb	w3, [x0]
	.endm

	.macro	to_user_block, name
	ldp	x3, x4, [x1, #0]
	ldp	x5, x6, [x1, #16]
	ldp	x7, x8, [x1, #32]
	ldp	x9, x10, [x1, #48]
	user	.L\name\()_block_fault, sttr x3, [x0, #0]
	user	.L\name\()_block_fault, sttr x4, [x0, #8]
	user	.L\name\()_block_fault, sttr x5, [x0, #16]
	user	.L\name\()_block_fault, sttr x6, [x0, #24]
	user	.L\name\()_block_fault, sttr x7, [x0, #32]
	user	.L\name\()_block_fault, sttr x8, [x0, #40]
	user	.L\name\()_block_fault, sttr x9, [x0, #48]
	user	.L\name\()_block_fault, sttr x10, [x0, #56]
	.endm
	.macro	to_user_word, name
	ldr	x3, [x1]
	user	.L\name\()_word_fault, sttr x3, [x0]
	.endm
	.macro	to_user_byte, name
	ldrb	w3, [x1]
	user	.L\name\()_byte_fault, sttrb w3, [x0]
	.endm

	/* Kernel memory that may not be there: bytes and words, plain loads. */
	.macro	from_kernel_block, name
	user	.L\name\()_block_fault, ldp x3, x4, [x1, #0]
	user	.L\name\()_block_fault, ldp x5, x6, [x1, #16]
	user	.L\name\()_block_fault, ldp x7, x8, [x1, #32]
	user	.L\name\()_block_fault, ldp x9, x10, [x1, #48]
	stp	x3, x4, [x0, #0]
	stp	x5, x6, [x0, #16]
	stp	x7, x8, [x0, #32]
	stp	x9, x10, [x0, #48]
	.endm
	.macro	from_kernel_word, name
	user	.L\name\()_word_fault, ldr x3, [x1]
	str	x3, [x0]
	.endm
	.macro	from_kernel_byte, name
	user	.L\name\()_byte_fault, ldrb w3, [x1]
	strb	w3, [x0]
	.endm

	copy_body arch_copy_from_user, from_user, arch_copy_from_user
	copy_body arch_copy_to_user, to_user, arch_copy_to_user

	.globl	uaccess_nofault_start
uaccess_nofault_start:
	copy_body arch_copy_user_nofault, from_user, arch_copy_user_nofault
	copy_body arch_copy_kernel_nofault, from_kernel, arch_copy_kernel_nofault
	.globl	uaccess_nofault_end
uaccess_nofault_end:

/* size_t arch_clear_user(void __user *to, size_t n) */
ENTRY(arch_clear_user)
	subs	x1, x1, #64
	b.lo	2f
1:	user	.Lclear_block_fault, sttr xzr, [x0, #0]
	user	.Lclear_block_fault, sttr xzr, [x0, #8]
	user	.Lclear_block_fault, sttr xzr, [x0, #16]
	user	.Lclear_block_fault, sttr xzr, [x0, #24]
	user	.Lclear_block_fault, sttr xzr, [x0, #32]
	user	.Lclear_block_fault, sttr xzr, [x0, #40]
	user	.Lclear_block_fault, sttr xzr, [x0, #48]
	user	.Lclear_block_fault, sttr xzr, [x0, #56]
	add	x0, x0, #64
	subs	x1, x1, #64
	b.hs	1b
2:	add	x1, x1, #64
3:	subs	x1, x1, #8
	b.lo	4f
	user	.Lclear_word_fault, sttr xzr, [x0]
	add	x0, x0, #8
	b	3b
4:	adds	x1, x1, #8
	mov	x2, x1
	b.eq	6f
5:	user	.Lclear_tail_fault, sttrb wzr, [x0]
	add	x0, x0, #1
	subs	x1, x1, #1
	b.ne	5b
6:	mov	x0, #0
	ret
.Lclear_block_fault:
	add	x1, x1, #64
	b	3b
.Lclear_word_fault:
	add	x2, x1, #8
.Lclear_tail_fault:
	mov	x0, x2
	ret
END(arch_clear_user)

/*
 * long arch_strncpy_from_user(char *to, const char __user *from, size_t n)
 * Bytes until the source is aligned, then words while none holds a zero; the
 * last word is done in bytes.
 */
ENTRY(arch_strncpy_from_user)
	mov	x3, #0			/* done */
	mov_q	x8, 0x0101010101010101
1:	cmp	x3, x2
	b.hs	4f
	add	x4, x1, x3
	tst	x4, #7
	b.ne	3f
	sub	x5, x2, x3
	cmp	x5, #8
	b.lo	3f
	user	.Lstr_fault, ldtr x6, [x4]
	sub	x7, x6, x8
	bic	x7, x7, x6
	tst	x7, #0x8080808080808080
	b.ne	3f
	str	x6, [x0, x3]
	add	x3, x3, #8
	b	1b
3:	user	.Lstr_fault, ldtrb w6, [x4]
	strb	w6, [x0, x3]
	cbz	w6, 4f
	add	x3, x3, #1
	b	1b
4:	mov	x0, x3
	ret
.Lstr_fault:
	mov	x0, #-EFAULT
	ret
END(arch_strncpy_from_user)

/*
 * Exclusive accesses have no unprivileged form.  PAN, where the CPU has it,
 * is clear from pan_open to pan_close; faults inside go through pan_close.
 * Alignment was checked by the caller.  Uses x9.
 */
	.arch_extension pan
	.macro	pan_open
	ldr_l	x9, arm64_features
	tbz	x9, #FEATURE_PAN, 9990f
	msr	pan, #0
9990:
	.endm
	.macro	pan_close
	tbz	x9, #FEATURE_PAN, 9991f
	msr	pan, #1
9991:
	.endm

/* int arch_user_cmpxchg32(u32 __user *uaddr, u32 old, u32 val, u32 *seen) */
ENTRY(arch_user_cmpxchg32)
	pan_open
1:	user	.Latomic_fault, ldxr w4, [x0]
	cmp	w4, w1
	b.ne	2f
	user	.Latomic_fault, stlxr w5, w2, [x0]
	cbnz	w5, 1b
2:	dmb	ish
	pan_close
	str	w4, [x3]
	mov	x0, #0
	ret
.Latomic_fault:
	pan_close
	mov	x0, #-EFAULT
	ret
END(arch_user_cmpxchg32)

	.macro	atomic_loop, insn:vararg
1:	user	.Latomic_fault, ldxr w4, [x0]
	\insn
	user	.Latomic_fault, stlxr w6, w5, [x0]
	cbnz	w6, 1b
	b	2f
	.endm

/*
 * int arch_user_atomic_op32(u32 __user *uaddr, int op, u32 arg, u32 *old)
 * op as in futex(2): 0 set, 1 add, 2 or, 3 and not, 4 xor.
 */
ENTRY(arch_user_atomic_op32)
	pan_open
	cmp	w1, #1
	b.eq	.Lop_add
	cmp	w1, #2
	b.eq	.Lop_or
	cmp	w1, #3
	b.eq	.Lop_andn
	cmp	w1, #4
	b.eq	.Lop_xor
	atomic_loop mov w5, w2
.Lop_add:
	atomic_loop add w5, w4, w2
.Lop_or:
	atomic_loop orr w5, w4, w2
.Lop_andn:
	atomic_loop bic w5, w4, w2
.Lop_xor:
	atomic_loop eor w5, w4, w2
2:	dmb	ish
	pan_close
	str	w4, [x3]
	mov	x0, #0
	ret
END(arch_user_atomic_op32)
