/* SPDX-License-Identifier: MIT */
/* A machine for the host test of kernel/mm: a stack top. */
#define ARCH_STACK_TOP (1ull << 48)
