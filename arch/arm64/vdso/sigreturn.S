/* SPDX-License-Identifier: MIT */
/*
 * The trampoline that a signal handler returns to.
 *
 * Unwinders know it by its two instructions, and by the frame description:
 * the frame record that signal delivery put on the stack is where x29 points.
 */
	.section .text.sigreturn, "ax"
	.globl	__kernel_rt_sigreturn
	.type	__kernel_rt_sigreturn, %function
__kernel_rt_sigreturn:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_def_cfa x29, 0
	.cfi_offset x29, 0
	.cfi_offset x30, 8
	mov	x8, #139
	svc	#0
	.cfi_endproc
	.size	__kernel_rt_sigreturn, . - __kernel_rt_sigreturn
