/* SPDX-License-Identifier: MIT */
/*
 * Machine state of a task on x86_64; contract in <arch/thread.h>.
 *
 * The callee-saved registers are pushed on the kernel stack by the switch, so
 * the stack pointer is all that is kept of them here.
 */
#ifndef SONDE_X86_THREAD_H
#define SONDE_X86_THREAD_H

#define ARCH_STACK_SHIFT 14
#define ARCH_STACK_SIZE	 (1 << ARCH_STACK_SHIFT)
#define ARCH_STACK_ALIGN ARCH_STACK_SIZE

#include <lib/compiler.h>
#include <lib/types.h>

#define X86_XSAVE_BYTES 1024	/* legacy area, header, AVX upper halves */

/* [own task, or the switch] */
struct arch_thread {
	u8 xsave[X86_XSAVE_BYTES] __aligned(64);
	u64 sp;			/* kernel stack pointer while not running */
	u64 fs_base;		/* TLS */
	u64 gs_base;
	u64 fault_address;	/* of the last fault that raised a signal */
	u64 fault_code;
	u64 fault_vector;
	s32 fp_cpu;		/* CPU that last loaded xsave, -1: none */
};

#endif /* SONDE_X86_THREAD_H */
