/* SPDX-License-Identifier: MIT */
/*
 * The virtual counter; contract in <arch/time.h>.  The ISB keeps the read
 * from being done early, before what the caller ordered it after.
 */
#ifndef SONDE_ARM64_TIME_H
#define SONDE_ARM64_TIME_H

#include <lib/types.h>

static inline u64 arch_clock_read(void)
{
	u64 count;

	__asm__ __volatile__("isb\n\tmrs %0, cntvct_el0"
			     : "=r"(count)
			     :
			     : "memory");
	return count;
}

#endif /* SONDE_ARM64_TIME_H */
