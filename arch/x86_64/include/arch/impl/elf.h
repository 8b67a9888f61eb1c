/* SPDX-License-Identifier: MIT */
/*
 * What exec has to know of x86_64; contract in <arch/elf.h>.
 */
#ifndef SONDE_X86_ELF_H
#define SONDE_X86_ELF_H

#define ARCH_ELF_MACHINE  62
#define ARCH_PLATFORM	  "x86_64"
#define ARCH_STACK_TOP	  ((1ull << 47) - 4096)
/* The frame and the legacy FXSAVE area. */
#define ARCH_SIGFRAME_BYTES 1232
#define ARCH_MINSIGSTKSZ  2048
#define ARCH_ELF_DYN_BASE (ARCH_STACK_TOP / 3 * 2 & ~0xfffull)

#endif /* SONDE_X86_ELF_H */
