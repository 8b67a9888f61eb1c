/* SPDX-License-Identifier: MIT */
/* The kernel's random numbers: ChaCha20 keyed from the device tree's seed,
 * hardware entropy and interrupt timing.  Any context. */
#ifndef SONDE_KERNEL_RANDOM_H
#define SONDE_KERNEL_RANDOM_H

#include <lib/types.h>

void random_bytes(void *buf, size_t n);
u64 random_u64(void);
void random_init(void);
/* Stir in outside bits. */
void random_mix(const void *buf, size_t n);

#endif /* SONDE_KERNEL_RANDOM_H */
