/* SPDX-License-Identifier: MIT */
/*
 * Device registers of x86_64; contract in <arch/io.h>.  Uncached accesses are
 * ordered by the hardware; the clobber orders the compiler.
 */
#ifndef SONDE_X86_IO_H
#define SONDE_X86_IO_H

#include <lib/types.h>

#define X86_MMIO(bits, type, suffix, in)                                 \
	static inline type mmio_read##bits(const void __iomem *reg)      \
	{                                                                \
		type val;                                                \
                                                                         \
		__asm__ __volatile__("mov" suffix " (%1), %0"            \
				     : in(val)                           \
				     : "r"(reg)                          \
				     : "memory");                        \
		return val;                                              \
	}                                                                \
	static inline void mmio_write##bits(void __iomem *reg, type val) \
	{                                                                \
		__asm__ __volatile__("mov" suffix " %0, (%1)"            \
				     :                                   \
				     : "q"(val), "r"(reg)                \
				     : "memory");                        \
	}

X86_MMIO(8, u8, "b", "=q")
X86_MMIO(16, u16, "w", "=r")
X86_MMIO(32, u32, "l", "=r")
X86_MMIO(64, u64, "q", "=r")

#undef X86_MMIO

#endif /* SONDE_X86_IO_H */
