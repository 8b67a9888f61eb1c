/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: no threads. */
#define ARCH_STACK_SIZE 16384
struct arch_thread {
	int unused;
};
