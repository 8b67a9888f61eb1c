/* SPDX-License-Identifier: MIT */
/* The vDSO as data, whole pages; cpu/vdso.c hands it out. */
	.section .rodata, "a"
	.balign	4096
	.globl	arm64_vdso_start
arm64_vdso_start:
	.incbin	VDSO_SO
	.balign	4096
	.globl	arm64_vdso_end
arm64_vdso_end:
