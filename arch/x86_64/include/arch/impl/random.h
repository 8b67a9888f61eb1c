/* SPDX-License-Identifier: MIT */
/*
 * RDRAND where the CPU has it; contract in <arch/random.h>.
 */
#ifndef SONDE_X86_RANDOM_H
#define SONDE_X86_RANDOM_H

#include <lib/types.h>

bool arch_random_u64(u64 *out);

#endif /* SONDE_X86_RANDOM_H */
