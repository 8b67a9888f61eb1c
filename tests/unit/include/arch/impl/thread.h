/* SPDX-License-Identifier: MIT */
/* The host as an architecture, for tests of code above the arch contract. */
#ifndef SONDE_UNIT_ARCH_THREAD_H
#define SONDE_UNIT_ARCH_THREAD_H

#define ARCH_STACK_SIZE 16384

struct arch_thread {
	int unused;
};

#endif
