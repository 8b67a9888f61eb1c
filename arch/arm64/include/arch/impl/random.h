/* SPDX-License-Identifier: MIT */
/*
 * RNDR where FEAT_RNG is present; contract in <arch/random.h>.  The body is
 * in arch/arm64/cpu/features.c, which knows whether the CPU has it.
 */
#ifndef SONDE_ARM64_RANDOM_H
#define SONDE_ARM64_RANDOM_H

#include <lib/types.h>

bool arch_random_u64(u64 *out);

#endif /* SONDE_ARM64_RANDOM_H */
