/* SPDX-License-Identifier: MIT */
/*
 * Device registers of arm64; contract in <arch/io.h>.  Plain loads and stores
 * with a base register only, which is what an emulator can decode from the
 * syndrome.  Reads order later accesses after them, writes order earlier
 * memory accesses before them.
 */
#ifndef SONDE_ARM64_IO_H
#define SONDE_ARM64_IO_H

#include <lib/types.h>

#define ARM64_MMIO(bits, type, size, w)                                  \
	static inline type mmio_read##bits(const void __iomem *reg)      \
	{                                                                \
		type val;                                                \
                                                                         \
		__asm__ __volatile__("ldr" size " %" w "0, [%1]\n\t"     \
				     "dmb oshld"                         \
				     : "=r"(val)                         \
				     : "r"(reg)                          \
				     : "memory");                        \
		return val;                                              \
	}                                                                \
	static inline void mmio_write##bits(void __iomem *reg, type val) \
	{                                                                \
		__asm__ __volatile__("dmb oshst\n\t"                     \
				     "str" size " %" w "0, [%1]"         \
				     :                                   \
				     : "rZ"(val), "r"(reg)               \
				     : "memory");                        \
	}

ARM64_MMIO(8, u8, "b", "w")
ARM64_MMIO(16, u16, "h", "w")
ARM64_MMIO(32, u32, "", "w")
ARM64_MMIO(64, u64, "", "x")

#undef ARM64_MMIO

#endif /* SONDE_ARM64_IO_H */
