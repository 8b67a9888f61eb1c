/* SPDX-License-Identifier: MIT */
/*
 * The data page that the vDSO reads, mapped read-only into every process.
 *
 * One writer (kernel/time, under its lock); readers retry while seq is odd or
 * has changed.  Nanoseconds of CLOCK_MONOTONIC are
 * ((counter - base_cycles) * mult) >> shift with a 128-bit product, and
 * CLOCK_REALTIME adds real_offset_ns.  The coarse clocks are the same, rounded
 * down to coarse_ns.  The vDSO's code of each architecture includes this.
 */
#ifndef SONDE_KERNEL_VDSO_H
#define SONDE_KERNEL_VDSO_H

#include <lib/types.h>

struct vdso_data {
	u32 seq;		/* [a] odd while a write is under way */
	u32 mult;		/* [seq] */
	u32 shift;		/* [seq] */
	u32 coarse_ns;		/* [I] resolution of the coarse clocks */
	u64 base_cycles;	/* [seq] */
	u64 real_offset_ns;	/* [seq] real - mono */
};

/* One whole page of the image, in its own section of read-write data. */
union vdso_data_page {
	struct vdso_data data;
	u8 bytes[4096];
};

#ifdef __KERNEL__
extern union vdso_data_page vdso_data_page;
#endif

#endif /* SONDE_KERNEL_VDSO_H */
