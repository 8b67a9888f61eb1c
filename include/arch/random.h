/* SPDX-License-Identifier: MIT */
/* Hardware entropy: true when *out was filled (RNDR, RDRAND).  Any context. */
#ifndef SONDE_ARCH_RANDOM_H
#define SONDE_ARCH_RANDOM_H

#include <lib/types.h>

#include <arch/impl/random.h>

#endif /* SONDE_ARCH_RANDOM_H */
