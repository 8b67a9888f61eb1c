/* SPDX-License-Identifier: MIT */
/*
 * From the loader to kernel_start(), and from PSCI to cpu_start_secondary().
 *
 * Entered by the arm64 boot protocol: MMU off, x0 = device tree, at EL2 or
 * EL1, the image on any 2 MiB boundary.  Everything in .head.text is position
 * independent and lies in the first page of the image, which the identity map
 * covers; it also holds the routine that exchanges TTBR1, since that code
 * must not run from what it unmaps.
 *
 * Registers kept through the boot path: x20 boot exception level, x21 device
 * tree or context of a secondary, x24 physical address of the image.
 */
#include <arch/impl/asm.h>
#include <arch/impl/layout.h>
#include <arch/impl/sysreg.h>
#include <arch/impl/thread.h>
#include <generated/asm-offsets.h>

#define BLOCK_FLAGS	0x701	/* block, AF, inner shareable, MAIR_NORMAL */

	.section .head.text, "ax"
	.globl	_head
_head:
	b	primary_entry
	.long	0
	.quad	0			/* load offset from a 2 MiB boundary */
	.quad	_image_bytes		/* memory the image takes */
	.quad	0xa			/* little endian, 4 KiB pages, anywhere */
	.quad	0, 0, 0
	.ascii	"ARM\x64"
	.long	0

LOCAL_ENTRY(primary_entry)
	mov	x21, x0
	bl	enter_el1
	adrp	x24, _text
	bl	make_boot_tables
	adrp	x0, boot_idmap
	adrp	x1, boot_pgd
	bl	cpu_mmu_setup
	ldr	x8, =primary_switched
	br	x8
END(primary_entry)

/* Physical entry that PSCI CPU_ON is given; x0 is the context argument. */
ENTRY(secondary_entry)
	mov	x21, x0
	bl	enter_el1
	adrp	x24, _text
	adrp	x0, boot_idmap
	adr_l	x1, arm64_ttbr1
	ldr	x1, [x1]
	bl	cpu_mmu_setup
	ldr	x8, =secondary_switched
	br	x8
END(secondary_entry)

/*
 * Leave EL2 if the loader entered there, giving EL1 the timers, the whole
 * PMU and the GIC's system registers, with nothing trapped.  Sets x20.
 */
LOCAL_ENTRY(enter_el1)
	mrs	x20, CurrentEL
	cmp	x20, #(2 << 2)
	b.eq	1f
	mov_q	x0, SCTLR_EL1_OFF
	msr	sctlr_el1, x0
	isb
	ret
1:	mov_q	x0, 0x30c50830		/* RES1, everything off */
	msr	sctlr_el2, x0
	mov	x0, #(1 << 31)		/* EL1 is AArch64 */
	msr	hcr_el2, x0
	isb
	mov	x0, #3
	msr	cnthctl_el2, x0
	msr	cntvoff_el2, xzr
	mrs	x0, midr_el1
	msr	vpidr_el2, x0
	mrs	x0, mpidr_el1
	msr	vmpidr_el2, x0
	mov	x0, #0x33ff
	msr	cptr_el2, x0
	msr	hstr_el2, xzr
	msr	vttbr_el2, xzr

	mrs	x0, id_aa64dfr0_el1
	ubfx	x1, x0, #8, #4		/* PMUVer: 0 none, 15 not architected */
	mov	x2, xzr
	cbz	x1, 2f
	cmp	x1, #15
	b.eq	2f
	mrs	x2, pmcr_el0
	ubfx	x2, x2, #11, #5		/* every counter to EL1 */
2:	msr	mdcr_el2, x2

	mrs	x0, id_aa64pfr0_el1
	ubfx	x0, x0, #24, #4		/* GIC system registers */
	cbz	x0, 3f
	mrs	x0, s3_4_c12_c9_5	/* ICC_SRE_EL2 */
	orr	x0, x0, #1		/* SRE, Enable */
	orr	x0, x0, #8
	msr	s3_4_c12_c9_5, x0
	isb
	mrs	x0, s3_4_c12_c9_5
	tbz	x0, #0, 3f
	msr	s3_4_c12_c11_0, xzr	/* ICH_HCR_EL2 */
3:	mrs	x0, id_aa64mmfr0_el1
	ubfx	x0, x0, #56, #4		/* fine-grained traps: none */
	cbz	x0, 4f
	msr	s3_4_c1_c1_4, xzr	/* HFGRTR_EL2, HFGWTR_EL2, HFGITR_EL2 */
	msr	s3_4_c1_c1_5, xzr
	msr	s3_4_c1_c1_6, xzr
	msr	s3_4_c3_c1_4, xzr	/* HDFGRTR_EL2, HDFGWTR_EL2 */
	msr	s3_4_c3_c1_5, xzr
