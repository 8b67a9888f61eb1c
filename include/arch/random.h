/* SPDX-License-Identifier: MIT */
/*
 * Hardware entropy: <arch/impl/random.h> supplies bool arch_random_u64(u64
 * *out), true when *out was filled (RNDR, RDRAND).  Any context.
 */
#ifndef SONDE_ARCH_RANDOM_H
#define SONDE_ARCH_RANDOM_H

#include <lib/types.h>

#include <arch/impl/random.h>

#endif /* SONDE_ARCH_RANDOM_H */
