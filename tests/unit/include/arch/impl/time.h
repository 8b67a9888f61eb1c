/* SPDX-License-Identifier: MIT */
/* The host as an architecture, for tests of code above the arch contract. */
#ifndef SONDE_UNIT_ARCH_TIME_H
#define SONDE_UNIT_ARCH_TIME_H

#include <lib/types.h>

u64 arch_clock_read(void);

#endif
