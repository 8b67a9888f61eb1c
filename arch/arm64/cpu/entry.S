/* SPDX-License-Identifier: MIT */
/*
 * Exception entry and exit.
 *
 * The vectors, the register frame, the fast path of a system call, the way
 * back to user mode, and the switch to the interrupt stack.  Everything lies
 * in .entry.text, where no probe may be placed.
 *
 * On entry from EL0 the stack pointer is at the top of the task's kernel
 * stack, whose last 16 bytes hold the task; from then on x28 is the current
 * task until the exit.  An entry from EL1 first checks one bit of SP: both
 * kinds of stack are aligned to twice their size.  The frame ends in a frame
 * record, so a chain of frame pointers crosses the exception; from EL0 the
 * record is {0, 0} and ends it.
 *
 * Must never: touch user memory, call C with errors and debug masked for
 * longer than it takes to read the syndrome, return to user mode with work
 * pending.
 */
#include <arch/impl/asm.h>
#include <arch/impl/frame.h>
#include <arch/impl/sysreg.h>
#include <arch/impl/thread.h>
#include <generated/asm-offsets.h>

	.macro	vector_el1, label
	.balign	128
	sub	sp, sp, #S_SIZE
	add	sp, sp, x0		/* sp' = SP + x0 */
	sub	x0, sp, x0		/* x0' = SP */
	tbnz	x0, #ARCH_STACK_SHIFT, stack_overflow
	sub	x0, sp, x0		/* both back */
	sub	sp, sp, x0
	b	\label
	.endm

	.macro	vector_el0, label
	.balign	128
	sub	sp, sp, #S_SIZE
	stp	x0, x1, [sp, #16 * 0]
	b	\label
	.endm

	.macro	vector_bad, reason
	.balign	128
	sub	sp, sp, #S_SIZE
	stp	x0, x1, [sp, #16 * 0]
	mov	x1, #\reason
	b	bad_vector
	.endm

	/* Leaves x22 = PC, x23 = PSTATE, x28 = current, a terminal record. */
	.macro	entry_el0
	save_gprs
	mrs	x21, sp_el0
	mrs	x22, elr_el1
	mrs	x23, spsr_el1
	ldr	x28, [sp, #S_SIZE]
	stp	x30, x21, [sp, #S_LR]
	stp	x22, x23, [sp, #S_PC]
	stp	xzr, xzr, [sp, #S_RECORD]
	msr	sp_el0, x28
	add	x29, sp, #S_RECORD
	.endm

	/* The frame of a system call is told by a number of its own. */
	.macro	no_syscall
	mov	w9, #-1
	str	x9, [sp, #S_SYSCALLNO]
	.endm

	/* w20: are interrupts masked by priority?  <arch/impl/irqflags.h> */
	.macro	load_irq_masked
661:	mov	w20, wzr
#ifdef CONFIG_ARM64_PSEUDO_NMI
	.pushsection __mask_insns, "a"
	.balign	4
	.long	661b - .
	ldr	w20, [x28, #TI_IRQ_MASKED]
	.popsection
#endif
	.endm

	.macro	entry_el1
	stp	x0, x1, [sp, #16 * 0]
	save_gprs
	add	x21, sp, #S_SIZE
	mrs	x22, elr_el1
	mrs	x23, spsr_el1
	stp	x30, x21, [sp, #S_LR]
	stp	x22, x23, [sp, #S_PC]
	stp	x29, x22, [sp, #S_RECORD]
	no_syscall
	mrs	x28, sp_el0
	load_irq_masked
	str	x20, [sp, #S_IRQ_MASKED]
	add	x29, sp, #S_RECORD
	.endm

	/* Interrupts and errors masked: ELR and SPSR are live until ERET. */
	.macro	exit_el1
	ldp	x22, x23, [sp, #S_PC]
	msr	elr_el1, x22
	msr	spsr_el1, x23
	restore_gprs
	add	sp, sp, #S_SIZE
	eret
	.endm

	/* Everything is masked, and every register comes from the frame. */
	.macro	check_user_exit
#ifdef CONFIG_DEBUG_LOCK_RANK
	mov	x0, sp
	bl	lockrank_user_exit
#endif
	.endm

	.section .entry.text, "ax"
	.globl	entry_text_start
entry_text_start:
	.balign	2048
ENTRY(vectors)
	vector_bad	0
	vector_bad	1
	vector_bad	2
	vector_bad	3

	vector_el1	el1_sync
	vector_el1	el1_irq
	vector_el1	el1_fiq
	vector_el1	el1_error

	vector_el0	el0_sync
	vector_el0	el0_irq
	vector_el0	el0_fiq
	vector_el0	el0_error

	vector_bad	4
	vector_bad	5
	vector_bad	6
	vector_bad	7
END(vectors)

	.balign	64
LOCAL_ENTRY(el0_sync)
	entry_el0
	mrs	x25, esr_el1
	lsr	x24, x25, #ESR_EC_SHIFT
	cmp	x24, #ESR_EC_SVC64
	b.ne	el0_sync_other
	mov	w9, w8
	stp	x0, x9, [sp, #S_ORIG_X0]
	mov	x0, sp
	msr	daif, xzr
	bl	syscall_dispatch
LOCAL_ENTRY(return_to_user)
	msr	daifset, #15
	ldr	w1, [x28, #TI_FLAGS]
	tst	w1, #TIF_WORK
	b.ne	work_pending
	check_user_exit
	ldp	x22, x23, [sp, #S_PC]
	ldr	x21, [sp, #S_SP]
	msr	elr_el1, x22
	msr	spsr_el1, x23
	msr	sp_el0, x21
	restore_gprs
	add	sp, sp, #S_SIZE
	eret
END(el0_sync)

LOCAL_ENTRY(work_pending)
	msr	daifclr, #12		/* interrupts stay masked */
	mov	x0, sp
	bl	arm64_user_work
	b	return_to_user
END(work_pending)

LOCAL_ENTRY(el0_sync_other)
	no_syscall
	str	x25, [sp, #S_ESR]
	mov	x0, sp
	mov	x1, x25
	bl	arm64_el0_sync
	b	return_to_user
END(el0_sync_other)

LOCAL_ENTRY(el0_irq)
	entry_el0
	no_syscall
	msr	daifclr, #12
	mov	x0, sp
	bl	arm64_irq
	b	return_to_user
END(el0_irq)

LOCAL_ENTRY(el0_fiq)
	entry_el0
	no_syscall
	mov	x0, sp
	mov	x1, #8
	b	bad_call
END(el0_fiq)

LOCAL_ENTRY(el0_error)
	entry_el0
	no_syscall
	mov	x0, sp
	mrs	x1, esr_el1
	bl	arm64_serror
	b	return_to_user
END(el0_error)

LOCAL_ENTRY(el1_sync)
	entry_el1
	mrs	x1, esr_el1
	str	x1, [sp, #S_ESR]
	mov	x0, sp
	bl	arm64_el1_sync
	msr	daifset, #15
	exit_el1
END(el1_sync)

/*
 * On the task's stack the handler gets the interrupt stack of this CPU, once
 * there is one; a nested interrupt stays where it is.
 */
LOCAL_ENTRY(el1_irq)
	entry_el1
	msr	daifclr, #12
	mov	x0, sp
	mov	x19, sp
	ldr	x1, [x28, #TASK_STACK]
	sub	x1, x19, x1
	lsr	x1, x1, #ARCH_STACK_SHIFT
	cbnz	x1, 1f
	this_cpu x2, irq_stack_top, x3
	ldr	x2, [x2]
	cbz	x2, 1f
	mov	sp, x2
1:	bl	arm64_irq
	mov	sp, x19
	tbz	w0, #0, 2f
	ldr	x1, [x28, #TI_PREEMPT]
	cbnz	x1, 2f
	bl	arm64_preempt
2:	msr	daifset, #15
	exit_el1
END(el1_irq)

LOCAL_ENTRY(el1_fiq)
	entry_el1
	mov	x0, sp
	mov	x1, #9
	b	bad_call
END(el1_fiq)

LOCAL_ENTRY(el1_error)
	entry_el1
	mov	x0, sp
	mrs	x1, esr_el1
	bl	arm64_serror
	msr	daifset, #15
	exit_el1
END(el1_error)

LOCAL_ENTRY(bad_vector)
	str	x1, [sp, #S_ORIG_X0]
	ldr	x1, [sp, #8]
	save_gprs
	add	x21, sp, #S_SIZE
	mrs	x22, elr_el1
	mrs	x23, spsr_el1
	stp	x30, x21, [sp, #S_LR]
	stp	x22, x23, [sp, #S_PC]
	stp	x29, x22, [sp, #S_RECORD]
	add	x29, sp, #S_RECORD
	ldr	x1, [sp, #S_ORIG_X0]
	mov	x0, sp
bad_call:
	bl	arm64_bad_exception
	b	.
END(bad_vector)

/*
 * x0 is the overflowed SP less a frame, sp is that plus the old x0.  The
 * user's thread registers serve as scratch: nothing returns from here.
 */
LOCAL_ENTRY(stack_overflow)
	msr	tpidr_el0, x0
	sub	x0, sp, x0
	msr	tpidrro_el0, x0
	adr_l	x0, percpu_overflow_stack
	mov	sp, x0
	mrs	x0, tpidr_el1
	add	sp, sp, x0
	add	sp, sp, #(4096 - S_SIZE)
	mrs	x0, tpidrro_el0
	stp	x0, x1, [sp, #16 * 0]
	save_gprs
	mrs	x21, tpidr_el0
	add	x21, x21, #S_SIZE
	mrs	x22, elr_el1
	mrs	x23, spsr_el1
	stp	x30, x21, [sp, #S_LR]
	stp	x22, x23, [sp, #S_PC]
	stp	x29, x22, [sp, #S_RECORD]
	no_syscall
	mrs	x24, esr_el1
	str	x24, [sp, #S_ESR]
	add	x29, sp, #S_RECORD
	mov	x0, sp
	bl	arm64_stack_overflow
	b	.
END(stack_overflow)

/*
 * First code of a new task: x19 = function or 0, x20 = its argument, x0 = the
 * task that ran before; SP at the (future) user frame.
 */
ENTRY(arm64_task_start)
	mrs	x28, sp_el0
	bl	sched_finish_switch
	cbz	x19, 1f
	mov	x0, x20
	blr	x19
1:	mrs	x28, sp_el0
	b	return_to_user
END(arm64_task_start)

	.globl	entry_text_end
entry_text_end:
