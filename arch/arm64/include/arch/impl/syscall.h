/* SPDX-License-Identifier: MIT */
/*
 * Bound of the system-call table of arm64; contract in <arch/syscall.h>.
 */
#ifndef SONDE_ARM64_SYSCALL_H
#define SONDE_ARM64_SYSCALL_H

#define ARCH_NR_SYSCALLS 451

#endif /* SONDE_ARM64_SYSCALL_H */
