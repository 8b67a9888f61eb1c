/* SPDX-License-Identifier: MIT */
/*
 * What exec has to know of arm64; contract in <arch/elf.h>.
 *
 * A PIE is loaded two thirds up the address space, as Linux does, so that
 * both the heap above it and mappings below the stack have room.
 */
#ifndef SONDE_ARM64_ELF_H
#define SONDE_ARM64_ELF_H

#define ARCH_ELF_MACHINE  183
#define ARCH_PLATFORM	  "aarch64"
#define ARCH_STACK_TOP	  (1ull << 48)
/* struct rt_sigframe, its frame record, and alignment. */
#define ARCH_SIGFRAME_BYTES 4720
#define ARCH_MINSIGSTKSZ  5120
#define ARCH_ELF_DYN_BASE (2 * ARCH_STACK_TOP / 3 & ~0xfffull)

#endif /* SONDE_ARM64_ELF_H */
