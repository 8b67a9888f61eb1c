/* SPDX-License-Identifier: MIT */
/*
 * The kernel half of the arm64 address space; also for assembly and the link
 * script.
 *
 *   ffff000000000000  all of physical memory, at its physical address
 *   ffff800000000000  fixed slots: device tree and console before the
 *                     allocators, the text-patching window
 *   ffff800008000000  the image
 *   ffff80000c000000  slots of probed instructions, in a branch's reach of it
 *   ffff800080000000  vmap area: stacks, MMIO, large allocations
 *
 * Everything from ffff800000000000 to the end of the vmap area lies under one
 * top-level entry.
 */
#ifndef SONDE_ARM64_LAYOUT_H
#define SONDE_ARM64_LAYOUT_H

#ifdef __ASSEMBLY__
#define ARM64_VA(x) x
#else
#define ARM64_VA(x) x##ull
#endif

#define ARCH_LINEAR_BASE ARM64_VA(0xffff000000000000)
#define ARCH_FIXED_BASE	 ARM64_VA(0xffff800000000000)
#define ARCH_KIMAGE_BASE ARM64_VA(0xffff800008000000)
#define ARCH_KIMAGE_END	 ARM64_VA(0xffff80000c000000)
#define ARCH_KSLOT_BASE	 ARM64_VA(0xffff80000c000000)
#define ARCH_KSLOT_BYTES 0x20000
#define ARCH_VMAP_BASE	 ARM64_VA(0xffff800080000000)
#define ARCH_VMAP_END	 ARM64_VA(0xffff807f80000000)

/* Pages of the fixed area, whose last-level table is in the image. */
#define FIXED_CONSOLE 0
#define FIXED_PATCH   1	/* two pages: an instruction run may cross */
#define FIXED_PAGES   4
#define FIXED_VA(n)   (ARCH_FIXED_BASE + (n) * 4096)
/* Two 2 MiB blocks in which the device tree is read before the linear map. */
#define FIXED_FDT_VA  (ARCH_FIXED_BASE + 0x400000)

#endif /* SONDE_ARM64_LAYOUT_H */