4:	mrs	x0, id_aa64mmfr1_el1
	ubfx	x0, x0, #40, #4
	cbz	x0, 5f
	msr	s3_4_c1_c2_2, xzr	/* HCRX_EL2 */
5:	mov_q	x0, SCTLR_EL1_OFF
	msr	sctlr_el1, x0
	mov	x0, #0x3c5		/* EL1h, DAIF masked */
	msr	spsr_el2, x0
	msr	elr_el2, x30
	eret
END(enter_el1)

/*
 * The tables that carry the CPU from here to the final ones: the 2 MiB block
 * of this page at its own address, and the image at its linked address.  The
 * memory is written with caches off, so stale lines are discarded first and
 * afterwards.  Uses x0..x7, x24.
 */
LOCAL_ENTRY(make_boot_tables)
	mov	x7, x30
	bl	discard_boot_tables
	adrp	x0, __boot_tables_start
	adrp	x1, __boot_tables_end
1:	stp	xzr, xzr, [x0], #16
	cmp	x0, x1
	b.lo	1b

	mov	x6, #BLOCK_FLAGS
	adrp	x0, boot_idmap
	adrp	x1, boot_idmap + 4096
	adrp	x2, boot_idmap + 8192
	orr	x3, x1, #3
	ubfx	x4, x24, #39, #9
	str	x3, [x0, x4, lsl #3]
	orr	x3, x2, #3
	ubfx	x4, x24, #30, #9
	str	x3, [x1, x4, lsl #3]
	and	x3, x24, #~0x1fffff
	orr	x3, x3, x6
	ubfx	x4, x24, #21, #9
	str	x3, [x2, x4, lsl #3]

	adrp	x0, boot_pgd
	adrp	x1, boot_pgd + 4096
	adrp	x2, boot_pgd + 8192
	adrp	x5, boot_pgd + 12288
	orr	x3, x1, #3
	str	x3, [x0, #(256 * 8)]
	orr	x3, x2, #3
	str	x3, [x1]
	orr	x3, x5, #3
	str	x3, [x2]		/* table of the fixed slots */
	add	x2, x2, #(64 * 8)	/* the image is at 128 MiB of it */
	and	x3, x24, #~0x1fffff
	orr	x3, x3, x6
	adrp	x4, _end
2:	str	x3, [x2], #8
	add	x3, x3, #0x200000
	cmp	x3, x4
	b.lo	2b
	bl	discard_boot_tables
	ret	x7
END(make_boot_tables)

LOCAL_ENTRY(discard_boot_tables)
	dmb	sy
	adrp	x0, __boot_tables_start
	adrp	x1, __boot_tables_end
	mrs	x2, ctr_el0
	ubfx	x2, x2, #16, #4
	mov	x3, #4
	lsl	x2, x3, x2		/* smallest line */
1:	dc	ivac, x0
	add	x0, x0, x2
	cmp	x0, x1
	b.lo	1b
	dsb	sy
	ret
END(discard_boot_tables)

/*
 * Translation and control registers of a CPU, and the MMU on.  x0 is the
 * identity map, x1 the kernel's tables.  Returns to its physical caller.
 */
LOCAL_ENTRY(cpu_mmu_setup)
	tlbi	vmalle1
	dsb	nsh
	mov	x2, #(3 << 20)		/* FP and SIMD on; SVE and SME trap */
	msr	cpacr_el1, x2
	msr	mdscr_el1, xzr
	msr	contextidr_el1, xzr
	mrs	x2, id_aa64dfr0_el1
	ubfx	x3, x2, #8, #4
	cbz	x3, 1f
	cmp	x3, #15
	b.eq	1f
	msr	pmuserenr_el0, xzr
1:	mrs	x2, id_aa64pfr0_el1
	ubfx	x3, x2, #44, #4
	cbz	x3, 2f
	msr	s3_3_c13_c2_3, xzr	/* AMUSERENR_EL0 */
2:	mov_q	x2, MAIR_EL1_VALUE
	msr	mair_el1, x2

	mov_q	x2, (TCR_T0SZ(48) | TCR_T1SZ(48) | TCR_WALK_TTBR0 | \
		     TCR_WALK_TTBR1 | TCR_TG1_4K)
	orr	x2, x2, #(1 << TCR_TBI0_SHIFT)
	mrs	x3, id_aa64mmfr0_el1
	ubfx	x4, x3, #0, #4		/* physical address size */
	mov	x5, #5			/* 48 bits are all an entry holds */
	cmp	x4, x5
	csel	x4, x4, x5, lo
	bfi	x2, x4, #TCR_IPS_SHIFT, #3
	ubfx	x4, x3, #4, #4
	cmp	x4, #2
	cset	x4, eq
	bfi	x2, x4, #TCR_AS16_SHIFT, #1
	mrs	x3, id_aa64mmfr1_el1
	ands	x4, x3, #0xf		/* access flag, then dirty state */
	cset	x5, ne
	bfi	x2, x5, #TCR_HA_SHIFT, #1
	cmp	x4, #2
	cset	x5, hs
	bfi	x2, x5, #TCR_HD_SHIFT, #1
	msr	tcr_el1, x2

	ubfx	x4, x3, #20, #4
	cbz	x4, 3f
	.arch_extension pan
	msr	pan, #1
3:	msr	ttbr0_el1, x0
	msr	ttbr1_el1, x1
	isb
	mov_q	x2, SCTLR_EL1_ON
	ic	iallu
	dsb	nsh
	isb
	msr	sctlr_el1, x2
	isb
	ic	iallu
	dsb	nsh
	isb
	ret
END(cpu_mmu_setup)

/*
 * arm64_replace_ttbr1(u64 table): called through the identity map with
 * TTBR0 = boot_idmap and interrupts masked.  Break before make for the whole
 * kernel half: an empty table in between.
 */
ENTRY(idmap_replace_ttbr1)
	adrp	x1, arm64_empty_table
	msr	ttbr1_el1, x1
	isb
	tlbi	vmalle1
	dsb	nsh
	isb
	msr	ttbr1_el1, x0
	isb
	ret
END(idmap_replace_ttbr1)
	.ltorg

	.text
LOCAL_ENTRY(primary_switched)
	adr_l	x0, vectors
	msr	vbar_el1, x0
	isb
	adr_l	x0, __bss_start
	adr_l	x1, __bss_stop
1:	stp	xzr, xzr, [x0], #16
	cmp	x0, x1
	b.lo	1b

	adr_l	x28, init_task
	msr	sp_el0, x28
	msr	tpidr_el1, xzr
	adr_l	x0, arm64_boot_stack
	str	x0, [x28, #TASK_STACK]
	mov	x2, #(ARCH_STACK_SIZE - 16)
	add	x0, x0, x2
	mov	sp, x0
	stp	x28, xzr, [sp]
	sub	sp, sp, #S_SIZE
	stp	xzr, xzr, [sp, #S_RECORD]
	add	x29, sp, #S_RECORD
	mov	x30, xzr

	adr_l	x0, _text
	sub	x0, x0, x24
	str_l	x0, arm64_kimage_offset, x1
	str_l	x21, arm64_fdt_pa, x1
	str_l	x20, arm64_boot_el, x1
	msr	daifclr, #8		/* debug exceptions; errors come later */
	bl	kernel_start
	b	.
END(primary_switched)

/* x21: struct arm64_secondary (image address), see cpu/smp.c. */
LOCAL_ENTRY(secondary_switched)
	adr_l	x0, vectors
	msr	vbar_el1, x0
	adrp	x0, arm64_empty_table
	ldr_l	x1, arm64_kimage_offset
	sub	x0, x0, x1
	msr	ttbr0_el1, x0
	isb
	ldp	x28, x1, [x21]		/* idle task, per-CPU offset */
	msr	sp_el0, x28
	msr	tpidr_el1, x1
	ldr	x0, [x28, #TASK_STACK]
	mov	x2, #(ARCH_STACK_SIZE - 16)
	add	x0, x0, x2
	mov	sp, x0
	stp	x28, xzr, [sp]
	sub	sp, sp, #S_SIZE
	stp	xzr, xzr, [sp, #S_RECORD]
	add	x29, sp, #S_RECORD
	mov	x30, xzr
	bl	arm64_secondary_start
	b	.
END(secondary_switched)

	/* The three-level identity map; kernel half with one last level. */
	.section .boot_tables, "aw", %nobits
	.balign	4096
	.globl	boot_idmap
boot_idmap:
	.skip	3 * 4096
	.globl	boot_pgd
boot_pgd:
	.skip	3 * 4096
	.globl	arm64_fixed_table
arm64_fixed_table:
	.skip	4096
	.globl	arm64_empty_table
arm64_empty_table:
	.skip	4096
