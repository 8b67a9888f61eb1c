/* SPDX-License-Identifier: MIT */
/*
 * Machine state of a task on arm64; contract in <arch/thread.h>.
 *
 * A kernel stack is aligned to twice its size (ARCH_STACK_ALIGN), so that one
 * bit of SP tells an overflow at exception entry before anything is stored.
 * The top 16 bytes of a stack hold {task, 0}: entry from user mode finds the
 * current task there; below them lies the user frame.
 */
#ifndef SONDE_ARM64_THREAD_H
#define SONDE_ARM64_THREAD_H

#define ARCH_STACK_SHIFT 14
#define ARCH_STACK_SIZE	 (1 << ARCH_STACK_SHIFT)
#define ARCH_STACK_ALIGN (2 * ARCH_STACK_SIZE)

#ifndef __ASSEMBLY__

#include <lib/compiler.h>
#include <lib/types.h>

/* What the procedure call standard makes the callee keep. */
struct arch_cpu_context {
	u64 x19_x28[10];
	u64 fp;
	u64 sp;
	u64 pc;
};

struct arch_fpsimd {
	u64 v[64];	/* v0..v31, low word first */
	u32 fpsr;
	u32 fpcr;
} __aligned(16);

/* [own task, or the switch] */
struct arch_thread {
	struct arch_fpsimd fpsimd;
	struct arch_cpu_context context;
	u64 tls;		/* TPIDR_EL0 */
	u64 fault_address;	/* of the last fault that raised a signal */
	u64 fault_esr;		/* its syndrome, 0: none for the frame */
	s32 fp_cpu;		/* CPU that last loaded fpsimd, -1: none */
	u8 debug_step;		/* a step past a breakpoint is under way */
};

#endif /* __ASSEMBLY__ */

#endif /* SONDE_ARM64_THREAD_H */
