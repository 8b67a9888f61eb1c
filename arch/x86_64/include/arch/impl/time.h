/* SPDX-License-Identifier: MIT */
/*
 * The time-stamp counter; contract in <arch/time.h>.  LFENCE keeps the read
 * from being done before what the caller ordered it after.
 */
#ifndef SONDE_X86_TIME_H
#define SONDE_X86_TIME_H

#include <lib/types.h>

static inline u64 arch_clock_read(void)
{
	u32 low, high;

	__asm__ __volatile__("lfence\n\trdtsc"
			     : "=a"(low), "=d"(high)
			     :
			     : "memory");
	return (u64)high << 32 | low;
}

#endif /* SONDE_X86_TIME_H */
